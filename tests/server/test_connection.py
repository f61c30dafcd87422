"""A connection and its session: frames cut anywhere, messages in order, backpressure, one end; silent peers."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.requests import HTTPConnection
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from atout.server.ws.connection import MAX_INBOX, Connection
from atout.server.ws.handshake import ENDPOINT, OpenSession
from atout.server.ws.heartbeat import Heartbeat

HANDSHAKE = (
    b"GET /ws/x HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
LONG = b"x" * 300
TALK = [
    (Frame(Opcode.TEXT, b"one"), b"one"),
    (Frame(Opcode.TEXT, LONG), LONG),
    (Frame(Opcode.PING, b""), None),
    (Frame(Opcode.TEXT, b"th", fin=False), None),
    (Frame(Opcode.CONT, b"ree"), b"three"),
    (Frame(Opcode.TEXT, b"y" * 125), b"y" * 125),
    (Frame(Opcode.TEXT, b""), b""),
]
GOOD_BYE = Frame(Opcode.CLOSE, b"\x03\xe8")


class Pipe(asyncio.Transport):
    """A transport without a network."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[bytes] = []
        self.is_closed = False
        self.is_read = True
        self.unread = 0

    def pause_reading(self) -> None:
        self.is_read = False

    def resume_reading(self) -> None:
        self.is_read = True

    def write(self, data: Any) -> None:
        self.sent.append(bytes(data))

    def get_write_buffer_size(self) -> int:
        return self.unread

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True


class Session:
    """Notes what it handles; it is slow when `go_on` is not set."""

    def __init__(self) -> None:
        self.handled: list[bytes] = []
        self.go_on = asyncio.Event()
        self.go_on.set()
        self.times_closed = 0

    async def handle(self, text: bytes) -> None:
        assert self.times_closed == 0
        self.handled.append(text)
        await self.go_on.wait()
        if text == b"fail":
            raise RuntimeError("a session that fails")

    def closed(self) -> None:
        self.times_closed += 1


class Endpoint:
    """Accepts everybody."""

    def __init__(self, session: Session) -> None:
        self.heartbeat, self.session = Heartbeat(), session

    def accept(self, request: HTTPConnection) -> OpenSession:
        return lambda connection: self.session


def connect() -> tuple[Connection, Session, Pipe]:
    session, pipe = Session(), Pipe()
    state = {ENDPOINT: Endpoint(session)}
    connection = Connection(Config(app=None, ws_max_size=1000), ServerState(), state)  # type: ignore[arg-type]
    connection.connection_made(pipe)
    connection.data_received(HANDSHAKE)
    assert pipe.sent.pop().startswith(b"HTTP/1.1 101 ")
    return connection, session, pipe


def receive(connection: Connection, *texts: bytes) -> None:
    for text in texts:
        connection.data_received(Frame(Opcode.TEXT, text).serialize(mask=True))


def read(pipe: Pipe) -> bool:
    return pipe.is_read


async def rest() -> None:
    """Let everything run that can."""
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 11, 50, 131, 10_000])
def test_messages_arrive_whole_wherever_they_are_cut(size: int) -> None:
    async def listen() -> None:
        connection, session, _ = connect()
        stream = b"".join(frame.serialize(mask=True) for frame, _ in TALK)
        for at in range(0, len(stream), size):
            connection.data_received(stream[at : at + size])
        await rest()
        assert session.handled == [text for _, text in TALK if text is not None]

    asyncio.run(listen())


@pytest.mark.parametrize(
    "bad",
    [
        Frame(Opcode.TEXT, b"unmasked").serialize(mask=False),
        Frame(Opcode.TEXT, b"z" * 2000).serialize(mask=True),
        b"\xc1\x82\x00\x00\x00\x00hi",  # a reserved bit
        Frame(Opcode.TEXT, b"a", fin=False).serialize(mask=True) + Frame(Opcode.TEXT, b"b").serialize(mask=True),
    ],
    ids=["unmasked", "too long", "reserved bit", "text amid a text"],
)
def test_what_is_no_frame_of_a_client_ends_the_connection(bad: bytes) -> None:
    async def listen() -> None:
        connection, session, _ = connect()
        connection.data_received(bad)
        receive(connection, b"too late")
        await rest()
        assert connection.is_closed
        assert (session.handled, session.times_closed) == ([], 1)
        connection.connection_lost(None)
        await rest()
        assert session.times_closed == 1

    asyncio.run(listen())


def test_messages_are_handled_one_after_the_other() -> None:
    async def listen() -> None:
        connection, session, _ = connect()
        session.go_on.clear()
        receive(connection, b"first", b"second")
        await rest()
        receive(connection, b"third")
        await rest()
        assert session.handled == [b"first"]
        session.go_on.set()
        await rest()
        assert session.handled == [b"first", b"second", b"third"]

    asyncio.run(listen())


def test_a_peer_that_sends_much_is_not_read_until_it_was_handled() -> None:
    async def listen() -> None:
        connection, session, pipe = connect()
        session.go_on.clear()
        texts = [b"%d" % i for i in range(MAX_INBOX + 1)]
        receive(connection, texts[0])
        await rest()
        receive(connection, *texts[1:])
        assert not read(pipe)
        session.go_on.set()
        await rest()
        assert read(pipe)
        assert session.handled == texts

    asyncio.run(listen())


@pytest.mark.parametrize("way", ["lost", "closed by the peer"])
def test_what_came_before_the_end_is_handled_before_it(way: str) -> None:
    async def listen() -> None:
        connection, session, _ = connect()
        session.go_on.clear()
        receive(connection, b"a move", b"another")
        if way == "lost":
            connection.connection_lost(None)
        else:
            connection.data_received(GOOD_BYE.serialize(mask=True))
        receive(connection, b"too late")
        await rest()
        assert session.times_closed == 0
        session.go_on.set()
        await rest()
        assert (session.handled, session.times_closed) == ([b"a move", b"another"], 1)

    asyncio.run(listen())


def test_a_good_bye_comes_last_and_drops_what_waits() -> None:
    async def listen() -> None:
        connection, session, pipe = connect()
        session.go_on.clear()
        receive(connection, b"first", b"never")
        await rest()
        connection.send(b"good-bye")
        connection.close(1000)
        session.go_on.set()
        await rest()
        assert pipe.sent == [frame.serialize(mask=False) for frame in (Frame(Opcode.TEXT, b"good-bye"), GOOD_BYE)]
        assert (session.handled, session.times_closed) == ([b"first"], 1)
        assert connection.send(b"nobody reads this")
        assert len(pipe.sent) == 2

    asyncio.run(listen())


def test_a_session_that_fails_closes_its_connection(caplog: pytest.LogCaptureFixture) -> None:
    async def listen() -> None:
        connection, session, _ = connect()
        receive(connection, b"fail", b"never")
        await rest()
        assert connection.is_closed
        assert (session.handled, session.times_closed) == ([b"fail"], 1)

    asyncio.run(listen())
    assert "failed unexpectedly" in caplog.text


def test_a_slow_reader_is_noticed() -> None:
    async def listen() -> None:
        connection, _, pipe = connect()
        pipe.unread = 1001
        assert not connection.send(b"more", max_unread=1000)
        assert pipe.sent == []
        assert connection.send(b"more", max_unread=1001)
        assert len(pipe.sent) == 1

    asyncio.run(listen())


def test_a_silent_peer_is_pinged_and_given_up() -> None:
    async def listen() -> None:
        connection, _, pipe = connect()
        connection.beat()
        assert pipe.sent == []
        connection.beat()
        assert pipe.sent == [Frame(Opcode.PING, b"").serialize(mask=False)]
        connection.data_received(Frame(Opcode.PONG, b"").serialize(mask=True))
        connection.beat()
        assert len(pipe.sent) == 1
        connection.beat()
        connection.beat()
        assert connection.is_closed

    asyncio.run(listen())
