"""What a turn of the event loop wants to send, sent in one go at its end.

To send is a long way through the system. Tables that are told one after the other, and only then sent to, find their
code in the processor's caches.
"""

from __future__ import annotations

import asyncio

from atout.server.loops import OneALoop


class Outbox:
    """Of one event loop."""

    def __init__(self) -> None:
        self._waiting: list[tuple[asyncio.Transport, bytes]] = []

    def put(self, transport: asyncio.Transport, data: bytes) -> None:
        """Send soon, in the order of these calls."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self.send)
        self._waiting.append((transport, data))

    def send(self) -> None:
        """Send now what waits; who has gone in the meantime is passed over."""
        waiting, self._waiting = self._waiting, []
        for transport, data in waiting:
            if not transport.is_closing():
                transport.write(data)


outbox = OneALoop(Outbox)
