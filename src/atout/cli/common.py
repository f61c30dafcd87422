"""What the commands share: options, consoles, progress, compilation, optional packages."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, BinaryIO, TypeVar

import typer
from rich.console import Console

from atout.errors import UsageError
from atout.files import IS_MATCH, IS_SHEET, InUse, Lock, is_same_file
from atout.i18n import LANGUAGES, Texts, say


class Output(Console):
    """A console that leaves it to the command line what happens when the reader has closed the output."""

    def on_broken_pipe(self) -> None:
        self.quiet = True
        raise BrokenPipeError


LONGEST = 1 << 24
"""Bytes of a file, or of a line of it, that are read at once to see what it holds; a record has a few KiB."""
out = Output(highlight=False)
err = Output(stderr=True, highlight=False)


def complete_editions(begun: str) -> list[str]:
    from atout.editions import PUBLISHED

    return [name for name in PUBLISHED if name.startswith(begun)]


def complete_bots(begun: str) -> list[str]:
    """Levels for the last of several names separated by commas."""
    from atout.bots.registry import LEVELS

    first, comma, last = begun.rpartition(",")
    return [f"{first}{comma}{name}" for name in LEVELS if name.startswith(last)]


def complete_languages(begun: str) -> list[str]:
    return [name for name in LANGUAGES if name.startswith(begun)]


ENGLISH = Texts()
"""Options that many commands share have their help from the catalogue, whatever else of a command is there."""
EditionName = Annotated[
    str,
    typer.Option("--edition", "-e", help=ENGLISH.t("cli.edition"), autocompletion=complete_editions),
]
RENAMED = {"games": "matches", "game": "match"}
"""Options by their old names, which still work; the glossary has one word for a match."""
OLD_NAMES = {"token_normalize_func": lambda name: RENAMED.get(name, name)}
Players = Annotated[int, typer.Option("--players", "-n", help=ENGLISH.t("cli.players"))]
OptionsText = Annotated[str, typer.Option("--options", help=ENGLISH.t("cli.options"))]
Language = Annotated[str | None, typer.Option("--language", autocompletion=complete_languages)]
Seed = Annotated[int | None, typer.Option("--seed", "-s", help=ENGLISH.t("cli.seed"))]


def parse_options(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(say("cli.error.options", text=repr(text[:60]), reason=error)) from None


def prepare(*names: str, what: str = "") -> None:
    """Compile what these levels and parts need and what is not on disk yet, with a line of progress."""
    from atout import warm

    groups = warm.missing(*names)
    if groups:
        notice = say("cli.first-use", what=what or say("cli.first-use.command"), time=warm.rough_time(groups))
        err.print(notice, markup=False, soft_wrap=not err.is_terminal)
        warm.run(groups)


def prepare_for(bots: Iterable[str]) -> None:
    """Compile what these bots need; a bot of your own that extends a level needs what the level does."""
    from atout.bots import level_behind

    prepare(*(level_behind(name) or name for name in bots))


def on_whole_screen(plain: bool) -> bool:
    """Whether to use the whole screen: on a terminal, unless the user wants lines or Textual is not installed."""
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    if find_spec("textual") is None:
        typer.echo(say("cli.no-screen"), err=True)
        return False
    return True


@contextmanager
def packages_of(extra: str, command: str) -> Iterator[None]:
    """Imports of packages that are installed with an extra; says which extra where they are missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "atout").partition(".")[0] == "atout":
            raise
        raise UsageError(say("cli.error.extra", command=command, extra=extra, name=error.name)) from None


@contextmanager
def progress(what: str, total: int) -> Iterator[Any]:
    """Show progress: a bar with the time left on a terminal, ten lines elsewhere."""
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


def refuse_inputs(
    option: str, output: Path | str | None, *inputs: Path | str | None, writes_records: bool = False
) -> None:
    """Refuse an output that the command reads, too, under whatever name: before any work, so the input is kept.

    `-` is standard input, which may come from a file as well. What `refuse_kept` refuses is refused, too.
    """
    if output is None or str(output) == "-":
        return
    for one in inputs:
        if one is not None and (
            _is_standard_input(Path(output)) if str(one) == "-" else is_same_file(Path(output), Path(one))
        ):
            raise UsageError(say("cli.error.same-file", option=option, path=output))
    refuse_kept(option, Path(output), writes_records=writes_records)


def refuse_kept(option: str, output: Path, *, writes_records: bool = False) -> None:
    """Refuse an output that holds a match or a score sheet, which somebody would miss.

    A command that writes records itself may replace those of bots: they have no names of players.
    """
    try:
        if not output.is_file():
            return
        with output.open("rb") as file:
            is_kept = _is_kept(file, writes_records)
    except OSError:  # whoever writes it says why it cannot be
        return
    if is_kept is None:
        raise UsageError(say("cli.error.large-file", option=option, path=output))
    if is_kept:
        raise UsageError(say("cli.error.kept-file", option=option, path=output))


def _is_kept(file: BinaryIO, writes_records: bool) -> bool | None:
    """Whether a file holds a match or a score sheet, in whatever order their fields are: as the whole file, in a list,
    or on a line. None if it is too large for that to be seen.
    """
    body = file.read(LONGEST + 1)
    is_whole = len(body) <= LONGEST
    if IS_SHEET.match(body) or (IS_MATCH.match(body) and not writes_records):  # also one that was cut off
        return True
    if is_whole:
        with suppress(ValueError, RecursionError):
            found = json.loads(body)
            return any(_is_missed(one, writes_records) for one in (found if isinstance(found, list) else [found]))
    file.seek(0)
    while line := file.readline(LONGEST + 1):
        try:
            if _is_missed(json.loads(line), writes_records):
                return True
        except (ValueError, RecursionError):
            if len(line) > LONGEST or (not is_whole and line.strip() and line.endswith(b"\n")):
                return None
            if IS_MATCH.match(body) and file.tell() == len(line):  # its first line was cut off
                return True
    return False


def _is_missed(found: object, writes_records: bool) -> bool:
    """Whether somebody would miss this value of a file: a score sheet, or a match, unless `simulate` has written it."""
    if not isinstance(found, dict):
        return False
    bots = found.get("bots")
    has_people = "names" in found or (isinstance(bots, list) and None in bots)
    return "atoutSheet" in found or ("atout" in found and (has_people or not writes_records))


def check_place(option: str, path: Path | str) -> None:
    """Check before the work that a file may have this name: it is no folder, and its folder exists."""
    if Path(path).is_dir() or not Path(path).parent.is_dir():
        raise UsageError(say("cli.error.write", path=f"{option}: {path}", reason=say("cli.error.write.folder")))


def _is_standard_input(path: Path) -> bool:
    """Whether standard input is read from this file."""
    try:
        return path.is_file() and os.path.samestat(os.fstat(sys.stdin.fileno()), path.stat())
    except (OSError, ValueError):
        return False


def rules_file(edition: str | None) -> Path | None:
    """The file of house rules that is read for an edition; None for a published one."""
    from atout.editions import file_of

    return None if edition is None else file_of(edition)


def bot_files(names: Iterable[str]) -> list[Path]:
    """The files of the modules from which bots of the user's own come."""
    files = []
    for name in names:
        module, colon, _ = name.strip().partition(":")
        with suppress(ImportError, ValueError, AttributeError):
            found = find_spec(module) if colon else None
            if found is not None and found.has_location and found.origin:
                files.append(Path(found.origin))
    return files


@contextmanager
def held(option: str, path: Path) -> Iterator[None]:
    """Keep other programs from writing the same file while this one does; `-` and devices are nobody's."""
    lock = None
    with suppress(OSError):  # whoever opens it says why it cannot be
        try:
            if str(path) != "-" and (path.is_file() or path.is_dir() or not path.exists()):
                lock = Lock.on(path)
        except InUse as error:
            raise UsageError(f"{option}: {error}") from None
    try:
        yield
    finally:
        if lock is not None:
            lock.release()


T = TypeVar("T")


def ask_for_file(problem: UsageError, take: Callable[[str], T]) -> T:
    """Say what is wrong with a file that is to be written, and ask for another one until `take` accepts it.

    Where nobody can answer, the problem is the error of the command; whoever names no file leaves with its exit code.
    """
    while True:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise problem
        typer.echo(f"atout: {problem}", err=True)
        try:
            name = input(say("cli.another-file")).strip()
        except EOFError:
            name = ""
        if not name:
            raise typer.Exit(2)
        try:
            return take(name)
        except UsageError as error:
            problem = error


def leave_unsaved(failure: str, *lines: str) -> None:
    """The end of a command whose work could not be saved: why, on standard error, and an exit code that says so."""
    for line in (say("terminal.plain.not-saved", error=failure.rstrip(".")), *lines):
        typer.echo(line, err=True)
    raise typer.Exit(2)


def check_writable(option: str, path: Path | None) -> None:
    """Check that a file can be written before hours of work, not after them. No new file is left behind."""
    if path is None:
        return
    try:
        is_new = not path.exists()
        path.open("ab").close()
        if is_new:
            path.unlink()
    except OSError as error:
        raise UsageError(f"{option}: {path} cannot be written: {error.strerror}") from None
