"""The command `atout`: the only place that wires everything.

Exit codes: 0 all is well; 1 a file that breaks the rules or cannot be understood, or a bot that fails its exam;
2 wrong usage; 130 interrupted.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer
from rich.console import Console

from atout.errors import AtoutError, RecordError, UsageError

if TYPE_CHECKING:
    from atout.editions import Edition

app = typer.Typer(
    name="atout",
    help="Njet! and Null & nichtig: play, simulate, verify, study. Unofficial; "
    "the games are by Stefan Dorra and Reiner Stockhausen.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

RESUME = os.environ.get("ATOUT_COMMAND", "atout") + " play --resume {path}"
"""How a saved game is taken up again, by the name the command was called."""

EditionName = Annotated[str, typer.Option("--edition", "-e", help="Id of an edition, or path of a house-rule .toml.")]
Players = Annotated[int, typer.Option("--players", "-n", help="Number of players.")]
OptionsText = Annotated[str, typer.Option("--options", help='As in a record: \'{"length": "short"}\'.')]
Seed = Annotated[int | None, typer.Option("--seed", "-s", help="The same seed gives the same deals.")]


def parse_options(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f'--options: {text[:60]!r} is not JSON ({error}); right would be \'{{"length": "short"}}\''
        ) from None


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def prepare_rules() -> None:
    """Compiled rules are on disk after set-up; where they are not, compile them and say so."""
    from atout import warm

    if not warm.is_warm():
        warm.main()


@app.command()
def play(
    edition: EditionName = "niet-2015",
    players: Players = 4,
    seats: Annotated[str, typer.Option("--me", help="Your seat; several people by commas: 0,2.")] = "0",
    bots: Annotated[
        str, typer.Option("--bots", "-b", help="One bot for the other seats, or one each, by commas.")
    ] = "novice",
    hints: Annotated[
        str | None, typer.Option("--hints", help="The bot that answers when you type hint; else the strongest.")
    ] = None,
    options: OptionsText = "{}",
    seed: Seed = None,
    resume: Annotated[Path | None, typer.Option("--resume", help="A saved game to go on with.")] = None,
) -> None:
    """Play a whole match in the terminal, line by line."""
    prepare_rules()
    from atout.bots import STRONGEST, make_bot
    from atout.game import Game
    from atout.terminal.play import play as play_match
    from atout.terminal.seating import Seating

    adviser = make_bot(hints or STRONGEST)
    if resume is not None:
        record = read_record(pick_line(str(resume), 1)[1])
        seating = Seating.of_record(record)
        game = Game.from_record(record, seed)
        play_match(
            game,
            seating.people,
            seating.bots,
            names=seating.names,
            save_path=resume,
            resumed=True,
            resume_command=RESUME,
            adviser=adviser,
        )
        return
    game = Game.new(edition, players, seed, parse_options(options))
    people = parse_seats(seats, players)
    others = [seat for seat in range(players) if seat not in people]
    names = bots.split(",")
    if len(names) not in (1, len(others)):
        raise UsageError(f"--bots: {len(names)} are named; right would be 1, or {len(others)}, one for each other seat")
    chosen = names * len(others) if len(names) == 1 else names
    sitting = {seat: make_bot(name) for seat, name in zip(others, chosen, strict=True)}
    play_match(game, people, sitting, resume_command=RESUME, adviser=adviser)


def parse_seats(text: str, players: int) -> set[int]:
    parts = [part.strip() for part in text.split(",")]
    seats = {int(part) for part in parts if part.isdecimal() and len(part) < 3}
    if len(seats) != len(parts) or not all(seat < players for seat in seats):
        raise UsageError(f"--me: {text[:40]!r} is not allowed; allowed: seats from 0 to {players - 1}, by commas")
    return seats


def read_record(line: bytes, house: Edition | None = None) -> dict[str, Any]:
    """A line as plain data with all its keys, of the right types; house rules put in where it needs them."""
    from atout.editions import to_tree
    from atout.records import Verifier

    told = Verifier(house).decode(line)
    record: dict[str, Any] = json.loads(line)
    if told.rules is not None and house is not None:
        record.setdefault("rules", to_tree(house))
    return record


@app.command()
def simulate(
    edition: EditionName,
    players: Players,
    games: Annotated[int, typer.Option("--games", "-g", min=1, max=1_000_000_000, help="How many matches.")],
    path: Annotated[Path, typer.Option("--out", "-o", help="File of records (JSON Lines); - is standard output.")],
    seed: Annotated[int, typer.Option("--seed", "-s", help="The same seed gives the same file.")] = 0,
    bots: Annotated[
        str, typer.Option("--bots", "-b", help="One bot for all seats, or one a seat, by commas.")
    ] = "random",
    options: OptionsText = "{}",
    workers: Annotated[int, typer.Option("--workers", "-w", min=0, max=1024, help="Processes; 0: all cores.")] = 0,
) -> None:
    """Let bots play matches and write their records."""
    prepare_rules()
    from atout.arena import Simulation
    from atout.game import Table

    table = Table.of(edition, players, parse_options(options))
    simulation = Simulation.of(table, bots.split(","), seed)
    written = 0
    with destination(path) as file, progress(f"{table.name}: games", games) as advance:
        for line in simulation.lines(games, workers or cores()):
            file.write(line)
            written += 1
            advance()
    err.print(f"{written} games written to {'standard output' if str(path) == '-' else path}", soft_wrap=True)


@app.command()
def arena(
    bots: Annotated[str, typer.Option("--bots", "-b", help="Two or more bots, by commas; every two of them meet.")],
    edition: EditionName,
    players: Players,
    deals: Annotated[int, typer.Option("--deals", "-d", min=1, max=10_000_000, help="Deals (or matches) of a pair.")],
    path: Annotated[Path, typer.Option("--out", "-o", help="File of results (JSON).")],
    budget: Annotated[
        str | None, typer.Option("--budget", help="Of a decision: 200ms, 0.5s, or 2000 nodes; else as the bot likes.")
    ] = None,
    unit: Annotated[str, typer.Option("--unit", help="What a deal is: round, or a whole match.")] = "round",
    options: OptionsText = "{}",
    seed: Annotated[int, typer.Option("--seed", "-s", help="The same seed gives the same deals.")] = 0,
    engine: Annotated[str, typer.Option("--engine", help="Where it is played: local, or ray.")] = "local",
    workers: Annotated[int, typer.Option("--workers", "-w", min=0, max=1024, help="Processes; 0: all cores.")] = 0,
    patience: Annotated[
        float | None,
        typer.Option("--patience", min=0.1, max=86_400, help="Seconds until a decision is a hang; 10, or 20 budgets."),
    ] = None,
    picture: Annotated[Path | None, typer.Option("--picture", help="File for a picture of the ratings (SVG).")] = None,
) -> None:
    """Measure bots against each other: every deal in every seating, so that luck cancels."""
    prepare_rules()
    from atout.arena import Settings, Tournament, make_engine, parse_budget
    from atout.arena.picture import ratings_svg
    from atout.arena.report import print_results
    from atout.game import Table

    table = Table.of(edition, players, parse_options(options))
    names = [name.strip() for name in bots.split(",")]
    settings = Settings.of(table, names, unit=unit, budget=parse_budget(budget), patience=patience, seed=seed)
    where = make_engine(engine, settings, workers or cores())
    tournament = Tournament(settings, deals, path)
    check_writable(picture)
    left = len(tournament.todo)
    if left < tournament.total:
        err.print(f"{tournament.total - left} of {tournament.total} units are finished already", soft_wrap=True)
    try:
        with progress(f"{table.name}: units", left) as advance, closing(tournament.play(where)) as units:
            for _ in units:
                advance()
    except BaseException:
        kept = tournament.leave()
        if kept is not None:
            err.print(f"what was finished is in {kept}; the same command goes on from there", soft_wrap=True)
        raise
    found = tournament.finish()
    print_results(found, out)
    if picture is not None:
        picture.write_text(ratings_svg(found.ratings, f"Ratings · {table.name}"), encoding="utf-8")
    err.print(f"results written to {path}", soft_wrap=True)


@app.command()
def exam(
    bot: Annotated[str, typer.Argument(help="A level, or package.module:Class.", metavar="BOT")],
    nodes: Annotated[int, typer.Option("--nodes", min=1, max=10**9, help="Budget of a decision.")] = 200,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0, max=3600, help="Budget by the clock; 0: do not measure.")
    ] = 0.1,
    edition: Annotated[
        str | None, typer.Option("--edition", "-e", help="Only this one: an id, or a house-rule .toml.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", "-s", help="The same seed gives the same questions.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole report as JSON.")] = False,
) -> None:
    """Examine a bot: legal, repeatable, within its budget, by its view alone, at every table and in every phase."""
    prepare_rules()
    import msgspec

    from atout.editions import load
    from atout.exam import Examination
    from atout.exam.tables import print_report
    from atout.game import Table

    rules = None if edition is None else load(edition)
    tables = None if rules is None else [Table.of(rules, players) for players in rules.counts]
    examination = Examination(bot, nodes=nodes, seconds=seconds or None, tables=tables, seed=seed)
    try:
        with progress(f"{bot}: conformance", examination.steps) as advance:
            for _ in examination.run():
                advance()
    except KeyboardInterrupt:
        err.print(f"the last question: {examination.asked}", soft_wrap=True)
        raise
    report = examination.report()
    if as_json:
        typer.echo(msgspec.json.encode(report).decode())
    else:
        print_report(report, out)
    # Another suite has its place here: run it after this one, print its table, and let it set the exit status too.
    if not report.passed:
        raise typer.Exit(1)


def check_writable(path: Path | None) -> None:
    """Hours of play shall not end at a wrong name."""
    if path is None:
        return
    try:
        path.open("ab").close()
    except OSError as error:
        raise UsageError(f"--picture: {path} cannot be written: {error.strerror}") from None


@contextmanager
def destination(path: Path) -> Iterator[BinaryIO]:
    """A file that appears whole: what is written replaces an old file only when there is something to show."""
    if str(path) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if path.exists() and not path.is_file():
        if path.is_dir():
            raise UsageError(f"--out: {path} is a folder; right would be the name of a file")
        with path.open("wb") as file:
            yield file
        return
    part = path.with_name(path.name + ".part")
    try:
        file = part.open("wb")
    except OSError as error:
        raise UsageError(f"--out: {path} cannot be written: {error.strerror}") from None
    try:
        with file:
            yield file
    except BaseException:
        if part.stat().st_size:
            err.print(f"what was finished is in {part}", soft_wrap=True)
        else:
            part.unlink()
        raise
    part.replace(path)


@contextmanager
def progress(what: str, total: int) -> Iterator[Any]:
    """A bar with the time left on a terminal, ten lines elsewhere."""
    if err.is_terminal:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        with Progress(*columns, console=err) as bar:
            task = bar.add_task(what, total=total)
            yield lambda: bar.advance(task)
        return
    done = 0

    def advance() -> None:
        nonlocal done
        done += 1
        if done * 10 // total > (done - 1) * 10 // total:
            err.print(f"{what} {done}/{total}", soft_wrap=True)

    yield advance


@app.command()
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
    prepare_rules()
    from atout.editions import load
    from atout.records import Verifier

    house: Edition | None = load(edition) if edition else None
    verifier: Any = Verifier(house)
    if fair:
        from atout.tables.fair import FairVerifier

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


@app.command()
def show(
    file: Annotated[str, typer.Argument(help="File of records; - is standard input.", metavar="FILE")],
    game: Annotated[int, typer.Option("--game", "-g", min=1, help="Which game of the file.")] = 1,
    move: Annotated[int | None, typer.Option("--move", "-m", min=0, help="Stop after so many actions.")] = None,
    edition: Annotated[
        str | None, typer.Option("--edition", "-e", help="House rules the record was played by.")
    ] = None,
) -> None:
    """Print a game readably, trick by trick."""
    prepare_rules()
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


@app.command()
def serve(
    host: Annotated[str | None, typer.Option("--host", help="Address to listen on; 127.0.0.1.")] = None,
    port: Annotated[int | None, typer.Option("--port", "-p", help="Port; 8000. 0: any that is free.")] = None,
    database: Annotated[
        str | None, typer.Option("--database", "-d", help="sqlite:///atout.db, or postgresql://user@host/name.")
    ] = None,
    workers: Annotated[int | None, typer.Option("--workers", "-w", help="Processes; several need PostgreSQL.")] = None,
    open_browser: Annotated[
        bool, typer.Option("--open", help="Open the page in a browser; quiet, and any port will do.")
    ] = False,
) -> None:
    """Serve tables to friends, or to everybody. Every setting can be an environment variable: ATOUT_PORT, …"""
    prepare_rules()
    from atout.server.run import serve as run_server
    from atout.server.settings import ServerSettings

    quiet = "warning" if open_browser and "ATOUT_LOG_LEVEL" not in os.environ else None
    settings = ServerSettings.read(host=host, port=port, database=database, workers=workers, log_level=quiet)
    run_server(settings, open_browser)


@app.command()
def backup(
    path: Annotated[Path, typer.Argument(help="A new file.", metavar="FILE")],
    database: Annotated[str | None, typer.Option("--database", "-d", help="As for serve; sqlite:///atout.db.")] = None,
) -> None:
    """Copy the server's SQLite database into a new file, also while it serves. PostgreSQL has pg_dump."""
    from atout.server.settings import ServerSettings
    from atout.store import back_up

    back_up(ServerSettings.read(database=database).database, path)
    out.print(f"copied to {path}", soft_wrap=True)


@app.command()
def editions(
    edition: Annotated[str | None, typer.Argument(help="Id of an edition, or path of a house-rule .toml.")] = None,
) -> None:
    """List the editions; or one of them with its options and the rules in short."""
    from atout.editions import load
    from atout.terminal.editions import list_editions, show_edition

    if edition is None:
        list_editions(out)
    else:
        show_edition(load(edition), out)


def main() -> None:
    """Run a command; whatever goes wrong ends in one clear line, never in a traceback."""
    sys.path.append(str(Path.cwd()))  # a bot of your own may lie where you are; it never hides an installed module
    try:
        app(prog_name="atout")
    except AtoutError as error:
        typer.echo(f"atout: {error}", err=True)
        sys.exit(1 if isinstance(error, RecordError) else 2)
    except KeyboardInterrupt:
        typer.echo("interrupted", err=True)
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(141)
