"""The commands for files of records: `verify` and `show`."""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from atout.cli.common import Language, on_whole_screen, out, prepare
from atout.errors import RecordError, UsageError
from atout.files import BEGINNING, IS_SHEET
from atout.i18n import Texts, preferred, reason_of, say

if TYPE_CHECKING:
    from atout.editions import Edition


def is_sheet(path: str | Path) -> bool:
    """Whether a file is the other kind that Atout writes; one that cannot be read is explained by whoever reads it."""
    if str(path) == "-" or not Path(path).is_file():
        return False
    try:
        with Path(path).open("rb") as file:
            return IS_SHEET.match(file.read(BEGINNING)) is not None
    except OSError:
        return False


def refuse_sheet(path: str | Path) -> None:
    if is_sheet(path):
        raise UsageError(say("cli.error.is-sheet", path=path))


def verify(
    files: Annotated[list[str], typer.Argument(help="Files of records; - is standard input.", metavar="FILE…")],
    edition: Annotated[str | None, typer.Option("--edition", "-e", help="House rules of the records.")] = None,
    fair: Annotated[
        bool, typer.Option("--fair", help="Also compute every deal again from the revealed secret.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the counts and every error as JSON.")] = False,
) -> None:
    """Check records against the rules; every error is printed with its file, line, round and action."""
    prepare("rules", "records")
    from atout.editions import load
    from atout.records import Verifier

    house: Edition | None = load(edition) if edition else None
    verifier: Any = Verifier(house)
    if fair:
        from atout.tables.shuffle import FairVerifier

        verifier = FairVerifier(house)
    good = wrong = unreadable = shown = 0
    errors: list[dict[str, Any]] = []
    for name in files:
        try:
            found = 0
            for number, problem in check_file(verifier, name):
                found += 1
                if problem is None:
                    good += 1
                else:
                    wrong += 1
                    errors.append({"file": name, "line": number, "error": problem})
            if not found:
                wrong += 1
                errors.append({"file": name, "line": 1, "error": "no record; expected one JSON object per line"})
            for one in [] if as_json else errors[shown:]:
                typer.echo(f"{one['file']}:{one['line']}: {one['error']}")
            shown = len(errors)
        except BrokenPipeError:  # of the output: the reader has seen enough
            raise
        except OSError as error:
            unreadable += 1
            typer.echo(f"{name}: cannot be read: {error.strerror}", err=True)
    if as_json:
        counts = {"verified": good, "wrong": wrong, "unreadable": unreadable, "deals": verifier.deals if fair else None}
        typer.echo(json.dumps({**counts, "errors": errors}, ensure_ascii=False))
        raise typer.Exit(2 if unreadable else 1 if wrong else 0)
    verified = "1 record verified" if good == 1 else f"{good} records verified"
    if unreadable or wrong:
        typer.echo(f"{verified}, {wrong} wrong", err=True)
        raise typer.Exit(2 if unreadable else 1)
    typer.echo(f"{verified}, {verifier.deals} deals computed again" if fair else verified)


def check_file(verifier: Any, name: str) -> Iterator[tuple[int, str | None]]:
    """The number of each line with what is wrong there, or None."""
    from atout.records import MAX_LINE, numbered_lines

    if is_sheet(name):
        yield 1, "a score sheet; expected a record. `atout score` opens it"
        return
    with sys.stdin.buffer if name == "-" else Path(name).open("rb") as file:
        for number, line in numbered_lines(file):
            if line is None:
                yield number, f"longer than {MAX_LINE >> 20} MiB; a record has a few KiB"
                continue
            try:
                verifier.check(line)
            except RecordError as error:
                yield number, str(error)
            else:
                yield number, None


def show(
    file: Annotated[str, typer.Argument(metavar="FILE")],
    match: Annotated[int, typer.Option("--match", "-g", min=1)] = 1,
    move: Annotated[int | None, typer.Option("--move", "-m", min=0)] = None,
    edition: Annotated[str | None, typer.Option("--edition", "-e")] = None,
    plain: Annotated[bool, typer.Option("--plain")] = False,
    language: Language = None,
) -> None:
    """Show a match: step through it on the whole screen, or print it for people to read, trick by trick."""
    prepare("rules", "records")
    from atout.editions import load
    from atout.terminal.show import show_record

    number, line = pick_line(file, match)
    try:
        record = read_record(line, load(edition) if edition else None)
        if file != "-" and on_whole_screen(plain):
            show_on_screen(record, move, language)
        else:
            show_record(record, out, move, Texts(preferred(language)))
    except RecordError as error:
        typer.echo(f"{file}:{number}: {error}", err=True)
        raise typer.Exit(1) from None


def show_on_screen(record: dict[str, Any], move: int | None, language: str | None) -> None:
    """The record in the interactive viewer, with names that tell the seats apart."""
    from atout.terminal.screen.viewer import ViewerApp
    from atout.terminal.seats import distinct, recorded_names

    record = {**record, "names": [name or None for name in distinct(recorded_names(record, record["players"]))]}
    ViewerApp(record, Texts(preferred(language)), move).run()


def pick_line(name: str, match: int) -> tuple[int, bytes]:
    """The line with this number, counting only lines that are not blank."""
    from atout.records import numbered_lines

    refuse_sheet(name)
    count = 0
    try:
        with sys.stdin.buffer if name == "-" else Path(name).open("rb") as file:
            for number, line in numbered_lines(file):
                count += 1
                if count == match:
                    return number, line or b""
    except OSError as error:
        raise UsageError(say("cli.error.read", path=name, reason=reason_of(error))) from None
    if not count:
        raise UsageError(say("cli.error.no-match", path=name))
    raise UsageError(say("cli.error.match", n=match, path=name, count=count))


def only_line(path: Path) -> bytes:
    """The line of a file with one match. Whoever goes on with a match writes it to its file again."""
    from atout.records import numbered_lines

    refuse_sheet(path)
    try:
        with path.open("rb") as file:
            lines = [line or b"" for _, line in itertools.islice(numbered_lines(file), 2)]
    except OSError as error:
        raise UsageError(say("cli.error.read", path=path, reason=reason_of(error))) from None
    if len(lines) != 1:
        raise UsageError(say("cli.error.resume.several" if lines else "cli.error.resume.empty", path=path))
    return lines[0]


def read_record(line: bytes, house: Edition | None = None) -> dict[str, Any]:
    """A line as plain data with all its fields, types checked, and with the house rules if it needs them."""
    from atout.editions import to_tree
    from atout.records import Verifier

    decoded = Verifier(house).decode(line)
    record: dict[str, Any] = json.loads(line)
    if decoded.rules is not None and house is not None:
        record.setdefault("rules", to_tree(house))
    return record
