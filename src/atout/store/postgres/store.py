"""Tables in a PostgreSQL database.

    one connection appends    in groups, one statement per group
    one connection notifies   other workers of appends, after their commit
    one connection listens    to the notifications of all workers
    a few connections         for everything else, one transaction per call

Connect to the server itself: a pooler that shares connections between transactions would lose LISTEN.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import asyncpg

from atout.errors import StoreError, Unavailable, UsageError
from atout.store.base import BaseStore
from atout.store.group import Job, Outcome, new_heads
from atout.store.migrate import REVISION, migrate_postgres
from atout.store.model import FORGOTTEN_GUESTS, AccountSession, KeyCheck, Rewrite
from atout.store.operations import Operation, OperationFactory, keys
from atout.store.operations.accounts import Joined
from atout.store.postgres.appends import Appender
from atout.store.postgres.connect import OPTIONS, connect, run
from atout.store.postgres.errors import as_store_error, is_temporary
from atout.store.postgres.notifications import Listener, Notifier
from atout.store.retry import attempts
from atout.store.unavailable import logged

T = TypeVar("T")

PATIENCE_SECONDS = 15.0
"""How long a call is retried before it raises `Unavailable`."""
MAX_CONNECTIONS = 4
CLOSE_SECONDS = 5.0

log = logging.getLogger(__name__)


class PostgresStore(BaseStore):
    """The store of several processes, in one database."""

    shared = True

    def __init__(self, url: str, pool: Any, patience: float) -> None:
        super().__init__()
        self._pool, self._patience = pool, patience
        self._appender = Appender(url, patience)
        self._notifier = Notifier(url)
        self._listener = Listener(url, self._subscriptions)

    @classmethod
    async def open(cls, url: str, *, patience: float = PATIENCE_SECONDS) -> PostgresStore:
        """Open the store in this database and create or migrate its schema; waits for a server that is starting."""

        async def begin() -> PostgresStore:
            await _prepare(url)
            pool = await asyncpg.create_pool(url, min_size=1, max_size=MAX_CONNECTIONS, reset=_keep, **OPTIONS)
            store = cls(url, pool, patience)
            await store._listener.start()
            store._notifier.notify_start()
            return store

        return await with_retries(begin, patience)

    async def close(self) -> None:
        await self._group_commit.close()
        await self._notifier.close()
        await self._listener.stop()
        self._appender.close()
        self._subscriptions.close()
        try:
            await asyncio.wait_for(self._pool.close(), CLOSE_SECONDS)
        except TimeoutError:
            self._pool.terminate()

    async def rewrite(self, rewrite: Rewrite) -> None:
        await super().rewrite(rewrite)
        append = rewrite.append
        self._notifier.notify({append.table: append.first + len(append.events) - 1})

    async def delete_guest(self, guest: str) -> bool:
        was_known = await super().delete_guest(guest)
        self._notifier.notify({FORGOTTEN_GUESTS: 0})
        return was_known

    async def begin_session(self, session: AccountSession) -> None:
        await super().begin_session(session)
        self._notifier.notify({FORGOTTEN_GUESTS: 0})

    async def end_session(self, guest: str, hash: bytes) -> bool:
        was_there = await super().end_session(guest, hash)
        self._notifier.notify({FORGOTTEN_GUESTS: 0})
        return was_there

    async def join_guest(self, guest: str, into: str) -> Joined:
        joined = await super().join_guest(guest, into)
        self._notifier.notify({FORGOTTEN_GUESTS: 0})
        return joined

    async def use_keys(self, fingerprints: Sequence[bytes], is_new: bool, lost: str = "") -> KeyCheck:
        """Servers that start at once come one after the other: else each might be the first with a key of its own."""

        def use() -> Operation[KeyCheck]:
            yield "LOCK TABLE cookie_keys IN EXCLUSIVE MODE", {}
            return (yield from keys.use(tuple(fingerprints), is_new, lost))

        return await self._write(use)

    async def backup(self, path: Path) -> None:
        raise UsageError(f"{path}: Atout does not back up PostgreSQL; use pg_dump")

    async def _commit(self, group: Sequence[Job]) -> Sequence[Outcome]:
        outcomes = await self._appender.commit(group)
        self._notifier.notify(new_heads(group, outcomes))
        return outcomes

    async def _read(self, make: OperationFactory[T]) -> T:
        async def read() -> T:
            async with self._pool.acquire() as connection:
                return await run(connection, make())

        return await self._with_retries(read)

    async def _write(self, make: OperationFactory[T]) -> T:
        async def write() -> T:
            async with self._pool.acquire() as connection, connection.transaction():
                return await run(connection, make())

        return await self._with_retries(write)

    async def _with_retries(self, work: Callable[[], Awaitable[T]]) -> T:
        if self._pool.is_closing():
            raise Unavailable("the store is closed")
        return await with_retries(work, self._patience)


async def with_retries(work: Callable[[], Awaitable[T]], patience: float) -> T:
    """Repeat the work as long as it fails with a temporary error, for `patience` seconds."""
    last: Exception = Unavailable("PostgreSQL was not tried")
    async for _ in attempts(patience):
        try:
            return await work()
        except Exception as error:
            last = error
        if not is_temporary(last):
            break
    raise logged(as_store_error(last), last) from last.__cause__


async def _prepare(url: str) -> None:
    try:
        connection = await connect(url)
    except ValueError:  # its message may quote a password that was taken for a host or a port
        raise StoreError(
            "the address of the database cannot be read; expected postgresql://user:password@host:5432/name, "
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
    """Skip the reset of a pooled connection: nothing is set on it."""
