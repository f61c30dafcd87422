"""The command `atout`: the only place that wires everything.

Exit codes: 0 all is well; 1 a file that breaks the rules or cannot be understood, or a bot that fails its exam;
2 wrong usage; 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import typer

from atout.cli.arena import arena, exam, simulate
from atout.cli.play import editions, play
from atout.cli.records import show, verify
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
for command in (play, simulate, arena, exam, verify, show, serve, backup, editions):
    app.command()(command)


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
