"""The interface of a bot: it gets a view, which has no secrets, and chooses one of the legal actions, with reasons.

A bot never sees the state. All its randomness comes from the given `rng`: with a budget of nodes, the same view and the
same seed give the same choice.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from atout.errors import BotError
from atout.game import View


class Budget(Struct, frozen=True):
    """The budget of one decision; None is no limit."""

    nodes: int | None = None
    """Playouts or solved positions: the same on every machine."""
    seconds: float | None = None
    """Seconds by the wall clock."""


class Reason(Struct, frozen=True):
    """A reason as data, which any front end can put into its language."""

    code: str
    parameters: dict[str, Any] = {}


class Choice(Struct, frozen=True):
    """What a bot chooses, with what it expects."""

    action: str
    estimates: dict[str, list[float]] = {}
    """For some or all legal actions: the expected points of the round for every seat."""
    reasons: tuple[Reason, ...] = ()


@runtime_checkable
class Bot(Protocol):
    """A program that plays a seat."""

    @property
    def name(self) -> str:
        """Its name at the table and in records."""

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        """One of the legal actions, as it is written in `legal`: `1 play G9`."""


UNLIMITED = Budget()
"""No limit: the bot uses its own default."""
TABLE_SECONDS = 0.3
"""The budget that the server gives its bots, unless it is configured otherwise."""


def ask(bot: Bot, view: View, rng: random.Random, budget: Budget = UNLIMITED) -> Choice:
    """The bot's choice for the seat in turn.

    An exception, an answer of another type or an illegal action raises a `BotError` with the bot's name.
    """
    choice: Any
    try:
        choice = bot.choose(view, tuple(view["legal"]), budget, rng)
    except Exception as error:
        said = " ".join(str(error).split())
        raise BotError(f"bot {bot.name}: failed with {type(error).__name__}: {said}") from error
    if not isinstance(choice, Choice):
        said = "None" if choice is None else type(choice).__name__
        raise BotError(f"bot {bot.name}: answered with {said}; expected an atout.bots.Choice")
    if choice.action not in view["legal"]:
        allowed = ", ".join(view["legal"])
        raise BotError(f"bot {bot.name}: {str(choice.action)[:60]!r} is not legal; allowed: {allowed}")
    return choice
