"""A network that falls silent: a TCP proxy that can freeze, and then passes nothing on in either direction.

Neither end is told, as with a phone in a lift or a router that has forgotten a connection. What was sent meanwhile is
kept and arrives after the thaw, as TCP would have it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from threading import Thread
from types import TracebackType
from urllib.parse import urlsplit

CHUNK = 65_536


class FrozenNetwork:
    """Stands before a server, on a port of its own: `url`."""

    def __init__(self, server: str) -> None:
        self._server = urlsplit(server)
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._to_server, self._to_client = asyncio.Event(), asyncio.Event()
        self._writers: list[asyncio.StreamWriter] = []
        self.url = ""

    def __enter__(self) -> FrozenNetwork:
        self._thread.start()
        self._run(self._listen())
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _at: TracebackType | None
    ) -> None:
        self._run(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def freeze(self, *, only_answers: bool = False) -> None:
        """Pass nothing on. `only_answers`: what the client sends still reaches the server."""
        self._run(self._let(to_server=only_answers, to_client=False))

    def thaw(self) -> None:
        """Pass everything on, first what was held back."""
        self._run(self._let(to_server=True, to_client=True))

    def _run(self, what: Coroutine[None, None, None]) -> None:
        asyncio.run_coroutine_threadsafe(what, self._loop).result()

    async def _let(self, *, to_server: bool, to_client: bool) -> None:
        for may_pass, yes in ((self._to_server, to_server), (self._to_client, to_client)):
            if yes:
                may_pass.set()
            else:
                may_pass.clear()

    async def _listen(self) -> None:
        await self._let(to_server=True, to_client=True)
        self._listener = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._listener.sockets[0].getsockname()[1]}"

    async def _end(self) -> None:
        self._listener.close()
        await self._let(to_server=True, to_client=True)
        for writer in self._writers:
            writer.transport.abort()
        while len(asyncio.all_tasks()) > 1:
            await asyncio.sleep(0.01)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_connection(self._server.hostname, self._server.port)
        self._writers += (writer, there[1])
        await asyncio.gather(
            self._pass_on(reader, there[1], self._to_server), self._pass_on(there[0], writer, self._to_client)
        )

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, may_pass: asyncio.Event
    ) -> None:
        """Everything from one end to the other, as long as it may pass."""
        with suppress(ConnectionError):
            while data := await reader.read(CHUNK):
                await may_pass.wait()
                writer.write(data)
                await writer.drain()
        await may_pass.wait()
        writer.close()
