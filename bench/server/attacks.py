"""Attackers who share the machine with the players of a soak: `python -m bench.server.attacks URL SECONDS`.

They come from another loopback address than the players, so that limits by address count them apart. Each attack runs
again and again, one of each kind at a time, and stops by itself. Only a server on this machine is attacked.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from urllib.parse import urlsplit

import httpx
import msgspec
from tests.server.wire import CONT, HELLO, PING, TEXT, frame, handshake

ADDRESS = "127.0.0.2"
"""Where the attackers come from."""
ANSWER_SECONDS = 20.0
"""How long an attacker waits for an end that should come sooner."""
PAUSE_SECONDS = 0.2
"""Between two attacks of a kind: a loop without any rest would measure this process."""
HALF_HOUR = 1800.0


class Target:
    """A server on loopback, and an attacker's guest there, with tables."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        assert parts.hostname in ("127.0.0.1", "localhost"), "only a server on this machine is attacked"
        self.url, self.host, self.port = url, parts.hostname, parts.port or 80
        self.cookie = ""
        self.table = ""

    async def introduce(self) -> None:
        async with self.http() as http:
            (await http.post("/api/guest", json={"name": "Eve"})).raise_for_status()
            self.cookie = f"atout={http.cookies['atout']}"
            seats = ["open", "expert", "expert", "expert"]
            self.table = await self.open_table(http, seats)

    def http(self) -> httpx.AsyncClient:
        transport = httpx.AsyncHTTPTransport(local_address=ADDRESS)
        headers = {"Cookie": self.cookie} if self.cookie else {}
        return httpx.AsyncClient(base_url=self.url, transport=transport, timeout=ANSWER_SECONDS, headers=headers)

    @staticmethod
    async def open_table(http: httpx.AsyncClient, seats: list[str]) -> str:
        settings = {"edition": "niet-2015", "players": 4, "seats": seats, "hints": True}
        opened = await http.post("/api/tables", json={"settings": settings})
        return str(opened.raise_for_status().json()["table"])

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(self.host, self.port, local_addr=(ADDRESS, 0))

    async def shake_hands(self, table: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await self.connect()
        writer.write(handshake(f"/ws/{table}", f"{self.host}:{self.port}", self.cookie))
        await reader.readuntil(b"\r\n\r\n")
        return reader, writer


async def until_closed(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError, TimeoutError):
        async with asyncio.timeout(ANSWER_SECONDS):
            await writer.drain()
            while await reader.read(65_536):
                pass
    writer.transport.abort()


async def empty_fragments(target: Target) -> None:
    reader, writer = await target.shake_hands("nothing")
    writer.write(frame(TEXT, fin=False) + frame(CONT, fin=False) * 40_000)
    await until_closed(reader, writer)


async def unread_pings(target: Target) -> None:
    _, writer = await target.shake_hands(target.table)
    writer.write(frame(TEXT, HELLO))
    with suppress(ConnectionError, TimeoutError):
        async with asyncio.timeout(ANSWER_SECONDS):
            for _ in range(100):
                writer.write(frame(PING, b"p" * 125) * 1000)
                await writer.drain()
    writer.transport.abort()


async def bad_frames(target: Target) -> None:
    for data in (frame(TEXT, b"\xff\xfe"), frame(0x3), frame(TEXT, b"{}", reserved=7), frame(TEXT, b"x", mask=None)):
        reader, writer = await target.shake_hands(target.table)
        writer.write(data)
        await until_closed(reader, writer)


async def slow_headers(target: Target) -> None:
    async def one() -> None:
        reader, writer = await target.connect()
        with suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(ANSWER_SECONDS):
                for byte in b"GET /api/tables HTTP/1.1\r\nHost: localhost\r\nX-Slow: " + b"x" * 1000:
                    writer.write(bytes([byte]))
                    await writer.drain()
                    await asyncio.sleep(0.5)
        await until_closed(reader, writer)

    await asyncio.gather(*(one() for _ in range(50)), return_exceptions=True)


async def huge_requests(target: Target) -> None:
    for data in (b"GET /" + b"a" * 5_000_000, b"GET / HTTP/1.1\r\nX: " + b"a" * 5_000_000):
        reader, writer = await target.connect()
        writer.write(data)
        await until_closed(reader, writer)


async def many_requests(target: Target) -> None:
    async with target.http() as http:
        for _ in range(200):
            await http.get("/api/tables")


async def tables_of_bots(target: Target) -> None:
    async with target.http() as http:
        for _ in range(5):
            with suppress(httpx.HTTPStatusError):  # limited, sooner or later
                await target.open_table(http, ["expert"] * 4)
        await asyncio.sleep(10.0)


async def many_hints(target: Target) -> None:
    sockets = [await target.shake_hands(target.table) for _ in range(15)]
    for _, writer in sockets:
        writer.write(frame(TEXT, HELLO) + frame(TEXT, msgspec.json.encode({"do": "hint", "id": "h"})) * 3)
    await asyncio.sleep(5.0)
    for _, writer in sockets:
        writer.transport.abort()


ATTACKS: list[Callable[[Target], Awaitable[None]]] = [
    empty_fragments, unread_pings, bad_frames, slow_headers, huge_requests, many_requests, tables_of_bots, many_hints,
]  # fmt: skip


async def attack(url: str, seconds: float) -> Counter[str]:
    """Attack for so long; how often each attack was carried out."""
    target, done = Target(url), Counter[str]()
    await target.introduce()
    end = time.monotonic() + min(seconds, HALF_HOUR + 60.0)

    async def repeat(one: Callable[[Target], Awaitable[None]]) -> None:
        while time.monotonic() < end:
            with suppress(OSError, asyncio.IncompleteReadError, httpx.HTTPError):
                await one(target)
                done[one.__name__] += 1
            await asyncio.sleep(PAUSE_SECONDS)

    await asyncio.gather(*map(repeat, ATTACKS))
    return done


if __name__ == "__main__":
    sys.stdout.write(msgspec.json.encode(asyncio.run(attack(sys.argv[1], float(sys.argv[2])))).decode() + "\n")
