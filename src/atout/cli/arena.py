"""Commands in which bots play or are examined: `simulate`, `arena`, `exam`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from atout.bots.registry import DEFAULT_LEVEL
from atout.cli.common import (
    EditionName,
    OptionsText,
    Players,
    bot_files,
    check_writable,
    err,
    held,
    out,
    packages_of,
    parse_options,
    prepare,
    prepare_for,
    progress,
    refuse_inputs,
    rules_file,
)
from atout.errors import UsageError
from atout.files import is_same_file, replace_file


def simulate(
    edition: EditionName,
    players: Players,
    matches: Annotated[int, typer.Option("--matches", "-g", min=1, max=1_000_000_000, help="How many matches.")],
    path: Annotated[Path, typer.Option("--out", "-o", help="File of records (JSON Lines); - is standard output.")],
    seed: Annotated[int, typer.Option("--seed", "-s", help="The same seed gives the same file.")] = 0,
    bots: Annotated[
        str, typer.Option("--bots", "-b", help="One bot for all seats, or one for each seat, separated by commas.")
    ] = DEFAULT_LEVEL,
    budget: Annotated[
        str | None,
        typer.Option(
            "--budget", help="Budget of a decision: 200ms, 0.5s, or 2000 (nodes); default: the bot's own nodes."
        ),
    ] = None,
    options: OptionsText = "{}",
    workers: Annotated[int, typer.Option("--workers", "-w", min=0, max=1024, help="Processes; 0: all cores.")] = 0,
) -> None:
    """Let bots play matches and write their records; a budget of seconds makes them differ from run to run."""
    from atout.arena import Simulation, parse_budget
    from atout.game import Setup
    from atout.warm import cores

    names = bots.split(",")
    for one in (path, part_of(path)):
        refuse_inputs("--out", one, rules_file(edition), *bot_files(names), writes_records=True)
    table = Setup.of(edition, players, parse_options(options))
    allowed = None if budget is None else parse_budget(budget)
    simulation = Simulation.of(table, names, seed, allowed)
    if set(names) == {"random"}:
        prepare("rules")
    else:
        prepare_for(names)
    written = 0
    with destination(path) as file, progress(f"{table.name}: matches", matches) as advance:
        for line in simulation.lines(matches, workers or cores()):
            file.write(line)
            written += 1
            advance()
    count = "1 match" if written == 1 else f"{written} matches"
    err.print(f"{count} written to {'standard output' if str(path) == '-' else path}", soft_wrap=True)


def arena(
    bots: Annotated[str, typer.Option("--bots", "-b", help="Two or more bots, separated by commas; every pair plays.")],
    edition: EditionName,
    players: Players,
    deals: Annotated[
        int, typer.Option("--deals", "-d", min=1, max=10_000_000, help="Deals (or matches) for each pair.")
    ],
    path: Annotated[Path, typer.Option("--out", "-o", help="File of results (JSON).")],
    budget: Annotated[
        str | None,
        typer.Option("--budget", help="Budget of a decision: 200ms, 0.5s, or 2000 (nodes); default: as on the server."),
    ] = None,
    vetoes: Annotated[
        str, typer.Option("--vetoes", help="Who makes all vetoes of Njet!: own (the bots themselves), novice, random.")
    ] = "own",
    span: Annotated[
        str, typer.Option("--span", help="What is played from each deal: a round in every seating, or a match in 2.")
    ] = "round",
    options: OptionsText = "{}",
    seed: Annotated[int, typer.Option("--seed", "-s", help="The same seed gives the same deals.")] = 0,
    runner: Annotated[str, typer.Option("--runner", help="Where matches are played: local, or ray.")] = "local",
    workers: Annotated[int, typer.Option("--workers", "-w", min=0, max=1024, help="Processes; 0: all cores.")] = 0,
    patience: Annotated[
        float | None,
        typer.Option(
            "--patience",
            min=0.1,
            max=86_400,
            help="Seconds before a decision counts as hung; default: 10, or 20 budgets if that is more.",
        ),
    ] = None,
    picture: Annotated[Path | None, typer.Option("--picture", help="File for a picture of the ratings (SVG).")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the results as JSON instead of tables.")] = False,
) -> None:
    """Measure bots against each other on the same deals, so that luck cancels out.

    A round is played in every seating of the two bots; a whole match in one seating and its mirror, and the next deal
    has the next two.
    """
    with packages_of("arena", "atout arena"):
        import openskill  # noqa: F401  # needed only for the ratings at the end
    from atout.arena import ArenaSettings, Tournament, make_runner, parse_budget
    from atout.arena.chart import ratings_svg
    from atout.arena.report import print_results
    from atout.game import Setup
    from atout.warm import cores

    check_results(path, picture)
    names = [name.strip() for name in bots.split(",")]
    for option, one in (("--out", path), ("--out", part_of(path)), ("--picture", picture)):
        refuse_inputs(option, one, rules_file(edition), *bot_files(names))
    table = Setup.of(edition, players, parse_options(options))
    allowed = None if budget is None else parse_budget(budget)
    settings = ArenaSettings.of(table, names, span=span, vetoes=vetoes, budget=allowed, patience=patience, seed=seed)
    where = make_runner(runner, settings, workers or cores())
    with held("--out", path):
        tournament = Tournament(settings, deals, path)
        check_writable("--picture", picture)
        prepare_for(names)
        left = len(tournament.todo)
        if left < tournament.total:
            err.print(
                f"{tournament.total - left} of {tournament.total} duplicates are finished already", soft_wrap=True
            )
        try:
            with progress(f"{table.name}: duplicates", left) as advance, closing(tournament.play(where)) as duplicates:
                for _ in duplicates:
                    advance()
            found = tournament.finish()
        except BaseException:
            kept = tournament.leave()
            if kept is not None:
                err.print(f"finished results are in {kept}; run the same command to continue", soft_wrap=True)
            raise
    if as_json:
        typer.echo(path.read_text(encoding="utf-8").strip())
    else:
        print_results(found, out)
    err.print(f"results written to {path}", soft_wrap=True)
    if picture is not None:
        write_picture(picture, ratings_svg(found.ratings, f"Ratings · {table.name}"))


def exam(
    bot: Annotated[str, typer.Argument(help="A level, or package.module:Class.", metavar="BOT")],
    nodes: Annotated[int, typer.Option("--nodes", min=1, max=10**9, help="Budget of a decision, in nodes.")] = 200,
    seconds: Annotated[
        float,
        typer.Option("--seconds", min=0, max=3600, help="Budget of a decision, in seconds; 0: do not measure time."),
    ] = 0.1,
    edition: Annotated[
        str | None,
        typer.Option("--edition", "-e", help="Only this edition: an id, or the path of a .toml file with house rules."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", "-s", help="The same seed gives the same questions.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole report as JSON.")] = False,
) -> None:
    """Check that a bot plays legally, repeatably, within its budget and from its view alone, in every phase."""
    import msgspec

    from atout.editions import load
    from atout.exam import Examination
    from atout.exam.text_table import print_report
    from atout.game import Setup

    rules = None if edition is None else load(edition)
    setups = None if rules is None else [Setup.of(rules, players) for players in rules.counts]
    examination = Examination(bot, nodes=nodes, seconds=seconds or None, setups=setups, seed=seed)
    prepare_for([bot])
    try:
        with progress(f"{bot}: conformance", examination.steps) as advance:
            for _ in examination.run():
                advance()
    except KeyboardInterrupt:
        err.print(f"the last question was {examination.asked}", soft_wrap=True)
        raise
    report = examination.report()
    if as_json:
        typer.echo(msgspec.json.encode(report).decode())
    else:
        print_report(report, out)
    if not report.passed:
        raise typer.Exit(1)


def check_results(path: Path, picture: Path | None) -> None:
    """Results are a file, because an interrupted run goes on with it; the picture must be another one."""
    if str(path) == "-":
        raise UsageError("--out: - is not allowed; expected the name of a file; --json prints the results, too")
    if picture is not None and any(is_same_file(picture, one) for one in (path, part_of(path))):
        raise UsageError(f"--picture: {picture} is the file of --out, too; expected another name")


def part_of(path: Path) -> Path:
    """Where results are until they are complete."""
    if not path.name:
        raise UsageError(f"--out: {path} is a folder; expected a file name")
    return path.with_name(path.name + ".part")


def write_picture(path: Path, picture: str) -> None:
    try:
        replace_file(path, picture.encode())
    except OSError as error:
        raise UsageError(f"--picture: {path} cannot be written: {error.strerror}") from None


class Target:
    """A file that is written; errors name it."""

    def __init__(self, file: BinaryIO, name: object) -> None:
        self._file, self._name = file, name

    def write(self, body: bytes) -> None:
        with self._named():
            self._file.write(body)

    def close(self) -> None:
        with self._named():
            self._file.close()

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:  # the reader has seen enough
            raise
        except OSError as error:
            raise UsageError(f"--out: {self._name} cannot be written: {error.strerror}") from None


@contextmanager
def destination(path: Path) -> Iterator[Target | BinaryIO]:
    """A file that is replaced only when the new one is complete, and that no other program writes meanwhile."""
    if str(path) == "-":
        yield sys.stdout.buffer
        return
    if path.exists() and not path.is_file():
        if path.is_dir():
            raise UsageError(f"--out: {path} is a folder; expected a file name")
        with closing(_opened(path, path)) as target:
            yield target
        return
    with held("--out", path):
        part = part_of(path)
        target = _opened(part, path)
        try:
            with closing(target):
                yield target
            _replace(part, path)
        except BaseException:
            if part.stat().st_size:
                err.print(f"finished matches are in {part}", soft_wrap=True)
            else:
                part.unlink()
            raise


def _opened(file: Path, path: Path) -> Target:
    try:
        return Target(file.open("wb"), path)
    except OSError as error:
        raise UsageError(f"--out: {path} cannot be written: {error.strerror}") from None


def _replace(part: Path, path: Path) -> None:
    try:
        part.replace(path)
    except OSError as error:
        raise UsageError(f"--out: {path} cannot be written: {error.strerror}") from None
