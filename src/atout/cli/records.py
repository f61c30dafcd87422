"""Files of records: `verify` and `show`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from atout.cli.common import out, prepare
from atout.errors import RecordError, UsageError

if TYPE_CHECKING:
    from atout.editions import Edition


def verify(
    files: Annotated[list[str], typer.Argument(help="Files of records; - is standard input.", metavar="FILE…")],
    edition: Annotated[
        str | None, typer.Option("--edition", "-e", help="House rules the records were played by.")
    ] = None,
    fair: Annotated[
        bool, typer.Option("--fair", help="Compute every deal again from the revealed secret, too.")
    ] = False,
) -> None:
    """Replay records against the rules: every foul by file, line, round and action."""
    prepare("rules", "records")
    from atout.editions import load
    from atout.records import Verifier

    house: Edition | None = load(edition) if edition else None
    verifier: Any = Verifier(house)
    if fair:
        from atout.tables.shuffle import FairVerifier

        verifier = FairVerifier(house)
    good = fouls = unreadable = 0
    for name in files:
        try:
            found = 0
            for number, problem in check_file(verifier, name):
                found += 1
                if problem is None:
                    good += 1
                else:
                    fouls += 1
                    typer.echo(f"{name}:{number}: {problem}")
            if not found:
                fouls += 1
                typer.echo(f"{name}:1: no game in it; a file of records has one JSON object a line")
        except OSError as error:
            unreadable += 1
            typer.echo(f"{name}: cannot be read: {error.strerror}", err=True)
    if unreadable or fouls:
        typer.echo(f"{good} games verified, {fouls} fouls", err=True)
        raise typer.Exit(2 if unreadable else 1)
    typer.echo(f"{good} games verified, {verifier.deals} deals computed again" if fair else f"{good} games verified")


def check_file(verifier: Any, name: str) -> Iterator[tuple[int, str | None]]:
    """Line numbers with what is wrong there, or None."""
    from atout.records import MAX_LINE, numbered_lines

    with sys.stdin.buffer if name == "-" else Path(name).open("rb") as file:
        for number, line in numbered_lines(file):
            if line is None:
                yield number, f"longer than {MAX_LINE >> 20} MiB; a game is a few KiB"
                continue
            try:
                verifier.check(line)
            except RecordError as error:
                yield number, str(error)
            else:
                yield number, None


def show(
    file: Annotated[str, typer.Argument(help="File of records; - is standard input.", metavar="FILE")],
    game: Annotated[int, typer.Option("--game", "-g", min=1, help="Which game of the file.")] = 1,
    move: Annotated[int | None, typer.Option("--move", "-m", min=0, help="Stop after so many actions.")] = None,
    edition: Annotated[
        str | None, typer.Option("--edition", "-e", help="House rules the record was played by.")
    ] = None,
) -> None:
    """Print a game readably, trick by trick."""
    prepare("rules", "records")
    from atout.editions import load
    from atout.terminal.show import show_record

    number, line = pick_line(file, game)
    try:
        show_record(read_record(line, load(edition) if edition else None), out, move)
    except RecordError as error:
        typer.echo(f"{file}:{number}: {error}", err=True)
        raise typer.Exit(1) from None


def pick_line(name: str, game: int) -> tuple[int, bytes]:
    """The game-th line with something on it."""
    from atout.records import numbered_lines

    count = 0
    try:
        with sys.stdin.buffer if name == "-" else Path(name).open("rb") as file:
            for number, line in numbered_lines(file):
                count += 1
                if count == game:
                    return number, line or b""
    except OSError as error:
        raise UsageError(f"{name}: cannot be read: {error.strerror}") from None
    raise UsageError(f"--game: {game} is not allowed; {name} has {count} games")


def read_record(line: bytes, house: Edition | None = None) -> dict[str, Any]:
    """A line as plain data with all its keys, of the right types; house rules put in where it needs them."""
    from atout.editions import to_tree
    from atout.records import Verifier

    told = Verifier(house).decode(line)
    record: dict[str, Any] = json.loads(line)
    if told.rules is not None and house is not None:
        record.setdefault("rules", to_tree(house))
    return record
