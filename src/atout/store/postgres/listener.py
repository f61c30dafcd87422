"""News between workers: LISTEN on a connection of its own, made anew when it breaks."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from atout.store.postgres.appends import CHANNEL
from atout.store.postgres.connect import connect
from atout.store.postgres.faults import passes
from atout.store.retry import attempts
from atout.store.watch import Watchers

PULSE_SECONDS = 10.0  # how often to see whether a silent connection is alive
FOR_EVER = float("inf")


class Listener:
    """Hands notifications to those who watch; tells them when some may have been missed."""

    def __init__(self, url: str, watchers: Watchers) -> None:
        self._url, self._watchers = url, watchers
        self._connection: Any = None
        self._lost = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Listen from now on; raises if that cannot begin."""
        await self._listen()
        self._task = asyncio.create_task(self._stay())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        if self._connection is not None:
            self._connection.terminate()

    async def _listen(self) -> None:
        connection = await connect(self._url)
        try:
            self._lost.clear()
            connection.add_termination_listener(lambda _: self._lost.set())
            await connection.add_listener(CHANNEL, self._hear)
        except BaseException:  # whoever stops us meanwhile does not know of it yet
            connection.terminate()
            raise
        self._connection = connection

    def _hear(self, _connection: Any, _process: int, _channel: str, payload: str) -> None:
        head, _, table = payload.partition(" ")
        self._watchers.tell(table, int(head))

    async def _stay(self) -> None:
        while True:
            await self._until_lost()
            self._connection.terminate()
            async for _ in attempts(FOR_EVER):
                with suppress(Exception):  # whatever it is, being deaf for good would be worse
                    await self._listen()
                    break
            self._watchers.miss()

    async def _until_lost(self) -> None:
        while not self._lost.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._lost.wait(), PULSE_SECONDS)
                return
            try:
                await self._connection.execute("SELECT 1")
            except Exception as error:
                if not passes(error):
                    raise
                return
