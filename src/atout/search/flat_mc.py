"""Which action does best over worlds: each is tried in the same worlds, and the rest of the round is played by habit.

    sums[a]       scores of every seat after action a, added up over the worlds it was tried in
    counts[a]     how many worlds that were
    apart[a, b]   squares of the actor's gain by a over b in the same world, added up: how sure a lead is

An action far behind is dropped from the contest by the caller (a set bit of `racing` is an action still in it).
"""

from __future__ import annotations

from typing import Any

from atout.rules.arrays import as_rules, as_state
from atout.rules.autoplay import is_round_over
from atout.rules.bits import ctz
from atout.rules.jit import entry
from atout.rules.layout import KINDS
from atout.rules.scoring import gain
from atout.rules.step import apply
from atout.search.playout.policy import playout_policy


@entry
def contest(
    states: Any, picks: Any, rules: Any, rng: Any, world: Any, sums: Any, apart: Any, counts: Any, racing: int,
    count: int,
) -> None:  # fmt: skip
    """Try every racing action in the first `count` picked worlds."""
    r, w = as_rules(rules), as_state(world)
    tried = [0] * KINDS
    leads = [0.0] * KINDS
    for k in range(count):
        start = states[picks[k]]
        seat = as_state(start).turn
        rest = racing
        entered = 0
        while rest != 0:
            action = ctz(rest)
            rest &= rest - 1
            for i in range(world.shape[0]):
                world[i] = start[i]
            apply(w, r, action)
            while not is_round_over(w):
                apply(w, r, playout_policy(w, r, rng))
            for other in range(r.players):
                sums[action, other] += w.scores[other]
            counts[action] += 1
            tried[entered] = action
            leads[entered] = gain(w.scores, r, seat)
            entered += 1
        for i in range(entered):
            for j in range(i):
                gap = leads[i] - leads[j]
                apart[tried[i], tried[j]] += gap * gap
                apart[tried[j], tried[i]] += gap * gap


@entry
def act_by_playout_policy(state: Any, rules: Any, rng: Any) -> int:
    """A sensible action for the seat in turn."""
    return playout_policy(as_state(state), as_rules(rules), rng)
