"""The first meeting of a process and a bot: loading and compiling is no thinking, and is not counted as such.

Atout's own bots   play a quick round, with nobody's watch on them: compiled code is loaded, or compiled
a stranger         is made once, with more patience than later: what takes long belongs to its module or `__init__`
"""

from __future__ import annotations

import random
from contextlib import suppress

from atout.arena.settings import Settings
from atout.arena.watchdog import Watch
from atout.bots import LEVELS, Budget, ask, make_bot
from atout.game import Game

FIRST_PATIENCE = 120.0
"""Seconds a stranger has to be made for the first time."""
QUICK_NODES, QUICK_SECONDS = 50, 0.02


def greet(settings: Settings, name: str, watch: Watch) -> None:
    """Whatever fails here will fail in play too, and be counted there."""
    if name in LEVELS:
        with suppress(Exception):
            quick_round(settings, name)
        return
    with suppress(BaseException), watch.over(settings.bots.index(name), max(settings.patience, FIRST_PATIENCE)):
        make_bot(name)


def quick_round(settings: Settings, name: str) -> None:
    """The bot at every seat, with little to think."""
    bot, chance, budget = make_bot(name), random.Random(0), quick(settings.budget)  # noqa: S311
    game = Game.at(settings.setup, 0, first_dealer=0)
    while game.turn is not None and game.round == 1:
        game.play(ask(bot, game.view(game.turn), chance, budget).action)


def quick(budget: Budget) -> Budget:
    """Of the same kind, but small.

    >>> quick(Budget(seconds=2.0)), quick(Budget())
    (Budget(nodes=None, seconds=0.02), Budget(nodes=50, seconds=None))
    """
    if budget.seconds is not None:
        return Budget(seconds=min(budget.seconds, QUICK_SECONDS))
    return Budget(nodes=min(budget.nodes or QUICK_NODES, QUICK_NODES))
