"""SQLite's errors as the store's own."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from atout.errors import StoreError, StoreFull, Unavailable

EXPECTED_FILE = "expected a new path or a database of Atout"


def as_store_error(error: Exception, path: Path) -> Exception:
    """The error of Atout that an error of SQLite means; any other error as it is."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return StoreFull(f"{path}: the disk is full; expected room for it")
    if code == sqlite3.SQLITE_NOTADB:
        return StoreError(f"{path} is no SQLite database; {EXPECTED_FILE}")
    if code == sqlite3.SQLITE_CANTOPEN:
        return StoreError(f"{path} cannot be opened; expected a file in an existing folder that may be written")
    if isinstance(error, sqlite3.OperationalError):
        return Unavailable(f"{path}: {error}")
    if isinstance(error, sqlite3.Error | ValueError | TypeError | OverflowError):
        return StoreError(f"SQLite cannot keep this: {error}")
    return error
