"""Bodies of the REST interface about other people: friends, mutes and blocks, invitations, reports."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from atout.protocol.rest import TableCard

MAX_REPORT = 500
PersonId = Annotated[str, Meta(min_length=1, max_length=64)]
"""Names somebody in my own lists, and means nothing to anybody else."""
SeatNumber = Annotated[int, Meta(ge=0, le=5)]
TableId = Annotated[str, Meta(min_length=1, max_length=64)]


class Friend(Struct):
    id: str
    name: str
    is_online: bool
    """They are here now, and show it. False: they are not here, or do not show it."""


class PersonEntry(Struct):
    id: str
    name: str
    at: float


class People(Struct):
    """Everybody I have to do with."""

    link: str
    """The end of the address to send to a friend, `/friends#{link}`; empty: I have not made one."""
    shows_online: bool
    """My friends see when I am here."""
    friends: list[Friend]
    """Those who are online first."""
    requests: list[PersonEntry]
    """They would like to be friends: accept, or remove."""
    asked: list[PersonEntry]
    """I asked them, and they have not answered."""
    muted: list[PersonEntry]
    blocked: list[PersonEntry]


class ShowOnline(Struct, forbid_unknown_fields=True):
    on: bool


class FriendLink(Struct):
    link: str


class LinkOwner(Struct):
    """Whose link it is."""

    name: str
    is_me: bool


class AskFriend(Struct, forbid_unknown_fields=True):
    """One of three ways to say whom: by their link, by the name that they keep, or by a seat at a table."""

    link: Annotated[str, Meta(max_length=64)] = ""
    name: Annotated[str, Meta(max_length=60)] = ""
    table: Annotated[str, Meta(max_length=64)] = ""
    seat: SeatNumber = 0


class Asked(Struct):
    state: Literal["asked", "friends"]
    """`friends`: they had asked before."""


class Whom(Struct, forbid_unknown_fields=True):
    """Somebody of my lists."""

    person: PersonId


class Mark(Struct, forbid_unknown_fields=True):
    """Somebody of my lists, or at a seat of a table."""

    on: bool
    """False: unmute or unblock them."""
    person: Annotated[str, Meta(max_length=64)] = ""
    table: Annotated[str, Meta(max_length=64)] = ""
    seat: SeatNumber = 0


class SeatPerson(Struct):
    """What somebody at a table is to me."""

    seat: int
    name: str
    is_friend: bool
    is_asked: bool
    """I asked them to be friends."""
    is_muted: bool
    is_blocked: bool


class TablePeople(Struct):
    """The other people at a table. What those say who are muted or blocked is not to be shown."""

    people: list[SeatPerson]


class InvitationEntry(Struct):
    by: str
    table: TableCard


class News(Struct):
    """What waits for an answer of mine."""

    invitations: list[InvitationEntry]
    requests: int
    """How many would like to be friends."""


ReportKind = Literal["insult", "name", "cheating", "other"]


class NewReport(Struct, forbid_unknown_fields=True):
    """About somebody at a table, for the operator. What was said last goes with it."""

    table: TableId
    seat: SeatNumber
    kind: ReportKind
    text: Annotated[str, Meta(max_length=MAX_REPORT)] = ""
