"""The journal of a run: finished duplicates as JSON Lines beside the results, so that an interrupted run can go on.

    line 1     {"arena": 2, "digest": …, "settings": …}
    line 2 …   one finished duplicate per line, in the order they were finished

A journal is continued only with the same settings. The number of deals is not part of them, so a run can be made
longer. Atout cannot see that the code of a bot changed under the same name: after such a change, delete the journal.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from atout.arena.duplicate import Duplicate
from atout.arena.settings import ArenaSettings
from atout.errors import UsageError

VERSION = 2
"""Version 2 seats the two bots as the two teams at team tables."""


class Header(msgspec.Struct):
    """The first line."""

    arena: int
    digest: str
    settings: dict[str, Any]


class Journal:
    """A file of finished duplicates."""

    def __init__(self, path: Path, settings: ArenaSettings) -> None:
        self.path, self.settings = path, settings

    def read(self) -> dict[int, Duplicate]:
        """The duplicates finished by earlier runs. A last line that was cut off is dropped."""
        try:
            lines = self.path.read_bytes().split(b"\n")[:-1]
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise UsageError(f"--out: {self.path} cannot be read: {error.strerror}") from None
        if not lines:
            return {}
        try:
            self._compare(msgspec.json.decode(lines[0], type=Header))
            duplicates = [msgspec.json.decode(line, type=Duplicate) for line in lines[1:]]
        except msgspec.DecodeError as error:
            raise UsageError(f"--out: {self.path} is not an arena journal ({error}); move it away") from None
        return {duplicate.number: duplicate for duplicate in duplicates}

    def _compare(self, header: Header) -> None:
        if header.arena == VERSION and header.digest == self.settings.digest:
            return
        mine = msgspec.json.decode(msgspec.json.encode(self.settings))
        differing = [name for name in mine if mine[name] != header.settings.get(name)]
        there, here = (header.settings, mine) if differing else ({"format": header.arena}, {"format": VERSION})
        name = differing[0] if differing else "format"
        raise UsageError(
            f"--out: {self.path} holds unfinished work of other settings: {name} is {_short(there.get(name))} there "
            f"and {_short(here[name])} here; expected the same settings, another --out, or deleting that file"
        )

    @contextmanager
    def appending(self) -> Iterator[Writer]:
        """Open the journal for writing; a line that was cut off is overwritten."""
        try:
            with self.path.open("r+b" if self.path.exists() else "wb") as file:
                self._begin(file)
                yield Writer(file)
        except OSError as error:
            raise UsageError(f"--out: {self.path} cannot be written: {error.strerror}") from None

    def _begin(self, file: BinaryIO) -> None:
        """Go to the end of the last whole line. A new file gets its header."""
        whole = self.path.read_bytes().rfind(b"\n") + 1
        file.truncate(whole)
        file.seek(whole)
        if whole == 0:
            header = Header(VERSION, self.settings.digest, msgspec.to_builtins(self.settings))
            Writer(file).write(header)


class Writer:
    """Writes lines and flushes each one."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, line: msgspec.Struct) -> None:
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()


def _short(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else text[:57] + "…"
