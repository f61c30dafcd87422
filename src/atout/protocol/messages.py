"""Messages of the WebSocket. The field `do` tells a client's messages apart, `type` the server's."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from atout.bots import Reason
from atout.protocol.events import ToldEvent
from atout.study.model import Alternative
from atout.tables import TableView
from atout.tables.commands import Command, GuestCommand, kebab

VERSION = 1
"""Version of the protocol; a client says which one it speaks."""


class Hello(Command, frozen=True, kw_only=True):
    """First message of every connection."""

    version: int = VERSION
    seen: Annotated[int, Meta(ge=0)] | None = None
    """Number of the last event the client has seen, to be sent the events since then; None: only the view."""
    player: Annotated[int, Meta(ge=0, le=5)] = 0
    """Which of the people who share a device: each has a connection of their own. 0 is the guest; others need a shared
    table."""


class Resync(Command, frozen=True):
    """Ask for the whole view again; answered by `welcome`."""


class Rematch(Command, frozen=True):
    """After the match: a new table with the same seats and settings. Its id is in the view (`rematch`)."""


class Hint(Command, frozen=True):
    """Ask for advice on your own decision, with reasons, if the table allows hints."""


class Ping(Command, frozen=True):
    """Ask for a sign of life: answered by `pong`, at once if it is exactly `PING`. For pages: a browser does not show
    them the pings of a WebSocket.
    """


PING = b'{"do":"ping"}'
ClientMessage = GuestCommand | Hello | Resync | Rematch | Hint | Ping


class Message(Struct, tag_field="type", tag=kebab, omit_defaults=True, kw_only=True):
    pass


class Welcome(Message, kw_only=True):
    """The whole view: the answer to `hello` and `resync`."""

    version: int = VERSION
    time: float
    """The server's clock now; times in views and events are by this clock, a view's `now` is that of its last event."""
    resumed: bool = False
    """`events` holds all events since `seen` that the viewer may know. If false, go by the view."""
    events: list[ToldEvent] = []
    view: TableView


class Told(Message, kw_only=True):
    """The delta after a change: the events, and the fields of the view that have changed.

    New view: take the old one, replace the fields in `view`; in its `game` replace those in `game`, and append to each
    list in `more`. A view that had no `game` gets it whole, as a field of `view`.
    """

    done: str = ""
    """The id of the client's command that is hereby acknowledged: it is durable."""
    events: list[ToldEvent] = []
    view: dict[str, Any]
    game: dict[str, Any] = {}
    more: dict[str, list[Any]] = {}


class Refusal(Message, kw_only=True):
    """A command that was not carried out; nothing has changed. `code` and `parameters` are for programs."""

    id: str = ""
    code: str
    message: str
    paragraph: str = ""
    """The paragraph of the rules that forbids it, if one does."""
    parameters: dict[str, Any] = {}


class Advice(Message, kw_only=True):
    """The answer to `hint`."""

    id: str = ""
    action: str
    more: tuple[str, ...] = ()
    """Where several cards are chosen at once: the actions for the others, which belong to `action`."""
    estimates: dict[str, list[float]] = {}
    """For legal actions: expected points of the round for every seat. Empty where there are `alternatives`."""
    alternatives: tuple[Alternative, ...] = ()
    """All legal actions with what they are worth, the advised one first; the reasons compare them. Empty where there
    was no time for it, or nothing has learned the table: then the strongest bot answers."""
    reasons: tuple[Reason, ...] = ()


class Pong(Message):
    """The answer to `ping`."""


class Bye(Message, kw_only=True):
    """The last message before the server closes the connection."""

    code: str
    message: str
    again: bool = True
    """Whether it makes sense to connect again."""


ServerMessage = Welcome | Told | Refusal | Advice | Pong | Bye

_CLIENT: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)


def decode_client(text: str | bytes) -> ClientMessage:
    """Decode a client's message; `msgspec.DecodeError` (or its subclass `ValidationError`) says what is wrong."""
    return _CLIENT.decode(text)
