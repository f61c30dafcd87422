"""Who looks at a table through this worker, and what they are told: connections by viewer, and the teller's words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from atout.errors import Refused
from atout.protocol import Bye, Welcome
from atout.server.live.delta import Teller
from atout.tables import Event, Table

_encode = msgspec.json.Encoder().encode
_TOLD = b'{"type":"told",'
_NOTHING = b'"events":[],"view":{},"game":{}}'


class Line(Protocol):
    """A connection, as a table sees it."""

    guest: str

    def push(self, text: bytes) -> None:
        """Send without waiting."""

    def end(self, bye: Bye) -> None:
        """Say good-bye and close."""


class Company:
    """Of one table."""

    __slots__ = ("_lines", "_teller")

    def __init__(self) -> None:
        self._lines: dict[str, list[Line]] = {}
        self._teller = Teller()

    def __contains__(self, guest: str) -> bool:
        return guest in self._lines

    def __len__(self) -> int:
        return len(self._lines)

    def welcome(self, line: Line, table: Table, missed: Sequence[Event], resumed: bool, now: float) -> None:
        """Tell somebody what they missed and how the table stands; `Refused` if they may not look."""
        told = [table.tell(event, line.guest) for event in missed]
        view = self._teller.welcome(table, line.guest)
        events = [event for event in told if event is not None]
        line.push(_encode(Welcome(time=now, resumed=resumed, events=events, view=view)))
        lines = self._lines.setdefault(line.guest, [])
        if line not in lines:
            lines.append(line)

    def leave(self, line: Line) -> bool:
        """A connection is gone; whether it was the last one of its viewer."""
        lines = self._lines.get(line.guest, [])
        if line in lines:
            lines.remove(line)
        if lines or line.guest not in self._lines:
            return False
        del self._lines[line.guest]
        self._teller.forget(line.guest)
        return True

    def tell(self, table: Table, events: Sequence[Event], done: str = "", author: Line | None = None) -> None:
        """Tell everybody what has happened; to who caused it, it is the answer to their command as well."""
        for guest, change in self._teller.changes(table, events).items():
            lines = self._lines.get(guest, ())
            if isinstance(change, Refused):
                bye = Bye(code=change.code, message=change.reason, again=False)
                for line in list(lines):
                    line.end(bye)
                continue
            for line in lines:
                line.push((_acknowledged(done) if line is author and done else _TOLD) + change)
        if author is not None and done and author.guest not in self._lines:
            acknowledge(author, done)


def acknowledge(line: Line, id: str) -> None:
    """A command is done, and there is nothing to tell of it."""
    line.push(_acknowledged(id) + _NOTHING)


def _acknowledged(id: str) -> bytes:
    return _TOLD + b'"done":' + _encode(id) + b"," if id else _TOLD
