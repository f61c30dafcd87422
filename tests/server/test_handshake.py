"""Opening a WebSocket: messages in fragments, and connections that are turned away."""

from __future__ import annotations

import asyncio
import json

import pytest
import websockets

from tests.server.background import PATIENCE, Background
from tests.server.client import Party


def test_a_message_may_come_in_fragments(lone: Background) -> None:
    async def speak() -> None:
        async with Party(lone.url) as party:
            ann = await party.guest()
            table = await ann.open_table(edition="nichtig", players=3)
            address, headers = f"{lone.sockets}/ws/{table}", {"Cookie": ann.cookie}
            async with websockets.connect(address, additional_headers=headers, open_timeout=PATIENCE) as socket:
                await socket.send(['{"do":', '"hel', 'lo"}'])
                assert json.loads(await socket.recv())["type"] == "welcome"
                await socket.send(b'{"do":"resync"}')
                assert json.loads(await socket.recv())["view"]["table"] == table

    asyncio.run(speak())


@pytest.mark.parametrize("path", ["/", "/ws", "/ws/", "/ws/a/b", "/api/tables"])
def test_sockets_are_at_tables_only(lone: Background, path: str) -> None:
    async def knock() -> None:
        async with Party(lone.url) as party:
            headers = {"Cookie": (await party.guest()).cookie}
            with pytest.raises(websockets.InvalidStatus) as refused:
                await websockets.connect(f"{lone.sockets}{path}", additional_headers=headers, open_timeout=PATIENCE)
            assert refused.value.response.status_code == 404
            assert json.loads(refused.value.response.body)["code"] == "not-found"

    asyncio.run(knock())
