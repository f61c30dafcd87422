"""Everyone for itself, with open cards: each seat wants the highest score of its own at the end of the round.

    MAX-N         every seat chooses what leaves itself the most, knowing that all others do the same
    BEST REPLY    one seat chooses, the others play by a fixed preference: of their legal kinds the one with
                  the lowest number in `preference`

Of moves that leave the chooser the same score the lowest kind is taken, in both; so every position has one
outcome, the score of every seat. With more than two sides there is no window to prune by: the work grows with
every way to play the cards, less the positions between two tricks that were met before (`STORE`).

The rules are the kernel's, played on its own state: a level of the stack is a state and a few words more.

    memory   DESK   LEVEL × 96   STORE, which keeps outcomes under a digest of the position
"""

from __future__ import annotations

from typing import Any

import numpy as np

from atout.rules.arrays import as_rules
from atout.rules.bits import ctz, wrap
from atout.rules.jit import entry, rule
from atout.rules.layout import DECK, KINDS, NJET, NOBODY, PLAY, SEATS, STATE, STATE_WORDS
from atout.rules.rng import mix
from atout.rules.trick import apply_play, legal_play

LEVELS = DECK + 16
STORED = 1 << 18
"""Outcomes the store has room for; the latest of a place stays."""
STORE_STEP = 1 + SEATS


def _record(*fields: tuple[str, Any]) -> np.dtype[np.void]:
    return np.dtype((np.record, list(fields)))


DESK = _record(
    ("depth", "i8"),
    ("nodes", "i8"),
    ("stamp", "i8"),  # part of every key: a new question finds nothing of the old ones
    ("chooser", "i8"),  # the one seat that chooses, or NOBODY: all do
    ("preference", ("i8", (SEATS * KINDS,))),
)

LEVEL = _record(
    ("untried", "i8"),  # kinds
    ("tried", "i8"),  # the kind that leads to the next level
    ("known", "i8"),  # the outcome was known at once
    ("key", "i8"),
    ("pick", "i8"),
    ("outcome", ("i8", (SEATS,))),
    # the kernel's state, field by field: its rules read a level as they read a state
    *((name, field[0]) for name, field in (STATE.fields or {}).items()),
)

STORE = _record(("words", ("i8", (STORED * STORE_STEP,))))

DESK_WORDS = DESK.itemsize // 8
LEVEL_WORDS = LEVEL.itemsize // 8
STATE_AT = DESK_WORDS + LEVEL_WORDS - STATE_WORDS
STORE_AT = DESK_WORDS + LEVELS * LEVEL_WORDS
MEMORY_WORDS = STORE_AT + STORE.itemsize // 8


@rule
def as_desk(memory: Any) -> Any:
    return memory[:DESK_WORDS].view(DESK)[0]


@rule
def as_levels(memory: Any) -> Any:
    return memory[DESK_WORDS:STORE_AT].view(LEVEL)


@rule
def as_store(memory: Any) -> Any:
    return memory[STORE_AT:].view(STORE)[0]


@rule
def preferred(d: Any, s: Any, legal: int) -> int:
    """The kind a seat that does not choose will play, as a set of one."""
    best = ctz(legal)
    rest = legal & (legal - 1)
    while rest != 0:
        kind = ctz(rest)
        rest &= rest - 1
        if d.preference[KINDS * s.turn + kind] < d.preference[KINDS * s.turn + best]:
            best = kind
    return 1 << best


@rule
def key_of(d: Any, r: Any, s: Any) -> int:
    """A digest of all that the rest of the round depends on."""
    x = mix(wrap(d.stamp * 8 + s.turn))
    for seat in range(r.players):
        x = mix(wrap(x + s.hand[seat] * 3 + s.spare[seat] * 5))
        x = mix(wrap(x + s.tops[seat]))
    if r.game == NJET:
        x = mix(wrap(x + s.tricks * 3 + s.loot * 5))
    return x


@rule
def place_of(key: int) -> int:
    return STORE_STEP * (key & (STORED - 1))


@rule
def enter(d: Any, r: Any, s: Any, store: Any) -> None:
    """A level that has just been reached: its outcome if that is known, else the moves to try."""
    s.pick = NOBODY
    s.untried = 0
    s.known = 1
    if s.phase != PLAY:
        for seat in range(SEATS):
            s.outcome[seat] = s.scores[seat]
        return
    if s.played == 0:
        s.key = key_of(d, r, s)
        at = place_of(s.key)
        if store.words[at] == s.key and d.depth > 0:
            for seat in range(SEATS):
                s.outcome[seat] = store.words[at + 1 + seat]
            return
    s.known = 0
    s.untried = legal_play(s, r)
    if d.chooser != NOBODY and s.turn != d.chooser:
        s.untried = preferred(d, s, s.untried)


@rule
def leave(s: Any, store: Any) -> None:
    """A level whose moves have all been tried."""
    if s.known == 0 and s.played == 0:
        at = place_of(s.key)
        store.words[at] = s.key
        for seat in range(SEATS):
            store.words[at + 1 + seat] = s.outcome[seat]


@rule
def compare(s: Any, after: Any) -> None:
    """Kinds are tried from the lowest up, so that a later one must be better."""
    if s.pick == NOBODY or after.outcome[s.turn] > s.outcome[s.turn]:
        s.pick = s.tried
        for seat in range(SEATS):
            s.outcome[seat] = after.outcome[seat]


@entry
def choose_for(state: Any, rules: Any, memory: Any, chooser: int) -> None:
    """Begin with a state in phase PLAY; preferences lie in the memory already."""
    d, levels, store = as_desk(memory), as_levels(memory), as_store(memory)
    d.depth, d.nodes, d.chooser = 0, 0, chooser
    for i in range(STATE_WORDS):
        memory[STATE_AT + i] = state[i]
    enter(d, as_rules(rules), levels[0], store)


@entry
def explore(rules: Any, memory: Any, budget: int) -> int:
    """Go on for so many nodes; 1 when the first level has its pick and its outcome."""
    r = as_rules(rules)
    d, levels, store = as_desk(memory), as_levels(memory), as_store(memory)
    last = d.nodes + budget
    while d.nodes < last:
        s = levels[d.depth]
        if s.untried != 0:
            s.tried = ctz(s.untried)
            s.untried &= s.untried - 1
            levels[d.depth + 1] = levels[d.depth]
            d.depth += 1
            d.nodes += 1
            apply_play(levels[d.depth], r, levels[d.depth].tried)
            enter(d, r, levels[d.depth], store)
        else:
            leave(s, store)
            if d.depth == 0:
                return 1
            d.depth -= 1
            compare(levels[d.depth], s)
    return 0
