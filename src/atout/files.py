"""Files that somebody would miss: written whole or not at all, and by one program at a time.

`replace_file` puts a new file in the place of an old one when it is complete. An `OwnFile` is a file that a program
writes again and again, such as a saved match: another program that opens it is refused (`InUse`), and what somebody
else has changed meanwhile is not overwritten.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from atout.errors import UsageError
from atout.i18n import reason_of, say

MODE = 0o666
"""The rights of a new file, of which the system takes away what the user's umask says."""
IS_HELD = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
"""How systems say that somebody else holds a lock."""
BEGINNING = 200
"""So many bytes tell what kind of file it is."""
IS_SHEET = re.compile(rb'\s*\[?\s*\{\s*"atoutSheet"\s*:')
"""How the file of a score sheet begins, as Atout and the page write it."""
IS_MATCH = re.compile(rb'\s*\{\s*"atout"\s*:')
"""How a record begins, or a saved match, as Atout writes it."""


class InUse(UsageError):
    """A file that another program keeps, and would overwrite."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(say("cli.error.in-use", path=path))


def replace_file(path: Path, body: bytes) -> None:
    """Write a new file and put it in the place of the old one, which stays if that fails with an `OSError`.

    Behind a link the file that it leads to is replaced. What is no regular file, such as a pipe, is written directly.
    """
    path = _behind_links(path)
    if path.exists() and not path.is_file():
        path.write_bytes(body)
        return
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    draft = path.with_name(f".atout-{secrets.token_hex(4)}.part")
    try:
        with draft.open("xb") as file:
            file.write(body)
        with suppress(OSError):  # the rights of the old file
            draft.chmod(stat.S_IMODE(path.stat().st_mode))
        draft.replace(path)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def _behind_links(path: Path) -> Path:
    """The file itself, where the path is a link to it."""
    return path.resolve() if path.is_symlink() else path


def is_same_file(one: Path, other: Path) -> bool:
    """Whether two paths are one file, by whatever name: links, capitals, `..`. Neither of them has to exist."""
    try:
        return one.samefile(other)
    except OSError:
        return _resolved(one) == _resolved(other)


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path


class Lock:
    """A lock beside a file, which the system releases when the process ends, however it ends."""

    def __init__(self, path: Path, handle: int) -> None:
        self.path = path
        self._handle: int | None = handle

    def release(self) -> None:
        handle, self._handle = self._handle, None
        if handle is None:
            return
        if sys.platform == "win32":  # an open file cannot be deleted there
            os.close(handle)
            _delete(self.path)
        else:  # while it is held: later it may be somebody else's
            _delete(self.path)
            os.close(handle)

    def __del__(self) -> None:
        self.release()

    @classmethod
    def on(cls, path: Path, *, waits: bool = False) -> Self | None:
        """Lock a file, or wait until nobody else does; `InUse` without waiting.

        None where nothing can be written beside the file, or the system has no locks.
        """
        while True:
            try:
                name = _lock_of(path)
                handle = _opened(name)
            except (OSError, ValueError):
                return None
            try:
                _take(handle, waits)
                if name.stat().st_ino == os.fstat(handle).st_ino:
                    return cls(name, handle)
            except FileNotFoundError:
                pass
            except OSError as error:
                os.close(handle)
                if error.errno in IS_HELD:
                    raise InUse(path) from None
                return None
            os.close(handle)  # whoever held it has deleted it: once more


def _lock_of(path: Path) -> Path:
    path = _behind_links(path)
    return path.with_name(f".{path.name}.lock")


def _opened(name: Path) -> int:
    """The file of a lock, also where another user has made it."""
    try:
        return os.open(name, os.O_CREAT | os.O_RDWR, MODE)
    except PermissionError:
        return os.open(name, os.O_RDONLY)


def _delete(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


if sys.platform == "win32":
    import msvcrt

    def _take(handle: int, waits: bool) -> None:
        msvcrt.locking(handle, msvcrt.LK_LOCK if waits else msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(handle: int, waits: bool) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Read a file, change it and write it again while no other program does the same."""
    lock = Lock.on(path, waits=True)
    try:
        yield
    finally:
        if lock is not None:
            lock.release()


class OwnFile:
    """A file that this program keeps, from when it is opened until it is closed."""

    def __init__(self, path: Path) -> None:
        """Raises `InUse` if another program keeps it. Read the file after this: what is there now is what is known."""
        self.path = path
        self._lock = Lock.on(path)
        self._known = self._digest()

    @classmethod
    def elsewhere(cls, name: str, own: OwnFile | None = None) -> OwnFile:
        """A new file that the user names, or their own if they name that one."""
        path, is_taken = Path(name), True
        try:
            path = path.expanduser()
            path.stat()
        except (FileNotFoundError, NotADirectoryError):
            is_taken = False
        except (OSError, RuntimeError, ValueError) as error:
            raise UsageError(say("cli.error.save.name", path=name[:60], reason=reason_of(error))) from None
        if own is not None and is_same_file(own.path, path):
            return own
        if is_taken:
            raise UsageError(say("cli.error.save.taken", path=path))
        return cls(path)

    def _digest(self) -> bytes | None:
        """Of what is in the file; None if it is not there or cannot be read."""
        try:
            return hashlib.sha256(self.path.read_bytes()).digest() if self.path.is_file() else None
        except OSError:
            return None

    @property
    def is_as_known(self) -> bool:
        """Whether the file is there as it was read or written last."""
        return self._known is not None and self._digest() == self._known

    def write(self, body: bytes) -> None:
        """Replace the file; `UsageError` if that is not possible, or would overwrite what somebody else has written."""
        if self._lock is None:
            self._lock = Lock.on(self.path)
        if self._digest() not in (None, self._known):
            raise UsageError(say("cli.error.changed", path=self.path))
        try:
            replace_file(self.path, body)
        except FileNotFoundError:
            raise UsageError(say("cli.error.write", path=self.path, reason=say("cli.reason.gone"))) from None
        except (OSError, ValueError) as error:
            raise UsageError(say("cli.error.write", path=self.path, reason=reason_of(error))) from None
        self._known = hashlib.sha256(body).digest()

    def close(self) -> None:
        """Let other programs have it."""
        if self._lock is not None:
            self._lock.release()
