"""Time of the double dummy solver, compared with a bridge solver in the same run (part of `make bench`).

Positions are random deals of niet-2015 with random vetoes, played at random until so many tricks are left; a
solution starts with nothing remembered. `best` finds the value and a best card, `each` the value of every card.
"""

from __future__ import annotations

import math
import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from atout.game import Setup
from atout.game.notation import bits_of
from atout.rules import entries
from atout.rules.arrays import Int64Array, plain
from atout.rules.layout import DEAL, PLAY, RNG_WORDS, STATE, STATE_WORDS
from atout.search.solver.solver import Solver
from bench import bridge
from bench.report import bars, markdown_table, write_section
from bench.timing import pin_to_core

PICTURE = Path(__file__).parent / "solver.svg"
TABLE = ("niet-2015", 4)
OTHERS = (("njet-1997", 4), ("njet-2007", 4), ("niet-2015", 3), ("niet-2015", 5))
COUNTS = {5: 200, 7: 200, 8: 120, 9: 80, 10: 60}
"""Number of positions, by tricks left."""
OTHERS_LEFT = 7
BRIDGE = {7: 200, 10: 100, 13: 60}
LONG = {12: 20, 15: 12}
"""Number of long positions, by tricks left; 15 are full deals."""
LONG_NODES = 300_000_000
"""The limit for each of them: about a minute, and the same on every machine."""
Row = tuple[str, float, float, float]
"""What was solved; median, 90th percentile and mean in CPU milliseconds."""


def position(at: Setup, left: int, number: int) -> Int64Array:
    """A random round with exactly this many tricks left; a deal with discards may never have that many."""
    rng = random.Random(f"{at.name}/{left}/{number}")
    state, deal_rng = np.zeros(STATE_WORDS, np.int64), np.zeros(RNG_WORDS, np.int64)
    while True:
        entries.begin(state, at.rules, rng.randrange(at.players))
        entries.deal_seeded(state, at.rules, deal_rng, rng.getrandbits(60), 0)
        while state[0] != DEAL:
            if state[0] == PLAY and tricks_left(state) == left:
                return state
            entries.apply(state, at.rules, rng.choice(list(bits_of(entries.legal(state, at.rules)))))


def tricks_left(state: Int64Array) -> int:
    """Between two tricks; within one, none."""
    s = plain(state, STATE)
    return 0 if s.played else s.hand[s.turn].bit_count() + s.spare[s.turn].bit_count()


def timed(name: str, calls: list[Callable[[], object]]) -> Row:
    calls[0]()
    spent = []
    for call in calls:
        start = time.process_time()
        call()
        spent.append(1e3 * (time.process_time() - start))
    row = name, statistics.median(spent), sorted(spent)[len(spent) * 9 // 10], statistics.mean(spent)
    print(f"{name}: median {row[1]:.3f} ms, nine of ten within {row[2]:.2f}, mean {row[3]:.2f}", flush=True)
    return row


def solve_from_scratch(solver: Solver, at: Setup, each: bool, state: Int64Array) -> None:
    solver.forget()
    solver.solve(state, at.rules, each=each, line=False)


def solves(solver: Solver, at: Setup, left: int, count: int, each: bool) -> list[Callable[[], object]]:
    return [partial(solve_from_scratch, solver, at, each, position(at, left, i)) for i in range(count)]


def long_solves(solver: Solver, at: Setup, left: int, count: int) -> list[float]:
    """CPU seconds of each long position in order of length; infinite for one not solved within the limit."""
    spent = []
    for i in range(count):
        state, start = position(at, left, i), time.process_time()
        solver.forget()
        solution = solver.solve(state, at.rules, each=False, line=False, nodes=LONG_NODES)
        used = time.process_time() - start
        spent.append(math.inf if solution is None else used)
        print(f"{left} left, position {i + 1}: {used:.2f} s{' (not solved)' if solution is None else ''}", flush=True)
    return sorted(spent)


def long_text(left: int, spent: list[float]) -> str:
    """A sentence about long positions. The median is over all of them, so it exists if more than half are solved."""
    solved = [seconds for seconds in spent if seconds < math.inf]
    text = f"{left} tricks, best: {len(solved)} of {len(spent)} solved within {LONG_NODES / 1e6:.0f} million nodes"
    median = statistics.median_high(spent)
    if median < math.inf:
        text += f"; median of all {median:.2f} s of CPU time, longest solved {solved[-1]:.1f} s"
    return text + "."


def main() -> None:
    pin_to_core()
    solver, at = Solver(), Setup.of(*TABLE)
    peers, ours = {}, {}
    for each in (False, True):
        what = "each" if each else "best"
        for left, count in BRIDGE.items():
            peers[left, each] = timed(f"{bridge.name()}, {left} left, {what}", bridge.solves(left, count, each))
        for left, count in COUNTS.items():
            ours[left, each] = timed(f"{at.name}, {left} left, {what}", solves(solver, at, left, count, each))
    others = [
        timed(f"{there.name}, {OTHERS_LEFT} left, best", solves(solver, there, OTHERS_LEFT, 100, each=False))
        for there in (Setup.of(*other) for other in OTHERS)
    ]
    long = [long_text(left, long_solves(solver, at, left, count)) for left, count in LONG.items()]
    print("\n".join(long))
    rows = []
    for left in sorted({*COUNTS, *BRIDGE}):
        found = [rates.get((left, each)) for rates in (ours, peers) for each in (False, True)]
        rows.append([str(left), *("" if row is None else f"{row[1]:.2f} ({row[2]:.1f})" for row in found)])
    header = ["tricks left", f"{at.name}: best", "each", f"{bridge.name()}: best", "each"]
    body = [
        "Exact solutions with open cards: the value and a best card (best), or the value of every card (each). CPU "
        "time in milliseconds on one core: median, and the 90th percentile in brackets. Atout: random deals with "
        "random vetoes, played at random up to the position. Bridge: random deals, random trumps. The transposition "
        "table is cleared between positions.",
        markdown_table(header, rows),
        f"Other setups with {OTHERS_LEFT} tricks left, best: "
        + "; ".join(
            f"{name.split(f', {OTHERS_LEFT} left')[0]} {median:.2f} ({most:.1f})" for name, median, most, _ in others
        )
        + ".",
        " ".join(long) + f" The bridge solver needs {peers[13, False][1]:.1f} ms for 13 tricks (median).",
        "![Median time of the double dummy solver](solver.svg)",
    ]
    picture = [(f"{at.name.split(',')[0]}, {left} left", ours[left, False][1], False) for left in COUNTS]
    picture += [(f"bridge, {left} left", peers[left, False][1], True) for left in BRIDGE]
    bars(PICTURE, "Double dummy solver, CPU milliseconds (median)", picture, "ms")
    write_section("solver", "Double dummy solver", "make bench", "\n\n".join(body))


if __name__ == "__main__":
    main()
