"""What has happened at a table: numbered events. The log of them is the truth, and holds secrets.

Each kind of event lists what everybody may be told of it (`public`) and what its own seat may be told besides (`own`);
everything else stays in the log. `number`, `at` and the kind are told with all of them.
"""

from __future__ import annotations

from typing import ClassVar

import msgspec
from msgspec import Struct

from atout.errors import UsageError
from atout.tables.commands import Kept, OfferKind, kebab
from atout.tables.settings import TableSettings

VERSION = 1
"""Of the log; written into its first event."""


class Event(Struct, tag_field="kind", tag=kebab, omit_defaults=True, kw_only=True):
    public: ClassVar[tuple[str, ...]] = ()
    own: ClassVar[tuple[str, ...]] = ()

    number: int = 0
    """1, 2, 3, … without a gap in the log; a viewer who is not told of some sees gaps."""
    at: float = 0.0
    """Seconds, never less than the event before."""
    by: str | None = None
    """The guest who asked for it; None: the server."""
    command: str = ""
    """The id of the command it came from."""


class Opened(Event):
    public = ("table", "settings", "commitment", "previous", "version")

    table: str
    settings: TableSettings
    commitment: str
    secret: str = ""
    previous: str = ""
    kept: list[Kept | None] = []
    version: int = VERSION


class SeatEvent(Event):
    public: ClassVar[tuple[str, ...]] = ("seat",)

    seat: int


class Sat(SeatEvent):
    public = ("seat", "name")

    name: str
    guest: str = ""
    entropy: str = ""


class Left(SeatEvent):
    """Before the match: the seat is open again. During it: a bot plays on after the grace."""


class SeatSet(SeatEvent):
    public = ("seat", "to")

    to: str


class Renamed(SeatEvent):
    public = ("seat", "name")

    name: str


class SeatMoved(SeatEvent, tag="moved"):
    """The seat belongs to another guest from now on."""

    guest: str = ""


class Started(Event):
    """The entropy is fixed, and shown; the first round is dealt."""

    public = ("entropy", "first_dealer")

    entropy: list[str]
    first_dealer: int


class Acted(SeatEvent):
    """A decision everybody sees. What follows from it by the rules, the next deal included, is no event of its own."""

    public = ("seat", "action", "bot", "forfeit")

    action: str
    bot: str = ""
    """The level that decided; empty for a person."""
    forfeit: str = ""


class Chosen(SeatEvent):
    """One card of a secret choice. Others are told only of a choice that is complete, and not what it is."""

    public = ("seat", "complete")
    own = ("action", "bot", "forfeit")

    action: str = ""
    complete: bool = False
    bot: str = ""
    forfeit: str = ""


class Withdrawn(SeatEvent):
    """A secret choice is taken back. Others are told only if they knew that it was complete."""

    public = ("seat", "complete")

    complete: bool = False


class Revealed(Event):
    """All have chosen. `seen` is, for each seat and last for spectators, what they may see of the choices."""

    actions: list[str] = []
    """Only when told: the choices as the reader may see them, a hidden card as `?`."""
    seen: list[list[str]] = []


class TimedOut(SeatEvent):
    """The time for this decision is up; a bot makes it."""


class WentAway(SeatEvent):
    pass


class CameBack(SeatEvent):
    pass


class StoodIn(SeatEvent):
    """A bot plays the seat from now on. Why: `grace`, `clock`, `asked`."""

    public = ("seat", "why")

    why: str


class Reclaimed(SeatEvent):
    pass


class Offered(SeatEvent):
    public = ("seat", "what")

    what: OfferKind


class Answered(SeatEvent):
    public = ("seat", "yes")

    yes: bool


class OfferEnded(Event):
    """Nobody answered in time, or who made the offer is gone."""


class TakenBack(SeatEvent):
    """The seat's last action is undone."""


class Paused(Event):
    pass


class Resumed(Event):
    pass


class Said(SeatEvent):
    public = ("seat", "text")

    text: str


class WatchAsked(SeatEvent):
    """Told to the seat and to who asked."""

    public = ("seat", "watcher", "name")

    watcher: int
    name: str
    guest: str = ""


class Shown(SeatEvent):
    """Told to the seat and to who asked."""

    public = ("seat", "watcher", "yes")

    watcher: int
    yes: bool


class Closed(Event):
    """The table is ended before its match is. Why: `host`, `consent`, `server`."""

    public = ("why",)

    why: str


class Rematched(Event):
    public = ("table",)

    table: str
    secret: str = ""


AnyEvent = (
    Opened
    | Sat
    | Left
    | SeatSet
    | Renamed
    | SeatMoved
    | Started
    | Acted
    | Chosen
    | Withdrawn
    | Revealed
    | TimedOut
    | WentAway
    | CameBack
    | StoodIn
    | Reclaimed
    | Offered
    | Answered
    | OfferEnded
    | TakenBack
    | Paused
    | Resumed
    | Said
    | WatchAsked
    | Shown
    | Closed
    | Rematched
)

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)


def encode(event: Event) -> bytes:
    """An event as the store keeps it; with its secrets."""
    return _ENCODER.encode(event)


def decode(line: bytes) -> AnyEvent:
    """The inverse of `encode`; bytes that are no event of this version are told as such."""
    try:
        event = _DECODER.decode(line)
    except msgspec.DecodeError as error:
        raise UsageError(f"event: not one this version of Atout reads: {error}") from None
    if isinstance(event, Opened) and event.version != VERSION:
        raise UsageError(f"event: the log has version {event.version}; this version of Atout reads {VERSION}")
    return event
