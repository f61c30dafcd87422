"""A benchmark that any bot can enter: fixed opponents, fixed duplicate deals, one file of results.

At every table of `TABLES` the bot meets each opponent on the same deals, in every seating, so most of the luck of the
cards cancels out. The score is the mean margin per round and player, over all tables and opponents. All budgets are in
nodes, so the opponents play the same on every machine.
"""

from __future__ import annotations

import datetime
import math
import signal
import statistics
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import msgspec

from atout.arena import ArenaSettings
from atout.arena.duplicate import Duplicate, in_one_line, play_duplicate
from atout.arena.results import margin
from atout.arena.watchdog import Hang, Watchdog
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
    first_error: str = ""
    """What the bot did first that was forfeited, if anything; files of earlier versions have nothing here."""

    @property
    def forfeits(self) -> int:
        return sum(one.forfeits for one in self.meetings)


class FirstError(Watchdog):
    """Notes what goes wrong first with the first bot of a duplicate, and whether the user stopped the program: a
    duplicate takes every exception for a forfeit.
    """

    def __init__(self) -> None:
        super().__init__([0.0, 0.0])
        self.text, self.is_stopped = "", False

    @contextmanager
    def over(self, bot: int, patience: float) -> Iterator[None]:
        if self.is_stopped:
            raise KeyboardInterrupt
        try:
            with super().over(bot, patience):
                yield
        except KeyboardInterrupt:
            self.is_stopped = True
            raise
        except BaseException as error:
            if bot == 0 and not self.text:
                self.text = in_one_line(error, patience)
            raise


@contextmanager
def _alarm_is_a_forfeit() -> Iterator[None]:
    """Let the alarm of the watchdog end a decision; without this it would end the process."""
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _raise_hang)
    try:
        yield
    finally:
        signal.signal(signal.SIGALRM, before)


def _raise_hang(signal_number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    raise Hang


def _play(settings: ArenaSettings, deals: int, watchdog: FirstError) -> list[Duplicate]:
    played = []
    with _alarm_is_a_forfeit():
        for number in range(deals):
            played.append(play_duplicate(settings, number, watchdog))
            if watchdog.is_stopped:
                raise KeyboardInterrupt
    return played


def run(bot: str, deals: int = DEALS, report: Callable[[Meeting], None] | None = None) -> Entry:
    """Play the benchmark in this process. A bot that made no decision of its own is an error, not a result."""
    if bot in OPPONENTS:
        raise UsageError(f"bench-bot: {bot!r} is an opponent of the benchmark; expected another bot")
    meetings, decisions, first_error = [], 0, ""
    for edition, players in TABLES:
        for opponent in OPPONENTS:
            settings = ArenaSettings.of(
                Setup.of(edition, players), [bot, opponent], budget=Budget(nodes=NODES), seed=SEED
            )
            watchdog = FirstError()
            played = _play(settings, deals, watchdog)
            margins = [statistics.fmean(map(margin, one.matches)) for one in played]
            decisions += sum(one.work[bot].decisions for one in played)
            first_error = first_error or watchdog.text
            forfeits = sum(sum(one.work[bot].forfeits.values()) for one in played)
            spread = statistics.stdev(margins) if deals > 1 else math.nan
            mean = statistics.fmean(margins)
            meeting = Meeting(edition, players, opponent, deals, mean, spread / math.sqrt(deals), forfeits)
            meetings.append(meeting)
            if report:
                report(meeting)
    if not decisions:
        raise UsageError(f"bench-bot: every decision of {bot} was a forfeit; the first error: {first_error}")
    score = statistics.fmean(one.margin for one in meetings)
    error = math.sqrt(sum(one.error**2 for one in meetings)) / len(meetings)
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return Entry(VERSION, bot, today, score, error, meetings, first_error)


def leaderboard(files: Sequence[Path]) -> str:
    """A page (Markdown) from files of results, best first."""
    found = []
    for file in files:
        try:
            entry = msgspec.json.decode(file.read_bytes(), type=Entry)
        except OSError as error:
            raise UsageError(f"leaderboard: {file} cannot be read: {error.strerror}") from None
        except msgspec.DecodeError as error:
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
        "table against each opponent; ± is the standard error. A forfeit is a decision in which the bot failed or",
        "chose an illegal action; a random one was played.", "",
        f"| bot | score | forfeits | date | {' | '.join(names)} |", "|---|---:|---:|---|" + "---:|" * len(names),
    ]  # fmt: skip
    for entry in sorted(found, key=lambda one: -one.score):
        margins = " | ".join(f"{one.margin:+.2f} ± {one.error:.2f}" for one in entry.meetings)
        name = entry.bot.replace("|", "\\|")
        score = f"{entry.score:+.2f} ± {entry.error:.2f}"
        lines.append(f"| {name} | {score} | {entry.forfeits} | {entry.date} | {margins} |")
    return "\n".join(lines) + "\n"
