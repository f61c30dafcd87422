"""The values a store keeps. Times are seconds since 1970; what the store need not understand is kept as bytes."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

MAX_IMPORTS = 20
"""Imported records that are kept of a guest."""


class LobbyCard(msgspec.Struct, frozen=True):
    """What the lobby shows of a table. `detail` is JSON that the store does not read."""

    public: bool
    open_seats: int
    edition: str
    state: str
    active: float
    detail: bytes = b"{}"


class Append(msgspec.Struct, frozen=True):
    """Events that follow the table's last one, and what changes with them, all in one transaction.

    `first` is the number of the first event; numbers begin at 1. A `card` replaces the table's lobby card. `due` is
    when the server must look at the table again: a time, None for never, UNSET for no change. `guests` replaces the
    list of guests who play there. `visitors` are the guests whom the events name and no earlier event has named.
    """

    table: str
    first: int
    events: tuple[bytes, ...]
    card: LobbyCard | None = None
    due: float | UnsetType | None = UNSET
    guests: tuple[str, ...] | None = None
    visitors: tuple[str, ...] = ()


class Rewrite(msgspec.Struct, frozen=True):
    """A table without a guest who is to be forgotten: bodies of earlier events, by number, and events that follow.

    Or a table where a guest became one with an account. There is no other reason to rewrite an event log.
    """

    guest: str
    bodies: dict[int, bytes]
    append: Append
    into: str = ""
    """The account that the guest was joined to, whom the log names instead; empty: nobody."""


class ListedTable(msgspec.Struct, frozen=True):
    """A table as lists show it, without its events."""

    table: str
    created: float
    due: float | None
    card: LobbyCard


class TableChanged(msgspec.Struct, frozen=True):
    """A notification that a table has new events; `head` is the number of its last one."""

    table: str
    head: int


FORGOTTEN_GUESTS = "*"
"""In a notification, in place of a table's id: guests were forgotten, or sessions were ended. No table has this id."""


class Guest(msgspec.Struct, frozen=True):
    """A guest's profile; `settings` is JSON."""

    id: str
    created: float
    seen: float
    name: str
    settings: bytes = b"{}"


class Account(msgspec.Struct, frozen=True):
    """A guest who can come back on any device."""

    guest: str
    created: float
    code_made: float | None
    """When the recovery code was made; None without one. The code itself is stored as a hash."""
    code_used: float | None


class Passkey(msgspec.Struct, frozen=True):
    """A passkey, without its secret, which never leaves the device."""

    id: bytes
    guest: str
    name: str
    public_key: bytes
    sign_count: int
    created: float
    used: float | None = None


class AccountSession(msgspec.Struct, frozen=True):
    """A device that is signed in to an account: its session. Only the hash of what is in its cookie is stored."""

    hash: bytes
    guest: str
    created: float
    seen: float
    device: str


class Channel(msgspec.Struct, frozen=True):
    """A way to reach a guest who is not at the page; `address` is JSON that the store does not read."""

    id: str
    guest: str
    type: str
    """`push`: a browser's push service; `webhook`: an address of their choice; `mail`: an address they confirmed."""
    address: bytes
    created: float
    delivered: float | None = None
    """When something was last delivered."""
    failures: int = 0
    """How often in a row it failed since."""
    sent: float | None = None
    """When something was last sent. A browser's push service keeps it until the browser is there."""


class UnconfirmedMail(msgspec.Struct, frozen=True):
    """A mail address that a guest named, and that nobody has confirmed yet."""

    hash: bytes
    """The hash of the token in the mail's link."""
    guest: str
    channel: str
    """The id of the channel that it becomes."""
    address: str
    known_as: bytes
    """The hash of the address under which refusals and mails are counted."""
    created: float


class OidcIdentity(msgspec.Struct, frozen=True):
    """Whom a provider of OpenID Connect calls by a subject: a way into an account."""

    issuer: str
    subject: str
    guest: str
    created: float


class PlannedNudge(msgspec.Struct, frozen=True):
    """A guest is to be told that a decision of theirs is due at a table."""

    table: str
    guest: str
    decision: int
    at: float


class SeatLink(msgspec.Struct, frozen=True):
    """A link that hands a seat to another device. Only the token's hash is stored, so a stolen database opens none."""

    hash: bytes
    table: str
    seat: int
    created: float
    revoked: bool = False


class StoredRecord(msgspec.Struct, frozen=True):
    """A match that is finished or was given up: `body` is its record, `summary` is JSON for lists."""

    id: str
    table: str
    edition: str
    finished: float
    summary: bytes
    body: bytes
    imported_by: str = ""
    """The guest who imported it, who alone has it: it was not played here, and has no table. Empty for all others."""


class ListedRecord(msgspec.Struct, frozen=True):
    """A record in a guest's list, without its body."""

    id: str
    edition: str
    finished: float
    summary: bytes
    seats: tuple[int, ...] = ()
    """Where the guest sat; (-1,) if that was not noted."""


class Agreement(msgspec.Struct, frozen=True):
    """What a player shows of a finished match to everybody who has its address."""

    guest: str
    seats: tuple[int, ...]
    """Where they sat; -1 if that was not noted."""
    shows: str = ""
    """`open`: all cards. `own`: what they saw from their own seats. `no`: nothing. Empty: they have not said."""
    named: bool = False
    """Their name is shown."""


class Sharing(msgspec.Struct, frozen=True):
    """The address of a record and what its players agreed to, without guests who were forgotten."""

    record: str
    address: str
    """Empty: nobody was asked yet."""
    agreements: tuple[Agreement, ...]


class Result(msgspec.Struct, frozen=True):
    """A guest who has a match in their list, and what it adds to their statistics."""

    guest: str
    won: bool
    rounds: int
    points: int
    seats: tuple[int, ...] = ()
    """Where they sat: their names in the record are at these places."""
    is_counted: bool = True
    """False for a match that was given up, or that a bot finished for them: it is listed, and adds nothing."""
    shares: bool = False
    """They show all cards, without their name, unless they say otherwise: true for a match against bots alone."""
    is_player: bool = True
    """False: they handed these seats over, but their names are still there. It is not their match."""


class Statistics(msgspec.Struct, frozen=True):
    """A guest's totals in one edition."""

    edition: str
    matches: int
    wins: int
    rounds: int
    points: int


class ReviewHead(msgspec.Struct, frozen=True):
    """A review that was begun."""

    outline: bytes
    ledger: bytes | None
    """None while decisions are missing."""


class ReviewErrors(msgspec.Struct, frozen=True):
    """The errors of a complete review."""

    record: str
    seat: int
    errors: bytes


SkillNumbers = tuple[float, float]
"""A rating: mean and standard deviation."""


class Attempt(msgspec.Struct, frozen=True):
    """A guest's attempt at a puzzle."""

    puzzle: str
    day: str
    """The day, as `2026-11-17`, if it was that day's puzzle; else empty."""
    at: float
    solved: bool


class DailyDeal(msgspec.Struct, frozen=True):
    """What the deal of a day is made of at this server."""

    day: str
    secret: str
    settings: bytes
    """The table's settings, as JSON."""


class DailyResult(msgspec.Struct, frozen=True):
    """A guest's try at the deal of a day: one table."""

    guest: str
    day: str
    table: str
    started: float
    finished: float | None = None
    counted: bool = False
    """Played to the end, by the guest alone: it is part of the field."""
    gain: float | None = None
    gains: bytes = b""
    """By round, as JSON."""


class DailyChoice(msgspec.Struct, frozen=True):
    """A choice of a guest in a deal of the day."""

    number: int
    """Among the guest's decisions, from 0."""
    position: str
    """A hash of all that was played before: equal for all who came to the same position."""
    action: str


class FieldChoice(msgspec.Struct, frozen=True):
    """How many of the field chose an action at a decision of a guest, and their mean gain."""

    number: int
    action: str
    count: int
    gain: float


class Tried(msgspec.Struct, frozen=True):
    """What an attempt changed."""

    is_first: bool
    before: SkillNumbers
    """The guest's rating."""
    after: SkillNumbers


class PuzzleSkill(msgspec.Struct, frozen=True):
    """What is known of a puzzle that was tried."""

    mu: float
    sigma: float
    tried: int
    solved: int


class MistakeAt(msgspec.Struct, frozen=True):
    """Where a mistake is, and when it comes back."""

    record: str
    seat: int
    number: int
    """The number of the decision among the seat's."""
    due: float
    attempts: int


class MistakeCounts(msgspec.Struct, frozen=True):
    """How many mistakes a guest has."""

    count: int
    next: float | None
    """When the next one is due that is not due yet."""


class Mistake(msgspec.Struct, frozen=True):
    """A mistake with everything that its puzzle is made from."""

    card: bytes
    """When it comes back, as the scheduler keeps it; empty: it was never tried."""
    attempts: int
    decision: bytes
    """The decision of the review."""
    record: bytes
    edition: str
    finished: float


class KeyCheck(msgspec.Struct, frozen=True):
    """Whether a server's keys are those that signed the cookies of the database's guests."""

    is_accepted: bool
    name: str
    """What the latest key of the database is called: the first letters of its fingerprint, or `unknown`."""
    is_given_up: bool = False
    """It is accepted only because the key of the database was said to be lost."""
    is_retired: bool = False
    """It is refused because the key that would sign was replaced by a later one, which is listed behind it."""


class PeopleSettings(msgspec.Struct, frozen=True):
    """What a guest chose about other people."""

    link: str = ""
    """Whoever knows it may ask to be a friend; empty: there is none."""
    shows_online: bool = False


class Relation(msgspec.Struct, frozen=True):
    """Somebody a guest has to do with."""

    kind: str
    """`friend`, `asked` by the guest, `request` to the guest, `muted`, `blocked`."""
    other: str
    name: str
    at: float
    is_online: bool = False
    """A friend who shows when they are online, and was active a moment ago."""


class Invitation(msgspec.Struct, frozen=True):
    """An invitation to a table."""

    by: str
    """The name of the guest who sends it."""
    table: ListedTable


class ReportLine(msgspec.Struct, frozen=True):
    """Something that was said before a report."""

    guest: str
    name: str
    text: str
    at: float


class Report(msgspec.Struct, frozen=True):
    """A report to the operator about somebody at a table."""

    id: str
    reporter: str
    about: str
    name: str
    """What they were called at the table."""
    table: str
    kind: str
    text: str
    at: float
    lines: tuple[ReportLine, ...] = ()
