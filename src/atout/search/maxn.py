"""Max^n and best response with open cards: each seat wants the highest gain of its own at the end of the round.

    MAX^N           every seat chooses what gains the most for itself, knowing that all others do the same (Luckhardt
                    and Irani 1986)
    BEST RESPONSE   one seat chooses, the others play by a fixed preference: of their legal kinds the one with the
                    lowest number in `preference`

The gain is that of `rules/scoring.py`: own points less the mean of the opponents', with teams mean against mean. So a
seat that can hurt its opponents at no cost does so. Among moves that gain the chooser the same the lowest kind is
taken, in both. So every position has one outcome: the score of every seat. With more than two sides there is no
alpha-beta window: the search visits every way to play the cards, except positions between two tricks that a
transposition table already has.

The rules are those of `rules/`, played on a state of their own: a frame of the stack is a state and a few words more.

`MaxN` is what Python calls, for the last few tricks of a round.

    memory   HEADER   FRAME × 96   TRANSPOSITIONS, the outcomes of positions under their hash key
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np

from atout.errors import UsageError
from atout.rules import entries
from atout.rules.arrays import Int64Array, as_rules
from atout.rules.bits import ctz, wrap
from atout.rules.jit import entry, rule
from atout.rules.layout import DECK, KINDS, NJET, NOBODY, PLAY, RULES, SEATS, STATE, STATE_WORDS
from atout.rules.rng import mix
from atout.rules.scoring import plays_with
from atout.rules.trick import apply_play, legal_play
from atout.search.solver.solver import NODES, check_state

FRAMES = DECK + 16
ENTRIES = 1 << 18
"""Entries of the transposition table; a new outcome replaces the old one in its place."""
ENTRY_WORDS = 1 + SEATS


def _record(*fields: tuple[str, Any]) -> np.dtype[np.void]:
    return np.dtype((np.record, list(fields)))


HEADER = _record(
    ("depth", "i8"),
    ("nodes", "i8"),
    ("stamp", "i8"),  # part of every key, so that a new search finds nothing of the old ones
    ("chooser", "i8"),  # the one seat that chooses, or NOBODY: all do
    ("preference", ("i8", (SEATS * KINDS,))),
)

FRAME = _record(
    ("untried", "i8"),  # kinds that have not been searched
    ("tried", "i8"),  # the kind that leads to the next frame
    ("known", "i8"),  # the outcome was known at once
    ("key", "i8"),
    ("pick", "i8"),
    ("outcome", ("i8", (SEATS,))),
    # the state of the rules, field by field: they read a frame as they read a state
    *((name, field[0]) for name, field in (STATE.fields or {}).items()),
)

TRANSPOSITIONS = _record(("words", ("i8", (ENTRIES * ENTRY_WORDS,))))

HEADER_WORDS = HEADER.itemsize // 8
FRAME_WORDS = FRAME.itemsize // 8
STATE_AT = HEADER_WORDS + FRAME_WORDS - STATE_WORDS
TABLE_AT = HEADER_WORDS + FRAMES * FRAME_WORDS
MEMORY_WORDS = TABLE_AT + TRANSPOSITIONS.itemsize // 8


@rule
def as_header(memory: Any) -> Any:
    return memory[:HEADER_WORDS].view(HEADER)[0]


@rule
def as_frames(memory: Any) -> Any:
    return memory[HEADER_WORDS:TABLE_AT].view(FRAME)


@rule
def as_table(memory: Any) -> Any:
    return memory[TABLE_AT:].view(TRANSPOSITIONS)[0]


@rule
def preferred(h: Any, s: Any, legal: int) -> int:
    """The kind that a seat without a choice plays, as a set of one."""
    best = ctz(legal)
    rest = legal & (legal - 1)
    while rest != 0:
        kind = ctz(rest)
        rest &= rest - 1
        if h.preference[KINDS * s.turn + kind] < h.preference[KINDS * s.turn + best]:
            best = kind
    return 1 << best


@rule
def key_of(h: Any, r: Any, s: Any) -> int:
    """The hash key of everything the rest of the round depends on."""
    x = mix(wrap(h.stamp * 8 + s.turn))
    for seat in range(r.players):
        x = mix(wrap(x + s.hand[seat] * 3 + s.spare[seat] * 5))
        x = mix(wrap(x + s.tops[seat]))
    if r.game == NJET:
        x = mix(wrap(x + s.tricks * 3 + s.loot * 5))
    return x


@rule
def place_of(key: int) -> int:
    return ENTRY_WORDS * (key & (ENTRIES - 1))


@rule
def enter(h: Any, r: Any, s: Any, table: Any) -> None:
    """Begin a frame: its outcome if the table has it, else the moves to search."""
    s.pick = NOBODY
    s.untried = 0
    s.known = 1
    if s.phase != PLAY:
        for seat in range(SEATS):
            s.outcome[seat] = s.scores[seat]
        return
    if s.played == 0:
        s.key = key_of(h, r, s)
        at = place_of(s.key)
        if table.words[at] == s.key and h.depth > 0:
            for seat in range(SEATS):
                s.outcome[seat] = table.words[at + 1 + seat]
            return
    s.known = 0
    s.untried = legal_play(s, r)
    if h.chooser != NOBODY and s.turn != h.chooser:
        s.untried = preferred(h, s, s.untried)


@rule
def leave(s: Any, table: Any) -> None:
    """End a frame whose moves have all been tried."""
    if s.known == 0 and s.played == 0:
        at = place_of(s.key)
        table.words[at] = s.key
        for seat in range(SEATS):
            table.words[at + 1 + seat] = s.outcome[seat]


@rule
def whole_gain(outcome: Any, r: Any, seat: int) -> int:
    """The gain of the seat, times the number of players on its side and times that of its opponents: whole numbers, so
    that equal gains are equal.
    """
    own, count, total = 0, 0, 0
    for other in range(r.players):
        total += outcome[other]
        if plays_with(r, seat, other):
            own += outcome[other]
            count += 1
    return r.players * own - count * total


@rule
def compare(s: Any, r: Any, after: Any) -> None:
    """Keep the better outcome for the seat in turn. Kinds are searched from the lowest up."""
    if s.pick == NOBODY or whole_gain(after.outcome, r, s.turn) > whole_gain(s.outcome, r, s.turn):
        s.pick = s.tried
        for seat in range(SEATS):
            s.outcome[seat] = after.outcome[seat]


@entry
def begin_maxn(state: Any, rules: Any, memory: Any, chooser: int) -> None:
    """Begin a search from a state in phase PLAY; preferences are already in the memory. `chooser` NOBODY is max^n."""
    h, frames, table = as_header(memory), as_frames(memory), as_table(memory)
    h.depth, h.nodes, h.chooser = 0, 0, chooser
    for i in range(STATE_WORDS):
        memory[STATE_AT + i] = state[i]
    enter(h, as_rules(rules), frames[0], table)


@entry
def continue_maxn(rules: Any, memory: Any, budget: int) -> int:
    """Continue for `budget` nodes. Returns 1 when the first frame has its move and its outcome."""
    r = as_rules(rules)
    h, frames, table = as_header(memory), as_frames(memory), as_table(memory)
    last = h.nodes + budget
    while h.nodes < last:
        s = frames[h.depth]
        if s.untried != 0:
            s.tried = ctz(s.untried)
            s.untried &= s.untried - 1
            frames[h.depth + 1] = frames[h.depth]
            h.depth += 1
            h.nodes += 1
            apply_play(frames[h.depth], r, frames[h.depth].tried)
            enter(h, r, frames[h.depth], table)
        else:
            leave(s, table)
            if h.depth == 0:
                return 1
            h.depth -= 1
            compare(frames[h.depth], r, s)
    return 0


class Outcome(NamedTuple):
    """How a round ends when every seat plays as described."""

    scores: list[int]
    """Points of every seat in this round."""
    line: list[int]
    """Kinds from here to the end."""
    nodes: int


class MaxN:
    """Every seat for its own gain, with open cards; in teams partners gain the same.

    It takes a state with all hands in it, and the rules of its setup (`Setup.rules`). It keeps its memory between
    calls: make one and use it often, in one thread at a time.
    """

    def __init__(self) -> None:
        self._memory = np.zeros(MEMORY_WORDS, np.int64)
        self._header: Any = self._memory[:HEADER_WORDS].view(HEADER)[0]
        self._frames: Any = self._memory[HEADER_WORDS:TABLE_AT].view(FRAME)

    def max_n(
        self, state: Int64Array, rules: Int64Array, *, seconds: float | None = None, nodes: int | None = None
    ) -> Outcome | None:
        """Every seat maximises its own gain; among equals the lowest kind. None: it took longer than `seconds`, or
        more than about so many nodes, which is the same on every machine.
        """
        check_state(state, rules)
        return self._outcome(state, rules, NOBODY, seconds, nodes)

    def best_response(
        self,
        state: Int64Array,
        rules: Int64Array,
        seat: int,
        preference: np.ndarray[Any, np.dtype[np.int64]] | None = None,
        *,
        seconds: float | None = None,
    ) -> Outcome | None:
        """The best the seat can do when every other seat plays the legal kind it prefers.

        `preference[seat, kind]`: the lowest number is played first, among equal numbers the lowest kind. Without it
        every other seat plays the lowest legal kind.
        """
        check_state(state, rules)
        players = int(rules.view(RULES)[0].players)
        if not 0 <= seat < players:
            raise UsageError(f"seat: {seat} is not allowed; allowed: 0 to {players - 1}")
        if preference is None:
            preference = np.zeros((SEATS, KINDS), np.int64)
        if preference.shape != (SEATS, KINDS):
            raise UsageError(f"preference: {preference.shape} numbers are given; expected {(SEATS, KINDS)}")
        self._header.preference[:] = preference.ravel()
        return self._outcome(state, rules, seat, seconds)

    def _outcome(
        self, state: Int64Array, rules: Int64Array, chooser: int, seconds: float | None, most: int | None = None
    ) -> Outcome | None:
        """Search again after every card of the line: the transposition table has what follows."""
        players = int(rules.view(RULES)[0].players)
        end = None if seconds is None else time.monotonic() + seconds
        self._header.stamp += 1
        here, nodes, done, scores = state.copy(), 0, 0, [0] * players
        line: list[int] = []
        while here.view(STATE)[0].phase == PLAY:
            begin_maxn(here, rules, self._memory, chooser)
            while not continue_maxn(rules, self._memory, NODES):
                done += NODES
                if (end is not None and time.monotonic() > end) or (most is not None and done >= most):
                    return None
            first = self._frames[0]
            nodes += int(self._header.nodes)
            if not line:
                scores = [int(score) for score in first.outcome[:players]]
            line.append(int(first.pick))
            entries.apply(here, rules, line[-1])
        return Outcome(scores, line, nodes)
