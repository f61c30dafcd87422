"""A run of the arena: take up what is finished, play the rest, keep every finished unit, count everything together."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import msgspec

from atout.arena.duplicate import Duplicate
from atout.arena.journal import Journal
from atout.arena.results import Results, results
from atout.arena.runners import Engine
from atout.arena.settings import Settings
from atout.errors import UsageError


class Tournament:
    """Its units and where they are kept: `path` gets the results, `path.part` the units until then."""

    def __init__(self, settings: Settings, deals: int, path: Path) -> None:
        if path.exists() and not path.is_file():
            raise UsageError(f"--out: {path} is no file; right would be the name of a file")
        self.settings, self.path = settings, path
        self.total = deals * len(settings.pairs)
        self.journal = Journal(path.with_name(path.name + ".part"), settings)
        self.units = self.journal.read()

    @property
    def todo(self) -> list[int]:
        """Numbers of the units nobody has played yet."""
        return [number for number in range(self.total) if number not in self.units]

    def play(self, engine: Engine) -> Generator[Duplicate, None, None]:
        """Play what is to be played; a unit is on disk before it is handed on."""
        todo = self.todo
        with self.journal.appending() as journal, closing(engine.run(todo)) as units:
            for unit in units:
                journal.write(unit)
                self.units[unit.number] = unit
                yield unit

    def leave(self) -> Path | None:
        """Where finished units wait for the next run; a journal without any is removed."""
        if self.units:
            return self.journal.path
        self.journal.path.unlink(missing_ok=True)
        return None

    def results(self) -> Results:
        """Of all units; they must be finished."""
        return results(self.settings, [self.units[number] for number in range(self.total)])

    def finish(self) -> Results:
        """Write the results; the journal has done its work."""
        found = self.results()
        fresh = self.path.with_name(self.path.name + ".new")
        fresh.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
        fresh.replace(self.path)
        self.journal.path.unlink(missing_ok=True)
        return found
