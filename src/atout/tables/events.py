"""Events: numbered facts about a table. The event log is the truth about the table, and contains secrets.

Each kind of event lists the fields that everybody may see (`public`) and those that its own seat may see as well
(`own`); all other fields stay in the log. `number`, `at` and the kind are always visible.
"""

from __future__ import annotations

from typing import ClassVar

import msgspec
from msgspec import Struct

from atout.errors import UsageError
from atout.tables.commands import Kept, OfferKind, kebab
from atout.tables.origin import Origin
from atout.tables.settings import TableSettings

VERSION = 1
"""Version of the event log; written into its first event."""


class Event(Struct, tag_field="kind", tag=kebab, omit_defaults=True, kw_only=True):
    public: ClassVar[tuple[str, ...]] = ()
    own: ClassVar[tuple[str, ...]] = ()

    number: int = 0
    """1, 2, 3, … without a gap in the log. A viewer sees gaps where an event is not for them."""
    at: float = 0.0
    """Seconds; never less than at the event before."""
    by: str | None = None
    """The guest who asked for it; None: the server."""
    command: str = ""
    """The id of the command it came from."""


class Opened(Event):
    public = ("table", "settings", "commitment", "previous", "daily", "version")

    table: str
    settings: TableSettings
    commitment: str
    secret: str = ""
    previous: str = ""
    kept: list[Kept | None] = []
    origin: Origin | None = None
    daily: str = ""
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
    """Before the match: the seat is open again. During it: with a clock a bot plays on after the grace."""


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
    """The match begins: the entropy is fixed and published, the first round is dealt."""

    public = ("entropy", "first_dealer")

    entropy: list[str]
    first_dealer: int


class Acted(SeatEvent):
    """A public action. What follows from it by the rules, including the next deal, is not an event."""

    public = ("seat", "action", "bot", "forfeit")

    action: str
    bot: str = ""
    """The level that decided; empty for a person."""
    forfeit: str = ""


class Chosen(SeatEvent):
    """One card of a secret choice. Others only learn that a choice is complete, not what it is."""

    public = ("seat", "complete")
    own = ("action", "bot", "forfeit")

    action: str = ""
    complete: bool = False
    bot: str = ""
    forfeit: str = ""


class Withdrawn(SeatEvent):
    """A secret choice is taken back. Others see this event only if they had seen the choice completed."""

    public = ("seat", "complete")

    complete: bool = False


class Revealed(Event):
    """All have chosen. `seen` holds, for each seat and last for spectators, the choices as they may see them."""

    actions: list[str] = []
    """Only in the event as sent: the choices as the viewer may see them, a hidden card as `?`."""
    seen: list[list[str]] = []


class TimedOut(SeatEvent):
    """The time for this decision is up; a bot makes it."""


class WentAway(SeatEvent):
    pass


class CameBack(SeatEvent):
    pass


class StoodIn(SeatEvent):
    """A bot plays the seat from now on. Why: `grace`, `clock`, `asked` (by the player), `agreed` (by the others)."""

    public = ("seat", "why")

    why: str


class Reclaimed(SeatEvent):
    pass


class Offered(SeatEvent):
    public = ("seat", "what", "whom", "days")

    what: OfferKind
    whom: int | None = None
    days: int | None = None


class Answered(SeatEvent):
    public = ("seat", "yes")

    yes: bool


class OfferEnded(Event):
    """Nobody answered in time, or the guest who made the offer is gone."""


class TakenBack(SeatEvent):
    """The seat's last action is undone."""


class Paused(Event):
    public = ("days",)

    days: int | None = None
    """The match goes on by itself after so many days; None: when the people agree to go on."""


class Resumed(Event):
    pass


class Said(SeatEvent):
    public = ("seat", "text")

    text: str


class WatchAsked(SeatEvent):
    """Only the seat and the spectator who asked see this event."""

    public = ("seat", "watcher", "name")

    watcher: int
    name: str
    guest: str = ""


class Shown(SeatEvent):
    """Only the seat and the spectator who asked see this event."""

    public = ("seat", "watcher", "yes")

    watcher: int
    yes: bool


class RequestsTaken(SeatEvent):
    """Whether spectators may ask the seat from now on. No: those who waited are declined; yes: all may ask again."""

    public = ("seat", "yes")

    yes: bool


class Admitted(Event):
    """A guest looked at a private match without a seat: they may look at it after its end, too. Nobody is told."""

    guest: str = ""


class Closed(Event):
    """The table is ended before its match is. Why: `host`, `consent`, `server`."""

    public = ("why",)

    why: str


class Rematched(Event):
    public = ("table",)

    table: str
    secret: str = ""


class Joined(Event):
    """Earlier events were rewritten: a guest became one with an account. Nothing changes at the table."""


class Forgotten(Event):
    """A guest was forgotten, and the events before this one were rewritten. Nobody is told; views show what changed."""

    guest: str = ""
    """Their alias in the log."""


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
    | RequestsTaken
    | Admitted
    | Closed
    | Rematched
    | Joined
    | Forgotten
)

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)


def encode(event: Event) -> bytes:
    """An event as it is stored, with its secrets."""
    return _ENCODER.encode(event)


def decode(line: bytes) -> AnyEvent:
    """The inverse of `encode`. Raises `UsageError` for bytes that are no event of this version."""
    try:
        event = _DECODER.decode(line)
    except msgspec.DecodeError as error:
        raise UsageError(f"event: not one this version of Atout reads: {error}") from None
    if isinstance(event, Opened) and event.version != VERSION:
        raise UsageError(f"event: the log has version {event.version}; this version of Atout reads {VERSION}")
    return event
