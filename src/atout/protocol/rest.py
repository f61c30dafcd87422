"""Bodies of the REST interface: tables, records, replays, my matches, sharing."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from atout.game.record import MAX_NAME as MAX_NAME  # the limit is part of the REST interface
from atout.tables import Clock, TableSettings
from atout.tables.origin import OriginView

Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]


class Addresses(Struct):
    """By which addresses other devices reach this server. Those in its network are told to its own machine alone."""

    origins: list[str]
    """The likeliest first: `http://192.168.1.7:8000`, or the public URL. Empty: none is known."""
    is_local: bool
    """It listens on this machine alone: nobody else can reach it until it is started with another address."""


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


class PlayOn(Struct, forbid_unknown_fields=True):
    """A decision of a finished match, to play on from; both numbers from 0, as in a review."""

    round: Annotated[int, Meta(ge=0, le=100_000)]
    index: Annotated[int, Meta(ge=0, le=100_000)]
    """The number of the action in its round, from 0."""
    next: bool = False
    """From the first decision of `seat` on, at or after this action."""
    seat: Annotated[int, Meta(ge=0, le=15)] | None = None
    """With `next`: whose; without it, mine, or in a public match the first person's."""


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
    origin: OriginView | None = None
    """Where the match came from that is played on here; null for any other."""


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
    due: float | None = None
    """When the clock of a seat of mine runs out, if a decision of mine is asked; null: none is, or without a clock."""
    paused_until: float | None = None
    """When a pause ends by itself."""


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
    round_points: list[list[int]] | None = None
    """What each seat scored, round by round; null: not worked out yet, and nor is what follows."""
    gains: list[list[float]] = []
    """What each round was worth to each seat: its points less the mean of its opponents'; with teams, mean against
    mean."""
    sides: list[list[list[int]]] = []
    """The sides of each round, or the teams; empty: everybody plays alone."""
    places: list[int] = []
    """The place of each seat in the end, from 1; those who share a place share the number. Empty: given up."""
    margins: list[int] = []
    """By how many points each seat, or its team, is ahead of the best of the others; negative: behind. As `places`."""


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


class ImportedRecord(Struct):
    """A record that was imported. It can be replayed, reviewed, played on from and deleted like one of my matches."""

    record: str
    """Its id, which begins with `import-`."""


class EditionStatistics(Struct):
    edition: str
    matches: int
    wins: int
    rounds: int
    points: int


class StatisticsAnswer(Struct):
    statistics: list[EditionStatistics]


class MyMatch(Struct, omit_defaults=True):
    """A finished match in the list of mine, as it went for me."""

    id: str
    edition: str
    finished: float
    summary: RecordSummary
    seats: list[int] = []
    """Mine; the first of them is the one that the other fields speak of. Empty: not known any more."""
    points: int = 0
    """Mine; in a match in teams, my team's."""
    place: int = 0
    """From 1; 0: the match was given up."""
    margin: int = 0
    """Points ahead of the next, if I won; else what I was short of the winner, negative."""
    gains: list[float] = []
    """Round by round."""
    tag: Literal["", "given-up", "stand-in"] = ""
    """Why the match does not count: given up, or finished by a bot in my place."""
    error_rate: float | None = None
    """Points lost per decision that was not obvious; known once the match was reviewed."""


class ErrorSums(Struct):
    """Points lost in decisions that were not obvious, from complete reviews."""

    lost: float
    decisions: int


class ErrorWeek(Struct):
    """My errors in the matches of a week that were reviewed."""

    start: float
    """When the week began: Monday at midnight, UTC."""
    errors: dict[str, ErrorSums]
    """By phase (`veto`, `partners`, `cards`, `piles`, `tricks`), and `all`."""


class MyMatches(Struct, omit_defaults=True):
    matches: list[MyMatch]
    next: str = ""
    """The next page is at `?after=` with this value; empty: that was the last page."""


class Sums(Struct):
    """Sums over matches, or over the rounds of them that meet a condition."""

    matches: int = 0
    wins: int = 0
    rounds: int = 0
    gain: float = 0.0


class Week(Sums):
    start: float = 0.0
    """Monday at midnight, UTC."""


class MatchGroup(Struct):
    """Matches that have something in common: the edition, the level of a bot among the opponents, or a partner."""

    by: Literal["edition", "level", "partner"]
    key: str
    """Id of the edition, level, or the partner's name; a bot as a partner is named by its level."""
    is_bot: bool
    """For a partner."""
    sums: Sums
    """With a partner, only the rounds they played on my side."""
    weeks: list[Week]
    """Those in which there were any, the earliest first."""


class MatchStatistics(Struct):
    """My matches in sums. Those given up or finished by a bot are listed, but not counted."""

    listed: int
    """Matches that meet the conditions of the query."""
    sums: Sums
    weeks: list[Week]
    groups: list[MatchGroup]
    """The largest first."""
    editions: list[str]
    """What may be asked for, in all my matches."""
    players: list[int]
    against: list[str]
    """Levels of bots, then names of people, as the query takes them: `bot:club`, `name:Ann`."""
    left: int
    """Older matches whose rounds are not worked out yet: ask again."""
    errors: list[ErrorWeek] = []
    """Week by week, from the matches that were reviewed."""


Shows = Literal["open", "own", "no"]
Said = Literal["open", "own", "no", ""]


class NewSharing(Struct, forbid_unknown_fields=True):
    """What I show of a match to everybody who has its address."""

    shows: Shows
    """All cards, what I saw from my seat, or nothing."""
    named: bool = False
    """My name; else I am a player without one."""


class MySharing(Struct):
    """What I show of a match, and what comes of it."""

    shows: Said
    """Empty: I have not said."""
    named: bool
    name: str
    """What I am called in the record."""
    address: str
    """The page is at `/m/{address}`, the picture for messengers at `/m/{address}.png`."""
    is_public: bool
    """Everybody who played has agreed."""
    is_open: bool
    """All of them show all cards."""
    waiting: int
    """People who have not agreed yet, without me."""
    others: int
    """Other people who played."""
    agreed: list[str]
    """Names of the other people who have agreed."""
    not_agreed: list[str]
    """Names of the other people who have not."""
    can_be_public: bool
    """False: somebody who played was forgotten or is not known, the match was given up, or see `from_day`."""
    from_day: str = ""
    """The day (UTC) from which a deal of the day can be public, while others still play it; else empty."""


class SharedMatch(Struct):
    """A match that its players show to everybody."""

    address: str
    edition: str
    finished: float
    summary: RecordSummary
    """With the names of those who agreed to that; the others' are empty."""
    is_open: bool
    """All cards are shown, and the record may be downloaded."""
    seats: list[int]
    """From whose seats it can be looked at, if not all cards are shown."""


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
