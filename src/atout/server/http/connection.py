"""One HTTP connection, bounded before anything is stored: uvicorn's protocol with limits on bytes, time and number.

    connected ──► head: request line and headers ──► body ──► answered ──► idle ──► head of the next request …
         │          │ too long: 414, 431              │ slow: 408            └─ too long: closed
         │          └ slow: 408                       └ a WebSocket upgrade leaves for `ws/connection.py`
         └ too many of this address: the oldest without a request gives way; 429 if there is none

The limits hold without a proxy in front. The application bounds the size of bodies (413). A client that is refused is
told why, and what it goes on sending is thrown away for a moment, so that it can read the answer.
"""

from __future__ import annotations

import asyncio
import http
import logging
import re
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

import httptools
from uvicorn import Config
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from atout.server.errors import ApiError
from atout.server.http.middleware import HEADERS
from atout.server.http.responses import problem
from atout.server.limits import CountLimit, network_of
from atout.server.settings import ServerSettings

LIMITS = "limits"
"""The key under which the application leaves its `ConnectionLimits` in the state of its lifespan."""
MAX_HEADERS = 128
"""Header fields of a request."""
MAX_PIPELINED = 16
"""Requests of one connection that wait for the answer to an earlier one."""
MAX_DISCARDED = 1_048_576
"""Bytes that are read and thrown away after the answer, until the connection is closed."""
CLOSE_SECONDS = 2.0
"""How long a client may take to read an answer after which the connection is closed."""

log = logging.getLogger("atout.http")


class Idle(Protocol):
    """A connection without a request to answer."""

    def give_way(self) -> None:
        """Close at once, and no longer count for the address."""


class ConnectionLimits:
    """What the HTTP connections of a worker share: the limits, and how many connections each address has.

    An idle connection keeps nobody out: if its address has too many connections, it is closed for a new one.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self._of_address = CountLimit(settings.connections_per_address)
        self._idle: dict[str, dict[Idle, bool]] = {}
        """By network: the connections that have no request to answer, the oldest first; and whether they had one."""
        self._is_proxy = proxy_check(settings)

    def enter(self, address: str) -> Callable[[], None] | None:
        """Count a connection: what to call at its end, or None if the address has too many.

        Proxies are not counted, because everybody's connections come from them.
        """
        if not address or self._is_proxy(address):
            return _nothing
        network = network_of(address)
        if not self._of_address.enter(network) and not (self._make_room(network) and self._of_address.enter(network)):
            return None
        return partial(self._of_address.leave, network)

    def _make_room(self, network: str) -> bool:
        """Close a connection that has no request to answer: the oldest that never had one, or else the oldest."""
        idle = self._idle.get(network)
        if not idle:
            return False
        next((one for one, had_request in idle.items() if not had_request), next(iter(idle))).give_way()
        return True

    def idles(self, connection: Idle, address: str, had_request: bool) -> None:
        """A connection waits for a request."""
        self._idle.setdefault(network_of(address), {})[connection] = had_request

    def is_busy(self, connection: Idle, address: str) -> None:
        """A connection has a request to answer, or is gone."""
        network = network_of(address)
        idle = self._idle.get(network)
        if idle is not None:
            idle.pop(connection, None)
            if not idle:
                del self._idle[network]

    @property
    def total(self) -> int:
        """Connections that are counted now."""
        return self._of_address.total


class Upgraded(Protocol):
    """A WebSocket connection, which calls `release` when it ends: until then it counts for its address."""

    release: Callable[[], None]

    def connection_made(self, transport: asyncio.BaseTransport) -> None: ...

    def data_received(self, data: bytes) -> None: ...


class Refuse(Exception):
    """Raised in a callback of the parser, to stop it."""

    def __init__(self, error: ApiError) -> None:
        self.error = error
        super().__init__(error.message)


class HttpConnection(HttpToolsProtocol):
    """uvicorn's HTTP protocol, within `ConnectionLimits`."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._limits: ConnectionLimits = app_state[LIMITS]
        self._release: Callable[[], None] = _nothing
        self._address = ""
        self._is_in_head = self._is_in_body = False
        """Which part of a request has begun and is not complete."""
        self._pending_bytes = 0
        """What arrived since the parser last completed a part: it is in the parser's memory, or skipped."""
        self._discarded = 0
        self._is_refused = False
        """An answer was sent because of what the client sent, and nothing more is parsed."""
        self._read_timer: asyncio.TimerHandle | None = None
        """Runs out if the head or the body is not complete in time."""
        self._write_timer: asyncio.TimerHandle | None = None
        """Runs out if the client does not read on."""

    # ---------------------------------------------------------------- for the event loop

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = self.client[0] if self.client else ""
        release = self._limits.enter(self._address)
        if release is None:
            most = self._limits.settings.connections_per_address
            self._is_refused = True
            self._answer(ApiError(429, "too-many-connections", f"an address has {most} connections at most", most=most))
            self._close()
            return
        self._release = release
        self._limits.idles(self, self._address, had_request=False)
        self._read_timer = self.loop.call_later(self._limits.settings.header_seconds, self._expire)

    def data_received(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        if self._is_refused:
            self._discard(len(data))
            return
        at = 0
        try:
            while at < len(data):
                # Never more than the room that is left: what the parser stores for one part stays bounded.
                piece = data[at : at + self._limits.settings.header_bytes - self._pending_bytes]
                at += len(piece)
                self._pending_bytes += len(piece)
                self.parser.feed_data(piece)
                if self._pending_bytes >= self._limits.settings.header_bytes:
                    raise Refuse(self._headers_too_large())
        except Refuse as refusal:
            self._refuse(refusal.error)
        except httptools.HttpParserUpgrade as upgrade:
            self._upgrade(data[at - len(piece) + upgrade.args[0] :])
        except httptools.HttpParserError as error:
            cause = error.__context__
            self._refuse(cause.error if isinstance(cause, Refuse) else _bad_request())
        else:
            self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._unset_keepalive_if_required()
        self._stop_reading_timer()
        self._stop_writing_timer()
        self._count_no_more()

    def give_way(self) -> None:
        """Another connection of the same address needs the place, and this one asks for nothing."""
        self._count_no_more()
        self.transport.abort()

    def _count_no_more(self) -> None:
        self._limits.is_busy(self, self._address)
        self._release()
        self._release = _nothing

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._write_timer is None:
            self._write_timer = self.loop.call_later(self._limits.settings.body_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.transport.is_closing():
            self._stop_writing_timer()

    # ---------------------------------------------------------------- for the parser

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._is_in_head = True

    def on_url(self, url: bytes) -> None:
        most = self._limits.settings.url_bytes
        if len(self.url) + len(url) > most:
            raise Refuse(ApiError(414, "url-too-long", f"a URL has {most} bytes at most", most=most))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._is_in_body:
            return  # a field after the body: read as a header, it could forge a cookie or what a proxy says
        if len(self.headers) >= MAX_HEADERS:
            raise Refuse(self._headers_too_large())
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= MAX_PIPELINED:
            raise Refuse(ApiError(429, "too-many", "too many requests at once; wait for the answers"))
        self._check_target()
        self._limits.is_busy(self, self._address)
        super().on_headers_complete()
        self._is_in_head, self._is_in_body = False, True
        self._pending_bytes = self._discarded = 0
        self._stop_reading_timer()

    def _check_target(self) -> None:
        """A request names a path of this server; if it names the host too, the same one as its `Host` header."""
        if self.url.startswith(b"/") or self.url == b"*":
            return
        scheme, _, rest = self.url.lower().partition(b"://")
        hosts = [value.lower() for name, value in self.headers if name == b"host"]
        if scheme not in (b"http", b"https") or [re.split(rb"[/?#]", rest)[0]] != hosts:
            raise Refuse(ApiError(421, "unknown-host", "the request is for another host than its Host header says"))

    def on_body(self, body: bytes) -> None:
        self._pending_bytes = 0
        if self.cycle is not None and self.cycle.response_complete:
            self._discarded += len(body)
            if self._discarded > MAX_DISCARDED:
                raise Refuse(ApiError(413, "too-large", "the body is too large"))
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._is_in_body = False
        self._pending_bytes = 0
        self._stop_reading_timer()
        super().on_message_complete()

    # ---------------------------------------------------------------- for uvicorn

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            self._close()
        elif self.cycle is not None and self.cycle.response_complete and not self._is_in_body:
            self._limits.idles(self, self._address, had_request=True)

    def timeout_keep_alive_handler(self) -> None:
        self._close()

    # ---------------------------------------------------------------- inside

    def _watch(self) -> None:
        """Start the timer for the part of a request that has begun, unless it runs."""
        if self._read_timer is not None or self.transport.is_closing():
            return
        if self._is_in_body:
            self._read_timer = self.loop.call_later(self._limits.settings.body_seconds, self._expire)
        elif self._is_in_head or self._pending_bytes:
            self._read_timer = self.loop.call_later(self._limits.settings.header_seconds, self._expire)

    def _expire(self) -> None:
        self._read_timer = None
        if self._is_in_body and self.flow.read_paused:
            self._watch()  # it is the application that takes its time
        elif self._is_in_body:
            seconds = self._limits.settings.body_seconds
            self._refuse(ApiError(408, "too-slow", f"a body arrives within {seconds:g} seconds", seconds=seconds))
        elif self._is_in_head:
            seconds = self._limits.settings.header_seconds
            self._refuse(ApiError(408, "too-slow", f"headers arrive within {seconds:g} seconds", seconds=seconds))
        else:
            self._close()  # nothing was asked

    def _upgrade(self, rest: bytes) -> None:
        """Hand the connection over to a WebSocket; `rest` came after the request in the same segment."""
        if not self._should_upgrade():
            self.cycle.keep_alive = False  # answered as a plain request; what follows it is not parsed
            self._is_refused = True
            return
        if self.scope["http_version"] != "1.1":
            self._refuse(ApiError(400, "bad-request", "a WebSocket needs HTTP/1.1"))
            return
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.abort()  # its answer would be mixed with the WebSocket's frames
            return
        self._stop_reading_timer()
        self._stop_writing_timer()
        lines = [b"%s %s HTTP/1.1" % (self.scope["method"].encode(), self.url)]
        lines += [b"%s: %s" % field for field in self.headers]
        assert self.ws_protocol_class is not None
        upgraded: Upgraded = self.ws_protocol_class(  # type: ignore[call-arg, assignment]
            config=self.config, server_state=self.server_state, app_state=self.app_state
        )
        upgraded.release, self._release = self._release, _nothing
        self.parser = None  # type: ignore[assignment]  # it refers to this object, which would live until a collection
        self.connections.discard(self)
        upgraded.connection_made(self.transport)
        self.transport.set_protocol(upgraded)  # type: ignore[arg-type]
        upgraded.data_received(b"\r\n".join([*lines, b"", b""]))
        if rest and not self.transport.is_closing():
            upgraded.data_received(rest)

    def _refuse(self, error: ApiError) -> None:
        """Read nothing more, say why if an answer can be sent now, and close."""
        self._is_refused = True
        self._stop_reading_timer()
        log.info("request refused", extra={"status": error.status, "code": error.code})
        cycle = self.cycle
        if self._is_in_body and cycle is not None:
            is_due = not cycle.response_started and not self.pipeline
            cycle.disconnected = True
            cycle.message_event.set()
        else:
            is_due = cycle is None or cycle.response_complete
        if not is_due:
            self.transport.abort()
            return
        self._answer(error)
        self.flow.resume_reading()
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._abort_later()

    def _answer(self, error: ApiError) -> None:
        response = problem(error)
        lines = [f"HTTP/1.1 {error.status} {http.HTTPStatus(error.status).phrase}".encode()]
        lines += [b"%s: %s" % field for field in response.raw_headers]
        lines += [f"{name}: {value}".encode() for name, value in HEADERS.items()]
        self.transport.write(b"\r\n".join([*lines, b"connection: close", b"", bytes(response.body)]))

    def _discard(self, count: int) -> None:
        self._discarded += count
        if self._discarded > MAX_DISCARDED:
            self.transport.abort()

    def _close(self) -> None:
        """Close once everything is sent, without waiting for a client that does not read."""
        self.transport.close()
        self._abort_later()

    def _abort_later(self) -> None:
        self._stop_writing_timer()
        self._write_timer = self.loop.call_later(CLOSE_SECONDS, self.transport.abort)

    def _stop_reading_timer(self) -> None:
        if self._read_timer is not None:
            self._read_timer.cancel()
            self._read_timer = None

    def _stop_writing_timer(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def _headers_too_large(self) -> ApiError:
        most = self._limits.settings.header_bytes
        message = f"a request has {most} bytes of headers and {MAX_HEADERS} of them at most"
        return ApiError(431, "headers-too-large", message, most=most)


def _bad_request() -> ApiError:
    return ApiError(400, "bad-request", "that is no HTTP request")


def _nothing() -> None:
    """The end of a connection that is not counted: there is nothing to do."""


def proxy_check(settings: ServerSettings) -> Callable[[str], bool]:
    """Whether an address is that of a proxy which may say for whom it asks, as uvicorn reads the setting."""
    return ProxyHeadersMiddleware(_no_application, settings.proxies).trusted_hosts.__contains__


async def _no_application(*_: Any) -> None:
    """Stands where uvicorn wants an application; never called."""
