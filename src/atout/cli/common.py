"""What the commands share: options, consoles, progress, compilation, optional packages."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from atout.errors import UsageError
from atout.i18n import LANGUAGES, Texts, say


class Output(Console):
    """A console that leaves it to the command line what happens when the reader has closed the output."""

    def on_broken_pipe(self) -> None:
        self.quiet = True
        raise BrokenPipeError


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
