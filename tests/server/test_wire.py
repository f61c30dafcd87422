"""The socket's own protocol: frames as the library writes them, messages in pieces, and who is turned away."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import pytest
import websockets
from starlette.requests import HTTPConnection
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from atout.server.ws.connection import Gone, Wire
from atout.server.ws.frames import framed
from atout.server.ws.handshake import DOOR
from tests.server.background import Background
from tests.server.client import Party

HANDSHAKE = (
    b"GET /ws/x HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 100_000])
def test_frames_are_those_of_the_library(size: int) -> None:
    text = b"x" * size
    assert framed(text) == Frame(Opcode.TEXT, text).serialize(mask=False)


def test_a_message_may_come_in_pieces(lone: Background) -> None:
    async def speak() -> None:
        async with Party(lone.url) as party:
            ann = await party.guest()
            table = await ann.open_table(edition="nichtig", players=3)
            address, headers = f"{lone.sockets}/ws/{table}", {"Cookie": ann.cookie}
            async with websockets.connect(address, additional_headers=headers) as wire:
                await wire.send(['{"do":', '"hel', 'lo"}'])
                assert json.loads(await wire.recv())["type"] == "welcome"
                await wire.send(b'{"do":"resync"}')
                assert json.loads(await wire.recv())["view"]["table"] == table

    asyncio.run(speak())


@pytest.mark.parametrize("path", ["/", "/ws", "/ws/", "/ws/a/b", "/api/tables"])
def test_sockets_are_at_tables_only(lone: Background, path: str) -> None:
    async def knock() -> None:
        async with Party(lone.url) as party:
            headers = {"Cookie": (await party.guest()).cookie}
            with pytest.raises(websockets.InvalidStatus) as refused:
                await websockets.connect(f"{lone.sockets}{path}", additional_headers=headers)
            assert refused.value.response.status_code == 404
            assert json.loads(refused.value.response.body)["code"] == "not-found"

    asyncio.run(knock())


class Pipe(asyncio.Transport):
    """A transport without a network."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[bytes] = []
        self.is_closed = False
        self.is_read = True

    def pause_reading(self) -> None:
        self.is_read = False

    def resume_reading(self) -> None:
        self.is_read = True

    def write(self, data: Any) -> None:
        self.sent.append(bytes(data))

    def get_write_buffer_size(self) -> int:
        return 0

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True


class Open:
    """A door that lets everybody in."""

    def admit(self, request: HTTPConnection) -> Callable[[Wire], Coroutine[Any, Any, None]]:
        async def listen(wire: Wire) -> None:
            with suppress(Gone):
                await wire.receive()

        return listen


def test_a_silent_line_is_asked_and_given_up() -> None:
    async def listen() -> None:
        pipe = Pipe()
        silent = Wire(Config(app=None, ws_max_size=1000), ServerState(), {DOOR: Open()})  # type: ignore[arg-type]
        silent.connection_made(pipe)
        silent.data_received(HANDSHAKE)
        sent = pipe.sent
        assert sent.pop().startswith(b"HTTP/1.1 101 ")
        silent.beat()
        assert sent == []
        silent.beat()
        assert sent == [Frame(Opcode.PING, b"").serialize(mask=False)]
        silent.data_received(Frame(Opcode.PONG, b"").serialize(mask=True))
        silent.beat()
        assert len(sent) == 1
        silent.beat()
        silent.beat()
        assert silent.is_over

    asyncio.run(listen())
