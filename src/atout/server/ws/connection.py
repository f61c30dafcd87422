"""One WebSocket: the handshake, messages in, messages out, the end. uvicorn makes one when a request asks to upgrade.

The protocol itself is `websockets`' (sans-I/O). Two things are done here because there are thousands of sockets, and
four writes for every move. Nothing stands between a table and the transport: no task, queue or lock of each reader's
own; a message goes straight into the buffer, and who lets it fill is dropped. And a socket at rest is small: no ASGI
scope, no middleware, no task and no parser stay alive behind it. A parser is made when something comes that is no
short text, a task when a message has to wait for something.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from math import inf
from typing import Any, Protocol, cast

import msgspec
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import OPEN, SERVER, Event
from websockets.protocol import Protocol as WebSocket
from websockets.server import ServerProtocol

from atout.protocol import Bye
from atout.server.outbox import Outbox, outbox
from atout.server.ws.frames import framed, is_whole, short_text
from atout.server.ws.handshake import DOOR, Door, greet
from atout.server.ws.heartbeat import Part, pulse

MOST_WAITING = 8
"""Messages of one connection that are read before they are answered."""
CLOSE_SECONDS = 10.0
"""What the other side may take to answer a good-bye."""
RESTARTING, UNANSWERED = 1012, 1011
RESTART = msgspec.json.encode(Bye(code="restart", message="the server restarts; connect again"))
log = logging.getLogger("atout.wire")
_quiet = logging.getLogger("atout.wire.protocol")
_quiet.setLevel(logging.WARNING)  # below that the protocol notes paths and cookies


class Gone(Exception):
    """There is nobody at the other end any more."""


class Listener(Protocol):
    """Who has a wire for good, once it was let in."""

    def puts_off(self, text: bytes, hear: Callable[[], None]) -> bool:
        """A message came while none was waiting. False: it is heard now; True: `hear` will be called for it soon."""

    def hear_at_once(self, text: bytes) -> bool:
        """A message came, and all before it were heard; False if it has to be waited for."""

    async def hear(self, text: bytes) -> None:
        """A message that was not heard at once; the next one comes when this is done."""

    def lost(self) -> None:
        """There will be no more; called once."""


class Wire(asyncio.Protocol):
    __slots__ = (
        "_closing",
        "_conn",
        "_door",
        "_inbox",
        "_is_between",
        "_is_lost",
        "_listener",
        "_most_bytes",
        "_outbox",
        "_parts",
        "_pulse",
        "_reader",
        "_server",
        "_silences",
        "_transport",
        "_work",
    )

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any], _loop: Any = None) -> None:
        self._most_bytes = config.ws_max_size
        self._conn: WebSocket | None = ServerProtocol(max_size=self._most_bytes, logger=_quiet)
        """The protocol, while it has something to remember."""
        self._door: Door[Wire] = app_state[DOOR]
        self._server = server_state
        self._transport: asyncio.Transport
        self._outbox: Outbox
        self._inbox: list[bytes] | None = None
        """Messages that wait; most of the time there are none, and no list for them."""
        self._parts: list[bytes] | None = None
        """Of a message that comes in several frames."""
        self._reader: asyncio.Future[None] | None = None
        self._pulse: Part | None = None
        """Those it beats with, once it was let in."""
        self._closing: asyncio.TimerHandle | None = None
        self._silences = 0
        """Beats since something was heard."""
        self._is_lost = False
        self._is_between = False
        """The handshake is done, and what came since ended where a frame does."""
        self._listener: Listener | None = None
        self._work: asyncio.Task[None] | None = None
        """Hears what could not be heard at once."""

    # ---------------------------------------------------------------- for the one who serves it

    async def receive(self) -> bytes:
        """The next message, as long as nobody listens; `Gone` after the last."""
        while not self._inbox:
            if self._is_lost or self._closing is not None:
                raise Gone
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        return self._next()

    def listen(self, listener: Listener) -> None:
        """From now on messages are brought, not fetched."""
        self._listener = listener
        if self._is_lost or self._closing is not None:
            self._stop_listening()
        elif self._inbox:
            self._begin_work()

    def hear_later(self, text: bytes) -> None:
        """A message that has to wait."""
        self._put(text)
        if self._listener is None:
            self._wake()
        elif self._work is None:
            self._begin_work()

    def push(self, text: bytes, most_unread: float = inf) -> bool:
        """Write a message, if there is still anybody to read it; False if they do not, and leave too much unread."""
        if self.is_over:
            return True
        if self._transport.get_write_buffer_size() > most_unread:
            return False
        self._outbox.put(self._transport, framed(text))
        return True

    @property
    def is_over(self) -> bool:
        return (self._conn is not None and self._conn.state is not OPEN) or self._transport.is_closing()

    def close(self, code: int) -> None:
        """Say good-bye as the protocol has it; what was pushed before goes first."""
        if not self.is_over:
            self._protocol().send_close(code)
            self._flush()
        self._wake()
        self._stop_listening()

    def drop(self) -> None:
        """At once, without a word: it would not be read."""
        self._transport.abort()

    # ---------------------------------------------------------------- for uvicorn and the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport, self._outbox = cast("asyncio.Transport", transport), outbox()
        self._server.connections.add(self)  # type: ignore[arg-type]

    def data_received(self, data: bytes) -> None:
        self._silences = 0
        if self._is_between:
            text = short_text(data) if self._conn is None else None
            if text is not None:
                self._hear(text)
                return
            self._is_between = is_whole(data)
        is_new = self._pulse is None
        conn = self._protocol()
        conn.receive_data(data)
        for event in conn.events_received():
            self._take(event)
        self._flush()
        if is_new and self._pulse is not None:
            self._is_between = data.endswith(b"\r\n\r\n")
        self._rest()

    def connection_lost(self, _error: Exception | None) -> None:
        self._is_lost = True
        self._server.connections.discard(self)
        if self._pulse is not None:
            self._pulse.remove(self)
        if self._closing is not None:
            self._closing.cancel()
        self._wake()
        self._stop_listening()

    def shutdown(self) -> None:
        """The worker stops: say so first."""
        self.push(RESTART)
        self.close(RESTARTING)
        self._transport.close()

    def beat(self) -> None:
        """Whoever was silent since the last time is asked; whoever was asked and is silent still is given up."""
        if self.is_over:
            return
        if self._silences == 2:
            self._protocol().fail(UNANSWERED, "no answer")
            self._flush()
            self._transport.close()
            return
        if self._silences == 1:
            self._protocol().send_ping(b"")
            self._flush()
            self._rest()
        self._silences += 1

    # ---------------------------------------------------------------- inside

    def _take(self, event: Event) -> None:
        if isinstance(event, Request):
            self._greet(event)
        elif isinstance(event, Frame) and event.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            self._parts = [*(self._parts or ()), bytes(event.data)]
            if event.fin:
                text, self._parts = b"".join(self._parts), None
                self._hear(text)

    def _hear(self, text: bytes) -> None:
        listener = self._listener if self._work is None else None
        if self._closing is not None:
            return
        if listener is None:
            self.hear_later(text)
        elif self._inbox or listener.puts_off(text, self._hear_put_off):
            self._put(text)
        elif not listener.hear_at_once(text):
            self.hear_later(text)

    def _hear_put_off(self) -> None:
        """What waits, in its order; from the first that cannot be heard at once, it waits for good."""
        while self._inbox and self._listener is not None and self._work is None:
            if self._listener.hear_at_once(self._inbox[0]):
                self._next()
            else:
                self._begin_work()

    def _put(self, text: bytes) -> None:
        if self._inbox is None:
            self._inbox = []
        self._inbox.append(text)
        if len(self._inbox) == MOST_WAITING:
            self._transport.pause_reading()

    def _begin_work(self) -> None:
        self._work = asyncio.get_running_loop().create_task(self._hear_all())
        self._server.tasks.add(self._work)
        self._work.add_done_callback(self._heard_all)

    async def _hear_all(self) -> None:
        try:
            while self._inbox and self._listener is not None:
                await self._listener.hear(self._next())
        finally:
            self._work = None

    def _heard_all(self, task: asyncio.Task[None]) -> None:
        self._server.tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("a connection failed unexpectedly", exc_info=task.exception())
            self.close(1000)

    def _next(self) -> bytes:
        assert self._inbox
        text = self._inbox.pop(0)
        if len(self._inbox) == MOST_WAITING - 1 and not self._transport.is_closing():
            self._transport.resume_reading()
        self._inbox = self._inbox or None
        return text

    def _stop_listening(self) -> None:
        self._hear_put_off()  # it came before the end
        if self._listener is not None:
            asyncio.get_running_loop().call_soon(self._listener.lost)
            self._listener = None

    def _protocol(self) -> WebSocket:
        """As it is, or a new one in the middle of a conversation."""
        if self._conn is None:
            self._conn = WebSocket(SERVER, state=OPEN, max_size=self._most_bytes, logger=_quiet)
        return self._conn

    def _rest(self) -> None:
        """Let go of a protocol that has nothing to remember."""
        if self._is_between and not self._parts and not self.is_over:
            self._conn = None

    def _greet(self, request: Request) -> None:
        serve = greet(cast("ServerProtocol", self._conn), request, self._door)
        if serve is not None:
            loop = asyncio.get_running_loop()
            self._flush()
            self._pulse = pulse().join(self)
            task = loop.create_task(serve(self))
            self._server.tasks.add(task)
            task.add_done_callback(self._served)

    def _served(self, task: asyncio.Task[None]) -> None:
        self._server.tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("a connection failed unexpectedly", exc_info=task.exception())
        if self._listener is None:
            self.close(1000)

    def _flush(self) -> None:
        """Send what the protocol has to say; the connection ends when it says so."""
        conn = self._protocol()
        self._outbox.send()  # what was pushed before goes first
        for data in conn.data_to_send():
            if data:
                self._transport.write(data)
            else:
                self._transport.close()
        if self._closing is None and conn.close_expected():
            self._closing = asyncio.get_running_loop().call_later(CLOSE_SECONDS, self.drop)
            self._wake()
            self._stop_listening()

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)
