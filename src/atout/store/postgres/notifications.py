"""Notifications between worker processes, by NOTIFY and LISTEN, each on a connection of its own.

    worker A: commit ──► Notifier ──► NOTIFY ──► Listener of worker B ──► `watch`

PostgreSQL lets only one transaction with a NOTIFY commit at a time, in the whole database, and holds that lock until
the transaction is on the disk. So NOTIFY is not part of the append's transaction. It follows in a transaction of its
own, which changes no data and therefore does not wait for the disk. While one NOTIFY is on its way the next gathers.

A worker that crashes between commit and NOTIFY loses no event, only the notification. Other workers learn of the event

- when a worker process starts, which the supervisor takes care of: it announces itself, and all others read again;
- when the table has a deadline: the server polls those every second, and looks after a late one within 5 seconds;
- at the latest with the next append to the table, which is refused by its number or notified itself.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from atout.store.postgres.connect import connect
from atout.store.postgres.errors import is_temporary
from atout.store.retry import attempts
from atout.store.watch import Subscriptions

log = logging.getLogger(__name__)

CHANNEL = "atout"
NOTIFY = f"SELECT pg_notify('{CHANNEL}', n.head || ' ' || n.id) FROM unnest($1::text[], $2::bigint[]) AS n (id, head)"  # noqa: S608
EVERY_TABLE = ""
"""In place of a table's id: a worker has started, and may replace one that could not tell of its last appends."""
PING_SECONDS = 10.0
"""How often a silent connection is checked."""
CLOSE_SECONDS = 2.0
"""How long `close` waits for the last notifications to be sent."""
FOREVER = float("inf")


class Notifier:
    """Tells all workers of appends after their commit. Reconnects when its connection breaks, and sends again."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: Any = None
        self._heads: dict[str, int] = {}
        self._running: asyncio.Task[None] | None = None

    def notify(self, heads: Mapping[str, int]) -> None:
        """Send the number of each table's last event soon; of several for one table only the latest."""
        self._heads.update(heads)
        if self._heads and self._running is None:
            self._running = asyncio.create_task(self._send_all())

    def notify_start(self) -> None:
        """Tell all workers to read again."""
        self.notify({EVERY_TABLE: 0})

    async def close(self) -> None:
        """Send what waits, if the database takes it."""
        running = self._running
        if running is not None:
            await asyncio.wait([running], timeout=CLOSE_SECONDS)
            running.cancel()
            await asyncio.wait([running])
        self._disconnect()

    async def _send_all(self) -> None:
        try:
            while self._heads:
                heads, self._heads = self._heads, {}
                async for _ in attempts(FOREVER):
                    if await self._send(heads):
                        break
        finally:
            self._running = None

    async def _send(self, heads: Mapping[str, int]) -> bool:
        """Send in one transaction; False if it is worth another attempt. A notification sent twice does no harm."""
        try:
            if self._connection is None:
                self._connection = await connect(self._url)
            await self._connection.execute(NOTIFY, list(heads), list(heads.values()))
        except Exception as error:
            self._disconnect()
            if is_temporary(error):
                return False
            log.exception("other workers could not be notified")
        return True

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None


class Listener:
    """Passes notifications of all workers to the subscriptions, and tells these when some may have been missed."""

    def __init__(self, url: str, subscriptions: Subscriptions) -> None:
        self._url, self._subscriptions = url, subscriptions
        self._connection: Any = None
        self._lost = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Listen from now on; raises if that cannot begin."""
        await self._listen()
        self._task = asyncio.create_task(self._keep_listening())

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
            await connection.add_listener(CHANNEL, self._receive)
        except BaseException:  # `stop` does not know of this connection yet
            connection.terminate()
            raise
        self._connection = connection

    def _receive(self, _connection: Any, _process: int, _channel: str, payload: str) -> None:
        head, _, table = payload.partition(" ")
        if table == EVERY_TABLE:
            self._subscriptions.miss()
        else:
            self._subscriptions.publish({table: int(head)})

    async def _keep_listening(self) -> None:
        while True:
            await self._wait_until_lost()
            self._connection.terminate()
            async for _ in attempts(FOREVER):
                with suppress(Exception):  # whatever it is, a worker without notifications would be worse
                    await self._listen()
                    break
            self._subscriptions.miss()

    async def _wait_until_lost(self) -> None:
        while not self._lost.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._lost.wait(), PING_SECONDS)
                return
            try:
                await self._connection.execute("SELECT 1")
            except Exception as error:
                if not is_temporary(error):
                    raise
                return
