"""A quicker bot that answers for one whose code is not compiled yet: `learned`, or `novice` without a network."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from atout.bots.bot import Bot, Budget, Choice, Reason
from atout.bots.learned import LearnedBot
from atout.bots.novice import NoviceBot
from atout.bots.registry import make_bot
from atout.game import View

PREPARING = "preparing"
"""The code of the reason that the quicker bot gives."""


class PreparingBot:
    """A level that the quicker bot answers for until `is_ready` says that its code is compiled."""

    def __init__(self, level: str, is_ready: Callable[[], bool]) -> None:
        self.level, self._is_ready = level, is_ready
        self._bot = make_bot(level)
        self._quick: Bot = LearnedBot(fallback=NoviceBot())
        self.name = self._bot.name

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        if self._is_ready():
            return self._bot.choose(view, legal, budget, rng)
        return fallback_choice(self.level, self._quick.choose(view, legal, budget, rng))


def fallback_choice(level: str, choice: Choice) -> Choice:
    """The quick bot's choice in place of `level`, with a first reason that says so, unless `level` is the quick bot.

    >>> fallback_choice("club", Choice("1 play G9", reasons=(Reason("learned"),))).reasons[0].parameters
    {'instead': 'learned'}
    """
    is_trained = all(reason.code != "no-weights" for reason in choice.reasons)
    said = [reason for reason in choice.reasons if reason.code not in ("no-weights", "learned")]
    if level == "learned" and is_trained:
        return choice
    reason = Reason(PREPARING, {"instead": "learned" if is_trained else "novice"})
    return Choice(choice.action, choice.estimates, (reason, *said))


def is_fallback(choice: Choice) -> bool:
    """Whether a quicker bot made this choice."""
    return bool(choice.reasons) and choice.reasons[0].code == PREPARING
