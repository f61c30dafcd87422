"""How strong the bots are: duplicate deals at every edition's usual table, and at the other tables of `niet-2015`.

    python -m bench.arena [--folder F] [--pairs a-b,…] [--workers N]    play (what is in the folder already is kept)
    python -m bench.arena --write [--folder F]                          write what the folder has into results.md

Hours on a small machine, minutes on a large one: the two steps may be done on different machines, and an
interrupted run goes on where it was.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from atout.arena import Settings, Tournament, make_engine, parse_budget
from atout.arena.results import Pair, Results
from atout.game import Table
from bench.report import table, write_section
from bench.timing import machine

TABLES = (
    ("njet-1997", 4), ("njet-2007", 4), ("niet-2015", 2), ("niet-2015", 3), ("niet-2015", 4), ("niet-2015", 5),
    ("nichtig", 4),
)  # fmt: skip
FOLDER = Path(".venv/bench-arena")


class Meeting(NamedTuple):
    """Two bots, what they play, how much they may think, and how many deals it takes to tell them apart."""

    bots: tuple[str, str]
    unit: str
    budget: str | None
    deals: dict[tuple[str, int], int]
    usual: int

    @property
    def name(self) -> str:
        return "-".join(self.bots)


FEW, MANY = {("niet-2015", 5): 12}, {("niet-2015", 5): 9, ("niet-2015", 2): 100, ("nichtig", 4): 60}
MEETINGS = (
    Meeting(("novice", "random"), "match", None, {}, 40),
    Meeting(("club", "novice"), "round", None, FEW, 60),
    Meeting(("expert", "club"), "round", "30ms", MANY, 24),
    Meeting(("expert", "ismcts"), "round", "30ms", MANY, 20),
)


def main() -> None:
    parser = argparse.ArgumentParser(description="Arena tables for bench/results.md")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--pairs", default=",".join(it.name for it in MEETINGS))
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--write", action="store_true", help="only write what the folder has")
    told = parser.parse_args()
    told.folder.mkdir(parents=True, exist_ok=True)
    if not told.write:
        (told.folder / "machine.txt").write_text(machine(), encoding="utf-8")
        for meeting in MEETINGS:
            if meeting.name in told.pairs.split(","):
                play(meeting, told.folder, told.workers)
    write(told.folder)


def play(meeting: Meeting, folder: Path, workers: int) -> None:
    for edition, players in TABLES:
        path = folder / f"{meeting.name}-{edition}-{players}.json"
        if path.exists():
            continue
        settings = Settings.of(
            Table.of(edition, players), meeting.bots, unit=meeting.unit, budget=parse_budget(meeting.budget)
        )
        tournament = Tournament(settings, meeting.deals.get((edition, players), meeting.usual), path)
        for _ in tournament.play(make_engine("local", settings, workers)):
            pass
        (pair,) = tournament.finish().pairs
        print(f"{meeting.name} at {edition} with {players}: {told_margin(pair)}", flush=True)


def told_margin(pair: Pair) -> str:
    margin = pair.margin
    return f"{margin.mean:+.2f} ({margin.low:+.2f} … {margin.high:+.2f})"


def found(folder: Path, name: str) -> Iterator[Results]:
    for edition, players in TABLES:
        path = folder / f"{name}-{edition}-{players}.json"
        if path.exists():
            yield msgspec.json.decode(path.read_bytes(), type=Results)


def write(folder: Path) -> None:
    """One table a meeting: margins with their intervals, deals, and how long a decision took."""
    parts = [
        "Points a round and player by which the first bot is ahead of the second, with the 95 % interval; the same "
        "deals in every seating. One core a decision. Where a time is given, both bots had it for every decision."
    ]
    for meeting in MEETINGS:
        rows = [row(result) for result in found(folder, meeting.name)]
        if rows:
            allowed = f", {meeting.budget} a decision" if meeting.budget else ""
            header = ["table", "margin", "95 %", *(["matches won"] if meeting.unit == "match" else [])]
            header += ["deals", "games", f"ms, {meeting.bots[0]}", f"ms, {meeting.bots[1]}"]
            parts.append(f"**{meeting.bots[0]} over {meeting.bots[1]}**{allowed}\n\n{table(header, rows)}")
    where = (folder / "machine.txt").read_text(encoding="utf-8")
    write_section("arena", "Bots against each other", "make bench-arena", "\n\n".join(parts), where)


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
