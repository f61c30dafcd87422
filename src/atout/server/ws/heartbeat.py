"""The heartbeat: pings for silent WebSockets, from one timer for all connections of a worker.

A timer per connection would take half a kilobyte each. The connections are spread over `SLOTS` groups, so that they are
not all asked at the same moment.
"""

from __future__ import annotations

import asyncio
from typing import Protocol

PING_SECONDS = 20.0
"""One beat. A connection that was silent for a whole beat is pinged, and closed if it stays silent for another."""
SLOTS = 20


class HasHeartbeat(Protocol):
    def beat(self) -> None:
        """One beat has passed since the last call."""


Slot = list[HasHeartbeat]
"""The connections that are called at the same moment. A connection that ends removes itself."""


class Heartbeat:
    """Calls every connection once per beat. The application makes one and runs it while it serves."""

    def __init__(self) -> None:
        self._slots: list[Slot] = [[] for _ in range(SLOTS)]
        self._current = 0

    def add(self, connection: HasHeartbeat) -> Slot:
        """Call this connection from now on; its first beat comes `PING_SECONDS` later."""
        slot = self._slots[self._current]
        slot.append(connection)
        return slot

    async def run(self) -> None:
        """Beat until cancelled."""
        while True:
            await asyncio.sleep(PING_SECONDS / SLOTS)
            self.advance()

    def advance(self) -> None:
        """Call the connections of the next slot."""
        self._current = (self._current + 1) % SLOTS
        for connection in tuple(self._slots[self._current]):
            connection.beat()
