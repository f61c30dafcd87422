"""Who sits where: names, people at the keyboard, bots; and how a saved game remembers it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from atout.bots import LEVELS, Bot, make_bot
from atout.errors import RecordError, UsageError
from atout.game.record import MAX_NAME
from atout.i18n import Texts, reader

HUMAN = "human"
"""What matches of old call a person who gave no name. Now such a person has an empty name, as on the page."""
BOT_NAMES = 6
"""How many names of bots the catalogues have."""


class Seating:
    """Every seat is a person's or a bot's.

    A seat without a name has an empty one: a bot gets its name at the table, and a person is `you` or has a number.

    >>> seating = Seating(2, {0}, {1: make_bot("novice")})
    >>> seating.name_bots(Texts())
    >>> seating.names, seating.is_shared
    (['', 'Jonas'], False)
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
        self.names = [self._own_name(seat, names[seat] if names else "") for seat in range(players)]

    def _own_name(self, seat: int, name: str) -> str:
        """The name, unless it only says that the seat has none: `human`, or the level of a bot."""
        usual = self.bots[seat].name if seat in self.bots else HUMAN
        return "" if name in ("", usual) else tidy_name(name)

    def name_bots(self, texts: Texts) -> None:
        """Give each bot without a name the one it has at the table, so that a saved match calls it the same."""
        self.names = [
            name or (bot_name(texts, seat) if seat in self.bots else "") for seat, name in enumerate(self.names)
        ]

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


def bot_name(texts: Texts, seat: int) -> str:
    """Bots have names at the table, the same as on the page."""
    return texts.t(f"bot.name.{seat % BOT_NAMES}")


def recorded_names(record: Mapping[str, Any], players: int, texts: Texts | None = None) -> list[str]:
    """Names by seat as the table showed them; empty where a person has none.

    A server's record, and a saved match of old, calls a bot by its level: the level is replaced by the bot's name at
    the table, in the language of `texts` (without it, of the process). A record without names, as the arena writes
    it, has the levels of the bots.

    >>> recorded_names({"names": ["human", "club"], "bots": [None, "club"]}, 2, Texts("fr"))
    ['', 'Jonas']
    >>> recorded_names({"bots": ["club", "novice"]}, 2)
    ['club', 'novice']
    """
    names, bots = (_by_seat(record.get(key), players) for key in ("names", "bots"))
    if names is None:
        return [tidy_name(str(bot)) if bot else "" for bot in bots or [None] * players]
    found = []
    for seat, (name, bot) in enumerate(zip(names, bots or [None] * players, strict=True)):
        if bot and name in (None, "", bot):
            found.append(bot_name(texts or reader(), seat))
        else:
            found.append("" if name in (None, "", HUMAN) else tidy_name(str(name)))
    return found


def _by_seat(given: object, players: int) -> list[Any] | None:
    """A list with an entry for each seat; None if it is anything else."""
    return given if isinstance(given, list) and len(given) == players else None


def distinct(names: Sequence[str]) -> list[str]:
    """The names, with the number of the seat after each where some are alike; people count seats from 1.

    >>> distinct(["random", "random", ""]), distinct(["Ada", "Jonas"])
    (['random 1', 'random 2', ''], ['Ada', 'Jonas'])
    """
    given = [name for name in names if name]
    if len(set(given)) == len(given):
        return list(names)
    return [f"{name} {seat}" if name else "" for seat, name in enumerate(names, 1)]
