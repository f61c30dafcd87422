"""The chance of winning the match after a round: what late rounds are played for, where points may not be enough.

Points and the match agree early in a match. In the last rounds they do not: a partner of Njet! scores the same, so a
player who takes the leader as partner in the last round cannot win, however many points they make together.

When the match is over, the winners share it; a team wins as one. When rounds are left, ends of the match are drawn:
each total is moved by what a seat usually gains or loses in so many rounds, and the shares are averaged.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from atout.game import Knowledge, Setup
from atout.nets.spreads import spread_of
from atout.rules.arrays import Int64Array, as_rules, as_state
from atout.rules.jit import entry, rule
from atout.rules.layout import OVER, SEATS, STATE_WORDS
from atout.rules.scoring import plays_with, winners
from atout.search.gain import Float64Array, partners

LATE = 1
"""With at most so many rounds after the present one, the match decides instead of the points."""
ENDS = 64
"""Ends of the match that are drawn for a match that is not over."""


@rule
def rounds_left(s: Any, r: Any) -> int:
    """Rounds of the match from here, at least 1; with a target it is estimated from the leader's pace."""
    if r.target == 0:
        return max(1, r.rounds - s.finished)
    best = 1
    for seat in range(r.players):
        best = max(best, s.totals[seat])
    pace = max(1, best // max(1, s.finished))
    return max(1, (r.target - best + pace - 1) // pace)


@entry
def count_rounds_left(state: Any, rules: Any) -> int:
    """Rounds of the match from this state, the present one included."""
    return rounds_left(as_state(state), as_rules(rules))


@entry
def share_matches(states: Any, rules: Any, seat: int, noise: Any, deviation: float, scratch: Any, shares: Any) -> None:
    """The share of the match that the seat or its team wins, for every state at the end of a round."""
    r, w = as_rules(rules), as_state(scratch)
    for k in range(states.shape[0]):
        s = as_state(states[k])
        ends = 1 if s.phase == OVER else noise.shape[0]
        factor = 0.0 if s.phase == OVER else deviation * rounds_left(s, r) ** 0.5
        total = 0.0
        for j in range(ends):
            for other in range(r.players):
                w.totals[other] = s.totals[other] + round(factor * noise[j, other])
            won = winners(w, r)
            if (won >> seat) & 1 != 0:
                own, everybody = 0, 0
                for other in range(r.players):
                    if (won >> other) & 1 != 0:
                        everybody += 1
                        own += 1 if plays_with(r, seat, other) else 0
                total += own / everybody
        shares[k] = total / ends


def is_late(knowledge: Knowledge) -> bool:
    """Whether at most `LATE` rounds follow the present one."""
    return count_rounds_left(knowledge.redacted, knowledge.setup.rules) <= LATE + 1


def match_shares(states: Int64Array, setup: Setup, seat: int) -> Float64Array:
    """The share of the match that the seat or its team wins, for every state at the end of a round."""
    shares, scratch = np.zeros(len(states)), np.zeros(STATE_WORDS, np.int64)
    share_matches(states, setup.rules, seat, _noise(), points_deviation(setup), scratch, shares)
    return shares


def points_deviation(setup: Setup) -> float:
    """The standard deviation of one seat's points in a round. A gain is the difference of two means of points, of the
    seat's team and of its opponents; its deviation is the spread.
    """
    own = len(partners(setup, 0))
    return float(spread_of(setup) / (1 / own + 1 / (setup.players - own)) ** 0.5)


@cache
def _noise() -> Float64Array:
    """The same ends for every decision: common random numbers."""
    return np.random.default_rng(0).standard_normal((ENDS, SEATS))
