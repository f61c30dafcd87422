"""One server per SQLite file: a lock on a file beside it, which names the process that holds it.

    atout.db.lock        <process id> <address>

The kernel ends the lock with the process, however that ends. So the file may stay: without its lock it means nothing.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from atout.errors import UsageError
from atout.server.settings import ServerSettings
from atout.store.open import sqlite_file
from atout.store.sqlite import check_file

MAX_TEXT = 500


class InUse(UsageError):
    """Another server has the database."""

    def __init__(self, path: Path, text: str) -> None:
        process, _, self.address = text.strip().partition(" ")
        who = f"process {process}" if process else "a process that is just starting"
        where = f" at {self.address}" if self.address else ""
        super().__init__(
            f"{path} is in use by another Atout server: {who}{where}. Stop it first, or give this one a database of "
            "its own: --database sqlite:///other.db"
        )


class Lock:
    """The lock while it is held."""

    def __init__(self, handle: int | None, path: Path = Path()) -> None:
        self._handle, self._path = handle, path

    def write_holder(self, address: str = "") -> None:
        """Write who has the lock, and where this server can be reached."""
        if self._handle is not None:
            try:
                os.ftruncate(self._handle, 0)
                os.pwrite(self._handle, f"{os.getpid()} {address}".encode(), 0)
            except OSError as error:
                raise UsageError(f"{self._path} cannot be written: {error.strerror}; expected room for it") from None


@contextmanager
def locked(settings: ServerSettings) -> Iterator[Lock]:
    """Hold the database for this process; `InUse` if another one does. PostgreSQL is not locked."""
    named = sqlite_file(settings.database)
    if named is None:
        yield Lock(None)
        return
    path = Path(os.path.realpath(named))  # a symbolic link leads to the same file, and so to the same lock
    check_file(path)
    file = path.with_name(path.name + ".lock")
    try:
        handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise UsageError(f"{path} cannot be locked: {error.strerror}; expected a folder that may be written") from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InUse(path, os.pread(handle, MAX_TEXT, 0).decode(errors="replace")) from None
        lock = Lock(handle, file)
        lock.write_holder()
        yield lock
    finally:
        os.close(handle)
