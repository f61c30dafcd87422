"""A client that sends bytes as they are, and may be as slow, as silent or as rude as it likes."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from tests.server.background import PATIENCE


class Raw:
    """A TCP connection to a server."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket, self._loop = connection, asyncio.get_running_loop()
        self._received = b""
        self.is_broken = False
        """The server did not take what was sent."""

    @classmethod
    async def open(cls, url: str) -> Raw:
        parts = urlsplit(url)
        connection = socket.socket()
        connection.setblocking(False)
        await asyncio.get_running_loop().sock_connect(connection, (parts.hostname, parts.port))
        return cls(connection)

    async def send(self, data: bytes) -> None:
        """Send as far as the server reads."""
        try:
            await asyncio.wait_for(self._loop.sock_sendall(self._socket, data), PATIENCE)
        except ConnectionError:
            self.is_broken = True

    async def answer(self) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of the next response."""
        while b"\r\n\r\n" not in self._received:
            assert await self._receive(), f"closed without an answer after {self._received[:100]!r}"
        head, _, self._received = self._received.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        length = int(headers.get("content-length", 0))
        while len(self._received) < length:
            assert await self._receive(), "closed in the middle of an answer"
        body, self._received = self._received[:length], self._received[length:]
        return int(first.split()[1]), headers, body

    async def problem(self) -> tuple[int, str]:
        """Status and code of a refusal."""
        status, _, body = await self.answer()
        problem: dict[str, Any] = json.loads(body)
        assert problem["message"]
        return status, problem["code"]

    async def ended(self) -> bytes:
        """What still comes until the server has closed the connection."""
        with suppress(ConnectionError):
            while await self._receive():
                pass
        return self._received

    async def _receive(self) -> bool:
        data = await asyncio.wait_for(self._loop.sock_recv(self._socket, 65_536), PATIENCE)
        self._received += data
        return bool(data)

    def close(self) -> None:
        self._socket.close()


async def ask(url: str, request: bytes) -> tuple[int, str]:
    """Send a request on a connection of its own, and return the refusal."""
    raw = await Raw.open(url)
    sending = asyncio.create_task(raw.send(request))
    try:
        return await raw.problem()
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        raw.close()
