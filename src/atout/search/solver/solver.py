"""Exact play with open cards (double dummy), as Python asks for it.

    Solver   Njet!: two sides, the start player's and the other; each maximises its points less the other side's. Whole
             solutions, from any point of the trick phase.

It takes a state with all hands in it, and the rules of its setup (`Setup.rules`). It keeps its memory between calls:
make one and use it often, in one thread at a time. `search/maxn.py` has `MaxN`: either game, every seat for itself.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np

from atout.errors import UsageError
from atout.rules.arrays import Int64Array, plain
from atout.rules.layout import KINDS, NJET, PLAY, RULES, STATE
from atout.search.solver import problem, questions

MIN_POOL = 1 << 12
NODES = 1 << 17
"""Nodes between two looks at the clock: some hundredths of a second."""
_AT = {name: int(field[1]) // 8 for name, field in (problem.PROBLEM.fields or {}).items()}
"""The first word of each field of a problem: reading words is much quicker than reading records."""


class Solution(NamedTuple):
    """The result of best play. Totals are points of the whole round, with those already won."""

    total: int
    """The start player's side less the other side."""
    best: int
    """The lowest kind that leads there, among those evaluated."""
    totals: dict[int, int]
    """The total after each legal kind, if `each` was asked for."""
    line: list[int]
    """The principal variation: kinds from here to the end of the round, if `line` was asked for."""
    ours: int | None
    """Points of the start player's side at the end of that line; other best lines may divide them differently."""
    theirs: int | None
    nodes: int


class Solver:
    """Two sides with open cards (Njet!)."""

    def __init__(self, pool: int = problem.POOL) -> None:
        """`pool` limits the words kept about positions; memory is used as it is needed."""
        if not MIN_POOL <= pool <= problem.POOL:
            raise UsageError(f"pool: {pool} is not allowed; allowed: {MIN_POOL} to {problem.POOL}")
        self._memory = np.zeros(problem.MEMORY_WORDS, np.int64)
        self._table: Any = self._memory[problem.TABLE_AT :].view(problem.TABLE)[0]
        self._table.limit = pool
        self.forget()

    def forget(self) -> None:
        """Empty the memory. What was found under other conditions of a round is never used anyway."""
        self._table.conditions = 0

    def solve(
        self,
        state: Int64Array,
        rules: Int64Array,
        *,
        each: bool = True,
        line: bool = True,
        seconds: float | None = None,
        nodes: int | None = None,
    ) -> Solution | None:
        """The solution, or None when it takes longer than `seconds`, or more than about so many nodes, which is the
        same on every machine. `each` evaluates every legal kind.
        """
        check_state(state, rules, njet=True)
        if not questions.begin_solving(state, rules, self._memory, int(each), int(line)):
            raise UsageError(f"state: it has too many cards; allowed: at most {problem.MAX_CARDS} in play")
        end = None if seconds is None else time.monotonic() + seconds
        done = 0
        while not questions.continue_solving(self._memory, NODES):
            done += NODES
            if (end is not None and time.monotonic() > end) or (nodes is not None and done >= nodes):
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


def check_state(state: Int64Array, rules: Int64Array, njet: bool = False) -> None:
    """Raise `UsageError` unless it is a state of the trick phase with all hands in it."""
    s, players = plain(state, STATE), int(rules.view(RULES)[0].players)
    if s.phase != PLAY:
        raise UsageError("state: its phase is not PLAY; expected a state in phase PLAY with all hands in it")
    if njet and rules.view(RULES)[0].game != NJET:
        raise UsageError("rules: Null & nichtig has no two sides; use MaxN")
    held = [s.hand[seat].bit_count() + s.spare[seat].bit_count() for seat in range(players)]
    for i in range(1, s.played + 1):
        held[(s.turn - i) % players] += 1
    if len(set(held)) > 1:
        raise UsageError("state: hands are hidden in it or have lost cards; expected a state with all hands in it")
