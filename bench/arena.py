"""How strong the bots are, on duplicate deals.

    pairs    two bots each: every edition at its usual number of players, and the other tables of `niet-2015`; what was
             trained is measured at every table of both games
    teams    all levels against each other in Null & nichtig with teams; one bot has a whole team (`arena/seatings.py`)

    python -m bench.arena [--folder F] [--only NAME,…] [--workers N]    play what the folder does not have yet
    python -m bench.arena --only teams [--deals N]                      all levels at the team tables
    python -m bench.arena --write [--folder F]                          only write what the folder has into results.md

This takes hours on a small machine and minutes on a large one. The two steps may be done on different machines. An
interrupted run continues where it was: every finished duplicate is in the journal beside the results.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from atout.arena import ArenaSettings, Tournament, make_runner, parse_budget
from atout.arena.results import Pair, Results
from atout.bots import LEVELS, Budget
from atout.editions import PUBLISHED, published
from atout.game import Setup
from bench.report import markdown_table, write_section
from bench.timing import machine

Place = tuple[str, int]
"""An edition and a number of players."""
USUAL: tuple[Place, ...] = (
    ("njet-1997", 4), ("njet-2007", 4), ("niet-2015", 2), ("niet-2015", 3), ("niet-2015", 4), ("niet-2015", 5),
    ("nichtig", 4),
)  # fmt: skip
EVERY: tuple[Place, ...] = tuple((name, players) for name in PUBLISHED for players in published(name).counts)
FOLDER = Path(".venv/bench-arena")


class Meeting(NamedTuple):
    """Two bots, the tables they meet at, their budget, and how many deals it takes to tell them apart."""

    bots: tuple[str, str]
    places: tuple[Place, ...]
    deals: dict[int, int]
    """By number of players: a deal has two seatings for two players, and ten for five."""
    budget: str | None = None
    span: str = "round"
    more: Mapping[Place, int] = MappingProxyType({})
    """Tables with another number of deals, because the two bots are closer there, or further apart."""
    seed: int = 0
    """The seed of the deals."""
    pooled: bool = False
    """Whether a row for all tables together is meaningful."""

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
"""Deals that were not used while the lookahead of `expert` was tuned: as many as 15 minutes on 16 cores allowed."""
MEETINGS = (
    Meeting(("novice", "random"), USUAL, dict.fromkeys(range(2, 7), 40), span="match"),
    Meeting(("club", "novice"), USUAL, fewer(3)),
    Meeting(("expert", "club"), USUAL, fewer(2), "30ms"),
    Meeting(("expert", "ismcts"), USUAL, {2: 60, 3: 20, 4: 48, 5: 36}, "30ms"),
    Meeting(("learned", "novice"), EVERY, fewer(5)),
    Meeting(("learned", "club"), EVERY, {2: 120, 3: 40, 4: 40, 5: 48, 6: 30}),
    Meeting(("learned", "ismcts"), (("niet-2015", 4),), fewer(2), "20000n"),
    Meeting(("learned", "ismcts"), EVERY, {2: 30, 3: 8, 4: 16, 5: 10, 6: 10}, "1s", more=ONE_SECOND),
    Meeting(("expert", "learned"), EVERY, {}, more=FRESH, seed=601, pooled=True),
)


TEAMS = "teams"
TEAM_PLAYERS = (4, 6)
TEAM_BUDGET = "300ms"
"""What the server gives a bot for a decision."""
TEAM_DEALS, TEAM_SEED = 40, 1701


def main() -> None:
    parser = argparse.ArgumentParser(description="Arena tables for bench/results.md")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    names = [*(it.name for it in MEETINGS), TEAMS]
    parser.add_argument("--only", default=",".join(names), help=f"some of: {', '.join(names)}")
    parser.add_argument("--deals", type=int, default=TEAM_DEALS, help="deals of every pair at the team tables")
    parser.add_argument("--at", default=",".join(PUBLISHED), help="editions")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--write", action="store_true", help="only write what the folder has")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    if not arguments.write:
        for meeting in MEETINGS:
            if meeting.name in arguments.only.split(","):
                play(meeting, arguments.folder, arguments.workers, arguments.at.split(","))
        if TEAMS in arguments.only.split(","):
            play_teams(arguments.folder, arguments.workers, arguments.deals)
    write(arguments.folder)
    write_teams(arguments.folder)


def play(meeting: Meeting, folder: Path, workers: int, editions: list[str]) -> None:
    for edition, players in meeting.places:
        path = folder / f"{meeting.name}-{edition}-{players}.json"
        if path.exists() or edition not in editions:
            continue
        settings = ArenaSettings.of(
            Setup.of(edition, players),
            meeting.bots,
            span=meeting.span,
            budget=parse_budget(meeting.budget) if meeting.budget else Budget(),
            seed=meeting.seed,
        )
        run(Tournament(settings, meeting.deals_at((edition, players)), path), workers)


def play_teams(folder: Path, workers: int, deals: int) -> None:
    """All levels against each other; each pair plays every deal as `abab` and `baba`."""
    for path, setup in team_tables(folder):
        if not path.exists():
            settings = ArenaSettings.of(setup, list(LEVELS), budget=parse_budget(TEAM_BUDGET), seed=TEAM_SEED)
            run(Tournament(settings, deals, path), workers)


def team_tables(folder: Path) -> Iterator[tuple[Path, Setup]]:
    for players in TEAM_PLAYERS:
        yield folder / f"{TEAMS}-nichtig-{players}.json", Setup.of("nichtig", players, {"teams": True})


def run(tournament: Tournament, workers: int) -> None:
    """Play what the journal does not have yet, write the results, print every pair."""
    settings, left = tournament.settings, len(tournament.todo)
    print(f"{settings.edition} with {settings.players}: {left} of {tournament.total} duplicates to play", flush=True)
    for _ in tournament.play(make_runner("local", settings, workers)):
        pass
    results = tournament.finish()
    tournament.path.with_suffix(".machine").write_text(machine(), encoding="utf-8")
    for pair in results.pairs:
        print(f"  {pair.bots[0]} over {pair.bots[1]}: {margin_text(pair)}", flush=True)


def margin_text(pair: Pair) -> str:
    margin = pair.margin
    return f"{margin.mean:+.2f} ({interval_text(pair)})" if margin.low is not None else f"{margin.mean:+.2f}"


def interval_text(pair: Pair) -> str:
    return f"{pair.margin.low:+.2f} … {pair.margin.high:+.2f}"


def found(folder: Path, meeting: Meeting) -> Iterator[tuple[Results, str]]:
    """The results in the folder, and the machine they were played on."""
    for edition, players in meeting.places:
        path = folder / f"{meeting.name}-{edition}-{players}.json"
        if path.exists():
            where, _, _ = path.with_suffix(".machine").read_text(encoding="utf-8").partition(", Linux")
            yield msgspec.json.decode(path.read_bytes(), type=Results), where


def write(folder: Path) -> None:
    """One table per meeting: margins with their intervals, deals, time per decision, machine."""
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
            allowed = f", {budget_text(meeting.budget)} per decision" if meeting.budget else ""
            header = ["setup", "margin", "95 %", *(["matches won"] if meeting.span == "match" else [])]
            header += ["deals", "matches", f"ms, {meeting.bots[0]}", f"ms, {meeting.bots[1]}", "played on"]
            parts.append(f"**{meeting.bots[0]} over {meeting.bots[1]}**{allowed}\n\n{markdown_table(header, rows)}")
    if len(parts) > 1:
        write_section("arena", "Bots against each other", "make bench-arena", "\n\n".join(parts))


def write_teams(folder: Path) -> None:
    """One table per number of players: every pair of levels, then the ratings."""
    parts = [
        "Null & nichtig with teams: one bot has all seats of a team, the other bot the other team, then the same deal "
        "with the teams exchanged. Margin: points per round and player, team against team, with the 95 % interval. "
        f"{TEAM_BUDGET} per decision for every level, as on the server; `random`, `novice` and `learned` do not take "
        f"it. Seed {TEAM_SEED}."
    ]
    deals, where = 0, ""
    for path, setup in team_tables(folder):
        if path.exists():
            result = msgspec.json.decode(path.read_bytes(), type=Results)
            ms = {it.bot: "–" if it.milliseconds is None else f"{it.milliseconds:.1f}" for it in result.speed}
            rows = [
                [
                    f"{b} over {a}",
                    f"{0.0 - pair.margin.mean:+.2f}",
                    mirrored_interval(pair),
                    str(result.deals),
                    ms[b],
                    ms[a],
                ]
                for pair in reversed(result.pairs)
                for a, b in [pair.bots]
            ]
            header = ["pair", "margin", "95 %", "deals", "ms, first", "ms, second"]
            ratings = ", ".join(f"`{it.bot}` {it.mu:.1f} ({it.low:.1f} … {it.high:.1f})" for it in result.ratings)
            deals, where = result.deals, path.with_suffix(".machine").read_text(encoding="utf-8")
            title = f"**{setup.name}, in teams**"
            parts.append(f"{title}\n\n{markdown_table(header, rows)}\n\nRatings: {ratings}.")
    if len(parts) > 1:
        command = f"python -m bench.arena --only {TEAMS} --deals {deals}"
        write_section("arena-teams", "Bots in teams", command, "\n\n".join(parts), where=where)


def mirrored_interval(pair: Pair) -> str:
    """The interval of the second bot over the first: levels are named weakest first."""
    low, high = pair.margin.low, pair.margin.high
    return "–" if low is None or high is None else f"{0.0 - high:+.2f} … {0.0 - low:+.2f}"


def pooled(results: Sequence[Results]) -> list[str]:
    """All tables together; every deal counts the same."""
    deals = sum(result.deals for result in results)
    margins = [(result.deals / deals, result.pairs[0].margin) for result in results]
    mean = sum(share * margin.mean for share, margin in margins)
    widths = [share * ((margin.high or 0.0) - (margin.low or 0.0)) / 2 for share, margin in margins]
    within = sum(width**2 for width in widths) ** 0.5
    matches = sum(result.pairs[0].matches for result in results)
    return [
        "all together",
        f"{mean:+.2f}",
        f"{mean - within:+.2f} … {mean + within:+.2f}",
        str(deals),
        str(matches),
        "",
        "",
        "",
    ]


def budget_text(budget: str) -> str:
    return f"{int(budget[:-1]):,} iterations" if budget.endswith("n") else re.sub(r"(\d)([a-z])", r"\1 \2", budget)


def row(result: Results) -> list[str]:
    (pair,) = result.pairs
    wins = [] if pair.wins is None else [f"{100 * pair.wins.mean:.1f} %"]
    ms = {it.bot: "–" if it.milliseconds is None else f"{it.milliseconds:.1f}" for it in result.speed}
    name = f"{result.settings.edition}, {result.settings.players} players"
    speeds = [ms[bot] for bot in pair.bots]
    return [name, f"{pair.margin.mean:+.2f}", interval_text(pair), *wins, str(result.deals), str(pair.matches), *speeds]


if __name__ == "__main__":
    main()
