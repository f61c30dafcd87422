"""Random endings, and plain recursion over them: what the solvers are held against.

Recursion plays the kernel's own rules to the end of the round and knows nothing else.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from atout.game import Setup
from atout.game.notation import bits_of
from atout.rules import entries
from atout.rules.arrays import Int64Array, plain
from atout.rules.layout import DEAL, OVER, PLAY, RNG_WORDS, STATE, STATE_WORDS
from atout.search.gain import gain

FAR = 10_000
"""Beyond every total."""


def legal(state: Int64Array, setup: Setup) -> list[int]:
    return list(bits_of(entries.legal(state, setup.rules)))


def after(state: Int64Array, setup: Setup, *kinds: int) -> Int64Array:
    twin = state.copy()
    for kind in kinds:
        assert (entries.legal(twin, setup.rules) >> kind) & 1, f"{kind} is not legal"
        entries.apply(twin, setup.rules, kind)
    return twin


def is_over(state: Int64Array) -> bool:
    return int(state[0]) in (DEAL, OVER)


def dealt(setup: Setup, rng: random.Random) -> Int64Array:
    state, deal_rng = np.zeros(STATE_WORDS, np.int64), np.zeros(RNG_WORDS, np.int64)
    entries.begin(state, setup.rules, rng.randrange(setup.players))
    entries.deal_seeded(state, setup.rules, deal_rng, rng.getrandbits(60), 0)
    return state


def cards_in(state: Int64Array, players: int) -> int:
    s = plain(state, STATE)
    return sum(s.hand[seat].bit_count() + s.spare[seat].bit_count() for seat in range(players))


def endings(setup: Setup, seed: str, least: int, most: int, sign: int = 0) -> Iterator[Int64Array]:
    """Random rounds stopped with `least` to `most` cards in hands, between tricks and within them.

    `sign` above or below 0: only rounds whose tricks bring points, or cost them.
    """
    rng = random.Random(seed)
    while True:
        state, goal = dealt(setup, rng), rng.randint(least, most)
        while state[0] != PLAY or cards_in(state, setup.players) > goal:
            entries.apply(state, setup.rules, rng.choice(legal(state, setup)))
        points = plain(state, STATE).points
        if sign == 0 or points * sign > 0:
            yield state


def side_points(state: Int64Array, players: int) -> tuple[int, int]:
    """Points of the start player's side and of the other at the end of the round (Njet! §7.1, §7.2)."""
    s = plain(state, STATE)
    points = [0, 0]
    for seat in range(players):
        won = ((s.tricks >> (8 * seat)) & 255) + ((s.loot >> (8 * seat)) & 255)
        points[1 - ((s.side >> seat) & 1)] += won * s.points * (2 if seat == s.doubler else 1)
    return points[0], points[1]


def minimax(state: Int64Array, setup: Setup) -> int:
    """The start player's side less the other, when both sides play their best."""
    if is_over(state):
        ours, theirs = side_points(state, setup.players)
        return ours - theirs
    values = [minimax(after(state, setup, kind), setup) for kind in legal(state, setup)]
    s = plain(state, STATE)
    return max(values) if (s.side >> s.turn) & 1 else min(values)


Known = dict[tuple[int, ...], tuple[int, int]]


def alpha_beta(state: Int64Array, setup: Setup, low: int, high: int, known: Known) -> int:
    """The same within a window, for longer endings; between tricks `known` bounds what equal hands still bring."""
    ours, theirs = side_points(state, setup.players)
    if is_over(state):
        return ours - theirs
    s, won = plain(state, STATE), ours - theirs
    key, bounds = (s.turn, *s.hand, *s.spare), (-FAR, FAR)
    if s.played == 0:
        bounds = known.get(key, bounds)
        if bounds[0] + won >= high or bounds[0] == bounds[1]:
            return bounds[0] + won
        if bounds[1] + won <= low:
            return bounds[1] + won
    upward = (s.side >> s.turn) & 1
    best, floor, ceiling = (-FAR if upward else FAR), low, high
    for kind in legal(state, setup):
        value = alpha_beta(after(state, setup, kind), setup, floor, ceiling, known)
        if upward:
            best, floor = max(best, value), max(floor, value)
        else:
            best, ceiling = min(best, value), min(ceiling, value)
        if floor >= ceiling:
            break
    if s.played == 0:
        known[key] = (best - won if best > low else bounds[0], best - won if best < high else bounds[1])
    return best


def selfish(
    state: Int64Array, setup: Setup, chooser: int | None = None, preference: Any = None
) -> tuple[list[int], list[int]]:
    """Scores and kinds played when every seat, or one seat against fixed habits, wants its own gain high."""
    s = plain(state, STATE)
    if is_over(state):
        return s.scores[: setup.players], []
    kinds = legal(state, setup)
    if chooser is not None and s.turn != chooser:
        kinds = [min(kinds, key=lambda kind: (preference[s.turn, kind], kind))]
    best: tuple[list[int], list[int]] | None = None
    for kind in kinds:
        scores, line = selfish(after(state, setup, kind), setup, chooser, preference)
        if best is None or round(gain(scores, setup, s.turn) - gain(best[0], setup, s.turn), 9) > 0:
            best = scores, [kind, *line]
    assert best is not None
    return best
