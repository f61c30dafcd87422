"""The level `random`: every legal action is equally likely."""

from __future__ import annotations

import random
from collections.abc import Sequence

from atout.bots.bot import Budget, Choice, Reason
from atout.game import View


class RandomBot:
    """Plays uniformly random legal actions."""

    name = "random"

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:  # noqa: ARG002
        return Choice(rng.choice(legal), reasons=(Reason("chance", {"among": len(legal)}),))
