"""Numbers of a review as people read them: with one place, and so that what is shown adds up.

The page does the same (`web/src/review/review.ts`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from atout.study.model import Decision, Ledger, RoundLedger


class ShownLedger(NamedTuple):
    """A ledger's numbers with one place: `deal + own + partners + opponents = result` and `own = turned_out − lost`."""

    deal: float
    own: float
    partners: float
    opponents: float
    result: float
    lost: float
    turned_out: float

    @property
    def luck_adjusted(self) -> float:
        return round(self.result - self.deal, 1)


def shown_parts(parts: Sequence[float], total: float) -> list[float]:
    """Parts with one place that add up to the total as it is shown: all are rounded down, and those that lose most by
    it are rounded up instead.

    >>> shown_parts([0.15, 0.15, 0.15], 0.45), shown_parts([-18.84, -33.44, 22.65, -6.45], -36.08)
    ([0.2, 0.2, 0.1], [-18.8, -33.4, 22.6, -6.5])
    """
    units = [math.floor(10 * part) for part in parts]
    rests = [10 * part - unit for part, unit in zip(parts, units, strict=True)]
    missing = round(10 * round(total, 1)) - sum(units)
    for place in sorted(range(len(parts)), key=lambda i: -rests[i])[: max(0, missing)]:
        units[place] += 1
    return [unit / 10 for unit in units]


def shown_ledger(*rows: Ledger | RoundLedger) -> ShownLedger:
    """The numbers of a ledger's row, or of several added up."""

    def total(name: str) -> float:
        return float(sum(getattr(row, name) for row in rows))

    exact = (total("deal"), -total("lost"), total("turned_out"), total("partners"), total("opponents"))
    result = total("result")
    deal, cost, turned_out, partners, opponents = shown_parts(exact, result)
    return ShownLedger(deal, round(cost + turned_out, 1), partners, opponents, round(result, 1), -cost, turned_out)


def shown_rounds(ledger: Ledger) -> list[ShownLedger]:
    """The rows of the rounds. Each adds up, and so does every column, to the row of the whole match.

    A row is what the shown sums over all rounds up to it changed by.
    """
    rounds = ledger.rounds
    sums = [shown_ledger(*rounds[:count]) for count in range(len(rounds) + 1)]
    return [
        ShownLedger(*(round(b - a, 1) for a, b in zip(before, after, strict=True))) for before, after in pairwise(sums)
    ]


def shown_loss(decision: Decision) -> float:
    """What a decision cost, as the values beside it show it: their difference, rounded as they are."""
    if not decision.loss:
        return 0.0
    best, chosen = (round(decision.values[action].known, 1) for action in (decision.best, decision.action))
    return round(max(0.0, best - chosen), 1)
