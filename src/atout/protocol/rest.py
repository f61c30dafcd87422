"""Bodies of the REST interface: requests and responses."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from atout.game.record import MAX_NAME as MAX_NAME  # the limit is part of the REST interface
from atout.tables import Clock, TableSettings

Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]


class Problem(Struct, omit_defaults=True):
    """The body of every response that refuses a request or reports an error."""

    code: str
    message: str
    parameters: dict[str, Any] = {}


class Profile(Struct, forbid_unknown_fields=True):
    """A guest as they describe themselves."""

    name: Name
    settings: dict[str, Any] = {}
    """Anything a client wants to store for the guest: at most 4 KiB of JSON."""


class NewTable(Struct, forbid_unknown_fields=True):
    settings: TableSettings


class OpenedTable(Struct):
    table: str
    """Its id; whoever knows it may sit down. The socket is at `/ws/{table}`."""


class CardSeat(Struct, omit_defaults=True):
    name: str
    kind: Literal["open", "kept", "person", "bot"]
    bot: str = ""


class CardDetail(Struct):
    players: int
    seats: list[CardSeat]
    options: dict[str, Any]
    clock: Clock
    spectators: Literal["off", "public", "leave"]


class MyPart(Struct):
    """The state of a match of mine."""

    seats: list[int]
    """Mine."""
    asked: list[int]
    """Seats that have a decision to make."""
    round: int
    rounds: int | None
    """None: played to a target."""
    totals: list[int]


class TableCard(Struct, omit_defaults=True):
    """A table in a list."""

    table: str
    edition: str
    state: str
    open_seats: int
    created: float
    active: float
    detail: CardDetail
    mine: MyPart | None = None
    """In the list of my tables, for the latest that are being played."""


class Tables(Struct):
    tables: list[TableCard]


class NewLink(Struct):
    """A link that moves your seat to another device, once. It is shown now and never again."""

    token: str
    link: str
    """Identifies the link without giving the seat away: for revoking it."""


class LinkEntry(Struct):
    link: str
    created: float
    revoked: bool


class Links(Struct):
    links: list[LinkEntry]


class UseLink(Struct, forbid_unknown_fields=True):
    token: Annotated[str, Meta(max_length=200)]


class Seated(Struct):
    table: str
    seat: int


class RecordSummary(Struct):
    players: int
    names: list[str]
    totals: list[int]
    winners: list[int]
    """Empty: the match was given up, and the totals are those of its finished rounds."""
    rounds: int
    bots: list[str | None] = []
    """Levels; null for a person."""
    stand_ins: list[int] = []
    """Seats of people for whom a bot finished the match: it does not count in their statistics."""


class RecordEntry(Struct):
    id: str
    edition: str
    finished: float
    summary: RecordSummary


class Records(Struct, omit_defaults=True):
    records: list[RecordEntry]
    next: str = ""
    """The next page is at `?after=` with this value; empty: that was the last page."""


MAX_RECORD = 400_000
"""Most characters of a record to replay."""


class NewReplay(Struct, forbid_unknown_fields=True):
    record: Annotated[str, Meta(min_length=1, max_length=MAX_RECORD)]
    """One record: a line of JSON."""


class EditionStatistics(Struct):
    edition: str
    matches: int
    wins: int
    rounds: int
    points: int


class StatisticsAnswer(Struct):
    statistics: list[EditionStatistics]


class Places(Struct, omit_defaults=True):
    """What an edition offers with a number of players."""

    players: int
    rounds: int
    short: int | None = None
    """Rounds of the short game (`{"length": "short"}`), where there is one."""
    target: bool = False
    """May be played to a target score (`{"length": {"target": 100}}`)."""
    scoring: list[str] = []
    """What `{"scoring": …}` may be, the edition's own first; empty: no such option."""
    teams: bool = False
    """May be played in teams (`{"teams": true}`)."""


class EditionEntry(Struct):
    id: str
    game: Literal["njet", "nichtig"]
    name: str
    subtitle: str
    author: str
    places: list[Places]


class Editions(Struct):
    """Everything that a form for a new table needs."""

    editions: list[EditionEntry]
    levels: list[str]
    """Bots, weakest first."""


class Health(Struct):
    status: Literal["ok"]
