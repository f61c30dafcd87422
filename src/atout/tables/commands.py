"""Commands: what a guest or the server can ask of a table. `Table.decide` turns a command into events.

The guest who asks is not part of a command: the caller vouches for it (`by`). `id` is made by the client, a new one
for each command; a command with a known id is not carried out again, but acknowledged. Commands of the last group come
from the server alone (`by=None`).
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from atout.tables.origin import Origin
from atout.tables.settings import TableSettings
from atout.tables.shuffle import Hex, Secret

MAX_ID = 64
Id = Annotated[str, Meta(max_length=MAX_ID)]
Seat = Annotated[int, Meta(ge=0, le=5)]
Text = Annotated[str, Meta(max_length=1000)]
OfferKind = Literal["takeback", "pause", "resume", "abort", "stand-in"]


def kebab(name: str) -> str:
    """The tag of a type: `SetSeat` is `set-seat` in JSON."""
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")


class Command(Struct, frozen=True, tag_field="do", tag=kebab, forbid_unknown_fields=True, omit_defaults=True):
    id: Id = ""


class Kept(Struct, frozen=True):
    """The guest a seat is kept for, in a rematch."""

    guest: str
    name: str
    named_by: str = ""
    """Whose name it is, if it is not the guest's: who had the seat before them."""


class Open(Command, frozen=True, kw_only=True):
    """Open a table; the guest who asks is its host. The server makes the secret (`new_secret`)."""

    table: Annotated[str, Meta(min_length=1, max_length=64)]
    settings: TableSettings
    secret: Secret
    previous: str = ""
    """The table this one is the rematch of."""
    kept: list[Kept | None] = []
    """By seat."""
    origin: Origin | None = None
    """The decision that the match is played on from; None: it begins with its first deal."""
    daily: str = ""
    """The day, if it is a table of the deal of the day (`tables/daily.py`)."""


class Sit(Command, frozen=True, kw_only=True):
    """Take a seat: the named one, the one kept for you, or the first that is free."""

    name: Text
    seat: Seat | None = None
    entropy: Hex = ""
    """Up to 64 random bytes, made after reading the commitment."""


class Leave(Command, frozen=True):
    """Before the match the seat is open again. During it the seat can be reclaimed.

    With a clock a bot plays it after the grace. Without one the others may let a bot play it (`Offer`).
    """


class Rename(Command, frozen=True, kw_only=True):
    name: Text


class SetSeat(Command, frozen=True, kw_only=True):
    """Host, before the match: give a seat to a bot, or open it. A person who has the seat loses it."""

    seat: Seat
    to: Text
    """`open`, or a bot's level."""


class Start(Command, frozen=True):
    """Host: start when every seat is filled."""


class Act(Command, frozen=True, kw_only=True):
    """Make a decision, in the notation of a record: `1 play G9`. Secret choices are made card by card too.

    For a bot's seat the server acts (`by=None`), and names the decision it was asked about.
    """

    action: Text
    decision: int | None = None
    """The number that the view gives. A decision that has passed is refused."""
    forfeit: Annotated[str, Meta(max_length=20)] = ""
    """Server: why a bot did not answer itself. `failed`: a random action; `preparing`: a quicker bot's choice."""


class Withdraw(Command, frozen=True):
    """Take back your own secret choice, until the last seat has chosen."""


class Offer(Command, frozen=True, kw_only=True):
    """Ask the other people at the table for consent. Without other people it takes effect at once.

    `stand-in`, at a table without a clock: a bot plays for somebody who is away or has left, until they are back.
    """

    what: OfferKind
    whom: Seat | None = None
    """With `stand-in`: the seat."""
    days: Annotated[int, Meta(ge=1, le=60)] | None = None
    """With `pause`, at a table with days per move: the match goes on by itself after so many days (a vacation)."""


class Answer(Command, frozen=True, kw_only=True):
    """Agree to the open offer, or decline it."""

    yes: bool


class Say(Command, frozen=True, kw_only=True):
    text: Text


class Watch(Command, frozen=True, kw_only=True):
    """A spectator asks a seat for leave to see its cards."""

    seat: Seat
    name: Text


class Show(Command, frozen=True, kw_only=True):
    """A seat's answer to a spectator. Leave can be withdrawn later."""

    watcher: int
    yes: bool


class TakeRequests(Command, frozen=True, kw_only=True):
    """Whether spectators may ask my seat to see its cards, from now on.

    No declines all who wait for an answer. Yes lets those who were declined ask again.
    """

    yes: bool


class StandIn(Command, frozen=True):
    """Let a bot play my seat from now on. The seat can be reclaimed."""


class Reclaim(Command, frozen=True):
    """Take my seat back from the bot, or after leaving."""


class Close(Command, frozen=True):
    """Host: end a table whose match has not started. Server: end it at any time."""


class Rematch(Command, frozen=True, kw_only=True):
    """Any player of a finished match: open a new table with the same seats and settings."""

    table: Annotated[str, Meta(min_length=1, max_length=64)]
    secret: Secret


class Away(Command, frozen=True, kw_only=True):
    """Server: no connection of the seat is left."""

    seat: Seat


class Back(Command, frozen=True, kw_only=True):
    """Server: the seat is connected again."""

    seat: Seat


class MoveSeat(Command, frozen=True, kw_only=True):
    """Server: the seat belongs to another guest from now on (a seat link was used)."""

    seat: Seat
    guest: str


class Admit(Command, frozen=True, kw_only=True):
    """Server: a guest without a seat looks at the match."""

    guest: str


class Join(Command, frozen=True):
    """Server: a guest became one with an account, and the event log was rewritten."""


class Forget(Command, frozen=True, kw_only=True):
    """Server: a guest was forgotten, who has this alias in the event log."""

    guest: str


class Tick(Command, frozen=True):
    """Server: time has passed; see `Table.next_deadline`."""


GuestCommand = (
    Sit
    | Leave
    | Rename
    | SetSeat
    | Start
    | Act
    | Withdraw
    | Offer
    | Answer
    | Say
    | Watch
    | Show
    | TakeRequests
    | StandIn
    | Reclaim
    | Close
)
"""The commands that a client may send as they are. `Open` and `Rematch` get a table id and a secret from the server."""
