"""A proxy in front of PostgreSQL that can cut connections: all of them, or one just before a certain answer."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

SOCKET = ".s.PGSQL.5432"


class Breaker:
    """Listens on a socket of its own and forwards everything until it is told to cut."""

    def __init__(self, folder: Path, target: Path) -> None:
        self.folder, self.target = folder, target
        self.lost = 0
        self._until: bytes | None = None
        self._refusing = False
        self._connections: set[asyncio.StreamWriter] = set()
        self.url = ""

    @classmethod
    @asynccontextmanager
    async def before(cls, url: str) -> AsyncIterator[Breaker]:
        """A proxy in front of the server at this URL."""
        start, _, rest = url.partition("host=")
        host, _, search_path = rest.partition("&")
        folder = Path(tempfile.mkdtemp(prefix="atout-cut-"))
        breaker = cls(folder, Path(host))
        breaker.url = f"{start}host={folder}&{search_path}"
        server = await asyncio.start_unix_server(breaker._serve, folder / SOCKET)
        try:
            yield breaker
        finally:
            server.close()
            breaker._cut()
            shutil.rmtree(folder)

    def lose_answer_to(self, words: bytes) -> None:
        """Cut the next connection that sends a request with these words, before its answer arrives."""
        self._until = words

    def refuse(self) -> None:
        """Cut all connections, and refuse new ones."""
        self._refusing = True
        self._cut()

    def allow(self) -> None:
        self._refusing = False

    def _cut(self) -> None:
        for wire in self._connections:
            wire.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._refusing:
            writer.transport.abort()
            return
        far_reader, far_writer = await asyncio.open_unix_connection(self.target / SOCKET)
        self._connections |= {writer, far_writer}
        marked = asyncio.Event()
        with suppress(OSError):
            await asyncio.gather(self._up(reader, far_writer, marked), self._down(far_reader, writer, marked))
        for wire in (writer, far_writer):
            wire.transport.abort()
            self._connections.discard(wire)

    async def _up(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, marked: asyncio.Event) -> None:
        while data := await reader.read(65536):
            if self._until is not None and self._until in data:
                self._until = None
                marked.set()
            writer.write(data)
        writer.close()

    async def _down(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, marked: asyncio.Event) -> None:
        while data := await reader.read(65536):
            if marked.is_set():
                self.lost += 1
                break
            writer.write(data)
        writer.transport.abort()
