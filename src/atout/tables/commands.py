"""What can be asked of a table. A command is data; `Table.decide` says what comes of it.

Who asks is not part of a command: the caller vouches for it (`by`). `id` is made by the client, a new one for each
command; the same one again is answered with what it did the first time. Commands of the last group come from the
server alone (`by=None`).
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from atout.tables.settings import TableSettings
from atout.tables.shuffle import Hex, Secret

MAX_ID = 64
Id = Annotated[str, Meta(max_length=MAX_ID)]
Seat = Annotated[int, Meta(ge=0, le=5)]
Text = Annotated[str, Meta(max_length=1000)]
OfferKind = Literal["takeback", "pause", "resume", "abort"]


def kebab(name: str) -> str:
    """`SetSeat` is `set-seat` on a wire."""
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")


class Command(Struct, frozen=True, tag_field="do", tag=kebab, forbid_unknown_fields=True, omit_defaults=True):
    id: Id = ""


class Kept(Struct, frozen=True):
    """Somebody a seat is kept for, in a rematch."""

    guest: str
    name: str


class Open(Command, frozen=True, kw_only=True):
    """Open a table; who asks is its host. The secret comes from the server's source of chance (`new_secret`)."""

    table: Annotated[str, Meta(min_length=1, max_length=64)]
    settings: TableSettings
    secret: Secret
    previous: str = ""
    """The table this one is the rematch of."""
    kept: list[Kept | None] = []
    """By seat."""


class Sit(Command, frozen=True, kw_only=True):
    """Take a seat: the named one, the one kept for you, or the first that is free."""

    name: Text
    seat: Seat | None = None
    entropy: Hex = ""
    """Up to 64 random bytes, made after reading the commitment."""


class Leave(Command, frozen=True):
    """Before the match the seat is open again; during it a bot plays on after the grace, until it is reclaimed."""


class Rename(Command, frozen=True, kw_only=True):
    name: Text


class SetSeat(Command, frozen=True, kw_only=True):
    """Host, before the match: give a seat to a bot, or open it (whoever has it leaves)."""

    seat: Seat
    to: Text
    """`open`, or a bot's level."""


class Start(Command, frozen=True):
    """Host: start when every seat is filled."""


class Act(Command, frozen=True, kw_only=True):
    """Make a decision in the words of a record: `1 play G9`. Choices made by all at once are made card by card too.

    For a bot's seat the server acts (`by=None`), and names the decision it was asked about.
    """

    action: Text
    decision: int | None = None
    """The number the view gives; a decision that has passed is refused."""
    forfeit: Annotated[str, Meta(max_length=20)] = ""
    """Server: why a bot did not answer itself. `failed`: a random action; `preparing`: a quicker bot's choice."""


class Withdraw(Command, frozen=True):
    """Take one's own secret choice back, until the last seat has chosen."""


class Offer(Command, frozen=True, kw_only=True):
    """Ask the people at the table for their consent; alone, one agrees with oneself."""

    what: OfferKind


class Answer(Command, frozen=True, kw_only=True):
    """Agree to the open offer, or end it."""

    yes: bool


class Say(Command, frozen=True, kw_only=True):
    text: Text


class Watch(Command, frozen=True, kw_only=True):
    """A spectator asks a seat for leave to see its cards."""

    seat: Seat
    name: Text


class Show(Command, frozen=True, kw_only=True):
    """A seat's answer to a spectator; leave can be withdrawn."""

    watcher: int
    yes: bool


class StandIn(Command, frozen=True):
    """Let a bot play my seat from now on; it can be reclaimed."""


class Reclaim(Command, frozen=True):
    """Take my seat back from the bot, or after leaving."""


class Close(Command, frozen=True):
    """Host: end a table whose match has not started. Server: end it at any time."""


class Rematch(Command, frozen=True, kw_only=True):
    """Anybody of the finished match: a new table with the same seats and settings."""

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
    | StandIn
    | Reclaim
    | Close
)
"""What a socket may carry as it is; `Open` and `Rematch` get their table's id and secret from the server."""
