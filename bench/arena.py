"""How strong the bots are: duplicate deals at every edition's usual table, and at the other tables of `niet-2015`;
what has learned is measured at every table of both games.

    python -m bench.arena [--folder F] [--only NAME,…] [--workers N]    play (what is in the folder already is kept)
    python -m bench.arena --write [--folder F]                          write what the folder has into results.md

Hours on a small machine, minutes on a large one: the two steps may be done on different machines, and an
interrupted run goes on where it was.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from atout.arena import Settings, Tournament, make_engine, parse_budget
from atout.arena.results import Pair, Results
from atout.editions import PUBLISHED, published
from atout.game import Setup
from bench.report import markdown_table, write_section
from bench.timing import machine

Place = tuple[str, int]
USUAL: tuple[Place, ...] = (
    ("njet-1997", 4), ("njet-2007", 4), ("niet-2015", 2), ("niet-2015", 3), ("niet-2015", 4), ("niet-2015", 5),
    ("nichtig", 4),
)  # fmt: skip
EVERY: tuple[Place, ...] = tuple((name, players) for name in PUBLISHED for players in published(name).counts)
FOLDER = Path(".venv/bench-arena")


class Meeting(NamedTuple):
    """Two bots, where they meet, how much they may think, and how many deals it takes to tell them apart."""

    bots: tuple[str, str]
    places: tuple[Place, ...]
    deals: dict[int, int]
    """By the number of players: with two there are two seatings of a deal, with five there are ten."""
    budget: str | None = None
    unit: str = "round"
    more: Mapping[Place, int] = MappingProxyType({})
    """Where it takes another number of deals: where the two are closer, or further apart."""
    seed: int = 0
    """Of the deals."""
    pooled: bool = False
    """Whether a line for all tables together says something."""

    def deals_at(self, place: Place) -> int:
        return self.more[place] if place in self.more else self.deals[place[1]]

    @property
    def name(self) -> str:
        return "-".join((*self.bots, *([self.budget] if self.budget else [])))


def fewer(factor: float) -> dict[int, int]:
    return {players: round(factor * deals) for players, deals in ((2, 60), (3, 20), (4, 20), (5, 12), (6, 15))}


ONE_SECOND: dict[Place, int] = {
    ("njet-1997", 3): 12, ("njet-1997", 4): 20, ("njet-2007", 5): 16,
    ("niet-2015", 4): 54, ("niet-2015", 5): 24,
    ("nichtig", 3): 24, ("nichtig", 4): 20, ("nichtig", 6): 36,
}  # fmt: skip
FRESH: dict[Place, int] = {
    ("njet-1997", 3): 38, ("njet-1997", 4): 50,
    ("njet-2007", 2): 86, ("njet-2007", 3): 44, ("njet-2007", 4): 46, ("njet-2007", 5): 23,
    ("niet-2015", 2): 100, ("niet-2015", 3): 38, ("niet-2015", 4): 39, ("niet-2015", 5): 23,
    ("nichtig", 3): 79, ("nichtig", 4): 80, ("nichtig", 5): 45, ("nichtig", 6): 47,
}  # fmt: skip
"""Deals nobody had seen when the expert learned to look ahead: as many as a quarter of an hour on 16 cores allowed."""
MEETINGS = (
    Meeting(("novice", "random"), USUAL, dict.fromkeys(range(2, 7), 40), unit="match"),
    Meeting(("club", "novice"), USUAL, fewer(3)),
    Meeting(("expert", "club"), USUAL, fewer(2), "30ms"),
    Meeting(("expert", "ismcts"), USUAL, {2: 60, 3: 20, 4: 48, 5: 36}, "30ms"),
    Meeting(("learned", "novice"), EVERY, fewer(5)),
    Meeting(("learned", "club"), EVERY, {2: 120, 3: 40, 4: 40, 5: 48, 6: 30}),
    Meeting(("learned", "ismcts"), (("niet-2015", 4),), fewer(2), "20000n"),
    Meeting(("learned", "ismcts"), EVERY, {2: 30, 3: 8, 4: 16, 5: 10, 6: 10}, "1s", more=ONE_SECOND),
    Meeting(("expert", "learned"), EVERY, {}, more=FRESH, seed=601, pooled=True),
)


def main() -> None:
    parser = argparse.ArgumentParser(description="Arena tables for bench/results.md")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--only", default=",".join(it.name for it in MEETINGS), help="meetings, by their names")
    parser.add_argument("--at", default=",".join(PUBLISHED), help="editions")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--write", action="store_true", help="only write what the folder has")
    told = parser.parse_args()
    told.folder.mkdir(parents=True, exist_ok=True)
    if not told.write:
        for meeting in MEETINGS:
            if meeting.name in told.only.split(","):
                play(meeting, told.folder, told.workers, told.at.split(","))
    write(told.folder)


def play(meeting: Meeting, folder: Path, workers: int, editions: list[str]) -> None:
    for edition, players in meeting.places:
        path = folder / f"{meeting.name}-{edition}-{players}.json"
        if path.exists() or edition not in editions:
            continue
        settings = Settings.of(
            Setup.of(edition, players),
            meeting.bots,
            unit=meeting.unit,
            budget=parse_budget(meeting.budget),
            seed=meeting.seed,
        )
        tournament = Tournament(settings, meeting.deals_at((edition, players)), path)
        for _ in tournament.play(make_engine("local", settings, workers)):
            pass
        (pair,) = tournament.finish().pairs
        path.with_suffix(".machine").write_text(machine(), encoding="utf-8")
        print(f"{meeting.name} at {edition} with {players}: {told_margin(pair)}", flush=True)


def told_margin(pair: Pair) -> str:
    margin = pair.margin
    return f"{margin.mean:+.2f} ({margin.low:+.2f} … {margin.high:+.2f})"


def found(folder: Path, meeting: Meeting) -> Iterator[tuple[Results, str]]:
    """What was played, and on which machine."""
    for edition, players in meeting.places:
        path = folder / f"{meeting.name}-{edition}-{players}.json"
        if path.exists():
            where, _, _ = path.with_suffix(".machine").read_text(encoding="utf-8").partition(", Linux")
            yield msgspec.json.decode(path.read_bytes(), type=Results), where


def write(folder: Path) -> None:
    """One table a meeting: margins with their intervals, deals, how long a decision took, and where."""
    parts = [
        "Margin: points per round and player by which the first bot is ahead of the second, with its 95 % interval. "
        "Every deal is played in every seating. One core per decision. Where a time is given, it is the budget of both "
        "bots for every decision; `learned` does not need it, and `ismcts` stops early when the remaining time cannot "
        "change its choice (except in Null & nichtig with three to five players, which was played before that change)."
    ]
    for meeting in MEETINGS:
        results = list(found(folder, meeting))
        rows = [[*row(result), where] for result, where in results]
        if rows:
            if meeting.pooled and len(rows) > 1:
                rows.append(pooled([result for result, _ in results]))
            allowed = f", {told_budget(meeting.budget)} per decision" if meeting.budget else ""
            header = ["setup", "margin", "95 %", *(["matches won"] if meeting.unit == "match" else [])]
            header += ["deals", "matches", f"ms, {meeting.bots[0]}", f"ms, {meeting.bots[1]}", "played on"]
            parts.append(f"**{meeting.bots[0]} over {meeting.bots[1]}**{allowed}\n\n{markdown_table(header, rows)}")
    write_section("arena", "Bots against each other", "make bench-arena", "\n\n".join(parts))


def pooled(results: list[Results]) -> list[str]:
    """All tables together: every deal counts the same, whatever is played for."""
    deals = sum(result.deals for result in results)
    margins = [(result.deals / deals, result.pairs[0].margin) for result in results]
    mean = sum(share * margin.mean for share, margin in margins)
    widths = [share * ((margin.high or 0.0) - (margin.low or 0.0)) / 2 for share, margin in margins]
    within = sum(width**2 for width in widths) ** 0.5
    games = sum(result.pairs[0].games for result in results)
    return [
        "all together",
        f"{mean:+.2f}",
        f"{mean - within:+.2f} … {mean + within:+.2f}",
        str(deals),
        str(games),
        "",
        "",
        "",
    ]


def told_budget(budget: str) -> str:
    return f"{int(budget[:-1]):,} iterations" if budget.endswith("n") else re.sub(r"(\d)([a-z])", r"\1 \2", budget)


def row(result: Results) -> list[str]:
    (pair,) = result.pairs
    wins = [] if pair.wins is None else [f"{100 * pair.wins.mean:.1f} %"]
    ms = {it.bot: "–" if it.milliseconds is None else f"{it.milliseconds:.1f}" for it in result.speed}
    name = f"{result.settings.edition}, {result.settings.players} players"
    margin = pair.margin
    interval = f"{margin.low:+.2f} … {margin.high:+.2f}"
    speeds = [ms[bot] for bot in pair.bots]
    return [name, f"{margin.mean:+.2f}", interval, *wins, str(result.deals), str(pair.games), *speeds]


if __name__ == "__main__":
    main()
