"""What a review is worth: `python -m bench.study COMMAND [--rounds N] [--jobs N] [--seed S] [--out FILE]`.

spreads       the standard deviation of a round's gain at every table, among `learned` players; writes
src/atout/study/spreads.json, which labels are measured by
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from atout.batch import Batch
from atout.bots.learned import network_of
from atout.game import Setup
from atout.nets.weights import Network, Trained
from atout.search.gain import Float64Array
from atout.study.labels import SPREADS, table_name
from atout.study.networks import threads

GAMES = ("njet", "nichtig")
LANES = 64
"""Rounds that are played side by side."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.study", description="Measure reviews.")
    parser.add_argument("command", choices=sorted(COMMANDS))
    parser.add_argument("--rounds", type=int, default=256, help="rounds per table, or per level")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=None, help="where the result goes, .json or .md")
    arguments = parser.parse_args()
    COMMANDS[arguments.command](arguments)


def over(task: Callable[..., Any], many: Sequence[Any], jobs: int, what: str) -> Iterator[Any]:
    """Do a task for many arguments, in several processes; tells its progress."""
    begun = time.monotonic()
    if jobs == 1:
        results: Iterator[Any] = map(task, many)
        yield from _told(results, len(many), what, begun)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        yield from _told(pool.map(task, many), len(many), what, begun)


def _told(results: Iterator[Any], count: int, what: str, begun: float) -> Iterator[Any]:
    for number, result in enumerate(results, 1):
        print(f"{what}: {number}/{count}, {time.monotonic() - begun:.0f} s", flush=True)
        yield result


def tables() -> list[tuple[str, Trained]]:
    """Every table that the networks have learned, with its game."""
    found = []
    for game in GAMES:
        network = network_of(game)
        assert network is not None
        found += [(game, trained) for trained in network.header.tables]
    return found


def setup_of(trained: Trained) -> Setup:
    options: dict[str, Any] = {"teams": True} if trained.teams else {}
    setup = Setup.of(trained.edition, trained.players, options)
    if setup.options.scoring != trained.scoring:
        setup = Setup.of(trained.edition, trained.players, {**options, "scoring": trained.scoring})
    return setup


def first_rounds(setup: Setup, network: Network, rounds: int, seed: int) -> Float64Array:
    """The gains of every seat in the first rounds of matches between greedy `learned` players."""
    results: list[Float64Array] = []
    with threads().limit(limits=1):
        for block in range(-(-rounds // LANES)):
            count = min(LANES, rounds - block * LANES)
            batch = Batch([setup], [0] * count, threads=1)
            batch.reset(seed + 7919 * block)
            gains = np.full((count, setup.players), np.nan)
            while np.isnan(gains[:, 0]).any():
                batch.observe()
                outputs = network.evaluate_all(batch.observation)
                batch.step(network.log_policies(outputs, batch.mask, batch.block).argmax(1).astype(np.int64))
                over_now = (batch.ended > 0) & np.isnan(gains[:, 0])
                gains[over_now] = batch.reward[over_now, : setup.players]
            results.append(gains)
    return np.concatenate(results)


# ------------------------------------------------------------------ spreads


def _spread(task: tuple[str, Trained, int, int]) -> tuple[str, float]:
    game, trained, rounds, seed = task
    network, setup = network_of(game), setup_of(trained)
    assert network is not None
    return table_name(setup), float(np.sqrt((first_rounds(setup, network, rounds, seed) ** 2).mean()))


def measure_spreads(arguments: argparse.Namespace) -> None:
    """Gains of all seats add up to 0, so the standard deviation over seats and rounds is the root mean square."""
    tasks = [(game, trained, arguments.rounds, arguments.seed) for game, trained in tables()]
    found = dict(over(_spread, tasks, arguments.jobs, "tables"))
    told = {
        "about": "The standard deviation of a round's gain, by table: edition, players, scoring, teams.",
        "command": f"python -m bench.study spreads --rounds {arguments.rounds} --seed {arguments.seed}",
        "spreads": {name: round(spread, 2) for name, spread in found.items()},
    }
    (arguments.out or SPREADS).write_text(json.dumps(told, indent=1) + "\n")


COMMANDS: dict[str, Callable[[argparse.Namespace], None]] = {"spreads": measure_spreads}


if __name__ == "__main__":
    main()
