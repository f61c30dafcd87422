"""Does it pay to overrule the network? What the lookahead of `expert` gains, decision by decision.

    python -m bench.lookahead collect FILE --seconds 600 --jobs 2 --seed 1
    python -m bench.lookahead report FILE ...

`learned` plays rounds against itself. At some of its decisions the worlds and rollouts of a lookahead are kept, and
what each action really leads to: the true deal, played on by the network at every seat. So a rule for overruling can be
tried on the same decisions afterwards: how often it overrules, and what that gains. A match of bots says the same with
far more noise, because most of its result is the deal. What two changed decisions do together is not seen.
"""

from __future__ import annotations

import argparse
import gzip
import pickle
import sys
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np

from atout.bots import expert
from atout.bots.learned import Prediction, network_of
from atout.errors import AtoutError, UsageError
from atout.game import Setup
from atout.knowledge.features import BLOCK
from atout.nets.spreads import table_name
from atout.nets.weights import Trained
from atout.rules.layout import LOG
from atout.search.gain import Float64Array
from atout.search.lookahead import ENOUGH, FLATTEN
from atout.search.net_rollout import TO_THE_END, Worlds
from atout.search.weighted import flattened, mean_and_error
from atout.study.networks import networks_of
from atout.study.playouts import play_out
from atout.study.positions import Position
from atout.study.review import PHASE_OF
from bench.report import markdown_table
from bench.study import drawn_positions, setup_of, tables

WORLDS = 48
COUNTS = (8, 16, 32, 48)
"""Numbers of worlds that are compared."""
LANES = 4
"""Rounds of one task."""
SHARE = 0.12
"""The share of decisions that are kept: few of a round, so that they hardly depend on each other."""


class Looked(NamedTuple):
    """A decision with its rollouts. Candidates are those of `expert` before its first trial."""

    table: str
    phase: str
    is_last: bool
    policy: Float64Array
    """By candidate."""
    true: Float64Array
    """What each candidate gains in the true deal."""
    log_weights: Float64Array
    """By world."""
    values: Float64Array
    """What each candidate gains in each world."""


class Collected(NamedTuple):
    """What a file holds."""

    rounds: dict[str, int]
    """By table."""
    looked: list[Looked]


# ------------------------------------------------------------------ collect


def collect(task: tuple[str, Trained, int]) -> tuple[str, list[Looked]]:
    game, trained, seed = task
    network, setup = network_of(game), setup_of(trained)
    assert network is not None
    found = []
    for position in drawn_positions(setup, network, LANES, seed, SHARE, noise=0.0):
        prediction = Prediction(network, trained, position.knowledge())
        candidates = expert.likeliest(prediction)
        if len(candidates) > 1:
            found.append(look(position, prediction, candidates, seed))
    return table_name(setup), found


def look(position: Position, prediction: Prediction, candidates: list[int], seed: int) -> Looked:
    nets = networks_of(prediction.knowledge)
    likeliest_choices = np.zeros((WORLDS, LOG, BLOCK))
    lookahead, mixed = expert.lookahead_of(prediction, seed), np.random.default_rng(seed).permutation(WORLDS)
    lookahead.sample_worlds(WORLDS)
    drawn = Worlds(*(array[mixed] for array in lookahead.drawn))

    def tried(worlds: Worlds, horizon: int) -> Float64Array:
        noise = likeliest_choices[: len(worlds.states)]
        return play_out(nets, worlds, candidates, position.seat, horizon, noise).values

    return Looked(
        table_name(position.setup),
        PHASE_OF[position.phase],
        expert.is_last(prediction),
        np.array([prediction.policy[action] for action in candidates]),
        tried(position.world(), TO_THE_END)[:, 0],
        lookahead.log_weights[mixed],
        tried(drawn, expert.HORIZON),
    )


def run_collect(arguments: argparse.Namespace) -> None:
    if len(arguments.files) > 1:
        raise UsageError(f"collect: {len(arguments.files)} files are not allowed; expected one")
    check_effort(arguments)
    chosen = chosen_tables(arguments.at)
    prepare(arguments.files[0])
    until, seed = time.monotonic() + arguments.seconds, arguments.seed
    collected, waiting = Collected({}, []), set[Future[tuple[str, list[Looked]]]]()
    with ProcessPoolExecutor(arguments.jobs, get_context("spawn")) as pool:
        while waiting or time.monotonic() < until:
            while len(waiting) < arguments.jobs + 2 and time.monotonic() < until:
                waiting.add(pool.submit(collect, (*chosen[seed % len(chosen)], seed)))
                seed += 1
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for table, looked in (one.result() for one in done):
                collected.looked.extend(looked)
                collected.rounds[table] = collected.rounds.get(table, 0) + LANES
            print(f"{len(collected.looked)} decisions of {sum(collected.rounds.values())} rounds", flush=True)
    with gzip.open(arguments.files[0], "wb", 3) as file:
        pickle.dump((collected.rounds, [tuple(one) for one in collected.looked]), file)


def check_effort(arguments: argparse.Namespace) -> None:
    """Refuse no time, no processes and a negative seed."""
    if not 0 < arguments.seconds < float("inf"):
        raise UsageError(f"--seconds: {arguments.seconds:g} is not allowed; expected a number above 0")
    for name, least in (("jobs", 1), ("seed", 0)):
        if (value := getattr(arguments, name)) < least:
            raise UsageError(f"--{name}: {value} is not allowed; expected {least} or more")


def prepare(path: Path) -> None:
    """Find out before the work whether the file can be written."""
    try:
        path.open("ab").close()
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from None


def chosen_tables(at: str) -> list[tuple[str, Trained]]:
    """The tables that are named, or the published ones if none is."""
    known = {table_name(setup_of(one)) for _, one in tables()}
    for name in at.split(",") if at else ():
        if name not in known:
            raise UsageError(f"--at: {name!r} is not known; known: {', '.join(sorted(known))}")
    return [(game, one) for game, one in tables() if is_wanted(setup_of(one), at)]


def is_wanted(setup: Setup, at: str) -> bool:
    """The tables of an edition as published, or those that are named."""
    options = {"teams": True} if setup.options.teams else {}
    usual = Setup.of(setup.edition.id, setup.players, options).options.scoring
    return table_name(setup) in at.split(",") if at else setup.options.scoring == usual


# ------------------------------------------------------------------ report


def read(paths: Sequence[Path]) -> Collected:
    everything = Collected({}, [])
    for path in paths:
        try:
            with gzip.open(path, "rb") as file:
                rounds, looked = pickle.load(file)  # noqa: S301
        except FileNotFoundError:
            raise UsageError(f"report: there is no file {path}; collect writes one") from None
        except (OSError, EOFError, pickle.UnpicklingError):
            raise UsageError(f"report: {path} cannot be read; expected a file that collect wrote") from None
        everything.looked.extend(Looked(*one) for one in looked)
        for table, count in rounds.items():
            everything.rounds[table] = everything.rounds.get(table, 0) + count
    return everything


def gained(one: Looked, worlds: int) -> float | None:
    """What overruling the network by the rule of `expert` gains in the true deal; None if it does not overrule."""
    weights = flattened(one.log_weights[:worlds], ENOUGH, FLATTEN)
    most = expert.LEAD_ERRORS if one.is_last else expert.MAX_LEAD_ERRORS
    best, certain = 0, 0.0
    for k in range(1, len(one.policy)):
        lead, error = mean_and_error((one.values[k] - one.values[0])[:worlds], weights)
        found = lead - expert.errors_needed(one.policy[0], one.policy[k], most) * error
        if found > certain:
            best, certain = k, found
    return float(one.true[best] - one.true[0]) if best else None


def row(name: str, collected: Collected, worlds: int = WORLDS) -> list[str]:
    some = collected.looked
    gains = np.array([gain for one in some if (gain := gained(one, worlds)) is not None] or [0.0])
    seats = SHARE * sum(int(table.split()[1]) * count for table, count in collected.rounds.items())
    each, total = 1.96 * gains.std() / len(gains) ** 0.5, 1.96 * float((gains**2).sum()) ** 0.5 / seats
    return [
        name,
        f"{len(gains)} of {len(some)}",
        f"{gains.mean():+.2f} ± {each:.2f}",
        f"{gains.sum() / seats:+.2f} ± {total:.2f}",
    ]


def run_report(arguments: argparse.Namespace) -> None:
    everything = read(arguments.files)
    rounds, looked = everything
    rows = [row(f"{count} worlds", everything, count) for count in COUNTS]
    phases = sorted({one.phase for one in looked})
    rows += [row(phase, Collected(rounds, [one for one in looked if one.phase == phase])) for phase in phases]
    rows += [
        row(table, Collected({table: count}, [one for one in looked if one.table == table]))
        for table, count in sorted(rounds.items())
    ]
    print(markdown_table(["", "overruled", "gain of each", "gain per seat and round"], rows))


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.lookahead", description="What overruling the network gains.")
    parser.add_argument("command", choices=["collect", "report"], help="look at decisions, or print the tables")
    parser.add_argument("files", type=Path, nargs="+", help="the file to write, or those to report on")
    parser.add_argument("--at", default="", help="tables, as `niet-2015 4 total`; all published ones if not given")
    add_effort(parser)
    given = parser.parse_args(words)
    try:
        (run_collect if given.command == "collect" else run_report)(given)
    except AtoutError as error:
        print(f"bench.lookahead: {error}", file=sys.stderr)
        return 2
    return 0


def add_effort(parser: argparse.ArgumentParser) -> None:
    """The options that `check_effort` checks."""
    parser.add_argument("--seconds", type=float, default=600, help="how long to collect (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the deals (default: %(default)s)")


if __name__ == "__main__":
    sys.exit(main())
