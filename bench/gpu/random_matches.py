"""Whole random matches on a GPU, one thread per match, by the same functions as on the CPU.

    python -m bench.gpu.random_matches [--matches N] [--check N] [--table EDITION:PLAYERS ...]

For every table: N matches on the GPU, timed with device events (median of five launches after a warm-up),
and the first ones again on the CPU: every match must have the same number of moves and the same digest
of its final state, bit for bit. Prints one JSON line a table; exits 1 on any difference.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from typing import Any

import numpy as np

if not hasattr(np, "row_stack"):
    setattr(np, "row_stack", np.vstack)  # noqa: B010  # some releases of Numba look for it

from numba import cuda as numba_cuda
from numba import from_dtype, int64

from atout.editions import PUBLISHED, published
from atout.game.setup import Setup
from atout.rules import entries
from atout.rules.check import digest
from atout.rules.layout import RNG_WORDS, RULES, STATE, STATE_WORDS
from atout.rules.random_play import random_match
from atout.rules.rng import seed_rng

cuda: Any = numba_cuda
STATE_TYPE = from_dtype(STATE)


@cuda.jit
def play_matches(rules: Any, seed: int, moves: Any, digests: Any) -> None:
    """Thread i plays match i from its own seed; its state is in the thread's local memory."""
    states = cuda.local.array(1, dtype=STATE_TYPE)
    rng = cuda.local.array(RNG_WORDS, dtype=int64)
    i = cuda.grid(1)
    if i < moves.shape[0]:
        r = rules[0]
        s = states[0]
        seed_rng(rng, seed, i)
        moves[i] = random_match(s, r, i % r.players, rng)
        digests[i] = digest(s, 0)


def on_gpu(setup: Setup, matches: int, threads: int, repeats: int = 5) -> tuple[float, Any, Any]:
    """Median seconds of a launch, and moves and digests of every match."""
    rules = cuda.to_device(setup.rules.view(RULES))
    moves, digests = cuda.device_array(matches, np.int64), cuda.device_array(matches, np.int64)
    blocks = (matches + threads - 1) // threads
    times = []
    for repeat in range(repeats + 1):
        start, end = cuda.event(), cuda.event()
        start.record()
        play_matches[blocks, threads](rules, 1, moves, digests)
        end.record()
        end.synchronize()
        if repeat:
            times.append(cuda.event_elapsed_time(start, end) / 1000)
    return statistics.median(times), moves.copy_to_host(), digests.copy_to_host()


def on_cpu(setup: Setup, matches: int) -> tuple[Any, Any]:
    state, rng = np.zeros(STATE_WORDS, np.int64), np.zeros(RNG_WORDS, np.int64)
    moves, digests = np.zeros(matches, np.int64), np.zeros(matches, np.int64)
    entries.match_digests(state, setup.rules, rng, 1, moves, digests)
    return moves, digests


def tables(chosen: list[str]) -> list[Setup]:
    if chosen:
        return [Setup.of(name, int(players)) for name, players in (one.split(":") for one in chosen)]
    return [Setup.of(name, players) for name in PUBLISHED for players in published(name).counts]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=1 << 20)
    parser.add_argument("--check", type=int, default=20_000)
    parser.add_argument("--threads", type=int, default=128)
    parser.add_argument("--table", action="append", default=[])
    arguments = parser.parse_args()
    print(json.dumps({"gpu": str(cuda.get_current_device().name)}), flush=True)
    different = 0
    for setup in tables(arguments.table):
        seconds, moves, digests = on_gpu(setup, arguments.matches, arguments.threads)
        checked = min(arguments.check, arguments.matches)
        cpu_moves, cpu_digests = on_cpu(setup, checked)
        same = bool((cpu_moves == moves[:checked]).all() and (cpu_digests == digests[:checked]).all())
        different += not same
        rate = int(moves.sum()) / seconds
        result = {"table": setup.name, "matches": arguments.matches, "moves": int(moves.sum())}
        result |= {"seconds": round(seconds, 5), "giga_moves_per_s": round(rate / 1e9, 3)}
        print(json.dumps(result | {"checked_on_cpu": checked, "bit_identical": same}), flush=True)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
