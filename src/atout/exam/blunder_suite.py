"""The exam of blunders: in which positions of the suite a bot makes one.

The suite is in `positions/`; the format of a position is in `position.py`.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from importlib import resources

from msgspec import Struct

from atout.bots import Bot, Budget, ask
from atout.bots.bot import UNLIMITED
from atout.exam.position import ExamPosition, read

SEEDS = tuple(range(20))
"""The seeds with which a bot is asked in every position."""


def suite() -> list[ExamPosition]:
    """All positions that come with Atout, in the order of the files."""
    folder = resources.files(__package__).joinpath("positions")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".txt")), key=lambda file: file.name)
    return [position for file in files for position in read(file.read_text(encoding="utf-8"), file.name)]


class Blunder(Struct, frozen=True):
    """A blunder that a bot made."""

    position: ExamPosition
    seed: int
    action: str


def blunders(
    bot: Bot, positions: Iterable[ExamPosition], seeds: Iterable[int] = SEEDS, budget: Budget = UNLIMITED
) -> list[Blunder]:
    """Every blunder the bot makes, asked once for each position and seed."""
    return [
        Blunder(position, seed, action)
        for position in positions
        for seed in seeds
        if (action := _answer(bot, position, seed, budget)) in position.blunders
    ]


def _answer(bot: Bot, position: ExamPosition, seed: int, budget: Budget) -> str:
    return ask(bot, position.view(), random.Random(f"{seed}/{position.title}"), budget).action  # noqa: S311
