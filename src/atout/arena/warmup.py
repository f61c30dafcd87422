"""Warm-up: what a bot needs once per process is not counted as time for a decision.

Atout's own bots   play a quick round without a watchdog, so that compiled code is loaded, or compiled
other bots         are made once with a longer timeout: slow set-up belongs in their module or their `__init__`. If they
                   extend one of Atout's, or make some by name, those play a quick round, too
"""

from __future__ import annotations

import random
from contextlib import suppress

from atout.arena.settings import ArenaSettings
from atout.arena.watchdog import Watchdog
from atout.bots import LEVELS, MADE, Budget, ask, level_behind, make_bot
from atout.game import Game

FIRST_PATIENCE = 120.0
"""Seconds in which a bot that is not one of Atout's must be made for the first time."""
QUICK_NODES, QUICK_SECONDS = 50, 0.02


def warm_up(settings: ArenaSettings, name: str, watchdog: Watchdog) -> None:
    """Exceptions are ignored here: whatever fails will fail in play, too, and is counted there."""
    levels = {name} if name in LEVELS else set()
    if not levels:
        with suppress(BaseException), watchdog.over(settings.bots.index(name), max(settings.patience, FIRST_PATIENCE)):
            MADE.clear()
            extended = level_behind(name)
            make_bot(name)
            levels = MADE | ({extended} if extended else set())
    for level in levels:
        with suppress(Exception):
            quick_round(settings, level)


def quick_round(settings: ArenaSettings, name: str) -> None:
    """One round with the bot at every seat, on a small budget."""
    bot, rng, budget = make_bot(name), random.Random(0), quick(settings.budget)  # noqa: S311
    game = Game.at(settings.setup, 0, first_dealer=0)
    while game.turn is not None and game.round == 1:
        game.play(ask(bot, game.view(game.turn), rng, budget).action)


def quick(budget: Budget) -> Budget:
    """A small budget of the same kind.

    >>> quick(Budget(seconds=2.0)), quick(Budget())
    (Budget(nodes=None, seconds=0.02), Budget(nodes=50, seconds=None))
    """
    if budget.seconds is not None:
        return Budget(seconds=min(budget.seconds, QUICK_SECONDS))
    return Budget(nodes=min(budget.nodes or QUICK_NODES, QUICK_NODES))
