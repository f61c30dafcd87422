"""What the lookahead of `expert` wins in the last round of a match: `python -m bench.last_rounds`.

`learned` plays last rounds against itself, with random standings. At some of its decisions, at every choice of partners
among them, `expert` compares actions as at a table. What each of them leads to is seen in the true deal, played on by
the network at every seat: the share of the match that the seat wins.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np

from atout.batch import Batch
from atout.bots import expert
from atout.bots.learned import Prediction, network_of
from atout.errors import AtoutError
from atout.game import Setup
from atout.nets.spreads import spread_of
from atout.nets.weights import Trained
from atout.rules.layout import DOUBLE, STATE, TEAM
from atout.search.net_rollout import TO_THE_END
from atout.study.positions import Position
from bench.lookahead import add_effort, check_effort
from bench.report import markdown_table
from bench.study import drawn_positions, setup_of, tables

WORLDS = 29
"""As many as 4,000 evaluations allow where a partner is chosen."""
LANES = 4
"""Rounds of one task."""
SHARE = 0.03
"""The share of decisions that are looked at, beside the choices of partners and of the ×2 card."""
LEADS = (0.5, 1.0, 2.0)
"""Sizes of the differences between totals, in spreads of a round."""
TOTALS, FINISHED = (STATE.fields[name][1] // 8 for name in ("totals", "finished"))  # type: ignore[index]


class Looked(NamedTuple):
    """A decision: the share of the match that is won in the true deal."""

    is_side: bool
    """Whether partners are chosen, or who gets the ×2 card."""
    network: float
    """After the network's choice."""
    margin: float
    """After the choice of a lookahead that always asks for a margin of error."""
    expert: float
    """After the choice of `expert`."""


def look(task: tuple[str, Trained, int]) -> list[Looked]:
    """Look at some decisions of a few rounds."""
    game, trained, seed = task
    network, setup = network_of(game), setup_of(trained)
    assert network is not None
    random = np.random.default_rng(seed)

    def begin(batch: Batch) -> None:
        for state in batch.states:
            leads = random.standard_normal(setup.players) * random.choice(LEADS)
            state[TOTALS : TOTALS + setup.players] = np.round(spread_of(setup) * (3 + leads))
            state[FINISHED] = setup.options.rounds - 1

    found = []
    for position in drawn_positions(setup, network, LANES, seed, 1.0, noise=0.0, begin=begin):
        is_side = position.phase in (TEAM, DOUBLE)
        if is_side or random.random() < SHARE:
            prediction = Prediction(network, trained, position.knowledge())
            candidates = expert.likeliest(prediction)
            if len(candidates) > 1:
                found.append(compare(position, prediction, candidates, is_side, seed))
    return found


def compare(position: Position, prediction: Prediction, candidates: list[int], is_side: bool, seed: int) -> Looked:
    """What the candidates lead to, and which of them is chosen."""
    lookahead, true = (expert.lookahead_of(prediction, seed) for _ in range(2))
    lookahead.sample_worlds(WORLDS)
    true.drawn, true.log_weights = position.world(), np.zeros(1)
    for one in (lookahead, true):
        one.try_actions(candidates, TO_THE_END)
    shares = true.match_chances()
    assert shares is not None, "it is the last round"
    with_margin = max(candidates, key=lambda action: expert.lead_less_margin(lookahead, prediction, action))
    best = max(candidates, key=lambda action: expert.certain_lead(lookahead, prediction, action))
    return Looked(is_side, shares[candidates[0]], shares[with_margin], shares[best])


def collect(wanted: Sequence[Setup], seconds: float, jobs: int, seed: int) -> list[Looked]:
    """Look at decisions of these setups in turn for some time."""
    tasks = [(game, one) for game, one in tables() if setup_of(one) in wanted]
    until, waiting, found = time.monotonic() + seconds, set[Future[list[Looked]]](), list[Looked]()
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        while waiting or time.monotonic() < until:
            while len(waiting) < jobs + 1 and time.monotonic() < until:
                waiting.add(pool.submit(look, (*tasks[seed % len(tasks)], seed)))
                seed += 1
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            found += [looked for one in done for looked in one.result()]
            print(f"{len(found)} decisions", flush=True)
    return found


def row(name: str, looked: Sequence[Looked]) -> list[str]:
    """Means of 100 decisions, with the half-width of their 95 % intervals."""
    network, margin, chosen = (np.array([getattr(one, name) for one in looked]) for name in Looked._fields[1:])
    pairs = (margin - network, chosen - network, chosen - margin)
    return [name, str(len(looked)), *(f"{100 * x.mean():+.1f} ± {196 * x.std() / len(x) ** 0.5:.1f}" for x in pairs)]


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.last_rounds", description="What expert wins in last rounds.")
    add_effort(parser)
    given = parser.parse_args(words)
    try:
        check_effort(given)
    except AtoutError as error:
        print(f"bench.last_rounds: {error}", file=sys.stderr)
        return 2
    setups = [Setup.of("niet-2015", n) for n in (3, 4, 5)] + [Setup.of("njet-2007", n) for n in (3, 4, 5)]
    looked = collect(
        [*setups, Setup.of("njet-1997", 3), Setup.of("njet-1997", 4)], given.seconds, given.jobs, given.seed
    )
    parts = {
        "all": looked,
        "partners, ×2 card": [one for one in looked if one.is_side],
        "vetoes, discards, cards": [one for one in looked if not one.is_side],
    }
    header = ["matches won of 100", "decisions", "with a margin", "`expert`", "`expert` over with a margin"]
    print(markdown_table(header, [row(name, some) for name, some in parts.items() if some]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
