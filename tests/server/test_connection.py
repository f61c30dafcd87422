"""A connection and its session: frames cut anywhere, messages in order, backpressure, one end; silent peers."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.requests import HTTPConnection
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from atout.protocol import PING
from atout.server.metrics import Metrics
from atout.server.ws import connection as connection_module
from atout.server.ws.connection import (
    BURST_SECONDS,
    FRAME_SECONDS,
    MAX_INBOX,
    MAX_PACED_SECONDS,
    PARSED_BYTES,
    Connection,
)
from atout.server.ws.handshake import ENDPOINT, OpenSession
from atout.server.ws.heartbeat import Heartbeat
from atout.server.ws.messages import MAX_FRAGMENTS

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
MAX_SIZE, MAX_UNREAD = 1000, 1000
BURST = int(BURST_SECONDS / FRAME_SECONDS)
"""Frames without a message that may come at once."""


class Pipe(asyncio.Transport):
    """A transport without a network."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[bytes] = []
        self.is_closed = False
        self.is_read = True
        self.unread = 0
        self.is_aborted = False

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

    def abort(self) -> None:
        self.is_closed = self.is_aborted = True


class Lazy(Pipe):
    """A peer that reads nothing: all that is written stays."""

    def write(self, data: Any) -> None:
        super().write(data)
        self.unread += len(data)


class Session:
    """Notes what it handles, and answers; it is slow when `go_on` is not set."""

    def __init__(self) -> None:
        self.connection: Connection | None = None
        """Where it answers; None if it does not."""
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
        if self.connection is not None:
            self.connection.send(b"re: " + text)

    def closed(self) -> None:
        self.times_closed += 1


class Endpoint:
    """Accepts everybody."""

    def __init__(self, session: Session) -> None:
        self.heartbeat, self.session = Heartbeat(), session
        self.unread_bytes = MAX_UNREAD
        self.metrics = Metrics()

    def count(self, name: str) -> float:
        """The number that the metrics tell for this name."""
        line = next(line for line in self.metrics.text().decode().splitlines() if line.startswith(f"{name} "))
        return float(line.split()[1])

    def accept(self, request: HTTPConnection) -> OpenSession:
        return lambda connection: self.session


def connect(pipe: Pipe | None = None, endpoint: Endpoint | None = None) -> tuple[Connection, Session, Pipe]:
    pipe, endpoint = pipe or Pipe(), endpoint or Endpoint(Session())
    config: Any = Config(app=None, ws_max_size=MAX_SIZE)  # type: ignore[arg-type]
    connection = Connection(config, ServerState(), {ENDPOINT: endpoint})
    connection.connection_made(pipe)
    connection.data_received(HANDSHAKE)
    assert pipe.sent.pop().startswith(b"HTTP/1.1 101 ")
    pipe.unread = 0
    return connection, endpoint.session, pipe


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


def test_a_ping_of_the_page_is_answered_while_a_message_is_handled() -> None:
    """A page that waits for a hint learns that the server lives."""

    async def listen() -> None:
        connection, session, pipe = connect()
        session.go_on.clear()
        receive(connection, b"a slow one", PING)
        await rest()
        assert session.handled == [b"a slow one"]
        assert pipe.sent == [Frame(Opcode.TEXT, b'{"type":"pong"}').serialize(mask=False)]

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
        connection.send(b"nobody reads this")
        assert len(pipe.sent) == 2

    asyncio.run(listen())


def test_a_session_that_fails_closes_its_connection(caplog: pytest.LogCaptureFixture) -> None:
    async def listen() -> None:
        endpoint = Endpoint(Session())
        connection, session, _ = connect(endpoint=endpoint)
        receive(connection, b"fail", b"never")
        await rest()
        assert connection.is_closed
        assert endpoint.count("atout_errors_total") == 1
        assert (session.handled, session.times_closed) == ([b"fail"], 1)

    asyncio.run(listen())
    assert "failed unexpectedly" in caplog.text


def test_a_slow_reader_is_dropped() -> None:
    async def listen() -> None:
        endpoint = Endpoint(Session())
        connection, _, pipe = connect(endpoint=endpoint)
        pipe.unread = MAX_UNREAD
        connection.send(b"more")
        assert len(pipe.sent) == 1
        assert not connection.is_closed
        pipe.unread = MAX_UNREAD + 1
        connection.send(b"more")
        connection.send(b"more")
        assert len(pipe.sent) == 1
        assert pipe.is_aborted
        assert endpoint.count("atout_slow_readers_total") == 1

    asyncio.run(listen())


@pytest.mark.parametrize("what", ["pings", "messages", "a close frame", "a protocol error", "a beat", "a good-bye"])
def test_every_byte_counts_that_the_peer_leaves_unread(what: str) -> None:
    """The transport holds no more than the limit, and the last thing that was sent below it."""

    async def listen() -> None:
        endpoint, pipe = Endpoint(Session()), Lazy()
        connection, session, _ = connect(pipe, endpoint)
        if what in ("pings", "messages"):
            session.connection = connection
            opcode = Opcode.PING if what == "pings" else Opcode.TEXT
            for _ in range(100):
                connection.data_received(Frame(opcode, b"p" * 125).serialize(mask=True))
                await rest()
            assert MAX_UNREAD < pipe.unread <= MAX_UNREAD + 125 + 8
        else:
            pipe.unread = MAX_UNREAD + 1
            if what == "a close frame":
                connection.data_received(GOOD_BYE.serialize(mask=True))
            elif what == "a protocol error":
                connection.data_received(Frame(Opcode.TEXT, b"unmasked").serialize(mask=False))
            elif what == "a beat":
                connection.beat()
                connection.beat()
            else:
                connection.close(1000)
            assert pipe.sent == []
        assert pipe.is_aborted
        assert endpoint.count("atout_slow_readers_total") == 1
        await rest()
        connection.connection_lost(None)
        await rest()
        assert session.times_closed == 1

    asyncio.run(listen())


def test_many_pings_in_one_segment_are_dropped_before_they_take_much_memory() -> None:
    async def listen() -> None:
        pipe = Lazy()
        connection, _, _ = connect(pipe)
        connection.data_received(Frame(Opcode.PING, b"p" * 125).serialize(mask=True) * 2000)
        assert pipe.is_aborted
        assert pipe.unread <= MAX_UNREAD + PARSED_BYTES

    asyncio.run(listen())


def fragments(count: int, data: bytes = b"") -> bytes:
    """A text message of so many frames."""
    more = [Frame(Opcode.CONT, data, fin=at == count - 2) for at in range(count - 1)]
    return b"".join(frame.serialize(mask=True) for frame in [Frame(Opcode.TEXT, data, fin=False), *more])


@pytest.mark.parametrize("segment", [7, 1_000_000])
def test_a_message_has_only_so_many_fragments(segment: int) -> None:
    """Empty ones cost little each, and would never be too long together."""

    async def listen() -> None:
        connection, session, pipe = connect()
        connection.data_received(fragments(MAX_FRAGMENTS))
        await rest()
        assert session.handled == [b""]
        stream = fragments(40_000)
        for at in range(0, len(stream), segment):
            connection.data_received(stream[at : at + segment])
            if pipe.is_closed:
                break
        assert at <= 7 * MAX_FRAGMENTS
        await rest()
        assert pipe.sent[-1][2:4] == (1009).to_bytes(2, "big")
        assert (session.handled, session.times_closed) == ([b""], 1)

    asyncio.run(listen())


def test_fragments_are_not_too_long_together() -> None:
    async def listen() -> None:
        connection, session, pipe = connect()
        connection.data_received(fragments(100, b"x" * (MAX_SIZE // 100)))
        await rest()
        assert session.handled == [b"x" * MAX_SIZE]
        connection.data_received(fragments(101, b"x" * (MAX_SIZE // 100)))
        await rest()
        assert pipe.sent[-1][2:4] == (1009).to_bytes(2, "big")
        assert len(session.handled) == 1

    asyncio.run(listen())


@pytest.mark.parametrize("opcode", [Opcode.PING, Opcode.PONG])
def test_frames_that_bring_no_message_are_parsed_at_a_bounded_pace(
    opcode: Opcode, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A peer that sends nothing but pings waits; the others do not. In the end it is answered, and heard."""

    async def listen() -> None:
        now = 1000.0
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(loop, "time", lambda: now)
        connection, session, pipe = connect()
        parsed = connection._protocol
        connection.data_received(Frame(opcode, b"").serialize(mask=True) * 3 * BURST)
        receive(connection, b"behind them")
        most = BURST + PARSED_BYTES // 6 + 1
        assert BURST < parsed.frame_count <= most
        assert not read(pipe)
        await rest()
        assert parsed.frame_count <= most
        assert session.handled == []
        while not session.handled:
            before = parsed.frame_count
            now += 1.0
            await rest()
            assert parsed.frame_count - before <= 1.0 / FRAME_SECONDS + most
        assert session.handled == [b"behind them"]
        assert len(pipe.sent) == (3 * BURST if opcode is Opcode.PING else 0)
        assert read(pipe)

    asyncio.run(listen())


def test_a_peer_that_sends_too_many_frames_for_long_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it has sent would be parsed for minutes after it has gone."""

    async def listen() -> None:
        now = 1000.0
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(loop, "time", lambda: now)
        connection, _, pipe = connect()
        connection.data_received(Frame(Opcode.PONG, b"").serialize(mask=True) * 100 * BURST)
        for _ in range(int(4 * MAX_PACED_SECONDS)):
            now += 0.5
            await rest()
        assert pipe.is_closing()
        assert connection._protocol.frame_count <= (MAX_PACED_SECONDS + 2) / FRAME_SECONDS

    asyncio.run(listen())


def test_messages_in_one_segment_wait_for_those_before_them() -> None:
    """However many are read at once, few are kept as messages."""

    async def listen() -> None:
        connection, session, pipe = connect()
        session.go_on.clear()
        text = b"m" * 100
        connection.data_received(Frame(Opcode.TEXT, text).serialize(mask=True) * 1000)
        await rest()
        assert len(connection._inbox) <= MAX_INBOX + PARSED_BYTES // 100
        assert not read(pipe)
        session.go_on.set()
        while len(session.handled) < 1000:
            await rest()
        assert session.handled == [text] * 1000
        assert read(pipe)

    asyncio.run(listen())


@pytest.mark.parametrize("end", [GOOD_BYE.serialize(mask=True), b"\xc1\x80\0\0\0\0"], ids=["close frame", "error"])
@pytest.mark.parametrize("is_cut", [False, True])
def test_what_came_before_the_end_is_answered_before_the_close_frame(end: bytes, is_cut: bool) -> None:
    async def listen() -> None:
        connection, session, pipe = connect()
        session.connection = connection
        session.go_on.clear()
        stream = Frame(Opcode.TEXT, b"a move").serialize(mask=True)
        for part in [stream, end] if is_cut else [stream + end]:
            connection.data_received(part)
            await rest()
        receive(connection, b"too late")
        await rest()
        connection.beat()
        connection.beat()
        assert pipe.sent == []
        assert not pipe.is_closing()
        session.go_on.set()
        await rest()
        answer = Frame(Opcode.TEXT, b"re: a move").serialize(mask=False)
        assert pipe.sent[0] == answer
        assert [data[0] for data in pipe.sent[1:]] == [0x88]
        assert pipe.is_closing()
        assert (session.handled, session.times_closed) == ([b"a move"], 1)

    asyncio.run(listen())


def test_an_answer_that_never_comes_does_not_keep_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_module, "CLOSE_SECONDS", 0.0)

    async def listen() -> None:
        connection, session, pipe = connect()
        session.go_on.clear()
        receive(connection, b"a move")
        connection.data_received(GOOD_BYE.serialize(mask=True))
        while not pipe.is_aborted:
            await asyncio.sleep(0.001)
        session.go_on.set()
        await rest()
        assert pipe.sent == []

    asyncio.run(listen())


def test_a_peer_that_goes_on_after_a_good_bye_is_not_heard() -> None:
    """Until its own close frame comes: messages count as frames without a message then."""

    async def listen() -> None:
        connection, session, pipe = connect()
        connection.close(1000)
        await rest()
        receive(connection, *[b"late"] * (2 * BURST))
        assert not read(pipe)
        await rest()
        assert session.handled == []
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
