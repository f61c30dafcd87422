"""Numbers of a review as people read them: with one place, and so that what is shown adds up; shares of likely deals.

The page does the same (`web/src/review/review.ts`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from atout.search.gain import Float64Array
from atout.study.model import WRONG, Decision, Ledger, RoundLedger

ERRORS = 2.0
"""Standard errors that a least share leaves below the share of the sample."""


def tenths(n: float) -> float:
    """A number with one place; a half is rounded away from zero, and there is no −0.0.

    >>> tenths(-9.25), tenths(2.15), tenths(0.04), tenths(-0.04)
    (-9.3, 2.2, 0.0, 0.0)
    """
    return math.copysign(math.floor(10 * abs(n) + 0.5) / 10, n) + 0.0


def effective(weights: Float64Array) -> float:
    """How many worlds of equal weight tell as much: the effective sample size of weights that add up to 1."""
    return 1 / float((weights**2).sum())


def share_of_all(share: float, count: float) -> float:
    """What a share in a sample of this size lets one expect of all deals, by the rule of succession: never all of them,
    never none.

    >>> share_of_all(1.0, 48), share_of_all(0.5, 48), share_of_all(0.0, 48)
    (0.98, 0.5, 0.02)
    """
    return (share * count + 1) / (count + 2)


def least_share(share: float, count: float) -> float:
    """The share of all deals that a sample of this size speaks for at least: Wilson's lower bound.

    >>> [round(least_share(share, count), 2) for share, count in ((1.0, 48), (1.0, 16), (0.94, 48))]
    [0.92, 0.8, 0.83]
    """
    extra = ERRORS**2 / count
    error = ERRORS * math.sqrt(share * (1 - share) / count + extra / (4 * count))
    return (share + extra / 2 - error) / (1 + extra)


def of_a_hundred(share: float) -> int:
    """A share that is neither all nor none, of 100.

    >>> of_a_hundred(0.9996), of_a_hundred(0.876), of_a_hundred(0.0004)
    (99, 88, 1)
    """
    return min(99, max(1, round(100 * share)))


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
        return tenths(self.result - self.deal)


def shown_parts(parts: Sequence[float], total: float) -> list[float]:
    """Parts with one place that add up to the total as it is shown: all are rounded down, and those that lose most by
    it are rounded up instead.

    >>> shown_parts([0.15, 0.15, 0.15], 0.45), shown_parts([-18.84, -33.44, 22.65, -6.45], -36.08)
    ([0.2, 0.2, 0.1], [-18.8, -33.4, 22.6, -6.5])
    """
    units = [math.floor(10 * part) for part in parts]
    rests = [10 * part - unit for part, unit in zip(parts, units, strict=True)]
    missing = round(10 * tenths(total)) - sum(units)
    for place in sorted(range(len(parts)), key=lambda i: -rests[i])[: max(0, missing)]:
        units[place] += 1
    return [unit / 10 for unit in units]


def shown_ledger(*rows: Ledger | RoundLedger, decisions: Sequence[Decision] = ()) -> ShownLedger:
    """The numbers of a ledger's row, or of several added up.

    What is shown as lost is the sum of what is shown beside the seat's decisions. `decisions` may have those of other
    rounds too; without any, nothing was lost, and `turned_out` is all of `own`.
    """

    def total(name: str) -> float:
        return float(sum(getattr(row, name) for row in rows))

    result = total("result")
    parts = [total(name) for name in ("deal", "own", "partners", "opponents")]
    deal, own, partners, opponents = shown_parts(parts, result)
    numbers = {one.round for row in rows for one in (row.rounds if isinstance(row, Ledger) else (row,))}
    lost = tenths(sum(shown_loss(one) for one in decisions if one.round in numbers))
    return ShownLedger(deal, own, partners, opponents, tenths(result), lost, tenths(own + lost))


def shown_rounds(ledger: Ledger, decisions: Sequence[Decision] = ()) -> list[ShownLedger]:
    """The rows of the rounds. Each adds up, and so does every column, to the row of the whole match.

    A row is what the shown sums over all rounds up to it changed by.
    """
    rounds = ledger.rounds
    sums = [shown_ledger(*rounds[:count], decisions=decisions) for count in range(len(rounds) + 1)]
    return [
        ShownLedger(*(tenths(b - a) for a, b in zip(before, after, strict=True))) for before, after in pairwise(sums)
    ]


def shown_loss(decision: Decision) -> float:
    """What a decision cost, as the values beside it show it: their difference, rounded as they are. Decisions that are
    not called wrong cost nothing.
    """
    if decision.label not in WRONG:
        return 0.0
    best, chosen = (tenths(decision.values[action].known) for action in (decision.best, decision.action))
    return tenths(max(0.0, best - chosen))
