"""What the commands share: options, consoles, progress."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from rich.console import Console

from atout.errors import UsageError

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

EditionName = Annotated[
    str, typer.Option("--edition", "-e", help="Id of an edition, or path of a .toml file with house rules.")
]
Players = Annotated[int, typer.Option("--players", "-n", help="Number of players.")]
OptionsText = Annotated[str, typer.Option("--options", help='Options as in a record: \'{"length": "short"}\'.')]
Seed = Annotated[int | None, typer.Option("--seed", "-s", help="The same seed gives the same deals.")]


def parse_options(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f'--options: {text[:60]!r} is not JSON ({error}); expected \'{{"length": "short"}}\''
        ) from None


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def prepare_rules() -> None:
    """Compile the rules if that has not been done yet, and say so."""
    from atout import warm

    if not warm.is_warm():
        warm.main()


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
