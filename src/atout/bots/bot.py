"""What a bot is: it gets a view, already without secrets, and chooses one of the legal actions, saying why.

A bot never sees the game. All its chance comes from the given source: with a budget of nodes the same
view and the same seed give the same choice. With a budget of seconds it may be asked at any time.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from atout.errors import BotError
from atout.game import View


class Budget(Struct, frozen=True):
    """How much a bot may think about one decision; what is None is not limited by it."""

    nodes: int | None = None
    """Positions or play-outs: the same on every machine."""
    seconds: float | None = None
    """Of wall clock."""


class Reason(Struct, frozen=True):
    """Why, as data: any front end can put it into words and languages."""

    code: str
    parameters: dict[str, Any] = {}


class Choice(Struct, frozen=True):
    """A decision, with what the bot expects of it."""

    action: str
    estimates: dict[str, list[float]] = {}
    """For legal actions: expected points of the round for every seat."""
    reasons: tuple[Reason, ...] = ()


@runtime_checkable
class Bot(Protocol):
    """A player."""

    @property
    def name(self) -> str:
        """How it is called at the table and in records."""

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        """One of the legal actions, as it is written there: `1 play G9`."""


UNLIMITED = Budget()
"""The bot's own measure."""


def ask(bot: Bot, view: View, rng: random.Random, budget: Budget = UNLIMITED) -> Choice:
    """The bot's choice for the seat in turn; a failure or an answer that is not legal is the bot's and named so."""
    try:
        choice = bot.choose(view, tuple(view["legal"]), budget, rng)
    except Exception as error:
        raise BotError(f"bot {bot.name}: failed with {type(error).__name__}: {error}") from error
    if not isinstance(choice, Choice) or choice.action not in view["legal"]:
        said = choice.action if isinstance(choice, Choice) else choice
        allowed = ", ".join(view["legal"])
        raise BotError(f"bot {bot.name}: {str(said)[:60]!r} is not legal; allowed: {allowed}")
    return choice
