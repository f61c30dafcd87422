"""The subscribers of a table: connections by guest, and the messages they are sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from atout.errors import Refused
from atout.protocol import Bye, Welcome
from atout.server.live.delta import Delta, visible_events
from atout.tables import Event, Table

_encode = msgspec.json.Encoder().encode


class Subscriber(Protocol):
    """A connection, as a table sees it."""

    guest: str

    def send(self, text: bytes) -> None:
        """Send an encoded message without waiting."""

    def end(self, bye: Bye) -> None:
        """Say good-bye and close."""


class Subscribers:
    """The subscribers of one table that are connected to this worker."""

    __slots__ = ("_by_guest", "_delta")

    def __init__(self) -> None:
        self._by_guest: dict[str, list[Subscriber]] = {}
        self._delta = Delta()

    def __contains__(self, guest: str) -> bool:
        return guest in self._by_guest

    def __len__(self) -> int:
        return len(self._by_guest)

    @property
    def guests(self) -> list[str]:
        return list(self._by_guest)

    def mark(self, guest: str, *, unwelcome: bool) -> None:
        """Note whether free seats are shown to a guest as such, from the next view on that they are sent."""
        if unwelcome:
            self._delta.unwelcome.add(guest)
        else:
            self._delta.unwelcome.discard(guest)

    def end(self, guests: Sequence[str], bye: Bye) -> None:
        """Say good-bye to all connections of these guests."""
        for guest in guests:
            for subscriber in list(self._by_guest.get(guest, ())):
                subscriber.end(bye)

    def join(self, new: Subscriber, table: Table, missed: Sequence[Event], resumed: bool, now: float) -> None:
        """Send a subscriber what it missed and the whole view; `Refused` if its guest may not look."""
        view = self._delta.snapshot(table, new.guest)
        events = visible_events(table, missed, new.guest)
        new.send(_encode(Welcome(time=now, resumed=resumed, events=events, view=view)))
        subscribers = self._by_guest.setdefault(new.guest, [])
        if new not in subscribers:
            subscribers.append(new)

    def leave(self, gone: Subscriber) -> bool:
        """Remove a subscriber; whether it was the last one of its guest."""
        subscribers = self._by_guest.get(gone.guest, [])
        if gone in subscribers:
            subscribers.remove(gone)
        if subscribers or gone.guest not in self._by_guest:
            return False
        del self._by_guest[gone.guest]
        self._delta.forget(gone.guest)
        return True

    def send(self, table: Table, events: Sequence[Event], done: str = "", sender: Subscriber | None = None) -> None:
        """Send everybody what has happened; to the sender of the command `done` this is the acknowledgement too."""
        for guest, message in self._delta.changes(table, events).items():
            subscribers = self._by_guest.get(guest, ())
            if isinstance(message, Refused):
                bye = Bye(code=message.code, message=message.reason, again=False)
                for subscriber in list(subscribers):
                    subscriber.end(bye)
                continue
            for subscriber in subscribers:
                is_sender = subscriber is sender and done
                subscriber.send(_encode({**message, "done": done} if is_sender else message))
        if sender is not None and done and sender.guest not in self._by_guest:
            acknowledge(sender, done)


def acknowledge(sender: Subscriber, id: str) -> None:
    """Acknowledge a command that was carried out and changed nothing to be sent."""
    sender.send(_encode({"type": "told", "done": id, "events": [], "view": {}, "game": {}}))
