"""The journal of a run: finished units as JSON Lines beside the results, so that an interrupted run goes on.

    line 1     {"arena": 2, "digest": …, "settings": …}
    line 2 …   a finished unit each, in the order they were finished

Only units of the same settings are taken up; the number of deals is not among the settings, a run may become longer.
Atout cannot see that a bot was changed under the same name: after such a change, delete the journal.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from atout.arena.duplicate import Duplicate
from atout.arena.settings import Settings
from atout.errors import UsageError

VERSION = 2
"""2: bots are seated as teams at team tables."""


class Header(msgspec.Struct):
    """The first line."""

    arena: int
    digest: str
    settings: dict[str, Any]


class Journal:
    """A file of finished units."""

    def __init__(self, path: Path, settings: Settings) -> None:
        self.path, self.settings = path, settings

    def read(self) -> dict[int, Duplicate]:
        """The units finished by earlier runs; a last line that was cut off is dropped."""
        try:
            lines = self.path.read_bytes().split(b"\n")[:-1]
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise UsageError(f"--out: {self.path} cannot be read: {error.strerror}") from None
        if not lines:
            return {}
        try:
            header = msgspec.json.decode(lines[0], type=Header)
            units = [msgspec.json.decode(line, type=Duplicate) for line in lines[1:]]
        except msgspec.DecodeError as error:
            raise UsageError(f"--out: {self.path} is no journal of an arena ({error}); move it away") from None
        self._compare(header)
        return {unit.number: unit for unit in units}

    def _compare(self, header: Header) -> None:
        if header.arena == VERSION and header.digest == self.settings.digest:
            return
        mine = msgspec.json.decode(msgspec.json.encode(self.settings))
        differ = [name for name in mine if mine[name] != header.settings.get(name)] or ["version"]
        there, here = header.settings.get(differ[0]), mine[differ[0]]
        raise UsageError(
            f"--out: {self.path} holds unfinished work of other settings: {differ[0]} is {_short(there)} there and "
            f"{_short(here)} here; right would be the same settings, another --out, or deleting that file"
        )

    @contextmanager
    def appending(self) -> Iterator[Writer]:
        """For writing; what was cut off is overwritten."""
        try:
            with self.path.open("r+b" if self.path.exists() else "wb") as file:
                self._begin(file)
                yield Writer(file)
        except OSError as error:
            raise UsageError(f"--out: {self.path} cannot be written: {error.strerror}") from None

    def _begin(self, file: BinaryIO) -> None:
        """To the end of the last whole line; a new file gets its header."""
        whole = self.path.read_bytes().rfind(b"\n") + 1
        file.truncate(whole)
        file.seek(whole)
        if whole == 0:
            header = Header(VERSION, self.settings.digest, msgspec.to_builtins(self.settings))
            Writer(file).write(header)


class Writer:
    """Writes lines, each of them at once."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, line: msgspec.Struct) -> None:
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()


def _short(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else text[:57] + "…"
