"""The store in one SQLite file: for one process, with nothing to install.

One connection writes, in a thread of its own; another reads, in another thread; WAL lets them not wait for each
other. `synchronous=FULL` makes COMMIT wait for the disk, once a group.
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

from atout.errors import StoreError, StoreFull, Unavailable, UsageError
from atout.store.common import CommonStore
from atout.store.group import GATHER_SECONDS, Grouper, Job, Outcome
from atout.store.migrate import REVISION, migrate_sqlite
from atout.store.model import Append
from atout.store.operations import Operation, Plan, run, tables
from atout.store.sqlite.appends import Appends, fetch
from atout.store.sqlite.writer_thread import Worker

T = TypeVar("T")

OLDEST = (3, 35, 0)  # UPDATE … FROM, RETURNING
BUSY_SECONDS = 5.0
CHECKPOINT_PAGES = 2000
"""Of the log (8 MB): a page that changes with every move of its table goes to its place once for many of them."""


def connect(path: Path) -> sqlite3.Connection:
    """A connection with our promises switched on; transactions are begun by hand."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=BUSY_SECONDS, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    return connection


class SqliteStore(CommonStore):
    """Tables in a file."""

    shared = False

    def __init__(self, path: Path, writer: sqlite3.Connection, reader: sqlite3.Connection, gather: float) -> None:
        super().__init__()
        self.path, self._writer, self._reader = path, writer, reader
        self._write_thread = Worker("store-write")
        self._read_thread = ThreadPoolExecutor(1, "store-read")
        self._appends = Appends(writer)
        self._grouper = Grouper(self._commit, gather, rests=True)

    @classmethod
    async def open(cls, path: Path, *, gather: float = GATHER_SECONDS) -> SqliteStore:
        """The store in this file; a new file is set up, an older one brought up to date."""
        if sqlite3.sqlite_version_info < OLDEST:
            raise StoreError(f"SQLite is {sqlite3.sqlite_version} here; right would be 3.35 or newer")
        return cls(path, *await asyncio.to_thread(_prepare, path), gather)

    async def close(self) -> None:
        await self._grouper.close()
        self._watchers.close()
        await asyncio.to_thread(self._end)

    def _end(self) -> None:
        self._read_thread.shutdown()
        self._write_thread.submit(self._settle)
        self._write_thread.shutdown()
        self._reader.close()
        self._writer.close()

    async def backup(self, path: Path) -> None:
        await self._in_thread(self._read_thread, partial(copy, self.path, path))

    async def _read(self, plan: Plan[T]) -> T:
        return await self._in_thread(self._read_thread, lambda: run(plan(), partial(fetch, self._reader)))

    async def _write(self, plan: Plan[T]) -> T:
        answer: T = await self._grouper.wait_for(plan)
        return answer

    async def delete_table(self, table: str) -> bool:
        return await self._write(partial(self._delete, table))

    def _delete(self, table: str) -> Operation[bool]:
        self._appends.forget()
        return (yield from tables.delete(table))

    async def _in_thread(self, thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(thread, work)
        except sqlite3.Error as error:
            raise fault(error, self.path) from error
        except RuntimeError:
            raise Unavailable("the store is closed") from None

    def _commit(self, group: Sequence[Job], settle: Callable[[Sequence[Outcome]], None]) -> None:
        """In the writing thread; the event loop is woken once, for all of them."""
        loop = asyncio.get_running_loop()

        def written(outcomes: Sequence[Outcome]) -> None:
            if self._watchers:
                self._tell(group, outcomes)
            settle(outcomes)

        def write() -> None:
            try:
                outcomes = self._commit_here(group)
            except Exception as error:  # even the way back failed; nobody may wait for ever
                outcomes = [fault(error, self.path)] * len(group)
            loop.call_soon_threadsafe(written, outcomes)
            if self._appends.are_many:
                self._settle()  # nobody waits for it but the next group

        self._write_thread.submit(write)

    def _tell(self, group: Sequence[Job], outcomes: Sequence[Outcome]) -> None:
        for job, outcome in zip(group, outcomes, strict=True):
            if outcome is None and isinstance(job.work, Append):
                self._watchers.tell(job.work.table, job.work.first + len(job.work.events) - 1)

    def _commit_here(self, group: Sequence[Job]) -> list[Outcome]:
        """One transaction for all; if it fails as a whole, one for each, so that the fault stays with its cause."""
        try:
            with self._transaction():
                return self._attempt(group)
        except Exception as error:
            if len(group) > 1:
                return [self._commit_here([job])[0] for job in group]
            told = fault(error, self.path)
            if isinstance(told, StoreFull):
                self._make_room()
            return [told]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Durable at its end, or undone."""
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            yield
            self._writer.execute("COMMIT")
        except BaseException:
            self._appends.forget()
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
            raise

    def _settle(self) -> None:
        """Put events in their place; if that is not possible now, it is later."""
        with suppress(sqlite3.Error), self._transaction():
            self._appends.settle()

    def _make_room(self) -> None:
        """The log holds pages many times over, and gives its place back once they are where they belong."""
        with suppress(sqlite3.Error):
            self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _attempt(self, group: Sequence[Job]) -> list[Outcome]:
        """The jobs within a transaction; a refused one leaves no trace."""
        appends = [job.work for job in group if isinstance(job.work, Append)]
        refusals = iter(self._appends.write(appends) if appends else ())
        return [next(refusals) if isinstance(job.work, Append) else self._operate(job.work) for job in group]

    def _operate(self, plan: Plan[Any]) -> Outcome:
        self._writer.execute("SAVEPOINT operation")
        try:
            return run(plan(), partial(fetch, self._writer))
        except StoreError as refusal:
            self._writer.execute("ROLLBACK TO operation")
            return refusal
        finally:
            if self._writer.in_transaction:
                self._writer.execute("RELEASE operation")


def _prepare(path: Path) -> tuple[sqlite3.Connection, sqlite3.Connection]:
    """The writing and the reading connection, on a database that is up to date."""
    try:
        writer = connect(path)
        if _revision(writer) != REVISION:
            migrate_sqlite(path)
        reader = connect(path)
        reader.execute("PRAGMA query_only = ON")
    except sqlite3.Error as error:
        raise fault(error, path) from error
    return writer, reader


def _revision(connection: sqlite3.Connection) -> str | None:
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchall():
        return None
    rows = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    return str(rows[0][0]) if rows else None


def copy(source: Path, target: Path) -> None:
    """SQLite's online backup, in one step of its own connection; under its name only when it is complete."""
    if target.exists():
        raise UsageError(f"{target} is there already; right would be a new file")
    unfinished = target.with_name(target.name + ".unfinished")
    unfinished.unlink(missing_ok=True)
    origin, twin = sqlite3.connect(source), sqlite3.connect(unfinished)
    try:
        origin.backup(twin)
    finally:
        origin.close()
        twin.close()
    unfinished.rename(target)


def fault(error: Exception, path: Path) -> Exception:
    """SQLite's error as one of ours."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return StoreFull(f"{path}: the disk is full")
    if code == sqlite3.SQLITE_NOTADB:
        return StoreError(f"{path} is no SQLite database; right would be a new path or a database of Atout")
    if code == sqlite3.SQLITE_CANTOPEN:
        return StoreError(f"{path} cannot be opened; right would be a file in an existing folder that may be written")
    if isinstance(error, sqlite3.OperationalError):
        return Unavailable(f"{path}: {error}")
    if isinstance(error, sqlite3.Error | ValueError | TypeError | OverflowError):
        return StoreError(f"SQLite cannot keep this: {error}")
    return error
