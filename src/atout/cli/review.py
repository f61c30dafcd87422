"""The command `review`: what the decisions of a match were worth."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from atout.cli.common import Language, check_place, out, prepare, progress, refuse_inputs
from atout.cli.records import pick_line, read_record
from atout.errors import RecordError, UsageError
from atout.files import replace_file
from atout.i18n import Texts, preferred, reason_of, say

if TYPE_CHECKING:
    from atout.study import Decision, Review, Study

CORES = 2
"""Cores that `--time` is meant for, however many there are: the same time is the same work everywhere."""
MOST_JOBS = 8


def review(
    file: Annotated[str, typer.Argument(metavar="FILE")],
    match: Annotated[int, typer.Option("--match", "-g", min=1)] = 1,
    seat: Annotated[int | None, typer.Option("--seat", "-s", min=0)] = None,
    time: Annotated[str | None, typer.Option("--time", "-t")] = None,
    json: Annotated[bool, typer.Option("--json")] = False,
    html: Annotated[str | None, typer.Option("--html", metavar="FILE")] = None,
    language: Language = None,
) -> None:
    """Review a match: what each decision was worth given what the seat knew, and where points were won and lost."""
    texts = Texts(preferred(language))
    if json and html:
        raise UsageError(say("cli.error.json-html"))
    seconds = None if time is None else CORES * parse_time(time)
    refuse_inputs("--html", html or None, file)
    if html:
        check_place("--html", html)
    number, line = pick_line(file, match)
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
    everything: list[Any] = []
    with progress(say("cli.decisions"), len(study.positions)) as advance:
        for one in reviewed(record, study, seconds):
            everything.append(one)
            if len(everything) <= len(study.positions):  # the last is the review itself
                advance()
    found = everything[-1]
    if html:
        _write_html(html, found, record, texts)
        return
    from atout.terminal.review import print_review

    print_review(found, record, out, texts)


def _write_html(name: str, found: Review, record: Any, texts: Texts) -> None:
    from pathlib import Path

    from atout.terminal.review_html import page

    try:
        replace_file(Path(name), page(found, record, texts).encode())
    except OSError as error:
        raise UsageError(say("cli.error.write", path=f"--html: {name}", reason=reason_of(error))) from None
    typer.echo(say("cli.reviewed", n=len(found.decisions), path=name))


def _write_json(record: Any, study: Study, seconds: float | None) -> None:
    import msgspec

    for one in reviewed(record, study, seconds):
        part = getattr(one, "ledger", one)
        sys.stdout.buffer.write(msgspec.json.encode(part) + b"\n")
        sys.stdout.buffer.flush()


def parse_time(text: str, option: str = "--time") -> float:
    """Seconds from a text.

    >>> parse_time("60s"), parse_time("1.5m"), parse_time("90")
    (60.0, 90.0, 90.0)
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(s|m|)", text.strip())
    if found is None:
        raise UsageError(say("cli.error.time", option=option, text=repr(text[:40])))
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


def _curve(number: int) -> Any:
    assert _study is not None
    return _study.curve(number)


def reviewed(record: dict[str, Any], study: Study, seconds: float | None) -> Iterator[Decision | Review]:
    """The decisions in order, computed on several cores; at last the whole review."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from atout.warm import cores

    count, decisions = len(study.positions), []
    jobs = min(count, cores(), MOST_JOBS)
    if jobs <= 1:
        for number in range(count):
            decisions.append(study.decision(number))
            yield decisions[-1]
        yield study.review(decisions)
        return
    settings = (record, study.seat, seconds)
    with ProcessPoolExecutor(jobs, get_context("spawn"), _begin, settings) as pool:
        found = pool.map(_decide, range(count))
        curves = pool.map(_curve, range(len(study.rounds)))
        for decision in found:
            decisions.append(decision)
            yield decision
        yield study.review(decisions, list(curves))
