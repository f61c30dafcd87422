"""Whole matches of a bot against the same bot of an older version.

    git worktree add OLD COMMIT
    python -m bench.versions OLD --deals 40 --seed 1 --out matches.jsonl

The older bot runs in a process of its own with the code of the folder OLD. It gets the record and makes its view by its
own rules, so that nothing of today's code helps it. Every deal is played with one new bot among old ones and the
reverse, at every seat. Results are appended to the file; what is in it is not played again. Budgets are evaluations or
playouts, because the two versions need different times for one.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from atout.bots import Budget, ask
from atout.bots.registry import make_bot
from atout.game import Game
from bench.report import markdown_table

ANSWERS = """
import json, random, sys
from atout.bots import Budget, ask
from atout.bots.registry import make_bot
from atout.game import Game
bot = make_bot(sys.argv[1])
for line in sys.stdin:
    asked = json.loads(line)
    game = Game.from_record(asked["record"])
    budget = Budget(nodes=asked["nodes"])
    print(ask(bot, game.view(game.turn), random.Random(asked["seed"]), budget).action, flush=True)
"""
"""What the older version runs: for each line with a record, the action of the seat whose turn it is."""


class Settings(NamedTuple):
    """What is played."""

    old: Path
    bot: str
    edition: str
    players: int
    rounds: int
    nodes: int
    old_nodes: int
    seed: int

    def options(self) -> dict[str, Any]:
        return {"length": {"rounds": self.rounds}}


class PlayedMatch(NamedTuple):
    """The result of a match."""

    deal: int
    is_alone: bool
    """One new bot among old ones, or one old among new ones."""
    seat: int
    """The seat of the one."""
    totals: list[int]
    winners: list[int]

    def news(self) -> set[int]:
        """The seats of the new bot."""
        return {self.seat} if self.is_alone else set(range(len(self.totals))) - {self.seat}

    def margin(self) -> float:
        """Points per new bot less points per old bot."""
        sides: dict[bool, list[int]] = {True: [], False: []}
        for seat, total in enumerate(self.totals):
            sides[seat in self.news()].append(total)
        return statistics.fmean(sides[True]) - statistics.fmean(sides[False])

    def share(self) -> float:
        """The share of the match that new bots won."""
        return sum(seat in self.news() for seat in self.winners) / len(self.winners)

    def excess(self) -> float:
        """That share less the fair one."""
        return self.share() - len(self.news()) / len(self.totals)


def play_both(settings: Settings, deal: int, seat: int) -> list[PlayedMatch]:
    """The two matches of a deal in which this seat is the one."""
    folders = [str(settings.old / "src"), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(filter(None, folders)), "ATOUT_CACHE": str(settings.old / "cache"),
    }  # fmt: skip
    command = [sys.executable, "-c", ANSWERS, settings.bot]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=settings.old
    ) as old:
        found = [_play(settings, deal, is_alone=is_alone, seat=seat, old=old) for is_alone in (True, False)]
        old.communicate()
    return found


def _play(settings: Settings, deal: int, *, is_alone: bool, seat: int, old: subprocess.Popen[str]) -> PlayedMatch:
    assert old.stdin is not None
    assert old.stdout is not None
    game = Game.new(settings.edition, settings.players, settings.seed * 1000 + deal, settings.options())
    rng = random.Random(f"{settings.seed}/{deal}/{seat}/{is_alone}")
    new = make_bot(settings.bot)
    while not game.is_over:
        turn = game.turn
        assert turn is not None
        if (turn == seat) == is_alone:
            game.play(ask(new, game.view(turn), rng, Budget(nodes=settings.nodes)).action)
            continue
        asked = {"record": msgspec.to_builtins(game.record()), "seed": rng.random(), "nodes": settings.old_nodes}
        old.stdin.write(json.dumps(asked) + "\n")
        old.stdin.flush()
        answer = old.stdout.readline().strip()
        if not answer:
            raise SystemExit(f"{settings.old}: the older version stopped; its message is above")
        game.play(answer)
    return PlayedMatch(deal, is_alone, seat, list(game.totals), list(game.winners))


def begin(path: Path, settings: Settings) -> None:
    """The first line of a file of matches is what was played; matches of other settings are not mixed with them."""
    line = msgspec.json.encode(settings._replace(old=Path(settings.old.name)), enc_hook=str)
    if not path.exists():
        path.write_bytes(line + b"\n")
    elif path.read_bytes().splitlines()[:1] != [line]:
        sys.exit(f"{path}: its matches have other settings; expected {line.decode()}")


def read(path: Path) -> list[PlayedMatch]:
    return [msgspec.json.decode(line, type=PlayedMatch) for line in path.read_bytes().splitlines()[1:]]


def report(matches: Sequence[PlayedMatch]) -> str:
    """Margin and share of wins with 95 % intervals over deals."""
    deals = sorted({one.deal for one in matches})
    by_deal = [[one for one in matches if one.deal == deal] for deal in deals]

    def interval(values: Iterable[float], factor: float, unit: str) -> str:
        found = [factor * value for value in values]
        half = 1.96 * statistics.stdev(found) / len(found) ** 0.5 if len(found) > 1 else float("inf")
        return f"{statistics.fmean(found):+.2f} ± {half:.2f}{unit}"

    def won(*, is_alone: bool) -> str:
        shares = [one.share() for one in matches if one.is_alone == is_alone]
        return f"{100 * statistics.fmean(shares):.1f} %"

    cells = [
        str(len(deals)),
        str(len(matches)),
        interval((statistics.fmean(one.margin() for one in some) for some in by_deal), 1, ""),
        interval((statistics.fmean(one.excess() for one in some) for some in by_deal), 100, " %"),
        won(is_alone=True),
        won(is_alone=False),
    ]
    head = ["deals", "matches", "points of a match", "wins over the fair share", "one new wins", "all new but one win"]
    return markdown_table(head, [cells])


def main() -> None:
    parser = argparse.ArgumentParser(description="Whole matches of a bot against the same bot of an older version.")
    parser.add_argument("old", type=Path, help="a folder with the code of the older version")
    parser.add_argument("--bot", default="expert")
    parser.add_argument("--edition", default="niet-2015")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3, help="rounds of a match")
    parser.add_argument("--nodes", type=int, default=1800, help="the budget of a decision")
    parser.add_argument("--old-nodes", type=int, default=650, help="the budget of a decision of the older bot")
    parser.add_argument("--deals", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--out", type=Path, required=True, help="matches, JSON Lines")
    given = parser.parse_args()
    settings = Settings(
        given.old.resolve(), given.bot, given.edition, given.players, given.rounds, given.nodes, given.old_nodes,
        given.seed,
    )  # fmt: skip
    begin(given.out, settings)
    played = {(one.deal, one.seat) for one in read(given.out)}
    places = [(deal, seat) for deal in range(given.deals) for seat in range(given.players)]
    missing = [place for place in places if place not in played]
    with ProcessPoolExecutor(given.jobs, mp_context=get_context("spawn")) as pool:
        futures = [pool.submit(play_both, settings, *place) for place in missing]
        for future in as_completed(futures):
            with given.out.open("ab") as file:
                file.write(b"".join(msgspec.json.encode(one) + b"\n" for one in future.result()))
            print(report(read(given.out)), flush=True)
    if not missing:
        print(report(read(given.out)))


if __name__ == "__main__":
    main()
