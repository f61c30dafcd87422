"""Starts that self-play seldom reaches: matches that begin in a late round with a random standing, and extreme hands.

Both change a match that has just begun a round, before anybody has chosen. They use the match's own random numbers, so
that a seed gives the same matches on every device.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from atout.batch.step import ENDED, MATCH_OVER, ROUND_OVER, next_round
from atout.rules.arrays import as_rules, as_state
from atout.rules.bits import ctz
from atout.rules.cards import copies_of
from atout.rules.jit import entry, rule
from atout.rules.rng import below

TRIES = 12
"""Deals of which the most extreme is taken."""


@rule
def noise(rng: Any, deviation: int) -> int:
    """A random number with about this standard deviation, around 0: the sum of three even ones."""
    total = 0
    for _ in range(3):
        total += below(rng, 2 * deviation + 1) - deviation
    return total


@rule
def begin_late(s: Any, r: Any, rng: Any, deviation: int) -> None:
    """Put the match into a random round, with totals that may have come about by then."""
    if r.target != 0:
        level = below(rng, r.target)
        for seat in range(r.players):
            s.totals[seat] = min(r.target - 1, level + noise(rng, deviation))
    else:
        s.finished = below(rng, r.rounds)
        size = int(deviation * s.finished**0.5)
        for seat in range(r.players):
            s.totals[seat] = noise(rng, size)
    if r.teams != 0:
        for seat in range(2, r.players):
            s.totals[seat] = s.totals[seat % 2]


@rule
def inequality(s: Any, r: Any) -> int:
    """How far the strongest or weakest hand is from an equal share, in values of cards times players."""
    total, high, low = 0, -1, 1 << 30
    for seat in range(r.players):
        held, worth = s.hand[seat], 0
        while held != 0:
            kind = ctz(held)
            held &= held - 1
            worth += copies_of(r, s.hand[seat], s.spare[seat], kind) * r.value_of[kind]
        total += worth
        high, low = max(high, worth), min(low, worth)
    return max(r.players * high - total, total - r.players * low)


@rule
def deal_extreme(s: Any, r: Any, rng: Any, log: Any, progress: Any, best: Any) -> None:
    """Deal again and again, and keep the most unequal deal."""
    most = -1
    for _ in range(TRIES):
        before = rng[0]
        next_round(s, r, rng, log, progress)
        found = inequality(s, r)
        if found > most:
            most = found
            best[0] = before
    after = rng[0]
    rng[0] = best[0]
    next_round(s, r, rng, log, progress)
    rng[0] = after


@rule
def start_unusually(
    s: Any, r: Any, rng: Any, log: Any, progress: Any, is_late: int, is_extreme: int, deviation: int, best: Any
) -> None:
    """Change the start of a match or round that has just begun, where its marks say so."""
    ended = progress[ENDED]
    if is_late != 0 and ended == MATCH_OVER:
        begin_late(s, r, rng, deviation)
    if is_extreme != 0 and (ended == MATCH_OVER or ended == ROUND_OVER):
        deal_extreme(s, r, rng, log, progress, best)


@entry
def start_all(
    states: Any, rows: Any, which: Any, rngs: Any, logs: Any, progress: Any, late: Any, extreme: Any, deviations: Any
) -> None:
    best = np.zeros(1, np.int64)
    for i in range(len(which)):
        start_unusually(
            as_state(states[i]), as_rules(rows[which[i]]), rngs[i], logs[i], progress[i], late[i], extreme[i],
            deviations[which[i]], best,
        )  # fmt: skip
