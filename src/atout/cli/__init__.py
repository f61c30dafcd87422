"""The command `atout`.

Exit codes are in `examples.py`. `atout --install-completion` sets up completion for bash, zsh and fish.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from atout.cli.arena import arena, exam, simulate
from atout.cli.common import OLD_NAMES
from atout.cli.help import Command, Group
from atout.cli.paper import print_app, score
from atout.cli.play import editions, play
from atout.cli.puzzles import puzzle, puzzles_app
from atout.cli.records import show, verify
from atout.cli.research import bench_bot, dataset, leaderboard
from atout.cli.review import review
from atout.cli.serve import backup, reports, serve
from atout.cli.usage import WRONG_USAGE, explain, hinted
from atout.errors import AtoutError, RecordError

app = typer.Typer(
    name="atout",
    cls=Group,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def print_version(wanted: bool) -> None:
    """`atout --version`."""
    if wanted:
        from atout import __version__

        typer.echo(f"atout {__version__}")
        raise typer.Exit


@app.callback()
def common_options(
    version: Annotated[bool, typer.Option("--version", callback=print_version, is_eager=True)] = False,
) -> None:
    """Options of `atout` itself; the help of the command is that of `app`."""


COMMANDS = (
    play, score, simulate, arena, exam, verify, show, review, puzzle, serve, backup, reports, editions, dataset,
    bench_bot, leaderboard,
)  # fmt: skip
for command in COMMANDS:
    app.command(cls=Command, context_settings=OLD_NAMES)(command)


app.add_typer(print_app)
app.add_typer(puzzles_app)


def open_closed_streams() -> None:
    """Where a shell has closed standard input, it is empty; to a closed output nothing can be written."""
    for name, flags, mode in (("stdin", os.O_RDONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_WRONLY, "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode, encoding="utf-8"))


def main() -> None:
    """Run a command; errors are printed as one line, without a traceback."""
    open_closed_streams()
    sys.path.append(str(Path.cwd()))  # a bot may be in the current folder; it never hides an installed module
    try:
        sys.exit(app(prog_name="atout", standalone_mode=False) or 0)
    except AtoutError as error:
        typer.echo(f"atout: {hinted(error)}", err=True)
        sys.exit(1 if isinstance(error, RecordError) else 2)
    except WRONG_USAGE as error:
        explain(error)
        sys.exit(error.exit_code)
