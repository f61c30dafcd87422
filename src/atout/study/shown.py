"""Numbers of a review as people read them: with one place, and so that what is shown adds up.

The page does the same (`web/src/review/review.ts`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
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


def shown_ledger(ledger: Ledger | RoundLedger) -> ShownLedger:
    """The numbers of a ledger's row."""
    exact = (ledger.deal, -ledger.lost, ledger.turned_out, ledger.partners, ledger.opponents)
    deal, cost, turned_out, partners, opponents = shown_parts(exact, ledger.result)
    return ShownLedger(
        deal, round(cost + turned_out, 1), partners, opponents, round(ledger.result, 1), -cost, turned_out
    )


def shown_loss(decision: Decision) -> float:
    """What a decision cost, as the values beside it show it: their difference, rounded as they are."""
    if not decision.loss:
        return 0.0
    best, chosen = (round(decision.values[action].known, 1) for action in (decision.best, decision.action))
    return round(max(0.0, best - chosen), 1)
