"""What is kept, as values. Times are seconds since 1970; what the store need not understand it keeps as bytes."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType


class Card(msgspec.Struct, frozen=True):
    """What the lobby shows of a table; `detail` is for whoever draws it, as JSON."""

    public: bool
    open_seats: int
    edition: str
    state: str
    active: float
    detail: bytes = b"{}"


class Append(msgspec.Struct, frozen=True):
    """Events that follow the table's last one, and what changes with them, all in one transaction.

    `first` is the number of the first event; numbers begin at 1. A `card` replaces the table's card. `due` is when
    the table wants to be woken: a time, None for never, UNSET for no change. `guests` replaces who plays there.
    """

    table: str
    first: int
    events: tuple[bytes, ...]
    card: Card | None = None
    due: float | UnsetType | None = UNSET
    guests: tuple[str, ...] | None = None


class Listed(msgspec.Struct, frozen=True):
    """A table in a list."""

    table: str
    created: float
    due: float | None
    card: Card


class Moved(msgspec.Struct, frozen=True):
    """News of a table: `head` is the number of its last event."""

    table: str
    head: int


class Guest(msgspec.Struct, frozen=True):
    """Somebody who plays; `settings` is JSON."""

    id: str
    created: float
    seen: float
    name: str
    settings: bytes = b"{}"


class SeatLink(msgspec.Struct, frozen=True):
    """A link that hands a seat to another device. Only the token's hash is kept: the store cannot open a seat."""

    hash: bytes
    table: str
    seat: int
    created: float
    revoked: bool = False


class Record(msgspec.Struct, frozen=True):
    """A finished game: `body` is the record, `summary` a line of JSON for lists."""

    id: str
    table: str
    edition: str
    finished: float
    summary: bytes
    body: bytes


class Entry(msgspec.Struct, frozen=True):
    """A record in a guest's list, without its body."""

    id: str
    edition: str
    finished: float
    summary: bytes


class Result(msgspec.Struct, frozen=True):
    """What a finished game adds to a guest's statistics."""

    guest: str
    won: bool
    rounds: int
    points: int


class Statistics(msgspec.Struct, frozen=True):
    """A guest's sums in one edition."""

    edition: str
    matches: int
    wins: int
    rounds: int
    points: int
