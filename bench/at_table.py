"""Bots of the arena with a fixed amount of work, counted instead of timed: it is the same however busy the machine is.

    Expert    the evaluations that a table's 0.3 s allow on two cores
    Ismcts    the iterations that one second allows on one quiet core, roughly

`--budget` then sets the work of the other bot alone:

    atout arena --bots bench.at_table:Expert,mc --budget 10000 ...
    atout arena --bots learned,bench.at_table:Ismcts ...
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from atout.bots import Budget, Choice, Reason
from atout.bots.expert import ExpertBot
from atout.bots.ismcts import Search
from atout.game import View, read_view

EVALUATIONS = {"njet": 1_800, "nichtig": 2_800}
ITERATIONS = 200_000
SLICE = 5_000
"""Iterations between two looks at whether the choice can still change."""


class Expert(ExpertBot):
    """`expert`, whatever budget it is given."""

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:  # noqa: ARG002
        return super().choose(view, legal, Budget(nodes=EVALUATIONS[view["game"]]), rng)


class Ismcts:
    """`ismcts`, whatever budget it is given. It stops early only once no other action can get more visits."""

    name = "ismcts"

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:  # noqa: ARG002
        if len(legal) == 1:
            return Choice(legal[0], reasons=(Reason("only-choice"),))
        search = Search(read_view(view), rng.getrandbits(62))
        search.grow(SLICE)
        while search.lead() <= ITERATIONS - search.iterations:
            search.grow(SLICE)
        return search.choice(legal)
