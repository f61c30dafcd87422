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
from atout.bots.learned import Prediction, network_of
from atout.game import Knowledge, Setup
from atout.knowledge import entries as knowledge_entries
from atout.nets.weights import Network, Trained
from atout.rules.autoplay import LENGTH
from atout.rules.layout import PLAY
from atout.rules.log import logged
from atout.search.gain import Float64Array
from atout.study.evaluator import Evaluator, mean_and_error
from atout.study.labels import SPREADS, table_name
from atout.study.networks import threads
from atout.study.playouts import TO_THE_END
from atout.study.positions import Position
from atout.study.review import PHASE_OF
from bench.report import markdown_table

GAMES = ("njet", "nichtig")
SHOWN = (("niet-2015", 4, "total", False), ("nichtig", 4, "total", False))
"""The tables that most is measured at."""
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


def drawn_positions(setup: Setup, network: Network, rounds: int, seed: int, share: float) -> list[Position]:
    """Positions of rounds whose actions are drawn from the network; each is kept with the chance `share`."""
    random, found = np.random.default_rng(seed), []
    batch = Batch([setup], [0] * rounds, threads=1)
    batch.reset(seed)
    is_over = np.zeros(rounds, bool)
    while not is_over.all():
        batch.observe()
        ratings = network.log_policies(network.evaluate_all(batch.observation), batch.mask, batch.block)
        places = (ratings + random.gumbel(size=ratings.shape)).argmax(1).astype(np.int64)
        for i in np.flatnonzero(~is_over & (random.random(rounds) < share)).tolist():
            state, log = batch.states[i].copy(), batch.logs[i, : batch.progress[i, LENGTH]].copy()
            knowledge = Knowledge.of(setup, int(batch.turn[i]), state, log)
            action = knowledge_entries.action_at(knowledge.redacted, setup.rules, int(places[i]))
            entry = logged(int(batch.turn[i]), knowledge.state.phase, action)
            found.append(Position(setup, i, len(log), state, log, entry))
        batch.step(places)
        is_over |= batch.ended > 0
    return found


def part_of(position: Position) -> str:
    """The phase, with the trick phase in three parts."""
    if position.phase != PLAY:
        return PHASE_OF[position.phase]
    held = position.knowledge().fact.in_hand[position.seat]
    return "tricks, first third" if held > 10 else "tricks, middle" if held > 5 else "tricks, last"


# ------------------------------------------------------------------ horizons

HORIZONS = {"at once": 0, "one trick": 1, "three tricks": 3, "the end": TO_THE_END}
HORIZON_WORLDS = 48


def _horizons(task: tuple[str, Trained, int, int]) -> list[tuple[str, list[float], list[float]]]:
    """For some decisions: the phase, and by horizon the difference of two actions and its standard error."""
    game, trained, rounds, seed = task
    network, setup = network_of(game), setup_of(trained)
    assert network is not None
    random, found = np.random.default_rng(seed), []
    with threads().limit(limits=1):
        for position in drawn_positions(setup, network, rounds, seed, 0.05):
            knowledge = position.knowledge()
            evaluator = Evaluator.of(knowledge)
            policy = Prediction(network, trained, knowledge).policy
            best = max(policy, key=lambda action: policy[action])
            other = int(random.choice([action for action in policy if action != best]))
            sample = evaluator.draw(knowledge, HORIZON_WORLDS, "horizons")
            sample.log_weights = np.zeros(HORIZON_WORLDS)
            numbers = []
            for horizon in HORIZONS.values():
                values = evaluator.play_out(knowledge, sample, [best, other], horizon).values
                numbers.append(mean_and_error(values[0] - values[1], sample.weights))
            found.append((part_of(position), [x for x, _ in numbers], [x for _, x in numbers]))
    return found


def measure_horizons(arguments: argparse.Namespace) -> None:
    lines = []
    for game, trained in tables():
        if (trained.edition, trained.players, trained.scoring, trained.teams) not in SHOWN:
            continue
        tasks = [(game, trained, 8, arguments.seed + number) for number in range(max(1, arguments.rounds // 8))]
        found = [one for some in over(_horizons, tasks, arguments.jobs, trained.edition) for one in some]
        lines += [f"### {trained.edition}, {trained.players} players", "", _horizon_table(found), ""]
    _write(arguments, "horizons", "\n".join(lines))


def _horizon_table(found: list[tuple[str, list[float], list[float]]]) -> str:
    rows = []
    for part in dict.fromkeys(sorted(one[0] for one in found)):
        some = [one for one in found if one[0] == part]
        means, errors = np.array([one[1] for one in some]), np.array([one[2] for one in some])
        truth, noise = means[:, -1], (errors[:, -1] ** 2).mean()
        cells = [part, str(len(some)), f"{truth.mean():+.2f}"]
        for h in range(len(HORIZONS) - 1):
            x = means[:, h]
            slope = (x * truth).sum() / max((x * x).sum(), 1e-9)
            rms = max(0.0, ((truth - x) ** 2).mean() - noise - (errors[:, h] ** 2).mean()) ** 0.5
            cells.append(f"{slope:.2f}, {(truth - x).mean():+.2f}, {rms:.2f}, {errors[:, h].mean():.2f}")
        cells.append(f"{errors[:, -1].mean():.2f}")
        rows.append(cells)
    header = ["phase", "decisions", "difference", *list(HORIZONS)[:-1], "SE at the end"]
    return markdown_table(header, rows) + "\n\nSlope, bias, RMS error less noise, and mean standard error."


def _write(arguments: argparse.Namespace, command: str, body: str) -> None:
    told = f"python -m bench.study {command} --rounds {arguments.rounds} --seed {arguments.seed}"
    text = f"`{told}`\n\n{body.strip()}\n"
    print(text)
    if arguments.out is not None:
        arguments.out.write_text(text)


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


COMMANDS: dict[str, Callable[[argparse.Namespace], None]] = {"spreads": measure_spreads, "horizons": measure_horizons}


if __name__ == "__main__":
    main()
