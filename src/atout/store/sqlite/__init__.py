"""The store in a SQLite file: for one process, with nothing to install."""

from atout.store.sqlite.connect import check_file, copy_database
from atout.store.sqlite.errors import as_store_error
from atout.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore", "as_store_error", "check_file", "copy_database"]
