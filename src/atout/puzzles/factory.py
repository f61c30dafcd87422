"""Many rounds on many cores: puzzles are appended to a file as they are found, and a later run goes on from there.

The first line of the file says what is made; then one line for each round, in their order. So the file of a seed is the
same for any number of processes, as far as it goes.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

import msgspec
from msgspec import Struct

from atout.bots.bot import Reason
from atout.errors import RecordError, UsageError
from atout.files import replace_file
from atout.puzzles.make import TABLES, Made, PuzzleTable, judged_again, make_round, position_of, stands_up
from atout.puzzles.model import LEVELS, Puzzle

AHEAD = 3
"""Rounds that are handed out for each process, so that none waits for a slow one."""
MOST_EASY = 0.1
"""The share of puzzles that every level finds, at most."""


class Header(Struct, frozen=True):
    """The first line of a file."""

    seed: int
    tables: tuple[PuzzleTable, ...]


class Progress(Struct, frozen=True):
    """How far the work is."""

    rounds: int
    puzzles: int
    phases: Counter[str]


def tables_of(edition: str | None) -> tuple[PuzzleTable, ...]:
    """Where rounds are played; of one edition, or of all."""
    some = tuple(table for table in TABLES if edition in (None, table.edition))
    if not some:
        known = ", ".join(dict.fromkeys(table.edition for table in TABLES))
        raise UsageError(f"--edition: {str(edition)[:40]!r} is not allowed; allowed: {known}")
    return some


def begin(output: Path, header: Header) -> list[Made]:
    """What a file holds already. A line that was cut off by the end of a process is dropped."""
    with _named(output):
        if not output.exists():
            output.write_bytes(msgspec.json.encode(header) + b"\n")
            return []
        body = output.read_bytes()
    whole = body[: body.rfind(b"\n") + 1]
    try:
        first, *lines = whole.splitlines()
        known = msgspec.json.decode(first, type=Header)
        made = [msgspec.json.decode(line, type=Made) for line in lines]
    except (ValueError, msgspec.MsgspecError) as error:
        raise UsageError(f"{output}: is no file of puzzles being made: {error}") from None
    if known != header:
        raise UsageError(f"{output}: was begun with another seed or edition; expected seed {known.seed}")
    if whole != body:
        with _named(output):
            replace_file(output, whole)
    return made


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Errors of reading and writing name the file."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"--output: {path} cannot be written: {error.strerror}") from None


def make(
    output: Path,
    seed: int,
    count: int,
    jobs: int,
    minutes: float | None = None,
    edition: str | None = None,
    on_progress: Callable[[Progress], None] = lambda _: None,
) -> int:
    """Make puzzles until there are `count` or the time is over. Returns how many there are."""
    end = None if minutes is None else time.monotonic() + 60 * minutes
    tables = tables_of(edition)
    phases: Counter[str] = Counter()
    number = 0
    ids: set[str] = set()
    for made in begin(output, Header(seed, tables)):
        ids.update(puzzle.id for puzzle in made.puzzles)
        phases.update(puzzle.phase for puzzle in made.puzzles)
        number = made.number + 1
    with output.open("ab", buffering=0) as file:
        for made in _rounds(seed, number, tables, jobs, end, lambda: len(ids) >= count):
            line = msgspec.json.encode(made) + b"\n"
            with _named(output):
                while line:
                    line = line[file.write(line) :]
            ids.update(puzzle.id for puzzle in made.puzzles)
            phases.update(puzzle.phase for puzzle in made.puzzles)
            on_progress(Progress(made.number + 1, len(ids), phases))
    return len(ids)


def _rounds(
    seed: int, number: int, tables: Sequence[PuzzleTable], jobs: int, end: float | None, is_enough: Callable[[], bool]
) -> Iterator[Made]:
    """Rounds in their order, from `number` on."""
    if jobs == 1:
        while not is_enough() and (end is None or time.monotonic() < end):
            yield make_round(seed, number, tables)
            number += 1
        return
    pool = ProcessPoolExecutor(jobs, get_context("spawn"))
    waiting: deque[Future[Made]] = deque()
    try:
        while not is_enough():
            while len(waiting) < AHEAD * jobs:
                waiting.append(pool.submit(make_round, seed, number, tables))
                number += 1
            left = None if end is None else max(0.0, end - time.monotonic())
            try:
                yield waiting.popleft().result(left)
            except TimeoutError:
                return
    finally:
        for process in list(getattr(pool, "_processes", {}).values()):
            process.terminate()
        pool.shutdown(wait=False, cancel_futures=True)


def made_in(files: Sequence[Path]) -> list[Puzzle]:
    """All puzzles of files that were made, each once; what their reasons say agrees with their values."""
    found: dict[str, Puzzle] = {}
    for path in files:
        try:
            _, *lines = path.read_bytes().splitlines()
            for line in lines:
                found |= {puzzle.id: puzzle for puzzle in msgspec.json.decode(line, type=Made).puzzles}
        except (OSError, ValueError, msgspec.MsgspecError) as error:
            raise UsageError(f"{path}: is no file of puzzles that were made: {error}") from None
    return [agreeing(one) for one in found.values()]


def picked(puzzles: Sequence[Puzzle], count: int) -> list[Puzzle]:
    """A varied selection: one after the other, of what there is least so far."""
    counts: Counter[tuple[object, ...]] = Counter()
    left = sorted(puzzles, key=lambda one: one.id)
    found: list[Puzzle] = []
    easy = 0
    while left and len(found) < count:
        best = min(left, key=lambda one: sum(counts[kind] for kind in _kinds(one)))
        left.remove(best)
        if len(best.found) == len(LEVELS):
            if easy >= MOST_EASY * count:
                continue
            easy += 1
        found.append(best)
        counts.update(_kinds(best))
    return found


def agreeing(puzzle: Puzzle) -> Puzzle:
    """The puzzle with the gains of its reason as in its values: where a sentence says what a side gains, that is the
    value of the choice.
    """
    return msgspec.structs.replace(puzzle, reason=tuple(_agreeing(one, puzzle) for one in puzzle.reason))


def _agreeing(reason: Reason, puzzle: Puzzle) -> Reason:
    if reason.code != "side":
        return reason
    try:
        gains = {
            f"{who}_gain": puzzle.values[f"{puzzle.seat} {reason.parameters[who]}"].known for who in ("best", "other")
        }
    except KeyError as error:
        raise UsageError(f"puzzle {puzzle.id}: its reason needs {error}, which is missing") from None
    return Reason("side", {**reason.parameters, **gains})


def is_sure(puzzle: Puzzle) -> bool:
    """Whether the two strongest levels find it."""
    return set(LEVELS[-2:]) <= set(puzzle.found)


def checked(
    puzzles: Sequence[Puzzle], count: int, jobs: int, on_progress: Callable[[int, int], None] = lambda *_: None
) -> list[Puzzle]:
    """A varied selection, in which every answer that one of the two strongest levels does not find has
    stood up to the end of the round. `on_progress` hears how many of the doubted ones
    were tried, and how many there are.
    """
    left, sure = list(puzzles), set[str]()
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        while True:
            chosen = picked(left, count)
            doubted = [one for one in chosen if not is_sure(one) and one.id not in sure]
            if not doubted:
                return chosen
            stood: list[bool] = []
            for is_good in pool.map(stands_up, doubted):
                stood.append(is_good)
                on_progress(len(stood), len(doubted))
            sure |= {one.id for one, is_good in zip(doubted, stood, strict=True) if is_good}
            dropped = {one.id for one in doubted} - sure
            left = [one for one in left if one.id not in dropped]


def checked_again(
    puzzles: Sequence[Puzzle], jobs: int, on_progress: Callable[[int, int], None] = lambda *_: None
) -> list[Puzzle]:
    """The puzzles that are right by the present networks, with the values and reasons these give; of those that had to
    be judged, only what the two strongest levels find. `on_progress` hears how many were judged, and of how many.

    Before the work begins, `UsageError` names the first puzzle that breaks a rule.
    """
    puzzles = [agreeing(one) for one in puzzles]
    for number, puzzle in enumerate(puzzles, 1):
        try:
            position_of(puzzle)
        except RecordError as error:
            raise UsageError(f"puzzle {number} ({puzzle.id}): {error}") from None
    found: list[Puzzle] = []
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for done, (before, now) in enumerate(zip(puzzles, pool.map(judged_again, puzzles), strict=True), 1):
            if now is not None and (now == before or is_sure(now)):
                found.append(agreeing(now))
            on_progress(done, len(puzzles))
    return found


def _kinds(puzzle: Puzzle) -> tuple[tuple[object, ...], ...]:
    """What a selection is varied by."""
    table = puzzle.edition, puzzle.players, puzzle.has_teams
    return (puzzle.edition, puzzle.phase), table, (puzzle.theme,), (puzzle.rating // 100,), (puzzle.found,)
