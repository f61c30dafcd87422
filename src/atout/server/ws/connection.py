"""One WebSocket connection: handshake, messages in, messages out, close. `http/connection.py` makes it at an upgrade.

    data_received ─► backlog ─► MessageProtocol (sans-I/O parser) ─► inbox ─► one task: await session.handle(message)
                        └─ waits, and reading is paused, while the inbox is full or too many frames bring no message

The task exists only while there is something to handle. What is sent goes straight to the transport. A peer that leaves
more than `unread_bytes` unread is dropped, whatever the bytes are (messages, pongs, close frames): so a slow reader
holds up nobody, and takes no memory.

What arrived before a close frame or a protocol error is still answered: the closing frame waits until it was handled.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, cast

import msgspec
from uvicorn import Config
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.server import ServerState
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import OPEN

from atout.protocol import PING, Bye, Pong
from atout.server.ws.handshake import ENDPOINT, Endpoint, MessageHandler, shake_hands
from atout.server.ws.heartbeat import Slot
from atout.server.ws.messages import MessageProtocol

MAX_INBOX = 8
"""With so many messages waiting, no more is parsed until some are handled."""
PARSED_BYTES = 1024
"""Bytes that are parsed at a time; a limit is exceeded by no more than this."""
FRAME_SECONDS = 0.002
"""The time charged for a frame that brings no message (a ping, a pong, a fragment): 500 a second, more have to wait."""
BURST_SECONDS = 0.5
"""How many seconds' worth of such frames may come at once."""
MAX_PACED_SECONDS = 5.0
"""A peer that sends more of them than that for so long is dropped: what it sent would keep the server busy long after
it has gone."""
CLOSE_SECONDS = 10.0
"""How long the peer may take to answer a close frame."""
PONG = msgspec.json.encode(Pong())
RESTART = msgspec.json.encode(Bye(code="restart", message="the server restarts; connect again"))
log = logging.getLogger("atout.ws")


class Connection(asyncio.Protocol):
    """A WebSocket and the session that answers its messages."""

    __slots__ = (
        "_backlog",
        "_close_timer",
        "_endpoint",
        "_inbox",
        "_is_ended",
        "_is_reading",
        "_is_still_answering",
        "_over_since",
        "_pace_timer",
        "_paid_until",
        "_protocol",
        "_server",
        "_session",
        "_silent_beats",
        "_slot",
        "_task",
        "_transport",
        "release",
    )

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any], _loop: Any = None) -> None:
        self._endpoint: Endpoint = app_state[ENDPOINT]
        self._server = server_state
        self._protocol = MessageProtocol(config.ws_max_size)
        self._transport: asyncio.Transport
        self.release: Callable[[], None] = _nothing
        """Called at the end: until then the connection counts for its address (`http/connection.py`)."""
        self._session: MessageHandler | None = None
        self._backlog = b""
        """What has arrived and is not parsed yet. Reading is paused while there is any."""
        self._is_reading = True
        self._inbox: list[bytes] = []
        self._task: asyncio.Task[None] | None = None
        """Handles the inbox while there is something in it."""
        self._slot: Slot | None = None
        self._silent_beats = 0
        self._paid_until = 0.0
        """The time until which the frames so far that brought no message are paid for (`FRAME_SECONDS`)."""
        self._over_since = 0.0
        """Since when more such frames have come than are allowed in the long run."""
        self._pace_timer: asyncio.TimerHandle | None = None
        """Nothing is parsed until it ends."""
        self._close_timer: asyncio.TimerHandle | None = None
        self._is_ended = False
        """Nothing that arrives from now on is handled."""
        self._is_still_answering = False
        """The peer has closed or broken the protocol; the close frame waits for the answers to its messages."""

    # ---------------------------------------------------------------- for the session

    @property
    def is_closed(self) -> bool:
        """Whether nothing can be sent any more."""
        is_open = self._protocol.state is OPEN or self._is_still_answering
        return not is_open or self._transport.is_closing()

    def send(self, text: bytes) -> None:
        """Send a text message, unless the connection is closed. A peer that leaves too much unread is dropped."""
        if not self.is_closed:
            self._write(Frame(Opcode.TEXT, text).serialize(mask=False))

    def close(self, code: int) -> None:
        """Begin the closing handshake. What waits in the inbox is dropped."""
        self._inbox.clear()
        if not self.is_closed:
            if self._protocol.state is OPEN:
                self._protocol.send_close(code)
            self._is_still_answering = False
            self._flush()
            asyncio.get_running_loop().call_soon(self._parse)  # the peer's close frame may be in the backlog
        self._end()

    def abort(self) -> None:
        """Drop the connection without a close frame: it would not be read."""
        self._transport.abort()

    # ---------------------------------------------------------------- for uvicorn and the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._server.connections.add(self)  # type: ignore[arg-type]

    def data_received(self, data: bytes) -> None:
        self._backlog += data
        self._parse()

    def connection_lost(self, _error: Exception | None) -> None:
        self._server.connections.discard(self)
        if self._slot is not None:
            self._slot.remove(self)
        for timer in (self._close_timer, self._pace_timer):
            if timer is not None:
                timer.cancel()
        self._backlog = b""
        self._end()
        self.release()

    def shutdown(self) -> None:
        """The worker stops: tell the peer, and close."""
        self.send(RESTART)
        self.close(CloseCode.SERVICE_RESTART)
        self._transport.close()

    def beat(self) -> None:
        """Ping a peer that was silent since the last beat; close the connection of one that did not answer."""
        if self.is_closed or self._is_still_answering:
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

    def _parse(self) -> None:
        """Parse what has arrived, as long as the session keeps up and most frames bring messages."""
        while self._backlog and len(self._inbox) < MAX_INBOX and self._pace_timer is None:
            self._silent_beats = 0
            part, self._backlog = self._backlog[:PARSED_BYTES], self._backlog[PARSED_BYTES:]
            before = self._protocol.frame_count
            self._protocol.receive_data(part)
            messages = 0
            for event in self._protocol.events_received():
                if isinstance(event, Request):
                    self._open(event)
                elif isinstance(event, Frame) and event.data == PING and self._session is not None:
                    self.send(PONG)  # at once, and charged like a ping of WebSocket
                elif isinstance(event, Frame) and not self._is_ended:
                    messages += 1
                    self._receive(bytes(event.data))
            self._charge(self._protocol.frame_count - before - messages)
            self._answer_parsed()
        self._pause_or_resume_reading()

    def _answer_parsed(self) -> None:
        """Send what the parser has to say: pongs at once, but a close frame after the answers to earlier messages."""
        if self._protocol.eof_sent:
            self._backlog = b""  # nothing behind a close frame or an error counts
            if self._task is not None and not self._is_ended:
                self._is_still_answering = True
                self._expect_close()
            if self._is_still_answering:
                return
        self._flush()

    def _charge(self, frames: int) -> None:
        """Charge for frames that brought no message. If there are too many, parsing pauses, and in the end stops."""
        if frames:
            loop = asyncio.get_running_loop()
            now = loop.time()
            if self._paid_until <= now:
                self._over_since = now
            elif now - self._over_since > MAX_PACED_SECONDS:
                self._backlog = b""
                self.abort()
                return
            self._paid_until = max(self._paid_until, now) + frames * FRAME_SECONDS
            seconds = self._paid_until - now - BURST_SECONDS
            if seconds > 0:
                self._pace_timer = loop.call_later(seconds, self._parse_on)

    def _parse_on(self) -> None:
        self._pace_timer = None
        self._parse()

    def _pause_or_resume_reading(self) -> None:
        should_read = not self._backlog and len(self._inbox) < MAX_INBOX and self._pace_timer is None
        if should_read != self._is_reading and not self._transport.is_closing():
            self._is_reading = should_read
            if should_read:
                self._transport.resume_reading()
            else:
                self._transport.pause_reading()

    def _open(self, request: Request) -> None:
        open_session = shake_hands(self._protocol, request, self._endpoint, get_remote_addr(self._transport))
        self._flush()
        if open_session is not None:
            self._slot = self._endpoint.heartbeat.add(self)
            self._session = open_session(self)

    def _receive(self, message: bytes) -> None:
        self._inbox.append(message)
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
            self._endpoint.metrics.errors.inc()
            self.close(CloseCode.INTERNAL_ERROR)
        finally:
            self._task = None
            if self._is_still_answering:
                self._is_still_answering = False
                self._flush()
            if self._is_ended:
                self._close_session()

    def _next_message(self) -> bytes:
        message = self._inbox.pop(0)
        if len(self._inbox) == MAX_INBOX - 1:
            self._parse()
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
                self._write(data)
            else:
                self._transport.close()
        if self._protocol.close_expected():
            self._expect_close()

    def _expect_close(self) -> None:
        """Take no more messages, and wait for the end no longer than `CLOSE_SECONDS`."""
        if self._close_timer is None:
            self._close_timer = asyncio.get_running_loop().call_later(CLOSE_SECONDS, self.abort)
            self._end()

    def _write(self, data: bytes) -> None:
        """Every byte for the peer goes through here: one that leaves too much unread is dropped."""
        if self._transport.is_closing():
            return
        if self._transport.get_write_buffer_size() > self._endpoint.unread_bytes:
            self._endpoint.metrics.slow_readers.inc()
            self.abort()
        else:
            self._transport.write(data)


def _nothing() -> None:
    """The end of a connection that is not counted: there is nothing to do."""
