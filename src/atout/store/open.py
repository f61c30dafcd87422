"""Opening a store by its URL."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from urllib.parse import unquote, urlsplit

from atout.errors import StoreError, UsageError
from atout.store.sqlite import SqliteStore, as_store_error, copy_database
from atout.store.store import Store

EXPECTED = "expected sqlite:///atout.db, sqlite:////var/lib/atout/atout.db or postgresql://user@host/atout"


async def open_store(url: str) -> Store:
    """Open the store at a URL and create or migrate its schema. Error messages never show a password."""
    file = sqlite_file(url)
    if file is not None:
        return await SqliteStore.open(file)
    from atout.store.postgres import PostgresStore

    return await PostgresStore.open(url)


def back_up(url: str, target: Path) -> None:
    """Copy a SQLite database of any version to a new file, while a server may be using it."""
    source = sqlite_file(url)
    if source is None:
        raise UsageError("Atout does not back up PostgreSQL; use pg_dump")
    if not source.is_file():
        raise UsageError(f"{source} does not exist; expected the server's database: --database sqlite:///…")
    try:
        copy_database(source, target)
    except sqlite3.Error as error:
        raise as_store_error(error, target) from error


def sqlite_file(url: str) -> Path | None:
    """The file of the SQLite database at a URL, whose path follows a third slash as in SQLAlchemy; None for PostgreSQL.

    >>> sqlite_file("sqlite:///atout.db"), sqlite_file("sqlite:////var/my%20games/atout.db")
    (PosixPath('atout.db'), PosixPath('/var/my games/atout.db'))
    """
    scheme, colon, _ = url.partition("://")
    if not colon:
        raise StoreError(f"the database's address has no scheme; {EXPECTED}")
    if scheme in ("postgresql", "postgres"):
        return None
    if scheme != "sqlite":
        raise StoreError(f"there is no store for {scheme}://; {EXPECTED}")
    parts = urlsplit(url)
    path = unquote(parts.path)[1:]
    if parts.netloc:
        raise StoreError(f"sqlite://{parts.netloc}… names a host, which a file has not; {EXPECTED}")
    if not path or path == ":memory:" or parts.query:
        raise StoreError(f"the address names no file; {EXPECTED}")
    return Path(path)
