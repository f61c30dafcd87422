"""What a bot is: it gets a view, already without secrets, and picks one of the legal actions.

A bot never sees the game. All its chance comes from the given source, so the same seed plays the same match.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from atout.errors import BotError
from atout.game import View


@runtime_checkable
class Bot(Protocol):
    """A player."""

    @property
    def name(self) -> str:
        """How it is called at the table and in records."""

    def choose(self, view: View, legal: Sequence[str], rng: random.Random) -> str:
        """One of the legal actions, as it is written there: `1 play G9`."""


def ask(bot: Bot, view: View, rng: random.Random) -> str:
    """The bot's choice for the seat in turn; whatever goes wrong with it is the bot's fault and named so."""
    try:
        choice = bot.choose(view, tuple(view["legal"]), rng)
    except Exception as error:
        raise BotError(f"bot {bot.name}: failed with {type(error).__name__}: {error}") from error
    if choice not in view["legal"]:
        allowed = ", ".join(view["legal"])
        raise BotError(f"bot {bot.name}: {str(choice)[:60]!r} is not legal; allowed: {allowed}")
    return choice
