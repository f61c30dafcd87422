"""Addresses and tokens that no database likes: they are not there, and that is all."""

from __future__ import annotations

import asyncio
import json

import pytest
import websockets

from tests.server.background import PATIENCE, Background
from tests.server.client import Party

ODD = ["%00", "a%00b", "%ff", "%ED%A0%80", "%E2%80%AE", "x" * 3000, "%7f", "'%20or%201=1"]


@pytest.mark.parametrize("odd", ODD)
def test_there_is_no_such_thing(server: Background, odd: str) -> None:
    async def ask() -> None:
        async with Party(server.url) as party:
            ann = await party.guest()
            for method, path in [
                ("GET", f"/api/tables/{odd}"),
                ("GET", f"/api/tables/{odd}/links"),
                ("POST", f"/api/tables/{odd}/links"),
                ("DELETE", f"/api/tables/{odd}/links/{odd}"),
                ("GET", f"/api/records/{odd}"),
                ("DELETE", f"/api/records/{odd}"),
            ]:
                answer = await ann.http.request(method, path)
                assert answer.status_code in (400, 404, 405), (path, answer.text)
                assert answer.json()["code"]
            page = await ann.http.get(f"/api/records?after=1~{odd}")
            assert page.status_code in (200, 400)
            link = await ann.http.post("/api/links", json={"token": "\0~1~x"})
            assert (link.status_code, link.json()["code"]) == (404, "no-link")
            headers = {"Cookie": ann.cookie}
            async with websockets.connect(
                f"{server.sockets}/ws/{odd}", additional_headers=headers, open_timeout=PATIENCE
            ) as websocket:
                await websocket.send('{"do":"hello"}')
                assert json.loads(await websocket.recv())["code"] == "no-table"

    asyncio.run(ask())
