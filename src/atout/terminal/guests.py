"""`Guests`: who the player was at which server's table, so that the seat can be taken again after leaving.

A server knows a guest by a cookie. It is kept for each table and name: two people on one computer are two guests.
"""

from __future__ import annotations

import json
import os
import shlex
from contextlib import suppress
from pathlib import Path
from typing import Any

from atout.errors import UsageError
from atout.files import alone
from atout.i18n import reader, reason_of, say

MOST = 100
"""How many tables are remembered; the oldest ones are forgotten."""


class Guests:
    """A file of cookies. Errors of reading and writing stop no match: they cost the way back to a seat."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.failure = ""
        """Why the last cookie could not be kept; empty if it is."""

    def _read(self) -> dict[str, Any]:
        try:
            kept = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) else {}

    def cookie(self, server: str, table: str, name: str) -> str:
        """The cookie of this player at this table; empty if there is none."""
        found = self._read().get(f"{server} {table} {name}")
        return found if isinstance(found, str) else ""

    def names(self, server: str, table: str) -> list[str]:
        """The names under which seats were taken at this table, the last one first."""
        known = (key.split(" ", 2) for key in reversed(self._read()))
        return [key[2] for key in known if len(key) == 3 and key[:2] == [server, table]]

    def name_at(self, server: str, table: str, usual: str) -> str:
        """The name of a player who gave none: that of their seat at this table, else the `usual` one.

        With seats under several names, and none of them the usual one, the player has to say which.
        """
        known = self.names(server, table)
        if len(known) == 1:
            return known[0]
        if known and usual not in known:
            example = shlex.quote(known[0])
            raise UsageError(say("terminal.rejoin.which", names=reader().listed(known), example=example))
        return usual

    def remember(self, server: str, table: str, name: str, cookie: str) -> None:
        """Keep the cookie in a file that only its owner can read. Another program may add its own meanwhile."""
        draft = self.path.with_name(f".{self.path.name}.{os.getpid()}.part")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with alone(self.path):
                key = f"{server} {table} {name}"
                kept = {**{known: value for known, value in self._read().items() if known != key}, key: cookie}
                draft.touch(mode=0o600)
                draft.write_text(json.dumps(dict(list(kept.items())[-MOST:])), encoding="utf-8")
                draft.replace(self.path)
        except OSError as error:
            self.failure = reason_of(error)
        else:
            self.failure = ""
        finally:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
