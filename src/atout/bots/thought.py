"""One decision, thought through: imagine, contest, solve, decide.

    imagine    worlds the seat may be in, drawn uniformly; with a belief the likelier ones are kept more often
    contest    every action tried in the same worlds, the round played on by habit; hopeless actions drop out
    solve      with few cards left (Njet!): what each action is worth in a world when all cards lie open
    decide     the action that leaves the seat most, compared with the mean of the others

A better policy has its place in `imagine` (how likely were these acts?) and in `contest` (how does the round
go on?), a judge of positions at the end of a shortened play-out.
"""

from __future__ import annotations

import math
import random
import threading
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from atout.bots.bot import Budget, Choice, Reason
from atout.engine import belief as engine_belief
from atout.engine import contest as engine_contest
from atout.engine.solver import Solver
from atout.game import Knowledge, new_luck
from atout.kernel.layout import KINDS, PLAY, SEATS, STATE_WORDS
from atout.kernel.records import Words

BATCH, FIRST_BATCH = 32, 4
"""Worlds between two looks at the race; and before the first look at a clock."""
FAR_BEHIND = 3.5
"""Standard errors behind the best at which an action drops out."""
LEAST_VARIANCE = 0.25
"""Of a gap between two actions, in square points: a few equal worlds prove little."""
POSITIONS_PER_PLAY_OUT = 90
"""The solver looks at so many in the time of one play-out, about."""
PLAY_OUTS_BESIDE_SOLUTIONS = 0.1
"""Their weight: open cards make defence look too easy, and all ways to win the same trick alike."""
SOLVER_POOL = 1 << 20


class Belief(Struct, frozen=True):
    """How worlds are weighed (`engine/belief.py`); as it stands, they are not."""

    spread: int = 1
    """Worlds drawn for each one kept."""
    warmth: float = 0.0
    """How much hurt, in hundredths, makes a veto e times as likely; 0: vetoes say nothing."""
    miss: float = 1.0
    """The factor for a card the habit would not have chosen; 1: cards say nothing."""


class Thought:
    """What a seat makes of its knowledge, for as long as it is given."""

    def __init__(self, knowledge: Knowledge, belief: Belief, exact_cards: int, seed: int) -> None:
        self.knowledge, self.belief = knowledge, belief
        self.players, self.seat = knowledge.table.players, knowledge.fact.seat
        mask = knowledge.legal
        self.actions = [action for action in range(KINDS) if (mask >> action) & 1]
        self.racing = mask
        """Actions still in the contest."""
        self.worlds = self.solved = 0
        self.spent = 0.0
        """In play-outs; what else took time is counted by what it costs."""
        self._luck, self._chance = new_luck(seed), random.Random(seed)  # noqa: S311
        self._world, self._draft = np.zeros(STATE_WORDS, np.int64), np.zeros(STATE_WORDS, np.int64)
        self._scratch = np.zeros(len(knowledge.log), np.int64)
        self._states = np.zeros((BATCH * belief.spread, STATE_WORDS), np.int64)
        self._weights = np.zeros(BATCH * belief.spread, np.float64)
        self._sums = np.zeros((KINDS, SEATS), np.float64)
        self._apart = np.zeros((KINDS, KINDS), np.float64)
        self._counts = np.zeros(KINDS, np.int64)
        self._exact = dict.fromkeys(self.actions, 0.0)
        self._solver: Solver | None = None
        cards = sum(knowledge.fact.in_hand[: self.players])
        if knowledge.table.edition.is_njet and knowledge.state.phase == PLAY and cards <= exact_cards:
            self._solver = _solver()
            self._solver.forget()  # or else how long it takes would depend on what was asked before

    # ---------------------------------------------------------------- thinking

    def spend(self, budget: Budget) -> None:
        """Until nodes or seconds are spent, or one action is left."""
        end = None if budget.seconds is None else time.perf_counter() + 0.97 * budget.seconds
        nodes = math.inf if budget.nodes is None else budget.nodes
        count = BATCH if end is None else FIRST_BATCH
        while True:
            started = time.perf_counter()
            self._think(count, end)
            if self.spent >= nodes or self.racing & (self.racing - 1) == 0:
                return
            if end is not None:
                now = time.perf_counter()
                count = min(BATCH, int(0.8 * (end - now) / (now - started) * count))
                if count < 1:
                    return

    def _think(self, count: int, end: float | None) -> None:
        """A batch of worlds."""
        picks = self._imagine(count)
        engine_contest.contest(
            self._states, picks, self.knowledge.table.rules, self._luck, self._world, self._sums, self._apart,
            self._counts, self.racing, count,
        )  # fmt: skip
        self.worlds += count
        self.spent += count * self.racing.bit_count()
        if self._solver is None:
            self._drop_hopeless()
            return
        for pick in picks:
            self._solve(self._solver, self._states[pick])
            if end is not None and time.perf_counter() > end:
                return

    def _imagine(self, count: int) -> Words:
        """Draw worlds and pick `count` of them, in proportion to their weights."""
        known, sampler, belief = self.knowledge, self.knowledge.sampler, self.belief
        drawn = count * belief.spread
        engine_belief.imagine(
            known.seen, known.facts, known.table.rules, sampler._plan, sampler._ways, sampler._chances, self._luck,
            known.log, self._scratch, self._draft, self._states, self._weights, drawn, belief.warmth, belief.miss,
        )  # fmt: skip
        if belief.spread == 1:
            return np.arange(count)
        self.spent += drawn
        return _picks(self._weights[:drawn], count, self._chance.random())

    def _solve(self, solver: Solver, world: Words) -> None:
        solution = solver.solve(world, self.knowledge.table.rules, each=True, line=False)
        assert solution is not None, "no limit in seconds was set"
        for action, total in solution.totals.items():
            self._exact[action] += total
        self.solved += 1
        self.spent += solution.nodes / POSITIONS_PER_PLAY_OUT

    def _drop_hopeless(self) -> None:
        """Who is far behind the leader in the worlds both were tried in is out."""
        racing = [action for action in self.actions if (self.racing >> action) & 1]
        best = max(racing, key=self.gain)
        for action in racing:
            count = int(self._counts[action])
            behind = self.gain(best) - self.gain(action)
            variance = max(self._apart[best, action] / count - behind * behind, LEAST_VARIANCE)
            if count >= BATCH and behind > FAR_BEHIND * math.sqrt(variance / count):
                self.racing &= ~(1 << action)

    # ---------------------------------------------------------------- what came of it

    def points(self, action: int) -> list[float]:
        """Expected points of the round, of every seat."""
        points: list[float] = (self._sums[action, : self.players] / self._counts[action]).tolist()
        if self.solved:
            side = self.knowledge.state.side
            first, other = (next(i for i in range(self.players) if (side >> i) & 1 == own) for own in (1, 0))
            ahead = points[first] - points[other]
            shift = (1 - PLAY_OUTS_BESIDE_SOLUTIONS) * (self._exact[action] / self.solved - ahead) / 2
            points = [one + (shift if (side >> seat) & 1 else -shift) for seat, one in enumerate(points)]
        return points

    def gain(self, action: int) -> float:
        """The seat's points less the mean of the others'."""
        points = self.points(action)
        gain: float = (self.players * points[self.seat] - sum(points)) / (self.players - 1)
        return gain

    def choice(self, legal: Sequence[str]) -> Choice:
        """The best of those still in the contest, with what is expected of each."""
        words = dict(zip(self.actions, legal, strict=True))
        best = max((action for action in self.actions if (self.racing >> action) & 1), key=self.gain)
        others = [self.gain(action) for action in self.actions if action != best]
        parameters: dict[str, Any] = {
            "worlds": self.solved or self.worlds,
            "gain": round(self.gain(best), 2),
            "better_by": round(self.gain(best) - max(others), 2),
        }
        estimates = {words[action]: [round(one, 2) for one in self.points(action)] for action in self.actions}
        code = "exact" if self.solved else "best-over-worlds"
        return Choice(words[best], estimates, (Reason(code, parameters),))

    def habit(self, legal: Sequence[str]) -> Choice:
        """What a sensible player does without thinking; it looks at its own hand and the board alone."""
        action = engine_contest.act_by_habit(self.knowledge.seen.copy(), self.knowledge.table.rules, self._luck)
        return Choice(legal[self.actions.index(action)], reasons=(Reason("rule-of-thumb", {"phase": "veto"}),))


def _picks(logs: npt.NDArray[np.float64], count: int, offset: float) -> Words:
    """Indices drawn at equal steps along the weights laid end to end: as close to proportion as can be."""
    marks = np.cumsum(np.exp(logs - logs.max()))
    steps = (np.arange(count) + offset) * (marks[-1] / count)
    picks: Words = np.minimum(np.searchsorted(marks, steps), len(marks) - 1)
    return picks


_ONE_EACH = threading.local()


def _solver() -> Solver:
    """One for each thread: it is large, and made for one question at a time."""
    if not hasattr(_ONE_EACH, "solver"):
        _ONE_EACH.solver = Solver(SOLVER_POOL)
    solver: Solver = _ONE_EACH.solver
    return solver
