"""`expert` with the work that a table's 0.3 s allow on two cores, counted in network evaluations.

So an arena gives it the same work on every machine, however busy, while `--budget` sets that of the other bot:

    atout arena --bots bench.at_table:Expert,mc --budget 10000 ...
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from atout.bots import Budget, Choice
from atout.bots.expert import ExpertBot
from atout.game import View

EVALUATIONS = {"njet": 1_800, "nichtig": 2_800}


class Expert(ExpertBot):
    """`expert`, whatever budget it is given."""

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:  # noqa: ARG002
        return super().choose(view, legal, Budget(nodes=EVALUATIONS[view["game"]]), rng)
