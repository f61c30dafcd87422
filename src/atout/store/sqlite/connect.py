"""Connections to a SQLite file, operations on them, and copies of the file."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from atout.errors import StoreError, UsageError
from atout.store.migrate import REVISION, migrate_sqlite
from atout.store.operations import Rows
from atout.store.private import create_private, make_private
from atout.store.sqlite.errors import EXPECTED_FILE, as_store_error

OLDEST_VERSION = (3, 35, 0)  # UPDATE … FROM, RETURNING
BUSY_SECONDS = 5.0
"""How long a statement waits for another process that writes to the file."""
SECURE_REVISION = "0004"
"""Before it, deleted bytes were left in the file."""
MAGIC = b"SQLite format 3\0"
"""How the file of every database begins that is not empty."""
CHECKPOINT_PAGES = 2000
"""Pages in the write-ahead log (8 MB) until SQLite copies them back: a page that changes often is copied once."""


def connect(path: Path) -> sqlite3.Connection:
    """A connection whose COMMIT waits for the disk. Transactions are begun by hand."""
    with ExitStack() as on_failure:
        connection = sqlite3.connect(path, isolation_level=None, timeout=BUSY_SECONDS, check_same_thread=False)
        on_failure.callback(connection.close)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten: guests want to be forgotten
        connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        on_failure.pop_all()
    return connection


def open_database(path: Path) -> tuple[sqlite3.Connection, sqlite3.Connection]:
    """A connection for writing and one for reading, on a database with the newest schema.

    The files are for their owner alone: SQLite gives those beside the database the rights of the database.
    """
    if sqlite3.sqlite_version_info < OLDEST_VERSION:
        raise StoreError(f"SQLite is {sqlite3.sqlite_version} here; expected 3.35 or newer")
    create_private(path)
    with ExitStack() as on_failure:
        try:
            writer = connect(path)  # it fails on what is no database: that stays as it is
            on_failure.callback(writer.close)
            for file in files_of(path):
                make_private(file)
            before = _revision(writer)
            if before != REVISION:
                migrate_sqlite(path)
            if before is not None and before < SECURE_REVISION:
                writer.execute("VACUUM")
            reader = connect(path)
            on_failure.callback(reader.close)
            reader.execute("PRAGMA query_only = ON")
        except sqlite3.Error as error:
            raise as_store_error(error, path) from error
        on_failure.pop_all()
    return writer, reader


def check_file(path: Path) -> None:
    """Raise `StoreError` for what is no database, before anything is created beside it.

    Not for a file that this process has opened already: to close it here would end SQLite's locks on it.
    """
    try:
        if path.exists() and not path.is_file():
            raise StoreError(f"{path} is {'a folder' if path.is_dir() else 'no regular file'}; {EXPECTED_FILE}")
        with path.open("rb") as file:
            begin = file.read(len(MAGIC))
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}; {EXPECTED_FILE}") from None
    if begin and begin != MAGIC:
        raise StoreError(f"{path} is no SQLite database; {EXPECTED_FILE}")


def files_of(path: Path) -> list[Path]:
    """The file of a database, and those that SQLite keeps beside it."""
    return [path, *(path.with_name(path.name + ending) for ending in ("-wal", "-shm"))]


def _revision(connection: sqlite3.Connection) -> str | None:
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchall():
        return None
    rows = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    return str(rows[0][0]) if rows else None


def fetch(connection: sqlite3.Connection, statement: str, parameters: dict[str, Any]) -> Rows:
    """Run one statement of an operation."""
    return connection.execute(statement, parameters).fetchall()


def copy_database(source: Path, target: Path) -> None:
    """Copy a database that may be in use, by SQLite's online backup; the target appears only when it is complete."""
    if target.exists():
        raise UsageError(f"{target} is there already; expected a new file")
    unfinished = target.with_name(target.name + ".unfinished")
    unfinished.unlink(missing_ok=True)
    create_private(unfinished)
    with closing(sqlite3.connect(source)) as origin, closing(sqlite3.connect(unfinished)) as copy:
        origin.backup(copy)
    unfinished.rename(target)
