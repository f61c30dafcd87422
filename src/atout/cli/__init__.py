"""The command `atout`.

Exit codes: 0 success; 1 a record that breaks the rules or cannot be read, or a bot that fails its exam; 2 wrong
usage; 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from atout.cli.arena import arena, exam, simulate
from atout.cli.play import editions, play
from atout.cli.records import show, verify
from atout.cli.review import review
from atout.cli.serve import backup, serve
from atout.errors import AtoutError, RecordError

app = typer.Typer(
    name="atout",
    help="Njet! and Null & nichtig: play, simulate, verify, study. Unofficial; "
    "the games are by Stefan Dorra and Reiner Stockhausen.",
    no_args_is_help=True,
    add_completion=False,
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
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Options of `atout` itself; the help of the command is that of `app`."""


for command in (play, simulate, arena, exam, verify, show, review, serve, backup, editions):
    app.command()(command)


def main() -> None:
    """Run a command; errors are printed as one line, without a traceback."""
    sys.path.append(str(Path.cwd()))  # a bot may be in the current folder; it never hides an installed module
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
