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
    scheme, colon, rest = url.partition("://")
    if not colon:
        raise StoreError(f"the database's address has no scheme; {EXPECTED}")
    if scheme == "sqlite":
        return await SqliteStore.open(sqlite_path(rest))
    if scheme in ("postgresql", "postgres"):
        from atout.store.postgres import PostgresStore

        return await PostgresStore.open(url)
    raise StoreError(f"there is no store for {scheme}://; {EXPECTED}")


def back_up(url: str, target: Path) -> None:
    """Copy a SQLite database of any version to a new file, while a server may be using it."""
    scheme, _, rest = url.partition("://")
    if scheme != "sqlite":
        raise UsageError("Atout does not back up PostgreSQL; use pg_dump")
    source = sqlite_path(rest)
    if not source.is_file():
        raise UsageError(f"{source} does not exist; expected the server's database: --database sqlite:///…")
    try:
        copy_database(source, target)
    except sqlite3.Error as error:
        raise as_store_error(error, target) from error


def sqlite_path(rest: str) -> Path:
    """The path after `sqlite://`; it begins with a third slash, as in SQLAlchemy.

    >>> sqlite_path("/atout.db"), sqlite_path("//var/lib/atout.db")
    (PosixPath('atout.db'), PosixPath('/var/lib/atout.db'))
    """
    parts = urlsplit(f"sqlite://{rest}")
    path = unquote(parts.path)[1:]
    if parts.netloc:
        raise StoreError(f"sqlite://{parts.netloc}… names a host, which a file has not; {EXPECTED}")
    if not path or path == ":memory:" or parts.query:
        raise StoreError(f"the address names no file; {EXPECTED}")
    return Path(path)
