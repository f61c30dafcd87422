"""Tables in a SQLite file.

one connection writes    in a thread of its own, one transaction and one fsync per group
one connection reads     in another thread; with the write-ahead log neither waits for the other
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from atout.errors import StoreError, StoreFull, Unavailable
from atout.store.base import BaseStore
from atout.store.group import Job, Outcome, new_heads
from atout.store.model import Append, Rewrite
from atout.store.operations import Operation, OperationFactory, run, tables
from atout.store.operations.guests import lock
from atout.store.sqlite.appends import Appends, events_of, head_of
from atout.store.sqlite.connect import copy_database, fetch, open_database
from atout.store.sqlite.errors import as_store_error
from atout.store.unavailable import logged

T = TypeVar("T")


class SqliteStore(BaseStore):
    """The store of one process, in one file."""

    shared = False

    def __init__(self, path: Path, writer: sqlite3.Connection, reader: sqlite3.Connection) -> None:
        super().__init__()
        self.path, self._writer, self._reader = path, writer, reader
        self._writer_thread = ThreadPoolExecutor(1, "store-writer")
        self._reader_thread = ThreadPoolExecutor(1, "store-reader")
        self._appends = Appends(writer)

    @classmethod
    async def open(cls, path: Path) -> SqliteStore:
        """Open the store in this file; a new file gets its schema, an older one is migrated."""
        return cls(path, *await asyncio.to_thread(open_database, path))

    async def close(self) -> None:
        await self._group_commit.close()
        self._subscriptions.close()
        await asyncio.to_thread(self._close_connections)

    def _close_connections(self) -> None:
        self._reader_thread.shutdown()
        self._writer_thread.submit(self._move_all)
        self._writer_thread.shutdown()
        self._reader.close()
        self._writer.close()

    async def backup(self, path: Path) -> None:
        await self._in_thread(self._reader_thread, partial(copy_database, self.path, path))

    async def events(self, table: str, after: int = 0) -> list[bytes]:
        return await self._read(partial(events_of, table, after))

    async def head(self, table: str) -> int:
        return await self._read(partial(head_of, table))

    async def delete_table(self, table: str) -> bool:
        return await self._write(partial(self._delete, table))

    def _delete(self, table: str) -> Operation[bool]:
        self._appends.invalidate()
        return (yield from tables.delete(table))

    async def rewrite(self, rewrite: Rewrite) -> None:
        await self._write(partial(self._rewrite, rewrite))

    def _rewrite(self, change: Rewrite) -> Operation[None]:
        if change.into:
            yield from lock([change.into])  # before anything is written
        refusal = self._appends.write([change.append])[0]
        if refusal is not None:
            raise refusal
        yield from tables.replace_bodies(change, ["events", "recent"])

    async def finish_deletion(self, guest: str) -> None:
        await super().finish_deletion(guest)
        await self._in_thread(self._writer_thread, self._shrink_log)  # older versions of pages are there

    async def _read(self, make: OperationFactory[T]) -> T:
        return await self._in_thread(self._reader_thread, lambda: run(make(), partial(fetch, self._reader)))

    async def _write(self, make: OperationFactory[T]) -> T:
        answer: T = await self._group_commit.write(make)
        return answer

    async def _commit(self, group: Sequence[Job]) -> Sequence[Outcome]:
        outcomes = await self._in_thread(self._writer_thread, partial(self._write_group, group))
        if self._appends.should_move:
            self._writer_thread.submit(self._move_some)  # after the callers were answered; only the next group waits
        self._subscriptions.publish(new_heads(group, outcomes))
        return outcomes

    async def _in_thread(self, thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(thread, work)
        except sqlite3.Error as error:
            raise logged(as_store_error(error, self.path), error) from error
        except RuntimeError:
            raise Unavailable("the store is closed") from None

    # ---------------------------------------------------------------- in the writer thread

    def _write_group(self, group: Sequence[Job]) -> list[Outcome]:
        """Write one transaction for all; if it fails as a whole, one per job, so that only its cause fails."""
        try:
            with self._transaction():
                return self._attempt(group)
        except Exception as error:
            if len(group) > 1:
                return [self._write_group([job])[0] for job in group]
            failure = logged(as_store_error(error, self.path), error)
            if isinstance(failure, StoreFull):
                self._shrink_log()
            return [failure]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """A transaction that is durable at its end, or rolled back."""
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            yield
            self._writer.execute("COMMIT")
        except BaseException:
            self._appends.invalidate()
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
            raise

    def _attempt(self, group: Sequence[Job]) -> list[Outcome]:
        """Write the jobs within a transaction; a refused one leaves no trace."""
        appends = [job.work for job in group if isinstance(job.work, Append)]
        refusals = iter(self._appends.write(appends) if appends else ())
        return [next(refusals) if isinstance(job.work, Append) else self._operate(job.work) for job in group]

    def _operate(self, make: OperationFactory[Any]) -> Outcome:
        self._writer.execute("SAVEPOINT operation")
        try:
            return run(make(), partial(fetch, self._writer))
        except StoreError as refusal:
            self._writer.execute("ROLLBACK TO operation")
            return refusal
        finally:
            if self._writer.in_transaction:
                self._writer.execute("RELEASE operation")

    def _move_some(self) -> bool:
        """Move some events out of `recent`; if that is impossible now, a later call will do it."""
        with suppress(sqlite3.Error), self._transaction():
            return self._appends.move_some()
        return False

    def _move_all(self) -> None:
        while self._move_some():
            pass

    def _shrink_log(self) -> None:
        """Give back the space of the write-ahead log, which may hold a page many times."""
        with suppress(sqlite3.Error):
            self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
