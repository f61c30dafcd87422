"""A wire and who listens to it: frames cut anywhere, messages that wait, an end told once; and whose turn it is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from starlette.requests import HTTPConnection
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from atout.server.live.lock import Turns
from atout.server.ws.connection import MOST_WAITING, Wire
from atout.server.ws.handshake import DOOR
from tests.server.test_wire import HANDSHAKE, Pipe

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


class Ear:
    """Hears at once, unless it is told to be slow."""

    def __init__(self) -> None:
        self.at_once: list[bytes] = []
        self.later: list[bytes] = []
        self.is_slow = False
        self.waits_with: list[Callable[[], None]] | None = None
        """What it puts off, if it does."""
        self.losses = 0
        self.go_on = asyncio.Event()

    def puts_off(self, text: bytes, hear: Callable[[], None]) -> bool:
        if self.waits_with is None:
            return False
        self.waits_with.append(hear)
        return True

    def hear_at_once(self, text: bytes) -> bool:
        if not self.is_slow:
            self.at_once.append(text)
        return not self.is_slow

    async def hear(self, text: bytes) -> None:
        self.later.append(text)
        await self.go_on.wait()

    def lost(self) -> None:
        self.losses += 1


async def connected() -> tuple[Wire, Ear, Pipe]:
    ear, pipe = Ear(), Pipe()

    class Door:
        def admit(self, request: HTTPConnection) -> Callable[[Wire], Coroutine[Any, Any, None]]:
            async def serve(wire: Wire) -> None:
                wire.listen(ear)

            return serve

    wire = Wire(Config(app=None, ws_max_size=1000), ServerState(), {DOOR: Door()})  # type: ignore[arg-type]
    wire.connection_made(pipe)
    wire.data_received(HANDSHAKE)
    await asyncio.sleep(0)
    return wire, ear, pipe


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 11, 50, 131, 10_000])
def test_messages_arrive_whole_wherever_they_are_cut(size: int) -> None:
    async def listen() -> None:
        wire, ear, _ = await connected()
        stream = b"".join(frame.serialize(mask=True) for frame, _ in TALK)
        for at in range(0, len(stream), size):
            wire.data_received(stream[at : at + size])
        assert ear.at_once == [text for _, text in TALK if text is not None]

    asyncio.run(listen())


def test_messages_arrive_frame_by_frame() -> None:
    async def listen() -> None:
        wire, ear, _ = await connected()
        for frame, _ in TALK:
            wire.data_received(frame.serialize(mask=True))
        assert ear.at_once == [text for _, text in TALK if text is not None]

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
def test_what_is_no_frame_of_a_client_ends_the_wire(bad: bytes) -> None:
    async def listen() -> None:
        wire, ear, _ = await connected()
        wire.data_received(bad)
        wire.data_received(Frame(Opcode.TEXT, b"too late").serialize(mask=True))
        await asyncio.sleep(0)
        assert wire.is_over
        assert (ear.at_once, ear.losses) == ([], 1)
        wire.connection_lost(None)
        await asyncio.sleep(0)
        assert ear.losses == 1

    asyncio.run(listen())


def test_what_waits_goes_before_what_could_be_heard_at_once() -> None:
    async def listen() -> None:
        wire, ear, pipe = await connected()
        ear.is_slow = True
        for text in (b"first", b"second"):
            wire.data_received(Frame(Opcode.TEXT, text).serialize(mask=True))
        await asyncio.sleep(0)
        ear.is_slow = False
        wire.data_received(Frame(Opcode.TEXT, b"third").serialize(mask=True))
        assert (ear.later, ear.at_once) == ([b"first"], [])
        ear.go_on.set()
        while len(ear.later) < 3:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        wire.data_received(Frame(Opcode.TEXT, b"fourth").serialize(mask=True))
        assert (ear.later, ear.at_once) == ([b"first", b"second", b"third"], [b"fourth"])
        wire.push(b"good-bye")
        wire.close(1000)
        last = Frame(Opcode.TEXT, b"good-bye"), Frame(Opcode.CLOSE, b"\x03\xe8")
        assert pipe.sent[-2:] == [frame.serialize(mask=False) for frame in last]

    asyncio.run(listen())


def send(wire: Wire, *texts: bytes) -> None:
    for text in texts:
        wire.data_received(Frame(Opcode.TEXT, text).serialize(mask=True))


def test_what_is_put_off_is_heard_in_its_order() -> None:
    """The second that cannot be heard at once holds up what came after it."""

    async def listen() -> None:
        wire, ear, _ = await connected()
        ear.waits_with = []
        send(wire, b"first", b"second", b"third")
        assert ear.at_once == []
        assert len(ear.waits_with) == 1, "all that wait are heard together"
        ear.waits_with[0]()
        assert ear.at_once == [b"first", b"second", b"third"]
        send(wire, b"fourth", b"fifth")
        ear.is_slow = True
        ear.waits_with[1]()
        send(wire, b"sixth")
        ear.go_on.set()
        while len(ear.later) < 3:
            await asyncio.sleep(0)
        assert (len(ear.at_once), ear.later) == (3, [b"fourth", b"fifth", b"sixth"])

    asyncio.run(listen())


def test_what_was_put_off_is_heard_before_the_end() -> None:
    async def listen() -> None:
        wire, ear, _ = await connected()
        ear.waits_with = []
        send(wire, b"a move")
        wire.connection_lost(None)
        await asyncio.sleep(0)
        assert (ear.at_once, ear.losses) == ([b"a move"], 1)
        ear.waits_with[0]()
        assert ear.at_once == [b"a move"], "once"

    asyncio.run(listen())


def test_who_sends_much_that_is_put_off_is_not_read() -> None:
    async def listen() -> None:
        wire, ear, pipe = await connected()
        ear.waits_with = []
        send(wire, *[b"%d" % i for i in range(MOST_WAITING)])
        assert not pipe.is_read
        ear.waits_with[0]()
        assert pipe.is_read

    asyncio.run(listen())


def test_turns_are_taken_in_order_and_not_lost_by_who_goes_away() -> None:
    async def take_turns() -> None:
        turns, order = Turns(), list[int]()

        async def take(number: int) -> None:
            async with turns:
                order.append(number)
                await asyncio.sleep(0)

        turns.take()
        waiting = [asyncio.create_task(take(number)) for number in range(4)]
        await asyncio.sleep(0)
        waiting[1].cancel()
        turns.give_back()
        waiting[0].cancel()  # it is its turn already, and it does not know yet
        await asyncio.gather(*waiting, return_exceptions=True)
        assert order == [2, 3]
        assert not turns.is_taken

    asyncio.run(take_turns())
