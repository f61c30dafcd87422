"""What players reported, for the operator: `atout reports`."""

from __future__ import annotations

from datetime import UTC, datetime

from atout.errors import UsageError
from atout.store import Report, open_store
from atout.store.open import sqlite_file

MANY = 1000


def _check_exists(url: str) -> None:
    """A mistyped path is no new database."""
    file = sqlite_file(url)
    if file is not None and not file.is_file():
        raise UsageError(f"{file} does not exist; expected the server's database: --database sqlite:///…")


async def list_reports(url: str) -> list[str]:
    """The reports as lines of text, the latest first."""
    _check_exists(url)
    store = await open_store(url)
    try:
        found = await store.reports(MANY)
    finally:
        await store.close()
    return [line for report in found for line in lines_of(report)] or ["no reports"]


async def remove_report(url: str, id: str) -> None:
    """Remove a report that was dealt with."""
    _check_exists(url)
    store = await open_store(url)
    try:
        if not await store.remove_report(id):
            raise UsageError(f"--remove: there is no report {id[:40]!r}; expected an id that `atout reports` prints")
    finally:
        await store.close()


def lines_of(report: Report) -> list[str]:
    """A report as text. Who reported and who was reported are named by their ids, which names at a table are not."""
    lines = [
        f"{_when(report.at)}  {report.kind}  {report.name!r}",
        f"  report {report.id}",
        f"  about  {report.about}",
        f"  by     {report.reporter}",
        f"  table  {report.table}",
    ]
    if report.text:
        lines.append(f"  text   {report.text}")
    lines += [f"  {'>' if line.guest == report.about else ' '} {line.name}: {line.text}" for line in report.lines]
    return [*lines, ""]


def _when(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")
