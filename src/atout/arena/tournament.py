"""A run of the arena: read what is finished, play the rest, store every finished duplicate, compute the results."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import msgspec

from atout.arena.duplicate import Duplicate
from atout.arena.journal import Journal
from atout.arena.results import Results, results
from atout.arena.runners import Runner
from atout.arena.settings import ArenaSettings
from atout.errors import UsageError
from atout.files import replace_file


class Tournament:
    """Its duplicates and where they are stored: `path` gets the results, `path.part` the duplicates until then."""

    def __init__(self, settings: ArenaSettings, deals: int, path: Path) -> None:
        if path.exists() and not path.is_file():
            raise UsageError(f"--out: {path} is no file; expected the name of a file")
        self.settings, self.path = settings, path
        self.total = deals * len(settings.pairs)
        self.journal = Journal(path.with_name(path.name + ".part"), settings)
        self.duplicates = self.journal.read()

    @property
    def todo(self) -> list[int]:
        """Numbers of the duplicates that have not been played yet."""
        return [number for number in range(self.total) if number not in self.duplicates]

    def play(self, runner: Runner) -> Generator[Duplicate, None, None]:
        """Play what is left. A duplicate is in the journal before it is yielded."""
        todo = self.todo
        with self.journal.appending() as journal, closing(runner.run(todo)) as duplicates:
            for duplicate in duplicates:
                journal.write(duplicate)
                self.duplicates[duplicate.number] = duplicate
                yield duplicate

    def leave(self) -> Path | None:
        """Where finished duplicates wait for the next run; a journal without any is removed."""
        if self.duplicates:
            return self.journal.path
        self.journal.path.unlink(missing_ok=True)
        return None

    def results(self) -> Results:
        """The results of all duplicates, which must be finished."""
        return results(self.settings, [self.duplicates[number] for number in range(self.total)])

    def finish(self) -> Results:
        """Write the results and remove the journal."""
        found = self.results()
        try:
            replace_file(self.path, msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
        except OSError as error:
            raise UsageError(f"--out: {self.path} cannot be written: {error.strerror}") from None
        self.journal.path.unlink(missing_ok=True)
        return found
