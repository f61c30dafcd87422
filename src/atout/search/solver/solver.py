"""Exact play with open cards, as Python asks for it.

    Solver    Njet!: two sides, the start player's and the other; each wants its own points less the other's
              to be as high as can be. Whole solutions, from any point of the trick phase.
    Selfish   either game: every seat for itself (max-n), or one seat against fixed habits (best reply). For
              the last few tricks.

Both take a state as the kernel knows it, with all hands in it, and the numbers of its table (`Table.rules`).
They keep their memory between calls: make one and use it often, in one thread at a time.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np

from atout.errors import UsageError
from atout.rules import entries
from atout.rules.arrays import Int64Array, plain
from atout.rules.layout import KINDS, NJET, NOBODY, PLAY, RULES, SEATS, STATE
from atout.search import maxn
from atout.search.solver import problem, questions

MIN_POOL = 1 << 12
NODES = 1 << 17
"""Between two looks at the clock: some hundredths of a second."""
_AT = {name: int(field[1]) // 8 for name, field in (problem.PROBLEM.fields or {}).items()}
"""Where the fields of a problem begin: reading words is much quicker than reading records."""


class Solution(NamedTuple):
    """What best play leads to; totals are points of the round, those already won included."""

    total: int
    """The start player's side less the other side."""
    best: int
    """A kind to play that leads there; of those valued the lowest."""
    totals: dict[int, int]
    """The total after each legal kind, if they were asked for."""
    line: list[int]
    """Kinds from here to the end of the round that lead there, if they were asked for."""
    ours: int | None
    """Points of the start player's side at the end of the line; other best lines may divide them differently."""
    theirs: int | None
    nodes: int


class Solver:
    """Two sides with open cards (Njet!)."""

    def __init__(self, pool: int = problem.POOL) -> None:
        """`pool` bounds the words kept about positions; memory is taken as it is needed."""
        if not MIN_POOL <= pool <= problem.POOL:
            raise UsageError(f"pool: {pool} is not allowed; allowed: {MIN_POOL} to {problem.POOL}")
        self._memory = np.zeros(problem.MEMORY_WORDS, np.int64)
        self._table: Any = self._memory[problem.TABLE_AT :].view(problem.TABLE)[0]
        self._table.limit = pool
        self.forget()

    def forget(self) -> None:
        """Nothing is known any more; what was found under other conditions is forgotten anyway."""
        self._table.conditions = 0

    def solve(
        self,
        state: Int64Array,
        rules: Int64Array,
        *,
        each: bool = True,
        line: bool = True,
        seconds: float | None = None,
    ) -> Solution | None:
        """The solution, or None when it took longer; `each` values every legal kind, not only a best one."""
        _check(state, rules, njet=True)
        if not questions.ask_about(state, rules, self._memory, int(each), int(line)):
            raise UsageError(f"state: it has too many cards; allowed: at most {problem.MOST_CARDS} in play")
        end = None if seconds is None else time.monotonic() + seconds
        while not questions.answer(self._memory, NODES):
            if end is not None and time.monotonic() > end:
                return None
        return self._solution(line)

    def _solution(self, line: bool) -> Solution:
        words = self._memory[: problem.FRAMES_AT].tolist()

        def field(name: str) -> int:
            return words[_AT[name]]

        total, answered = field("total"), field("answered")
        totals = {kind: words[_AT["answer"] + kind] for kind in range(KINDS) if (answered >> kind) & 1}
        best = min((kind for kind in totals if totals[kind] == total), default=field("best"))
        kinds = words[_AT["line"] : _AT["line"] + field("length")]
        ours, theirs = (field("ours"), field("theirs")) if line else (None, None)
        return Solution(total, best, totals, kinds, ours, theirs, field("nodes"))


class Outcome(NamedTuple):
    """Where a round ends when everyone plays as told."""

    scores: list[int]
    """Of every seat, in this round."""
    line: list[int]
    """Kinds from here to the end."""
    nodes: int


class Selfish:
    """Every seat for itself with open cards."""

    def __init__(self) -> None:
        self._memory = np.zeros(maxn.MEMORY_WORDS, np.int64)
        self._desk: Any = self._memory[: maxn.DESK_WORDS].view(maxn.DESK)[0]
        self._level: Any = self._memory[maxn.DESK_WORDS : maxn.STORE_AT].view(maxn.LEVEL)

    def max_n(self, state: Int64Array, rules: Int64Array, *, seconds: float | None = None) -> Outcome | None:
        """Every seat takes what leaves itself the highest score, of equals the lowest kind; None: too long."""
        _check(state, rules)
        return self._outcome(state, rules, NOBODY, seconds)

    def best_reply(
        self,
        state: Int64Array,
        rules: Int64Array,
        seat: int,
        preference: np.ndarray[Any, np.dtype[np.int64]] | None = None,
        *,
        seconds: float | None = None,
    ) -> Outcome | None:
        """The best the seat can do when every other plays the legal kind it prefers.

        `preference[seat, kind]`: the lowest number is played first, of equal numbers the lowest kind; without
        it everyone plays the lowest legal kind.
        """
        _check(state, rules)
        players = int(rules.view(RULES)[0].players)
        if not 0 <= seat < players:
            raise UsageError(f"seat: {seat} is not allowed; allowed: 0 to {players - 1}")
        if preference is None:
            preference = np.zeros((SEATS, KINDS), np.int64)
        if preference.shape != (SEATS, KINDS):
            raise UsageError(f"preference: {preference.shape} numbers are given; right would be {(SEATS, KINDS)}")
        self._desk.preference[:] = preference.ravel()
        return self._outcome(state, rules, seat, seconds)

    def _outcome(self, state: Int64Array, rules: Int64Array, chooser: int, seconds: float | None) -> Outcome | None:
        """Ask again after every card of the line: what comes after is stored."""
        players = int(rules.view(RULES)[0].players)
        end = None if seconds is None else time.monotonic() + seconds
        self._desk.stamp += 1
        here, nodes, scores = state.copy(), 0, [0] * players
        line: list[int] = []
        while here.view(STATE)[0].phase == PLAY:
            maxn.choose_for(here, rules, self._memory, chooser)
            while not maxn.explore(rules, self._memory, NODES):
                if end is not None and time.monotonic() > end:
                    return None
            first = self._level[0]
            nodes += int(self._desk.nodes)
            if not line:
                scores = [int(score) for score in first.outcome[:players]]
            line.append(int(first.pick))
            entries.apply(here, rules, line[-1])
        return Outcome(scores, line, nodes)


def _check(state: Int64Array, rules: Int64Array, njet: bool = False) -> None:
    s, players = plain(state, STATE), int(rules.view(RULES)[0].players)
    if s.phase != PLAY:
        raise UsageError("state: it is in no trick; right would be a state in phase PLAY with all hands in it")
    if njet and rules.view(RULES)[0].game != NJET:
        raise UsageError("rules: Null & nichtig has no two sides; right would be Selfish")
    held = [s.hand[seat].bit_count() + s.spare[seat].bit_count() for seat in range(players)]
    for i in range(1, s.played + 1):
        held[(s.turn - i) % players] += 1
    if len(set(held)) > 1:
        raise UsageError(
            "state: hands are hidden in it or have lost cards; right would be a state with all hands in it"
        )
