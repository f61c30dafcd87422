"""The report of an examination as text tables for the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from atout.exam.report import CHECKS, CheckResult, Failure, Report, Timing
from atout.game.notation import PHASES

SHOWN = 12
"""Legal actions that a failure lists."""


def print_report(report: Report, console: Console) -> None:
    """Print checks, coverage, times, then every failure with its position."""
    console.print(_checks(report))
    console.print()
    console.print(_coverage(report))
    if report.timings:
        console.print()
        console.print(_timings(report.timings))
        kept = f"median at most {report.timings[0].allowed:.3f} s for a budget of {report.seconds} s"
        console.print(f"seconds per decision; {kept}", style="dim")
    for failure in report.failures:
        console.print()
        console.print(failure_text(failure), soft_wrap=True)
    more = sum(result.failed for result in report.checks) - len(report.failures)
    if more > 0:
        console.print(f"\nand {more} more failures of the same checks", style="dim")
    console.print()
    console.print(_last_line(report), soft_wrap=True)


def _last_line(report: Report) -> Text:
    if report.passed:
        return Text(f"{report.bot} passes every check that was made.", "bold green")
    return Text(f"{report.bot} fails: {', '.join(report.failed_checks)}.", "bold red")


def _checks(report: Report) -> Table:
    table = _table("check", "what is checked", "made", "failed")
    for result in report.checks:
        text = Text(CHECKS[result.check])
        if result.note:
            text.append(f"\n{result.note}", "dim")
        table.add_row(result.check, text, str(result.made), _failed(result))
    return table


def _failed(result: CheckResult) -> Text:
    if not result.made:
        return Text("–", "dim")
    return Text(str(result.failed), "bold red" if result.failed else "green")


def _coverage(report: Report) -> Table:
    phases = [phase for phase in PHASES if any(phase in covered.decisions for covered in report.coverage)]
    table = _table("setup", *phases, texts=1)
    for covered in report.coverage:
        counts = [str(covered.decisions[phase]) if phase in covered.decisions else "" for phase in phases]
        table.add_row(f"{covered.edition}, {covered.players} players", *counts)
    return table


def _timings(timings: list[Timing]) -> Table:
    table = _table("by the clock", "decisions", "median", "longest", texts=1)
    for timing in timings:
        style = "" if timing.is_kept else "bold red"
        median = Text(f"{timing.median:.3f}", style)
        table.add_row(timing.what, str(timing.decisions), median, f"{timing.longest:.3f}")
    return table


def _table(*headings: str, texts: int = 2) -> Table:
    """The first columns hold text, the others numbers."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for place, heading in enumerate(headings):
        if place < texts:
            table.add_column(heading, overflow="fold")
        else:
            table.add_column(heading, justify="right", no_wrap=True)
    return table


def failure_text(failure: Failure) -> Text:
    """What failed, where, and how to reproduce it."""
    text = Text(f"{failure.check}: ", "bold red").append(failure.detail, "default not bold")
    if failure.edition is None:
        return text
    place = f"{failure.edition}, {failure.players} players, {failure.phase}"
    text.append(f"\n  where    {place}; seed {failure.seed}, after {failure.moves} actions", "default not bold")
    text.append(f"\n  before   {', '.join(failure.last) or 'nothing'}", "default not bold")
    text.append(f"\n  said     {failure.said}", "default not bold")
    rest = len(failure.allowed) - SHOWN
    more = f" and {rest} more" if rest > 0 else ""
    text.append(f"\n  allowed  {', '.join(failure.allowed[:SHOWN])}{more}", "default not bold")
    return text
