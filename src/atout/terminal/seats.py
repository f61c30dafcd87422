"""Who sits where: names, people at the keyboard, bots; and how a saved game remembers it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from atout.bots import LEVELS, Bot, make_bot
from atout.errors import RecordError, UsageError
from atout.game.record import MAX_NAME

HUMAN = "human"
"""The name of a person who gave none; on their own screen they are `you`."""


class Seating:
    """Every seat is a person's or a bot's.

    >>> seating = Seating(2, {0}, {1: make_bot("novice")})
    >>> seating.names, seating.is_shared
    (['human', 'novice'], False)
    """

    def __init__(
        self, players: int, me: Collection[int], bots: Mapping[int, Bot], names: Sequence[str] | None = None
    ) -> None:
        self.players, self.people, self.bots = players, frozenset(me), dict(bots)
        taken = sorted([*self.people, *self.bots])
        if taken != list(range(players)):
            raise UsageError(
                f"seats: people at {sorted(self.people)} and bots at {sorted(self.bots)} do not fit; "
                f"expected each of the seats 0 to {players - 1} once"
            )
        if names is not None and len(names) != players:
            raise UsageError(f"names: {len(names)} names; expected one for each of {players} seats")
        self.names = [tidy_name(names[seat]) if names else self._usual_name(seat) for seat in range(players)]

    def _usual_name(self, seat: int) -> str:
        return self.bots[seat].name if seat in self.bots else HUMAN

    @property
    def is_shared(self) -> bool:
        """Whether several people share the keyboard; they must not see each other's cards."""
        return len(self.people) > 1

    def written(self) -> dict[str, Any]:
        """The fields that a saved match adds to a record."""
        bots = [self.bots[seat].name if seat in self.bots else None for seat in range(self.players)]
        return {"names": self.names, "bots": bots}

    @classmethod
    def of_record(cls, record: Mapping[str, Any], own: Mapping[str, Bot] | None = None) -> Seating:
        """The seats of a saved match. Bots from outside Atout (`own`) are given: a file must not name code to run."""
        players, bots, names = record.get("players"), record.get("bots"), record.get("names")
        if not (isinstance(players, int) and isinstance(bots, list) and len(bots) == players):
            raise RecordError("bots: missing; a match saved by `atout play` has a bot's name or null for each seat")
        if names is not None and not (isinstance(names, list) and all(isinstance(name, str) for name in names)):
            raise RecordError("names: not a list of names; expected one for each seat")
        made = {seat: _remade(seat, name, own or {}) for seat, name in enumerate(bots) if name is not None}
        return cls(players, set(range(players)) - set(made), made, names)


def _remade(seat: int, name: object, own: Mapping[str, Bot]) -> Bot:
    given = [bot for bot in own.values() if bot.name == name]
    if given:
        return given[0]
    if isinstance(name, str) and name in LEVELS:
        return make_bot(name)
    allowed = ", ".join(LEVELS)
    raise RecordError(
        f"bots: seat {seat} was played by {str(name)[:40]!r}, which is no bot of Atout ({allowed}); "
        "a bot of your own is named with --bots package.module:Class"
    )


def tidy_name(name: str) -> str:
    """A name fit for a line of a terminal."""
    printable = "".join(letter if letter.isprintable() else " " for letter in name)
    return " ".join(printable.split())[:MAX_NAME] or "unnamed"


def recorded_names(record: Mapping[str, Any], players: int) -> list[str]:
    """Names by seat, of people or else of bots; empty where the record has none."""
    recorded = [record.get(key) for key in ("names", "bots")]
    lists = [names for names in recorded if isinstance(names, list) and len(names) == players]
    return [tidy_name(str(name)) if name else "" for name in (lists[0] if lists else [None] * players)]


def distinct(names: Sequence[str]) -> list[str]:
    """The names, with the number of the seat before each where some are alike.

    >>> distinct(["random", "random", ""]), distinct(["Ada", "Jonas"])
    (['0 random', '1 random', ''], ['Ada', 'Jonas'])
    """
    given = [name for name in names if name]
    if len(set(given)) == len(given):
        return list(names)
    return [f"{seat} {name}" if name else "" for seat, name in enumerate(names)]
