"""Arena results as text tables for the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from atout.arena.duplicate import HANGS
from atout.arena.labels import labels
from atout.arena.results import Count, Results
from atout.arena.statistics import Estimate

WINS = (
    "wins: the share of the matches that the first bot of the pair won; a shared win counts in parts. A fair share is "
    "its share of the seats: 50 % over a seating and its mirror."
)
FORFEITS = (
    "forfeits: decisions for which a random legal action was played. failed: an exception, or the bot could not be "
    "made; illegal: the answer was not a legal action, or not a Choice; hung: no answer within the patience; "
    f"benched: the bot hung {HANGS} times in a duplicate or ended its process, so it was not asked again there."
)
DEEDS = {"failed": "failed", "illegal": "answered illegally", "hung": "hung", "benched": "was benched"}


def print_results(results: Results, console: Console) -> None:
    """Print the ratings and speed of the bots, then the pairs, then what went wrong."""
    console.print(_bots(results))
    console.print()
    console.print(_pairs(results))
    what = " and the share of matches won, " if results.settings.span == "match" else ", "
    console.print(
        "rating: skill as estimated from all results of this run (OpenSkill). Every bot begins at 25; more is better, "
        "and only differences within one run count.",
        style="dim",
    )
    console.print(f"margin: points per round and player{what}first bot of the pair less second", style="dim")
    if results.settings.span == "match":
        console.print(WINS, style="dim")
    if any(count.forfeits for count in results.bots):
        console.print(FORFEITS, style="dim")
    for line in (line for count in results.bots for line in error_lines(count)):
        console.print(line, markup=False, soft_wrap=True)


def _bots(results: Results) -> Table:
    table = _table("bot", "rating", "95 %", "decisions", "per second", "ms each", "forfeits")
    counts, speeds = {it.bot: it for it in results.bots}, {it.bot: it for it in results.speed}
    names = labels(results.settings.bots)
    for rating in results.ratings:
        count, speed = counts[rating.bot], speeds[rating.bot]
        table.add_row(
            names[rating.bot],
            f"{rating.mu:.1f}",
            f"{rating.low:.1f} … {rating.high:.1f}",
            str(count.decisions),
            "–" if speed.decisions_per_second is None else f"{speed.decisions_per_second:.0f}",
            "–" if speed.milliseconds is None else f"{speed.milliseconds:.2f}",
            forfeits_text(count),
        )
    return table


def _pairs(results: Results) -> Table:
    whole = results.settings.span == "match"
    table = _table("pair", "margin", "95 %", *(["wins", "95 %"] if whole else []), "deals", "matches")
    names = labels(results.settings.bots)
    for pair in results.pairs:
        wins = [] if pair.wins is None else [f"{100 * pair.wins.mean:.1f} %", _interval(pair.wins, 100)]
        table.add_row(
            f"{names[pair.bots[0]]} – {names[pair.bots[1]]}",
            f"{pair.margin.mean:+.2f}",
            _interval(pair.margin),
            *wins,
            str(len(pair.margins)),
            str(pair.matches),
        )
    return table


def _table(first: str, *rest: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(first, overflow="fold")
    for name in rest:
        table.add_column(name, justify="right", no_wrap=name != "forfeits")
    return table


def _interval(it: Estimate, factor: float = 1) -> str:
    """The ends of an interval as text.

    >>> _interval(Estimate(1.5, 1.0, 2.0)), _interval(Estimate(1.5, None, None))
    ('1.00 … 2.00', '–')
    """
    if it.low is None or it.high is None:
        return "–"
    digits = 2 if factor == 1 else 1
    return f"{factor * it.low:.{digits}f} … {factor * it.high:.{digits}f}"


def forfeits_text(count: Count) -> str:
    """How many decisions were forfeited, and why.

    >>> forfeits_text(Count("x", 5, {"hung": 2, "illegal": 1})), forfeits_text(Count("x", 5, {}))
    ('2 hung, 1 illegal', '0')
    """
    return ", ".join(f"{number} {why}" for why, number in count.forfeits.items()) or "0"


def error_lines(count: Count) -> list[str]:
    """One line for every kind of forfeit, with the first error.

    >>> error_lines(Count("my:Fox", 5, {"failed": 2}, {"failed": "ValueError: my bug"}))
    ['my:Fox failed 2 times; the first: ValueError: my bug']
    """
    return [
        f"{count.bot} {DEEDS.get(why, why)} {_times(count.forfeits.get(why, 0))}; the first: {error}"
        for why, error in count.errors.items()
    ]


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
