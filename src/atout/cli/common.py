"""What the commands share: options, consoles, progress, compilation, optional packages."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Annotated, Any

import typer
from rich.console import Console

from atout.errors import UsageError

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def complete_editions(begun: str) -> list[str]:
    from atout.editions import PUBLISHED

    return [name for name in PUBLISHED if name.startswith(begun)]


def complete_bots(begun: str) -> list[str]:
    """Levels for the last of several names separated by commas."""
    from atout.bots.registry import LEVELS

    first, comma, last = begun.rpartition(",")
    return [f"{first}{comma}{name}" for name in LEVELS if name.startswith(last)]


EditionName = Annotated[
    str,
    typer.Option(
        "--edition",
        "-e",
        help="Id of an edition, or path of a .toml file with house rules.",
        autocompletion=complete_editions,
    ),
]
RENAMED = {"games": "matches", "game": "match"}
"""Options by their old names, which still work; the glossary has one word for a match."""
OLD_NAMES = {"token_normalize_func": lambda name: RENAMED.get(name, name)}
Players = Annotated[int, typer.Option("--players", "-n", help="Number of players.")]
OptionsText = Annotated[str, typer.Option("--options", help='Options as in a record: \'{"length": "short"}\'.')]
Language = Annotated[
    str | None, typer.Option("--language", help="en, fr or de; default: that of the environment (LANG).")
]
Seed = Annotated[int | None, typer.Option("--seed", "-s", help="The same seed gives the same deals.")]


def parse_options(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f'--options: {text[:60]!r} is not JSON ({error}); expected \'{{"length": "short"}}\''
        ) from None


FIRST_USE = "{what} is compiled for this computer before its first use. That can take a minute, and happens once."


def prepare(*names: str, what: str = "What this command needs") -> None:
    """Compile what these levels and parts need and what is not on disk yet, with a line of progress."""
    from atout import warm

    groups = warm.missing(*names)
    if groups:
        typer.echo(FIRST_USE.format(what=what), err=True)
        warm.run(groups)


def on_whole_screen(plain: bool) -> bool:
    """Whether to use the whole screen: on a terminal, unless the user wants lines or Textual is not installed."""
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    if find_spec("textual") is None:
        typer.echo("Line by line: the whole screen needs pip install 'atout[terminal]'.", err=True)
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
        raise UsageError(
            f"{command} needs the {extra}'s packages ({error.name} is missing): pip install 'atout[{extra}]'"
        ) from None


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
