"""The exam of shameful moves: which positions of the suite a bot fails, and with what.

The suite lies beside this file in `positions/`; `position.py` says how a position is written.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from importlib import resources

from msgspec import Struct

from atout.bots import Bot, Budget, ask
from atout.bots.bot import UNLIMITED
from atout.exam.position import Position, read

SEEDS = tuple(range(20))
"""What a bot must stand: every position as often as this."""


def suite() -> list[Position]:
    """All positions that come with Atout, file by file."""
    folder = resources.files(__package__).joinpath("positions")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".txt")), key=lambda file: file.name)
    return [position for file in files for position in read(file.read_text(encoding="utf-8"), file.name)]


class Lapse(Struct, frozen=True):
    """A bot was given a position and did what one does not do."""

    position: Position
    seed: int
    action: str


def lapses(
    bot: Bot, positions: Iterable[Position], seeds: Iterable[int] = SEEDS, budget: Budget = UNLIMITED
) -> list[Lapse]:
    """Every shameful move the bot makes, asked once for each position and seed."""
    return [
        Lapse(position, seed, action)
        for position in positions
        for seed in seeds
        if (action := _answer(bot, position, seed, budget)) in position.shameful
    ]


def _answer(bot: Bot, position: Position, seed: int, budget: Budget) -> str:
    return ask(bot, position.view(), random.Random(f"{seed}/{position.title}"), budget).action  # noqa: S311
