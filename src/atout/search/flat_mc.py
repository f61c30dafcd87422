"""Flat Monte Carlo: every action is tried in the same worlds, and the playout policy plays the rest of the round.

The same worlds and the same policy for all actions are common random numbers: the difference of two actions varies
less than each of them.

    sums[a]            scores of every seat after action a, summed over the worlds it was tried in
    counts[a]          how many worlds that were
    squared_gaps[a, b] squares of the actor's gain by a over b in the same world, summed: how certain a difference is

The caller drops actions that are far behind: a set bit of `candidates` is an action that is still tried.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from atout.rules.arrays import as_rules, as_state
from atout.rules.autoplay import is_round_over
from atout.rules.bits import ctz
from atout.rules.jit import entry
from atout.rules.layout import KINDS, SEATS
from atout.rules.scoring import gain
from atout.rules.step import apply
from atout.search.playout.policy import playout_policy


class Trials(NamedTuple):
    """What came of the actions so far."""

    sums: Any
    squared_gaps: Any
    counts: Any


def new_trials() -> Trials:
    return Trials(np.zeros((KINDS, SEATS)), np.zeros((KINDS, KINDS)), np.zeros(KINDS, np.int64))


@entry
def try_actions(
    states: Any, picks: Any, rules: Any, candidates: int, trials: Any, rng: Any, world: Any
) -> None:  # fmt: skip
    """Try every candidate in every picked world."""
    r, w = as_rules(rules), as_state(world)
    tried = [0] * KINDS
    gains = [0.0] * KINDS
    for k in range(picks.shape[0]):
        start = states[picks[k]]
        seat = as_state(start).turn
        rest = candidates
        count = 0
        while rest != 0:
            action = ctz(rest)
            rest &= rest - 1
            for i in range(world.shape[0]):
                world[i] = start[i]
            apply(w, r, action)
            while not is_round_over(w):
                apply(w, r, playout_policy(w, r, rng))
            for other in range(r.players):
                trials.sums[action, other] += w.scores[other]
            trials.counts[action] += 1
            tried[count] = action
            gains[count] = gain(w.scores, r, seat)
            count += 1
        for i in range(count):
            for j in range(i):
                gap = gains[i] - gains[j]
                trials.squared_gaps[tried[i], tried[j]] += gap * gap
                trials.squared_gaps[tried[j], tried[i]] += gap * gap


@entry
def act_by_playout_policy(state: Any, rules: Any, rng: Any) -> int:
    """The playout policy's action for the seat in turn."""
    return playout_policy(as_state(state), as_rules(rules), rng)
