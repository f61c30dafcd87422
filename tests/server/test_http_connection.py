"""HTTP without a proxy in front: bytes, time and connections are bounded, and a client that is refused is told why."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets
from starlette.types import Receive, Scope, Send
from uvicorn import Config
from uvicorn.server import ServerState

from atout.server.http import connection as module
from atout.server.http.connection import LIMITS, MAX_DISCARDED, MAX_PIPELINED, ConnectionLimits, HttpConnection
from atout.server.settings import ServerSettings
from tests.server.background import PATIENCE, Background, serve_in_background
from tests.server.client import Party
from tests.server.raw import Raw, ask

GET = b"GET /api/tables HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /api/guest HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
NOBODY = "192.0.2.1"
"""As the only trusted proxy, so that the tests' own connections are counted."""


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Background]:
    """A server that waits a moment only."""
    folder = tmp_path_factory.mktemp("hasty")
    database = f"sqlite:///{folder}/atout.db"
    with serve_in_background(database, folder, header_seconds=0.2, body_seconds=0.3) as server:
        yield server


# ---------------------------------------------------------------- bytes


@pytest.mark.parametrize(
    ("request_bytes", "refusal"),
    [
        (GET + b"X: " + b"x" * 40_000 + b"\r\n\r\n", (431, "headers-too-large")),
        (GET + b"X: y\r\n" * 7_000 + b"\r\n", (431, "headers-too-large")),
        (GET + b"X: y\r\n" * 200 + b"\r\n", (431, "headers-too-large")),
        (GET + b"X: " + b"x" * 20_000_000, (431, "headers-too-large")),
        (b"GET /" + b"a" * 9_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", (414, "url-too-long")),
        (b"GET /?" + b"a" * 20_000_000, (414, "url-too-long")),
        (b"\r\n" * 20_000, (431, "headers-too-large")),
        (b"rubbish\r\n\r\n", (400, "bad-request")),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n1;" + b"x" * 80_000, (431, "headers-too-large")),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX: " + b"x" * 80_000, (431, "headers-too-large")),
        (POST + b"Content-Length: 200000\r\n\r\n" + b" " * 200_000, (413, "too-large")),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\n \r\n" * 70_000, (413, "too-large")),
    ],
    ids=[
        "one long header", "many headers", "more than 128 headers", "a header without end", "a long URL",
        "a URL without end", "empty lines", "no HTTP", "a chunk's extension without end", "a trailer without end",
        "a large body", "tiny chunks",
    ],
)  # fmt: skip
def test_what_is_too_large_is_refused(lone: Background, request_bytes: bytes, refusal: tuple[int, str]) -> None:
    assert asyncio.run(ask(lone.url, request_bytes)) == refusal


def test_headers_and_urls_up_to_the_limit_are_read(lone: Background) -> None:
    async def talk() -> None:
        raw = await Raw.open(lone.url)
        for _ in range(3):
            await raw.send(GET + b"X: " + b"x" * (32_768 - len(GET) - 7) + b"\r\n\r\n")
            assert (await raw.answer())[0] == 200
            await raw.send(b"GET /api/tables?" + b"a" * (8192 - 12) + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert (await raw.answer())[0] == 200
        raw.close()

    asyncio.run(talk())


def test_a_field_after_the_body_is_no_header(lone: Background) -> None:
    """A cookie in a trailer is not the guest's cookie."""

    async def talk() -> None:
        async with Party(lone.url) as party:
            ann = await party.guest()
            raw = await Raw.open(lone.url)
            head = b"GET /api/guest HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
            await raw.send(head + b"0\r\nCookie: " + ann.cookie.encode() + b"\r\n\r\n")
            assert await raw.problem() == (401, "no-guest")
            raw.close()

    asyncio.run(talk())


def test_a_body_that_nobody_wants_is_not_read_for_ever(lone: Background) -> None:
    """It was refused by its first bytes; what follows is thrown away, but not without end."""

    async def talk() -> None:
        raw = await Raw.open(lone.url)
        await raw.send(POST + b"Content-Length: 900000000\r\n\r\n" + b" " * 100_000)
        assert await raw.problem() == (413, "too-large")
        sent = 0
        while sent < 40 * MAX_DISCARDED and not raw.is_broken:
            await raw.send(b" " * 65_536)
            sent += 65_536
        assert sent < 40 * MAX_DISCARDED
        raw.close()

    asyncio.run(talk())


# ---------------------------------------------------------------- time


@pytest.mark.parametrize("drip", [b"X: y\r\n", b"\r\n"], ids=["headers", "empty lines"])
def test_a_byte_now_and_then_gains_no_time(hasty: Background, drip: bytes) -> None:
    async def talk() -> None:
        raw = await Raw.open(hasty.url)
        await raw.send(GET if drip != b"\r\n" else drip)
        ended = asyncio.create_task(raw.ended())
        while not ended.done():
            await raw.send(drip)
            await asyncio.sleep(0.05)
        assert b" 200 " not in await ended
        raw.close()

    asyncio.run(talk())


def test_silent_connections_are_closed(hasty: Background) -> None:
    async def talk() -> None:
        many = await asyncio.gather(*(Raw.open(hasty.url) for _ in range(100)))
        assert {await raw.ended() for raw in many} == {b""}
        for raw in many:
            raw.close()

    asyncio.run(talk())


def test_who_does_not_read_the_answers_is_dropped(hasty: Background) -> None:
    """It sends requests until the server does not read them either; then it is given up."""

    async def talk() -> None:
        raw = await Raw.open(hasty.url)
        request = b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
        while not raw.is_broken:
            await raw.send(request)
        raw.close()

    asyncio.run(talk())


def test_a_client_that_takes_its_time_within_the_limits_is_served(lone: Background) -> None:
    async def talk() -> None:
        raw = await Raw.open(lone.url)
        body = json.dumps({"name": "Ann"}).encode()
        for byte in POST + b"Content-Length: %d\r\n\r\n" % len(body) + body:
            await raw.send(bytes([byte]))
            await asyncio.sleep(0)
        assert (await raw.answer())[0] == 200
        raw.close()

    asyncio.run(talk())


# ---------------------------------------------------------------- connections


@pytest.mark.slow
def test_connections_per_address(tmp_path: Path) -> None:
    """The one too many is refused; WebSockets count until they end; then there is room again."""

    async def talk(server: Background) -> None:
        async with Party(server.url) as party:
            ann = await party.guest()
            table = await ann.open_table(edition="nichtig", players=3)
            await ann.http.aclose()
            sockets = [await _connect(server, ann.cookie, table) for _ in range(3)]
            raw = await Raw.open(server.url)
            await raw.send(GET + b"Content-Length: 1\r\n\r\n")
            await asyncio.sleep(0)
            late = await Raw.open(server.url)
            assert await late.problem() == (429, "too-many-connections")
            assert await late.ended() == b""
            late.close()
            for websocket in sockets:
                await websocket.close()
            await raw.send(b"x")
            assert (await raw.answer())[0] == 200
            raw.close()
            fresh = [await Raw.open(server.url) for _ in range(3)]
            for one in fresh:
                await one.send(GET + b"\r\n")
                assert (await one.answer())[0] == 200
                one.close()

    settings: dict[str, object] = {"connections_per_address": 4, "proxies": NOBODY}
    with serve_in_background(f"sqlite:///{tmp_path}/a.db", tmp_path, **settings) as server:
        asyncio.run(talk(server))


@pytest.mark.slow
def test_connections_that_ask_for_nothing_give_way(tmp_path: Path) -> None:
    """Silent ones, then ones that have half of a request, then ones that had a request and keep the connection."""

    async def talk(server: Background) -> None:
        begun = [b"", GET, GET + b"\r\n"]
        for sent in begun:
            idle = [await Raw.open(server.url) for _ in range(4)]
            for one in idle:
                await one.send(sent)
                if sent == begun[-1]:
                    assert (await one.answer())[0] == 200
            ann = await Raw.open(server.url)
            await ann.send(GET + b"\r\n")
            assert (await ann.answer())[0] == 200
            await ann.send(GET + b"\r\n")
            assert (await ann.answer())[0] == 200, "who asks keeps the connection"
            assert await idle[0].ended() == b""
            for one in [ann, *idle]:
                one.close()

    settings: dict[str, object] = {"connections_per_address": 4, "proxies": NOBODY, "header_seconds": 3600}
    with serve_in_background(f"sqlite:///{tmp_path}/a.db", tmp_path, **settings) as server:
        asyncio.run(talk(server))


async def _connect(server: Background, cookie: str, table: str) -> websockets.ClientConnection:
    address = f"{server.sockets}/ws/{table}"
    return await websockets.connect(address, additional_headers={"Cookie": cookie}, open_timeout=PATIENCE)


def test_addresses_are_counted_apart_and_proxies_not_at_all() -> None:
    limits = ConnectionLimits(ServerSettings(connections_per_address=2, proxies="127.0.0.1,10.0.0.0/8"))
    ends = [limits.enter(f"2001:db8::{i}") for i in range(3)]
    assert [end is not None for end in ends] == [True, True, False]
    assert limits.enter("2001:db8:0:1::1") is not None
    assert limits.total == 3
    assert all(limits.enter(proxy) is not None for proxy in ["127.0.0.1", "10.1.2.3"] * 5)
    assert limits.total == 3
    assert ends[0] is not None
    ends[0]()
    assert limits.enter("2001:db8::9") is not None
    assert limits.enter("2001:db8::a") is None


# ---------------------------------------------------------------- without a network


class Pipe(asyncio.Transport):
    """A transport without a network."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 4000), "sockname": ("127.0.0.1", 8000)})
        self.sent = b""
        self.is_closed = self.is_aborted = False
        self.protocol: Any = None

    def write(self, data: Any) -> None:
        self.sent += bytes(data)

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        pass

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True

    def abort(self) -> None:
        self.is_closed = self.is_aborted = True

    def set_protocol(self, protocol: Any) -> None:
        self.protocol = protocol


class WebSocket(asyncio.Protocol):
    """Notes what it is told."""

    release: Any

    def __init__(self, **_: Any) -> None:
        self.heard: list[bytes] = []

    def data_received(self, data: bytes) -> None:
        self.heard.append(data)


async def hang(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that does not answer until the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


def connect(address: str = NOBODY, **settings: Any) -> tuple[HttpConnection, Pipe, ConnectionLimits]:
    config = Config(hang, http=HttpConnection, ws=WebSocket, log_config=None)
    config.load()
    limits = ConnectionLimits(ServerSettings(**settings))
    connection, pipe = HttpConnection(config, ServerState(), {LIMITS: limits}), Pipe(address)
    connection.connection_made(pipe)
    return connection, pipe, limits


@pytest.mark.parametrize(
    ("segments", "answer"),
    [
        ([], b""),
        ([b"\r\n", b"\r\n"], b""),
        ([b"G"], b"HTTP/1.1 408 "),
        ([GET, b"X: y\r\n"], b"HTTP/1.1 408 "),
        ([POST + b"Content-Length: 100\r\n\r\n{"], b"HTTP/1.1 408 "),
        ([POST + b"Content-Length: 100\r\n\r\n", b"{", b" "], b"HTTP/1.1 408 "),
        ([POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"], b"HTTP/1.1 408 "),
    ],
    ids=["nothing", "empty lines", "a letter", "headers", "body", "a body in pieces", "chunks"],
)
def test_who_is_slow_is_told(segments: list[bytes], answer: bytes) -> None:
    async def talk() -> None:
        connection, pipe, _ = connect(header_seconds=0.01, body_seconds=0.01)
        for segment in segments:
            connection.data_received(segment)
        while not (pipe.sent or pipe.is_closed):
            await asyncio.sleep(0.005)
        assert pipe.sent[: len(answer) or None] == answer
        connection.connection_lost(None)
        await asyncio.gather(*connection.tasks)

    asyncio.run(asyncio.wait_for(talk(), PATIENCE))


def test_each_request_has_its_own_time() -> None:
    """The clock of a part begins with it, and ends with it."""

    async def talk() -> None:
        connection, _, _ = connect()
        timers = [connection._read_timer]
        for segment in (
            b"GET /",
            b" HTTP/1.1\r\n",
            b"\r\n",
            b"GET",
            b" / HTTP/1.1\r\nContent-Length: 2\r\n\r\n",
            b"{",
            b"}",
        ):
            connection.data_received(segment)
            timers.append(connection._read_timer)
        begun, in_url, in_headers, answered, in_next, in_body, in_body_too, done = timers
        assert begun is in_url is in_headers
        assert in_body is in_body_too
        assert in_next is not in_body
        assert answered is done is None
        assert all(timer is not None and timer.cancelled() for timer in (begun, in_next, in_body))
        connection.connection_lost(None)
        await asyncio.sleep(0)

    asyncio.run(talk())


def test_requests_that_wait_are_bounded() -> None:
    """A client that asks on without an answer is dropped, however many requests there are in a segment."""

    async def talk() -> None:
        connection, pipe, _ = connect()
        connection.data_received(b"GET / HTTP/1.1\r\n\r\n" * (MAX_PIPELINED + 1))
        assert (len(connection.pipeline), pipe.is_aborted) == (MAX_PIPELINED, False)
        connection.data_received(b"GET / HTTP/1.1\r\n\r\n" * 10_000)
        assert (len(connection.pipeline), pipe.is_aborted) == (MAX_PIPELINED, True)
        connection.connection_lost(None)
        await asyncio.sleep(0)

    asyncio.run(talk())


UPGRADE = (
    b"GET /ws/x HTTP/1.%d\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def test_a_websocket_gets_what_came_with_its_request_and_counts_on() -> None:
    async def talk() -> None:
        connection, pipe, limits = connect()
        connection.data_received(UPGRADE % 1 + b"a frame")
        websocket = pipe.protocol
        assert isinstance(websocket, WebSocket)
        assert websocket.heard[0].startswith(b"GET /ws/x HTTP/1.1\r\nhost: localhost\r\n")
        assert websocket.heard[1:] == [b"a frame"]
        assert limits.total == 1
        websocket.release()
        assert limits.total == 0

    asyncio.run(talk())


def test_a_websocket_needs_http_1_1() -> None:
    async def talk() -> None:
        connection, pipe, limits = connect()
        connection.data_received(UPGRADE % 0)
        assert pipe.protocol is None
        assert pipe.sent.startswith(b"HTTP/1.1 400 ")
        connection.connection_lost(None)
        assert limits.total == 0

    asyncio.run(talk())


def test_what_comes_after_a_refusal_is_thrown_away_for_a_moment() -> None:
    async def talk() -> None:
        connection, pipe, _ = connect()
        connection.data_received(b"rubbish\r\n\r\n")
        sent = pipe.sent
        assert sent.startswith(b"HTTP/1.1 400 ")
        connection.data_received(b"x" * MAX_DISCARDED)
        assert not pipe.is_aborted
        connection.data_received(b"x")
        assert (pipe.is_aborted, pipe.sent) == (True, sent)
        connection.connection_lost(None)

    asyncio.run(talk())


def test_who_neither_reads_nor_hangs_up_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CLOSE_SECONDS", 0.01)

    async def talk() -> None:
        refused, pipe, _ = connect()
        refused.data_received(b"rubbish\r\n\r\n")
        stuck, other_pipe, _ = connect(body_seconds=0.01)
        stuck.pause_writing()
        while not (pipe.is_aborted and other_pipe.is_aborted):
            await asyncio.sleep(0.005)
        refused.connection_lost(None)
        stuck.connection_lost(None)

    asyncio.run(asyncio.wait_for(talk(), PATIENCE))


# ---------------------------------------------------------------- faults of clients are no alarms


@pytest.mark.slow
def test_a_client_that_hangs_up_raises_no_alarm(tmp_path: Path) -> None:
    """In a body, between chunks, in the headers; nor does one that speaks another protocol."""
    requests = [
        POST + b"Content-Length: 100\r\n\r\n{",
        POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
        GET,
        b"rubbish\r\n\r\n",
        GET + b"Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
    ]

    async def talk(server: Background) -> None:
        for request in requests * 3:
            raw = await Raw.open(server.url)
            await raw.send(request)
            raw.close()
        async with Party(server.url) as party:
            await party.guest()

    with serve_in_background(f"sqlite:///{tmp_path}/a.db", tmp_path) as server:
        asyncio.run(talk(server))
        text = httpx.get(f"{server.url}/metrics", timeout=PATIENCE).text
        assert "\natout_errors_total 0.0\n" in text
    assert {json.loads(line)["level"] for line in server.log_text.splitlines()} == {"info"}
