"""The speed of the rules on one core, compared with OpenSpiel in the same run (`make bench`).

Random moves a CPU second in one compiled loop of whole matches (deals, scores and all) for every
edition and number of players; the cost of a call from Python; cold and warm start.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from atout.editions import PUBLISHED, published
from atout.game import Game, Setup, new_rng
from atout.rules import entries
from atout.rules.layout import RNG_WORDS, STATE_WORDS
from bench import openspiel
from bench.report import bars, markdown_table, write_section
from bench.timing import per_cpu_second, pin_to_core

PICTURE = Path(__file__).parent / "kernel.svg"


def loop(at: Setup) -> tuple[float, float]:
    """Random moves per second of CPU time, and the spread."""
    state, rng = np.zeros(STATE_WORDS, np.int64), np.zeros(RNG_WORDS, np.int64)

    def work() -> float:
        return float(entries.random_matches(state, at.rules, rng, 200, 1)[0])

    return per_cpu_second(work)


def call_from_python(at: Setup) -> float:
    """Microseconds for `legal` plus `apply` on flat arrays in random rounds, including the loop."""
    game = Game.at(at, seed=1)
    start = game._state.copy()
    game.play_randomly(new_rng(1))
    actions = [entry & 63 for entry in game._rounds[0].log]
    state, rules = start.copy(), at.rules
    legal, apply = entries.legal, entries.apply

    def work() -> float:
        state[:] = start
        for action in actions:
            legal(state, rules)
            apply(state, rules, action)
        return len(actions)

    return 1e6 / per_cpu_second(work)[0]


def seconds_of(code: list[str], cache: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *code], check=True, env=os.environ | {"ATOUT_CACHE": cache}, capture_output=True)
    return time.perf_counter() - start


def starts() -> tuple[float, float, float]:
    """Seconds to compile everything, to the first legal move after that, and to import Numba alone."""
    first_move = "from atout import Game; Game.new('niet-2015', players=4, seed=7).legal()"
    with tempfile.TemporaryDirectory() as cache:
        cold = seconds_of(["-m", "atout.warm"], cache)
        warm = min(seconds_of(["-c", first_move], cache) for _ in range(3))
    return cold, warm, min(seconds_of(["-c", "import numba"], cache) for _ in range(3))


def main() -> None:
    pin_to_core()
    peers = {}
    for key in openspiel.GAMES:
        peers[key], spread = openspiel.rollouts(key)
        print(f"{openspiel.name()} {key}: {peers[key] / 1e6:.2f} M moves/s (spread {spread:.0%})", flush=True)
    fastest = max(peers.values())
    rows, picture = [], [(f"OpenSpiel {key}", rate / 1e6, True) for key, rate in peers.items()]
    for edition in PUBLISHED:
        for players in published(edition).counts:
            at = Setup.of(edition, players)
            rate, spread = loop(at)
            call = call_from_python(at)
            ratios = [f"{rate / peers[key]:.1f}" for key in peers]
            print(
                f"{at.name}: {rate / 1e6:.1f} M moves/s (spread {spread:.0%}), {rate / fastest:.1f} times", flush=True
            )
            rows.append([at.name, f"{rate / 1e6:.1f}", f"{spread:.0%}", *ratios, f"{call:.2f}"])
            picture.append((at.name, rate / 1e6, False))
    cold, warm, numba = starts()
    header = ["setup", "M moves/s", "spread", *(f"× {key}" for key in peers), "legal + apply from Python, µs"]
    body = [
        f"{openspiel.name()}, C++ rollouts: "
        + ", ".join(f"{key} {rate / 1e6:.2f} M moves/s" for key, rate in peers.items())
        + ". Atout: whole random matches in one compiled loop, including deals and scores. One core, CPU time.",
        markdown_table(header, rows),
        "![Random moves per second on one core](kernel.svg)",
        f"Start: compiling all functions {cold:.1f} s (once); from the start of a process to its first legal move "
        f"{warm:.2f} s, of which importing Numba takes {numba:.2f} s.",
    ]
    bars(PICTURE, "Random moves on one core, millions per second", picture, "M/s")
    write_section("kernel", "Rules on one core", "make bench", "\n\n".join(body))
    print(f"cold start {cold:.1f} s, warm start {warm:.2f} s (import numba {numba:.2f} s); written to bench/results.md")


if __name__ == "__main__":
    main()
