"""One WebSocket connection: handshake, messages in, messages out, close. uvicorn makes one for each upgrade request.

    data_received ─► websockets (sans-I/O parser) ─► inbox ─► one task: await session.handle(message), in order
                                                       └─ full: reading is paused until the session keeps up

The task exists only while there is something to handle. A message that is sent goes straight to the transport; a peer
that leaves too much unread is dropped by its session, so that a slow reader holds up nobody.
"""

from __future__ import annotations

import asyncio
import logging
from math import inf
from typing import Any, cast

import msgspec
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import OPEN, Event
from websockets.server import ServerProtocol

from atout.protocol import Bye
from atout.server.ws.handshake import ENDPOINT, Endpoint, Session, shake_hands
from atout.server.ws.heartbeat import Slot

MAX_INBOX = 8
"""Messages of one connection that are read before they are handled."""
CLOSE_SECONDS = 10.0
"""How long the peer may take to answer a close frame."""
RESTART = msgspec.json.encode(Bye(code="restart", message="the server restarts; connect again"))
log = logging.getLogger("atout.ws")
_protocol_log = logging.getLogger("atout.ws.protocol")
_protocol_log.setLevel(logging.WARNING)  # below that level the protocol logs paths and cookies


class Connection(asyncio.Protocol):
    """A WebSocket and the session that answers its messages."""

    __slots__ = (
        "_close_timer",
        "_endpoint",
        "_fragments",
        "_inbox",
        "_is_ended",
        "_protocol",
        "_server",
        "_session",
        "_silent_beats",
        "_slot",
        "_task",
        "_transport",
    )

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any], _loop: Any = None) -> None:
        self._endpoint: Endpoint = app_state[ENDPOINT]
        self._server = server_state
        self._protocol = ServerProtocol(max_size=config.ws_max_size, logger=_protocol_log)
        self._transport: asyncio.Transport
        self._session: Session | None = None
        self._inbox: list[bytes] = []
        self._fragments: list[bytes] = []
        """The frames so far of a message that comes in several."""
        self._task: asyncio.Task[None] | None = None
        """Handles the inbox while there is something in it."""
        self._slot: Slot | None = None
        self._silent_beats = 0
        self._close_timer: asyncio.TimerHandle | None = None
        self._is_ended = False
        """Nothing that arrives from now on is handled."""

    # ---------------------------------------------------------------- for the session

    @property
    def is_closed(self) -> bool:
        return self._protocol.state is not OPEN or self._transport.is_closing()

    def send(self, text: bytes, max_unread: float = inf) -> bool:
        """Send a text message, unless the connection is closed; False if the peer leaves too much unread."""
        if self.is_closed:
            return True
        if self._transport.get_write_buffer_size() > max_unread:
            return False
        self._protocol.send_text(text)
        self._flush()
        return True

    def close(self, code: int) -> None:
        """Begin the closing handshake. What waits in the inbox is dropped."""
        if not self.is_closed:
            if len(self._inbox) >= MAX_INBOX:
                self._transport.resume_reading()  # for the peer's close frame
            self._protocol.send_close(code)
            self._flush()
        self._inbox.clear()
        self._end()

    def abort(self) -> None:
        """Drop the connection without a close frame: it would not be read."""
        self._transport.abort()

    # ---------------------------------------------------------------- for uvicorn and the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._server.connections.add(self)  # type: ignore[arg-type]

    def data_received(self, data: bytes) -> None:
        self._silent_beats = 0
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            self._take(event)
        self._flush()

    def connection_lost(self, _error: Exception | None) -> None:
        self._server.connections.discard(self)
        if self._slot is not None:
            self._slot.remove(self)
        if self._close_timer is not None:
            self._close_timer.cancel()
        self._end()

    def shutdown(self) -> None:
        """The worker stops: tell the peer, and close."""
        self.send(RESTART)
        self.close(CloseCode.SERVICE_RESTART)
        self._transport.close()

    def beat(self) -> None:
        """Ping a peer that was silent since the last beat; close the connection of one that did not answer."""
        if self.is_closed:
            return
        if self._silent_beats == 2:
            self._protocol.fail(CloseCode.INTERNAL_ERROR, "no answer to a ping")
            self._flush()
            self._transport.close()
            return
        if self._silent_beats == 1:
            self._protocol.send_ping(b"")
            self._flush()
        self._silent_beats += 1

    # ---------------------------------------------------------------- inside

    def _take(self, event: Event) -> None:
        if isinstance(event, Request):
            self._open(event)
        elif isinstance(event, Frame) and event.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            self._fragments.append(bytes(event.data))
            if event.fin:
                self._receive(b"".join(self._fragments))
                self._fragments.clear()

    def _open(self, request: Request) -> None:
        open_session = shake_hands(self._protocol, request, self._endpoint)
        self._flush()
        if open_session is not None:
            self._slot = self._endpoint.heartbeat.add(self)
            self._session = open_session(self)

    def _receive(self, message: bytes) -> None:
        if self._is_ended:
            return
        self._inbox.append(message)
        if len(self._inbox) == MAX_INBOX:
            self._transport.pause_reading()
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._handle_inbox())
            self._server.tasks.add(self._task)
            self._task.add_done_callback(self._server.tasks.discard)

    async def _handle_inbox(self) -> None:
        """Handle what has arrived, in order. What came before the peer closed the connection still counts."""
        try:
            while self._inbox and self._session is not None:
                await self._session.handle(self._next_message())
        except Exception:
            log.exception("a connection failed unexpectedly")
            self.close(CloseCode.INTERNAL_ERROR)
        finally:
            self._task = None
            if self._is_ended:
                self._close_session()

    def _next_message(self) -> bytes:
        message = self._inbox.pop(0)
        if len(self._inbox) == MAX_INBOX - 1 and not self._transport.is_closing():
            self._transport.resume_reading()
        return message

    def _end(self) -> None:
        """Take no more messages; the session is closed when it has handled those that arrived before."""
        if not self._is_ended:
            self._is_ended = True
            if self._task is None:
                asyncio.get_running_loop().call_soon(self._close_session)

    def _close_session(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.closed()

    def _flush(self) -> None:
        """Send what the protocol has to say, and close the transport when it says so."""
        for data in self._protocol.data_to_send():
            if data:
                self._transport.write(data)
            else:
                self._transport.close()
        if self._close_timer is None and self._protocol.close_expected():
            self._close_timer = asyncio.get_running_loop().call_later(CLOSE_SECONDS, self.abort)
            self._end()
