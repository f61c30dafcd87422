"""Saved matches: a record on one line of JSON, with the people and bots at its seats.

Only the session's own file is overwritten.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from atout.errors import UsageError
from atout.files import InUse, OwnFile
from atout.game import Game
from atout.i18n import Texts, say
from atout.terminal.seats import Seating

RESUME = "resume"
"""The field of a saved match that a record does not have."""


@dataclass(frozen=True)
class ShellCommands:
    """What the player can type in the shell afterwards; `{path}` is the file of the match."""

    resume: str = "atout play --resume {path}"
    review: str = "atout review {path}"

    def about(self, path: Path, is_over: bool, texts: Texts) -> list[str]:
        """Where the match is saved, and the command that goes on with it, or that reviews it when it is over."""
        what, command = ("terminal.review.with", self.review) if is_over else ("terminal.resume", self.resume)
        return [
            texts.t("terminal.saved", path=path),
            texts.t(what),
            f"  {command.format(path=shlex.quote(str(path)))}",
        ]


class Saves:
    """Where a session saves its match."""

    def __init__(self, path: Path, is_own: bool) -> None:
        """`is_own`: the file at `path` holds this match and may be overwritten; `InUse` if another program saves there.

        Read that file after this: what somebody else changes in it from now on is not overwritten.
        """
        self._path, self._is_own = path, is_own
        self._file = OwnFile(path) if is_own else None
        self.failure = ""
        """Why the match could not be saved the last time; empty if it could."""

    @classmethod
    def elsewhere(cls, name: str) -> Self:
        """Saves to a new file that the user names."""
        saves = cls(Path(name), is_own=False)
        saves._file = OwnFile.elsewhere(name)
        saves._path = saves._file.path
        return saves

    @property
    def was_written(self) -> bool:
        return self._is_own

    @property
    def path(self) -> Path:
        return self._path

    @property
    def has_earlier(self) -> bool:
        """Whether the match could not be saved, and the file still holds it as it was before."""
        return bool(self.failure) and self._is_own and self._file is not None and self._file.is_as_known

    def save(self, game: Game, seating: Seating) -> Path:
        """Write to the session's own file; if another match has that name, add a number."""
        return self.save_record(saved(game, seating))

    def save_record(self, record: Mapping[str, Any]) -> Path:
        """As `save`, for a match that was played elsewhere."""
        try:
            if self._file is None:
                self._file = _new_file(self._path)
            self._write(self._file, record)
        except UsageError as error:
            self.failure = str(error)
            raise
        return self._path

    def save_as(self, name: str, record: Mapping[str, Any]) -> Path:
        """Write to a new file that the user names, or to the session's own, and from then on."""
        before, file = self._file, OwnFile.elsewhere(name, self._file)
        try:
            self._write(file, record)
        except UsageError:
            if file is not before:
                file.close()
            raise
        self._keep(file)
        return self._path

    def _keep(self, file: OwnFile) -> None:
        """From now on this is the session's file."""
        if self._file is not None and self._file is not file:
            self._file.close()
        self._file = file

    def _write(self, file: OwnFile, record: Mapping[str, Any]) -> None:
        try:
            body = (json.dumps(record, ensure_ascii=False) + "\n").encode()
        except ValueError as error:  # half a character, typed as a name
            raise UsageError(say("cli.error.write", path=file.path, reason=error)) from None
        file.write(body)
        self._path, self._is_own, self.failure = file.path, True, ""

    def close(self) -> None:
        """Other programs may save to the file now."""
        if self._file is not None:
            self._file.close()


def saved(game: Game, seating: Seating) -> dict[str, Any]:
    """A saved match: its record, who sits where, and what it needs to go on."""
    return {**game.record(), **seating.written(), RESUME: resume_of(game)}


def resume_of(game: Game) -> dict[str, Any]:
    """What a record does not contain but a match needs to go on unchanged: the seed, and a number of rounds."""
    length = game.setup.options.written(game.setup.edition, game.setup.players).get("length")
    return {"seed": game.seed, **(length if isinstance(length, dict) and "rounds" in length else {})}


def game_of(record: dict[str, Any], seed: int | None = None) -> Game:
    """The match of a saved record, ready to go on. `seed` replaces its own."""
    kept = record.get(RESUME)
    resume = kept if isinstance(kept, dict) else {}
    saved, rounds = resume.get("seed"), resume.get("rounds")
    if isinstance(rounds, int):
        record = {**record, "options": {**record.get("options", {}), "length": {"rounds": rounds}}}
    return Game.from_record(record, saved if seed is None and isinstance(saved, int) else seed)


def _new_file(path: Path) -> OwnFile:
    """A file that is not there yet, and that no other program is about to write: this path, or one with a number."""
    number, free = 2, path
    while True:
        if not free.exists():
            with suppress(InUse):
                file = OwnFile(free)
                if not free.exists():
                    return file
                file.close()
        free = path.with_stem(f"{path.stem}-{number}")
        number += 1


def free_name(name: str) -> str:
    """This name of a file, in which `~` is the user's home folder, or one with a number: one that no file has."""
    path = free = Path(name)
    number = 2
    with suppress(OSError, RuntimeError):  # whoever saves there says what is wrong
        while free.expanduser().exists():
            free = path.with_stem(f"{path.stem}-{number}")
            number += 1
    return str(free)


def state_folder() -> Path:
    """The folder for what Atout remembers about the user: `ATOUT_STATE`, else `atout` in the user's state folder."""
    chosen = os.environ.get("ATOUT_STATE")
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_STATE_HOME")
    return (Path(home) if home else Path("~").expanduser() / ".local" / "state") / "atout"
