"""Tables in PostgreSQL.

    one connection appends    in groups
    one connection listens    to what all workers append
    a few connections         for everything else, a transaction each

Connect to the server itself: a pooler that shares connections between transactions would lose LISTEN.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import asyncpg

from atout.errors import StoreError, Unavailable, UsageError
from atout.store.common import CommonStore
from atout.store.group import GATHER_SECONDS, Grouper, in_task
from atout.store.migrate import REVISION, migrate_postgres
from atout.store.operations import Plan
from atout.store.postgres.appends import Appender
from atout.store.postgres.connect import OPTIONS, connect, run
from atout.store.postgres.faults import fault, passes
from atout.store.postgres.listener import Listener
from atout.store.retry import attempts

T = TypeVar("T")

PATIENCE_SECONDS = 15.0
MOST_CONNECTIONS = 4
CLOSE_SECONDS = 5.0

log = logging.getLogger(__name__)


class PostgresStore(CommonStore):
    """Tables in a PostgreSQL database that other processes use as well."""

    shared = True

    def __init__(self, url: str, pool: Any, patience: float, gather: float) -> None:
        super().__init__()
        self._pool, self._patience = pool, patience
        self._appender = Appender(url, patience)
        self._grouper = Grouper(in_task(self._appender.commit), gather)
        self._listener = Listener(url, self._watchers)

    @classmethod
    async def open(
        cls, url: str, *, patience: float = PATIENCE_SECONDS, gather: float = GATHER_SECONDS
    ) -> PostgresStore:
        """The store in this database, which is set up or brought up to date; waits for a server that is starting."""

        async def begin() -> PostgresStore:
            await _prepare(url)
            pool = await asyncpg.create_pool(url, min_size=1, max_size=MOST_CONNECTIONS, reset=_keep, **OPTIONS)
            store = cls(url, pool, patience, gather)
            await store._listener.start()
            return store

        return await insist(begin, patience)

    async def close(self) -> None:
        await self._grouper.close()
        await self._listener.stop()
        self._appender.close()
        self._watchers.close()
        try:
            await asyncio.wait_for(self._pool.close(), CLOSE_SECONDS)
        except TimeoutError:
            self._pool.terminate()

    async def backup(self, path: Path) -> None:
        raise UsageError(f"{path}: a backup of PostgreSQL is not made by Atout; right would be pg_dump")

    async def _read(self, plan: Plan[T]) -> T:
        async def read() -> T:
            async with self._pool.acquire() as connection:
                return await run(connection, plan())

        return await self._insist(read)

    async def _write(self, plan: Plan[T]) -> T:
        async def write() -> T:
            async with self._pool.acquire() as connection, connection.transaction():
                return await run(connection, plan())

        return await self._insist(write)

    async def _insist(self, work: Callable[[], Awaitable[T]]) -> T:
        if self._pool.is_closing():
            raise Unavailable("the store is closed")
        return await insist(work, self._patience)


async def insist(work: Callable[[], Awaitable[T]], patience: float) -> T:
    """Do it, again if need be, until patience ends."""
    last: Exception = Unavailable("PostgreSQL was not tried")
    async for _ in attempts(patience):
        try:
            return await work()
        except Exception as error:
            last = error
        if not passes(last):
            break
    raise fault(last) from last.__cause__


async def _prepare(url: str) -> None:
    try:
        connection = await connect(url)
    except ValueError:  # its words may quote a password that was taken for a host or a port
        raise StoreError(
            "the address of the database cannot be read; right would be postgresql://user:password@host:5432/name, "
            "signs such as @ / : in the password written as %40 %2F %3A"
        ) from None
    try:
        if await connection.fetchval("SHOW fsync") != "on":
            log.warning("PostgreSQL runs with fsync off: a crash of its machine can lose moves")
        known = await connection.fetchval("SELECT to_regclass('alembic_version')::text")
        revision = known and await connection.fetchval("SELECT version_num FROM alembic_version")
    finally:
        await connection.close()
    if revision != REVISION:
        await asyncio.to_thread(migrate_postgres, url)


async def _keep(_connection: Any) -> None:
    """Nothing is set on a connection that the next user would have to reset."""
