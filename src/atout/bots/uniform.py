"""The weakest bot: every legal action is equally likely."""

from __future__ import annotations

import random
from collections.abc import Sequence

from atout.game import View


class RandomBot:
    """Chooses blindly."""

    name = "random"

    def choose(self, view: View, legal: Sequence[str], rng: random.Random) -> str:  # noqa: ARG002
        return rng.choice(legal)
