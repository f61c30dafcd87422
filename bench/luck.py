"""Two ways to take the luck of the deal out of a margin: `python -m bench.luck [--deals 60] [--seed 20261117]`.

single      one seating of a deal, as it was played
adjusted    the same, less what the deal was worth: the open-card value of the first choice (`study/ledger.py`), a fixed
            function of the deal that adds up to 0 over the seats, so over all seatings nothing is gained or lost. This
            is AIVAT's correction for chance. Its corrections for the players' own choices are 0 here: these bots answer
            the same question alike, so the action taken is the only one of their policy
duplicate   the mean over all seatings of a deal, which is what `atout arena` does
"""

from __future__ import annotations

import argparse
import time
from typing import NamedTuple

import numpy as np

from atout.arena.duplicate import DuplicatePlayer
from atout.arena.results import margin
from atout.arena.seatings import seatings
from atout.arena.settings import ArenaSettings
from atout.arena.watchdog import CELLS, Watchdog
from atout.bots import Budget
from atout.game import Game, Setup, new_rng
from atout.search.gain import Float64Array
from atout.study.evaluator import DecisionEvaluator
from atout.study.ledger import open_values
from atout.study.positions import played_rounds
from bench.report import markdown_table, write_section

PAIRS = (("learned", "novice"), ("learned", "mc"))
SETUPS = (("niet-2015", 4), ("nichtig", 4))
SECONDS = 0.02
"""The budget of `mc` for a decision."""

NOTE = """Rounds; every deal in its eight seatings. *Single* is one seating of a deal; *adjusted* is the same less what
the open-card value says that the deal was worth (AIVAT's correction for chance); *duplicate* is the mean over all
seatings. Columns *fewer* are ratios of variances to single matches. `mc` has 20 ms for a decision."""


class Spread(NamedTuple):
    """Variances of a margin, and what a match and an adjustment cost in CPU seconds."""

    mean: float
    single: float
    adjusted: float
    duplicate: float
    match_seconds: float
    value_seconds: float


def deal_values(setup: Setup, seed: int, deal: int) -> Float64Array:
    """What a deal is worth to every seat; the deal is that of `DuplicatePlayer.play`."""
    game = Game.at(setup, int(new_rng(seed, deal)[0]), first_dealer=deal % setup.players)
    game.play(game.legal()[0])
    first = next(played_rounds(game.record())).choices[0]
    values: Float64Array = open_values(DecisionEvaluator.of(first.knowledge()), [first.world()])[0]
    return values


def adjustment(values: Float64Array, seating: str) -> float:
    """By how much the deal favours `a`, in points per player.

    A gain compares a seat's points with the mean of the others', so it is `n / (n − 1)` times the distance to the mean.
    """
    own, others = (np.mean([value for value, at in zip(values, seating, strict=True) if at == who]) for who in "ab")
    return float(own - others) * (len(seating) - 1) / len(seating)


def measure(setup: Setup, pair: tuple[str, str], deals: int, seed: int) -> Spread:
    settings = ArenaSettings.of(setup, pair, budget=Budget(seconds=SECONDS), seed=seed)
    plan = seatings(setup.players)
    margins, luck = np.zeros((deals, len(plan))), np.zeros((deals, len(plan)))
    playing = valuing = 0.0
    for deal in range(deals):
        player = DuplicatePlayer(settings, Watchdog([0.0] * CELLS), pair, frozenset())
        start = time.process_time()
        margins[deal] = [margin(player.play(deal, seating)) for seating in plan]
        middle = time.process_time()
        values = deal_values(setup, seed, deal)
        luck[deal] = [adjustment(values, seating) for seating in plan]
        playing, valuing = playing + middle - start, valuing + time.process_time() - middle
    return Spread(
        mean=float(margins.mean()),
        single=float(margins.var()),
        adjusted=float((margins - luck).var()),
        duplicate=float(margins.mean(1).var(ddof=1)),
        match_seconds=playing / margins.size,
        value_seconds=valuing / deals,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--seed", type=int, default=20261117)
    asked = parser.parse_args()
    rows = []
    for pair in PAIRS:
        for edition, players in SETUPS:
            found = measure(Setup.of(edition, players), pair, asked.deals, asked.seed)
            rows.append([
                f"{edition}, {players} players, `{pair[0]}` – `{pair[1]}`", f"{found.mean:+.2f}", f"{found.single:.1f}",
                f"{found.adjusted:.1f}", f"{found.duplicate:.1f}", f"{found.single / found.adjusted:.2f}",
                f"{found.single / found.duplicate:.1f}",
                f"{found.single / found.duplicate / len(seatings(players)):.2f}",
                f"{found.match_seconds:.2f} s, {found.value_seconds:.2f} s",
            ])  # fmt: skip
            print(rows[-1], flush=True)
    header = [
        "setup, bots", "margin", "variance: single", "adjusted", "duplicate", "fewer deals: adjusted", "duplicate",
        "fewer matches: duplicate", "a match, an adjustment",
    ]  # fmt: skip
    command = f"python -m bench.luck --deals {asked.deals} --seed {asked.seed}"
    write_section("luck", "The luck of the deal in a margin", command, f"{markdown_table(header, rows)}\n\n{NOTE}")


if __name__ == "__main__":
    main()
