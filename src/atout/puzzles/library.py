"""The puzzles that come with Atout, and which of them is that of a day."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path

import msgspec

from atout.errors import UsageError
from atout.puzzles.model import Puzzle

FILE = Path(__file__).parent / "data" / "puzzles.jsonl.gz"
"""One puzzle per line, in the order of the days: `atout puzzles pack` writes it."""


def read(path: Path = FILE) -> list[Puzzle]:
    """The puzzles of a file, packed or not."""
    try:
        body = path.read_bytes()
        lines = (gzip.decompress(body) if path.suffix == ".gz" else body).splitlines()
    except (OSError, EOFError, zlib.error) as error:
        raise UsageError(f"puzzles: {path}: cannot be read: {error}") from None
    found = []
    for number, line in enumerate(lines, 1):
        try:
            puzzle = msgspec.json.decode(line, type=Puzzle)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise UsageError(f"puzzles: {path}:{number}: {error}") from None
        if len(puzzle.record.get("rounds", [])) != 1 or not puzzle.best:
            raise UsageError(f"puzzles: {path}:{number}: expected a record with one round, and a best action")
        found.append(puzzle)
    return found


def pack(puzzles: Iterable[Puzzle]) -> bytes:
    """The content of the file: the same puzzles give the same bytes."""
    return gzip.compress(as_lines(puzzles), 9, mtime=0)


def as_lines(puzzles: Iterable[Puzzle]) -> bytes:
    """The content of a file that is not packed: one puzzle per line, in the order of the days.

    That is the order of the ids. They are digests, so neighbours have nothing in common.
    """
    return b"".join(msgspec.json.encode(puzzle) + b"\n" for puzzle in sorted(puzzles, key=lambda one: one.id))


@cache
def shipped() -> tuple[Puzzle, ...]:
    """The puzzles of this version, in the order of the days."""
    return tuple(read())


@cache
def _by_id() -> dict[str, Puzzle]:
    return {puzzle.id: puzzle for puzzle in shipped()}


def find(id: str) -> Puzzle | None:
    """A puzzle by its id."""
    return _by_id().get(id)


def today() -> date:
    """The day by which puzzles change: UTC, so that it is the same for everybody."""
    return datetime.now(UTC).date()


def of_day(day: date, puzzles: Sequence[Puzzle] | None = None) -> Puzzle:
    """The puzzle of a day. It follows from the date and the list alone.

    >>> of_day(date(2026, 1, 2)) == of_day(date(2026, 1, 2)), of_day(date(2026, 1, 2)) == of_day(date(2026, 1, 3))
    (True, False)
    """
    some = shipped() if puzzles is None else puzzles
    return some[(day - date(1970, 1, 1)).days % len(some)]
