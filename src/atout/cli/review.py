"""The command `review`: what the decisions of a match were worth."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from atout.cli.common import out, prepare, progress
from atout.cli.records import pick_line, read_record
from atout.errors import RecordError, UsageError

if TYPE_CHECKING:
    from atout.study import Decision, Study

CORES = 2
"""Cores that `--time` is meant for, however many there are: the same time is the same work everywhere."""
MOST_JOBS = 8


def review(
    file: Annotated[str, typer.Argument(help="File of records; - is standard input.", metavar="FILE")],
    game: Annotated[int, typer.Option("--game", "-g", min=1, help="Which record of the file, from 1.")] = 1,
    seat: Annotated[
        int | None, typer.Option("--seat", "-s", min=0, help="Whose decisions; the only person's, if there is one.")
    ] = None,
    time: Annotated[
        str | None, typer.Option("--time", "-t", help="How long it may take on two cores: 60s, 2m. It sets the work.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One line of JSON for each decision, then the ledger.")] = False,
    html: Annotated[str | None, typer.Option("--html", help="Write a page to this file.", metavar="FILE")] = None,
) -> None:
    """Review a match: what each decision was worth given what the seat knew, and where points were won and lost."""
    if json and html:
        raise UsageError("--json and --html: one of them is allowed, not both")
    seconds = None if time is None else CORES * parse_time(time)
    number, line = pick_line(file, game)
    prepare("review")
    from atout.study import Study

    try:
        record = read_record(line)
        study = Study(record, default_seat(record) if seat is None else seat, seconds)
    except RecordError as error:
        typer.echo(f"{file}:{number}: {error}", err=True)
        raise typer.Exit(1) from None
    if json:
        _write_json(record, study, seconds)
        return
    decisions = []
    with progress("decisions", max(1, len(study.positions))) as advance:
        for decision in reviewed(record, study, seconds):
            decisions.append(decision)
            advance()
    found = study.review(decisions)
    from atout.terminal.review import print_review

    print_review(found, record, out)


def _write_json(record: Any, study: Study, seconds: float | None) -> None:
    import msgspec

    decisions = []
    for decision in reviewed(record, study, seconds):
        decisions.append(decision)
        sys.stdout.buffer.write(msgspec.json.encode(decision) + b"\n")
        sys.stdout.buffer.flush()
    sys.stdout.buffer.write(msgspec.json.encode(study.review(decisions).ledger) + b"\n")


def parse_time(text: str) -> float:
    """Seconds from a text.

    >>> parse_time("60s"), parse_time("1.5m"), parse_time("90")
    (60.0, 90.0, 90.0)
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(s|m|)", text.strip())
    if found is None:
        raise UsageError(f"--time: {text[:40]!r} is not allowed; expected seconds or minutes: 60s, 2m")
    return float(found[1]) * (60 if found[2] == "m" else 1)


def default_seat(record: dict[str, Any]) -> int:
    """The seat of the only person, else 0."""
    bots = record.get("bots")
    people = [seat for seat, bot in enumerate(bots) if bot is None] if isinstance(bots, list) else []
    return people[0] if len(people) == 1 and people[0] < int(record["players"]) else 0


_study: Study | None = None


def _begin(record: dict[str, Any], seat: int, seconds: float | None) -> None:
    """In a process of its own: read the record once."""
    global _study
    from atout.study import Study

    _study = Study(record, seat, seconds)


def _decide(number: int) -> Decision:
    assert _study is not None
    return _study.decision(number)


def reviewed(record: dict[str, Any], study: Study, seconds: float | None) -> Iterator[Decision]:
    """The decisions in order, computed on several cores."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    count = len(study.positions)
    jobs = min(count, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1, MOST_JOBS)
    if jobs <= 1:
        yield from map(study.decision, range(count))
        return
    settings = (record, study.seat, seconds)
    with ProcessPoolExecutor(jobs, get_context("spawn"), _begin, settings) as pool:
        yield from pool.map(_decide, range(count))
