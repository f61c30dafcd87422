"""The socket's own protocol: uvicorn's, and a way to write that never waits.

A table tells everybody at once. Waiting for each reader would let one slow reader hold up a table, and a task for each
would cost more than the message: so messages go straight into the transport's buffer, and who lets it fill is dropped.
"""

from __future__ import annotations

from typing import Any

import msgspec
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from atout.protocol import Bye

EXTENSION = "atout.wire"
MOST_WAITING = 8
"""Messages of one connection that are read before they are answered."""
RESTART = msgspec.json.encode(Bye(code="restart", message="the server restarts; connect again"))


class Wire(WebSocketsSansIOProtocol):
    """Found by the application in the scope's extensions."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[EXTENSION] = self

    def send_receive_event_to_app(self) -> None:
        """As uvicorn does it, but reading goes on while few messages wait: stopping costs two calls to the system."""
        if self.read_paused or self.queue.qsize() >= MOST_WAITING:
            super().send_receive_event_to_app()
        else:
            self.read_paused = True
            super().send_receive_event_to_app()
            self.read_paused = False

    async def send(self, message: Any) -> None:
        """As uvicorn does it, which takes a refused handshake for one that was forgotten, and logs an error."""
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True

    def push(self, text: bytes) -> None:
        """Write a message, if there is still anybody to read it."""
        if not self.is_over:
            self.conn.send_text(text)
            self.transport.write(b"".join(self.conn.data_to_send()))

    @property
    def is_over(self) -> bool:
        return self.close_sent or self.disconnected or self.transport.is_closing()

    @property
    def unread(self) -> int:
        """Bytes the other side has not taken yet."""
        return self.transport.get_write_buffer_size()

    def drop(self) -> None:
        """At once, without a word: it would not be read."""
        self.transport.abort()

    def shutdown(self) -> None:
        """The worker stops: say so first."""
        if self.handshake_complete:
            self.push(RESTART)
        super().shutdown()
