"""The commands of the server: `serve`, `backup` and `reports`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from atout.cli.common import out, packages_of, prepare


def serve(
    host: Annotated[str | None, typer.Option("--host", help="Address to listen on; default: 127.0.0.1.")] = None,
    port: Annotated[int | None, typer.Option("--port", "-p", help="Port; default: 8000. 0: any free port.")] = None,
    database: Annotated[
        str | None, typer.Option("--database", "-d", help="sqlite:///atout.db, or postgresql://user@host/name.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", "-w", help="Worker processes; more than one need PostgreSQL.")
    ] = None,
    open_browser: Annotated[
        bool,
        typer.Option(
            "--open", help="Open the page in a browser; log only warnings, and take another port if this one is in use."
        ),
    ] = False,
) -> None:
    """Start the server. Every setting can also be an environment variable, such as ATOUT_PORT."""
    with packages_of("server", "atout serve"):
        from atout.server.run import serve as run_server
        from atout.server.settings import ServerSettings
    prepare("table")

    quiet = "warning" if open_browser and "ATOUT_LOG_LEVEL" not in os.environ else None
    settings = ServerSettings.read(host=host, port=port, database=database, workers=workers, log_level=quiet)
    run_server(settings, open_browser)


def backup(
    path: Annotated[Path, typer.Argument(help="A new file.", metavar="FILE")],
    database: Annotated[
        str | None, typer.Option("--database", "-d", help="As for serve; default: sqlite:///atout.db.")
    ] = None,
) -> None:
    """Copy the server's SQLite database into a new file, also while the server runs. For PostgreSQL use pg_dump."""
    from atout.server.settings import ServerSettings
    from atout.store import back_up

    back_up(ServerSettings.read(database=database).database, path)
    out.print(f"copied to {path}", soft_wrap=True)


def reports(
    remove: Annotated[
        str | None, typer.Option("--remove", help="Remove the report with this id.", metavar="ID")
    ] = None,
    database: Annotated[
        str | None, typer.Option("--database", "-d", help="As for serve; default: sqlite:///atout.db.")
    ] = None,
) -> None:
    """List what players reported, the latest first, with what was said before; also while the server runs."""
    import asyncio

    with packages_of("server", "atout reports"):
        from atout.server.reports import list_reports, remove_report
        from atout.server.settings import ServerSettings
    url = ServerSettings.read(database=database).database
    if remove is not None:
        asyncio.run(remove_report(url, remove))
        out.print(f"removed {remove}", markup=False, highlight=False)
        return
    for line in asyncio.run(list_reports(url)):
        out.print(line, markup=False, highlight=False, soft_wrap=True)
