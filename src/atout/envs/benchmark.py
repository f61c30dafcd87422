"""A benchmark that any bot can enter: fixed opponents, fixed duplicate deals, one file of results.

At every table of `TABLES` the bot meets each opponent on the same deals, in every seating, so most of the luck of the
cards cancels out. The score is the mean margin per round and player, over all tables and opponents. All budgets are in
nodes, so the opponents play the same on every machine.
"""

from __future__ import annotations

import datetime
import math
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from atout.arena import ArenaSettings
from atout.arena.duplicate import play_duplicate
from atout.arena.results import margin
from atout.arena.watchdog import Watchdog
from atout.bots import Budget
from atout.errors import UsageError
from atout.game import Setup

VERSION = 1
"""Changes with the tables, opponents, deals or budgets: results of two versions cannot be compared."""
TABLES = (("niet-2015", 4), ("njet-2007", 3), ("nichtig", 3), ("nichtig", 4))
OPPONENTS = ("novice", "learned")
SEED = 20_150_101
NODES = 200
DEALS = 12


class Meeting(msgspec.Struct, frozen=True):
    """The bot against one opponent at one table."""

    edition: str
    players: int
    opponent: str
    deals: int
    margin: float
    """Mean points per round and player: the bot's less the opponent's."""
    error: float
    """Its standard error over the deals."""
    forfeits: int


class Entry(msgspec.Struct, frozen=True):
    """The file of results."""

    benchmark: int
    bot: str
    date: str
    score: float
    error: float
    meetings: list[Meeting]


def run(bot: str, deals: int = DEALS, report: Callable[[Meeting], None] | None = None) -> Entry:
    """Play the benchmark in this process."""
    if bot in OPPONENTS:
        raise UsageError(f"bench-bot: {bot!r} is an opponent of the benchmark; expected another bot")
    meetings = []
    for edition, players in TABLES:
        for opponent in OPPONENTS:
            settings = ArenaSettings.of(
                Setup.of(edition, players), [bot, opponent], budget=Budget(nodes=NODES), seed=SEED
            )
            watchdog = Watchdog([0.0, 0.0])
            played = [play_duplicate(settings, number, watchdog) for number in range(deals)]
            margins = [statistics.fmean(map(margin, one.matches)) for one in played]
            forfeits = sum(sum(one.work[bot].forfeits.values()) for one in played)
            spread = statistics.stdev(margins) if deals > 1 else math.nan
            mean = statistics.fmean(margins)
            meeting = Meeting(edition, players, opponent, deals, mean, spread / math.sqrt(deals), forfeits)
            meetings.append(meeting)
            if report:
                report(meeting)
    score = statistics.fmean(one.margin for one in meetings)
    error = math.sqrt(sum(one.error**2 for one in meetings)) / len(meetings)
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return Entry(VERSION, bot, today, score, error, meetings)


def leaderboard(files: Sequence[Path]) -> str:
    """A page (Markdown) from files of results, best first."""
    found = []
    for file in files:
        try:
            entry = msgspec.json.decode(file.read_bytes(), type=Entry)
        except (OSError, msgspec.DecodeError) as error:
            raise UsageError(f"leaderboard: {file} is no file of results: {error}") from None
        if entry.benchmark != VERSION:
            raise UsageError(f"leaderboard: {file} is of version {entry.benchmark}; expected {VERSION}")
        found.append(entry)
    counts = sorted({meeting.deals for entry in found for meeting in entry.meetings})
    if len(counts) > 1:
        raise UsageError(
            f"leaderboard: the results are of {', '.join(map(str, counts))} deals; "
            "expected the same number in all files"
        )
    names = [f"{edition}, {players}: {opponent}" for edition, players in TABLES for opponent in OPPONENTS]
    lines = [
        f"# Leaderboard, benchmark {VERSION}", "",
        f"Mean points per round and player more than the opponents, over {counts[0]} deals in every seating at each",
        "table against each opponent; ± is the standard error.", "",
        f"| bot | score | date | {' | '.join(names)} |", "|---|---:|---|" + "---:|" * len(names),
    ]  # fmt: skip
    for entry in sorted(found, key=lambda one: -one.score):
        margins = " | ".join(f"{one.margin:+.2f} ± {one.error:.2f}" for one in entry.meetings)
        name = entry.bot.replace("|", "\\|")
        lines.append(f"| {name} | {entry.score:+.2f} ± {entry.error:.2f} | {entry.date} | {margins} |")
    return "\n".join(lines) + "\n"
