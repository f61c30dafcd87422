"""One WebSocket: the handshake, messages in, messages out, the end. uvicorn makes one when a request asks to upgrade.

The protocol itself is `websockets`' (sans-I/O). Two things are done here because there are thousands of sockets, and
four writes for every move. Nothing stands between a table and the transport: no task, queue or lock of each reader's
own; a message goes straight into the buffer, and who lets it fill is dropped. And a socket is small: no ASGI scope and
no stack of middleware stays alive behind it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from math import inf
from typing import Any, Protocol, cast
from urllib.parse import unquote

import msgspec
from starlette.requests import HTTPConnection
from starlette.responses import Response
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.datastructures import Headers
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.http11 import Response as Answer
from websockets.protocol import OPEN, Event
from websockets.server import ServerProtocol

from atout.protocol import Bye

try:
    from websockets.speedups import apply_mask
except ImportError:  # where it was not compiled
    from websockets.utils import apply_mask

DOOR = "door"
"""Where the application leaves its `Door` in the state of its life span."""
MOST_WAITING = 8
"""Messages of one connection that are read before they are answered."""
PING_SECONDS = 20.0
"""A beat. Who was silent for a whole one is asked whether they are there, and given up if they stay silent."""
CLOSE_SECONDS = 10.0
"""What the other side may take to answer a good-bye."""
RESTARTING, UNANSWERED = 1012, 1011
RESTART = msgspec.json.encode(Bye(code="restart", message="the server restarts; connect again"))
log = logging.getLogger("atout.wire")
_quiet = logging.getLogger("atout.wire.protocol")
_quiet.setLevel(logging.WARNING)  # below that the protocol notes paths and cookies


class Gone(Exception):
    """There is nobody at the other end any more."""


class Door(Protocol):
    """What the application says about a socket that wants to come in."""

    def admit(self, request: HTTPConnection) -> Response | Callable[[Wire], Coroutine[Any, Any, None]]:
        """An answer that turns it away, or what serves it until its end."""


class Wire(asyncio.Protocol):
    __slots__ = (
        "_closing",
        "_conn",
        "_door",
        "_inbox",
        "_is_between",
        "_is_lost",
        "_parts",
        "_pulse",
        "_reader",
        "_server",
        "_silences",
        "_transport",
        "hear_at_once",
    )

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any], _loop: Any = None) -> None:
        self._conn = ServerProtocol(max_size=config.ws_max_size, logger=_quiet)
        self._door: Door = app_state[DOOR]
        self._server = server_state
        self._transport: asyncio.Transport
        self._inbox: list[bytes] = []
        self._parts: list[bytes] = []
        """Of a message that comes in several frames."""
        self._reader: asyncio.Future[None] | None = None
        self._pulse: asyncio.TimerHandle | None = None
        self._closing: asyncio.TimerHandle | None = None
        self._silences = 0
        """Beats since something was heard."""
        self._is_lost = False
        self._is_between = False
        """The handshake is done, and what came since ended where a frame does."""
        self.hear_at_once: Callable[[bytes], bool] | None = None
        """Is shown a message before `receive` is, if that waits for one; says whether it has seen to it."""

    # ---------------------------------------------------------------- for the one who serves it

    async def receive(self) -> bytes:
        """The next message; `Gone` after the last."""
        while not self._inbox:
            if self._is_lost or self._closing is not None:
                raise Gone
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        text = self._inbox.pop(0)
        if len(self._inbox) == MOST_WAITING - 1 and not self._transport.is_closing():
            self._transport.resume_reading()
        return text

    def hear_later(self, text: bytes) -> None:
        """A message for `receive`."""
        self._inbox.append(text)
        if len(self._inbox) == MOST_WAITING:
            self._transport.pause_reading()
        self._wake()

    def push(self, text: bytes, most_unread: float = inf) -> bool:
        """Write a message, if there is still anybody to read it; False if they do not, and leave too much unread."""
        if self.is_over:
            return True
        if self._transport.get_write_buffer_size() > most_unread:
            return False
        self._transport.write(framed(text))
        return True

    @property
    def is_over(self) -> bool:
        return self._conn.state is not OPEN or self._transport.is_closing()

    def close(self, code: int) -> None:
        """Say good-bye as the protocol has it; what was pushed before goes first."""
        if not self.is_over:
            self._conn.send_close(code)
            self._flush()
        self._wake()

    def drop(self) -> None:
        """At once, without a word: it would not be read."""
        self._transport.abort()

    # ---------------------------------------------------------------- for uvicorn and the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._server.connections.add(self)  # type: ignore[arg-type]

    def data_received(self, data: bytes) -> None:
        self._silences = 0
        if self._is_between:
            text = short_text(data)
            if text is not None and not self._parts and self._conn.state is OPEN:
                self._hear(text)
                return
            self._is_between = is_whole(data)
        is_new = self._pulse is None
        self._conn.receive_data(data)
        for event in self._conn.events_received():
            self._take(event)
        self._flush()
        if is_new and self._pulse is not None:
            self._is_between = data.endswith(b"\r\n\r\n")

    def connection_lost(self, _error: Exception | None) -> None:
        self._is_lost = True
        self._server.connections.discard(self)
        for timer in (self._pulse, self._closing):
            if timer is not None:
                timer.cancel()
        self._wake()

    def shutdown(self) -> None:
        """The worker stops: say so first."""
        self.push(RESTART)
        self.close(RESTARTING)
        self._transport.close()

    # ---------------------------------------------------------------- inside

    def _take(self, event: Event) -> None:
        if isinstance(event, Request):
            self._greet(event)
        elif isinstance(event, Frame) and event.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            self._parts.append(bytes(event.data))
            if event.fin:
                text = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
                self._parts.clear()
                self._hear(text)

    def _hear(self, text: bytes) -> None:
        is_awaited = self._reader is not None and not self._reader.done()
        if self.hear_at_once is None or not is_awaited or not self.hear_at_once(text):
            self.hear_later(text)

    def _greet(self, request: Request) -> None:
        path, _, query = request.path.partition("?")
        headers = [
            (name.lower().encode("latin-1"), value.encode("latin-1", "replace"))
            for name, value in request.headers.raw_items()
        ]
        scope = {"type": "websocket", "path": unquote(path), "query_string": query.encode(), "headers": headers}
        answer = self._conn.accept(request)
        request.headers.clear()  # the protocol's parser keeps the request as long as it lives
        serve = None
        if answer.status_code == 101:
            admitted = self._door.admit(HTTPConnection(scope))
            if isinstance(admitted, Response):
                answer = _turned_away(admitted)
            else:
                serve = admitted
        self._conn.send_response(answer)
        if serve is not None:
            loop = asyncio.get_running_loop()
            self._flush()
            self._pulse = loop.call_later(PING_SECONDS, self._beat)
            task = loop.create_task(serve(self))
            self._server.tasks.add(task)
            task.add_done_callback(self._served)

    def _served(self, task: asyncio.Task[None]) -> None:
        self._server.tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("a connection failed unexpectedly", exc_info=task.exception())
        self.close(1000)

    def _flush(self) -> None:
        """Send what the protocol has to say; the connection ends when it says so."""
        for data in self._conn.data_to_send():
            if data:
                self._transport.write(data)
            else:
                self._transport.close()
        if self._closing is None and self._conn.close_expected():
            self._closing = asyncio.get_running_loop().call_later(CLOSE_SECONDS, self.drop)
            self._wake()

    def _beat(self) -> None:
        """Whoever was silent since the last time is asked; whoever was asked and is silent still is given up."""
        if self.is_over:
            return
        if self._silences == 2:
            self._conn.fail(UNANSWERED, "no answer")
            self._flush()
            self._transport.close()
            return
        if self._silences == 1:
            self._conn.send_ping(b"")
            self._flush()
        self._silences += 1
        self._pulse = asyncio.get_running_loop().call_later(PING_SECONDS, self._beat)

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)


def framed(text: bytes) -> bytes:
    """A message in one frame (RFC 6455, 5.2), unmasked as a server's are; `websockets` takes ten times as long."""
    size = len(text)
    if size < 126:
        return b"\x81%c%b" % (size, text)
    if size < 1 << 16:
        return b"\x81\x7e%b%b" % (size.to_bytes(2, "big"), text)
    return b"\x81\x7f%b%b" % (size.to_bytes(8, "big"), text)


def short_text(data: bytes) -> bytes | None:
    """The message, if these bytes are one masked text frame of less than 126 bytes: what a move is.

    `websockets` reads all others, and takes ten times as long.
    """
    if not 6 <= len(data) < 132 or data[0] != 0x81 or data[1] != 0x80 | (len(data) - 6):
        return None
    return apply_mask(data[6:], data[2:6])


def is_whole(data: bytes) -> bool:
    """Whether these bytes are whole frames, if they begin with one."""
    at = 0
    while at + 2 <= len(data):
        size, masked = data[at + 1] & 0x7F, data[at + 1] & 0x80
        more = {126: 2, 127: 8}.get(size, 0)
        at += 2
        if more:
            size = int.from_bytes(data[at : at + more], "big")
        at += more + (4 if masked else 0) + size
    return at == len(data)


def _turned_away(response: Response) -> Answer:
    headers = Headers([(name.decode("latin-1"), value.decode("latin-1")) for name, value in response.raw_headers])
    headers["Connection"] = "close"
    return Answer(response.status_code, "Refused", headers, bytes(response.body))
