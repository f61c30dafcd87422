"""Judges of actions: they are given worlds, and say what each legal action leads to.

    Contest    every action in every world, the round played on by habit; hopeless actions drop out
    Tree       one tree over all worlds, grown where sensible players would go: replies are found out, not assumed
    Endings    every world solved with open cards (Njet!), a contest beside it for what open cards cannot tell

What is expected is compared by its gain for the seat (`rules/scoring.py`).
"""

from __future__ import annotations

import math
import threading
from typing import Protocol

import numpy as np

from atout.game import Knowledge
from atout.rules.arrays import Int64Array
from atout.rules.layout import KINDS, SEATS, STATE_WORDS
from atout.search import flat_mc, guided_mcts, mcts
from atout.search.gain import gain
from atout.search.solver.solver import Solver

FAR_BEHIND = 3.5
"""Standard errors behind the best at which an action drops out of a contest."""
LEAST_WORLDS = 32
"""Before anything drops out."""
LEAST_VARIANCE = 0.25
"""Of a gap between two actions, in square points: a few equal worlds prove little."""
WIDEN, EXPLORE = 1, 10.0
"""Of the tree; explore is in points for a round worth one point a trick. Low values trust early luck."""
MOST_NODES = 400_000
POSITIONS_PER_PLAY_OUT = 90
"""The solver looks at so many in the time of one play-out, about."""
PLAY_OUTS_BESIDE_SOLUTIONS = 0.1
"""Their weight: open cards make defence look too easy, and all ways to win the same trick alike."""
SOLVER_POOL = 1 << 20


class Evaluator(Protocol):
    """What makes a decision of worlds."""

    batch: int
    """How many worlds it likes to hear of at a time."""
    uses: int
    """How often it can use the same world."""

    def hear(self, states: Int64Array, picks: Int64Array) -> float:
        """Consider these worlds; what it cost, in play-outs."""

    @property
    def is_decided(self) -> bool:
        """More worlds will not change anything."""

    def weight(self, action: int) -> float:
        """The action with the most weight is chosen."""

    def points(self, action: int) -> list[float]:
        """Expected points of the round, of every seat; nothing for an action that was not tried."""


class Contest:
    """Plain Monte Carlo over worlds, all actions in the same ones."""

    batch, uses = 32, 1

    def __init__(self, knowledge: Knowledge, actions: list[int], rng: Int64Array, *, drops: bool = True) -> None:
        self.setup, self.seat = knowledge.setup, knowledge.fact.seat
        self.actions, self._rules, self._rng, self._drops = actions, knowledge.setup.rules, rng, drops
        self._racing = knowledge.legal
        self._world = np.zeros(STATE_WORDS, np.int64)
        self._sums = np.zeros((KINDS, SEATS), np.float64)
        self._apart = np.zeros((KINDS, KINDS), np.float64)
        self._counts = np.zeros(KINDS, np.int64)

    def hear(self, states: Int64Array, picks: Int64Array) -> float:
        count, racing = len(picks), self._racing
        flat_mc.contest(
            states, picks, self._rules, self._rng, self._world, self._sums, self._apart, self._counts, racing, count
        )
        if self._drops:
            self._drop_hopeless()
        return count * racing.bit_count()

    @property
    def is_decided(self) -> bool:
        return self._racing & (self._racing - 1) == 0

    def points(self, action: int) -> list[float]:
        points: list[float] = (self._sums[action, : self.setup.players] / self._counts[action]).tolist()
        return points

    def weight(self, action: int) -> float:
        return gain(self.points(action), self.setup, self.seat) if (self._racing >> action) & 1 else -math.inf

    def _drop_hopeless(self) -> None:
        """Who is far behind the leader in the worlds both were tried in is out."""
        best = max(self.actions, key=self.weight)
        lead = self.weight(best)
        for action in self.actions:
            count, behind = int(self._counts[action]), lead - self.weight(action)
            if count < LEAST_WORLDS or math.isinf(behind):
                continue
            variance = max(self._apart[best, action] / count - behind * behind, LEAST_VARIANCE)
            if behind > FAR_BEHIND * math.sqrt(variance / count):
                self._racing &= ~(1 << action)


class Tree:
    """Information-set tree search guided by habits."""

    batch, uses, is_decided = 128, 4, False

    def __init__(self, knowledge: Knowledge, rng: Int64Array) -> None:
        self.players, self.seat = knowledge.setup.players, knowledge.fact.seat
        self._rules, self._rng = knowledge.setup.rules, rng
        self._explore = EXPLORE * (abs(knowledge.state.points) or 2)
        self._used = 0
        self._nodes = np.zeros((4096, mcts.NODE_WORDS), np.int64)
        self._sums = np.zeros((4096, SEATS), np.float64)
        self._path, self._world = np.zeros(mcts.PATH, np.int64), np.zeros(STATE_WORDS, np.int64)
        self._tried: dict[int, int] = {}
        """The node of every action tried."""

    def hear(self, states: Int64Array, picks: Int64Array) -> float:
        if self._used + len(picks) > len(self._nodes):
            self._nodes, self._sums = (_longer(it, MOST_NODES) for it in (self._nodes, self._sums))
        self._used = guided_mcts.grow_guided(
            states, picks, self._rules, self._rng, self._world, self._nodes, self._sums, self._path, self._used,
            WIDEN, self._explore,
        )  # fmt: skip
        child = int(self._nodes[0, mcts.CHILD])
        while child != mcts.NONE:
            self._tried[int(self._nodes[child, mcts.ACTION])] = child
            child = int(self._nodes[child, mcts.SIBLING])
        return len(picks)

    def weight(self, action: int) -> float:
        """How often it was tried: what the tree came back to."""
        return float(self._nodes[self._tried[action], mcts.VISITS]) if action in self._tried else -math.inf

    def points(self, action: int) -> list[float]:
        if action not in self._tried:
            return []
        node = self._tried[action]
        points: list[float] = (self._sums[node, : self.players] / self._nodes[node, mcts.VISITS]).tolist()
        return points


class SolverEvaluator:
    """Exact play with open cards in every world."""

    batch, uses, is_decided = 4, 1, False

    def __init__(self, knowledge: Knowledge, actions: list[int], rng: Int64Array) -> None:
        self._beside = Contest(knowledge, actions, rng, drops=False)
        self.setup, self.seat, self._side = knowledge.setup, knowledge.fact.seat, knowledge.state.side
        self._totals = dict.fromkeys(actions, 0.0)
        self._solved = 0
        self._solver = _solver()
        self._solver.forget()  # or else how long it takes would depend on what was asked before

    def hear(self, states: Int64Array, picks: Int64Array) -> float:
        cost = self._beside.hear(states, picks)
        for pick in picks:
            solution = self._solver.solve(states[pick], self.setup.rules, each=True, line=False)
            assert solution is not None, "no limit in seconds was set"
            for action, total in solution.totals.items():
                self._totals[action] += total
            self._solved += 1
            cost += solution.nodes / POSITIONS_PER_PLAY_OUT
        return cost

    def weight(self, action: int) -> float:
        return gain(self.points(action), self.setup, self.seat)

    def points(self, action: int) -> list[float]:
        """Those of the contest, moved apart or together to what open cards say about the two sides."""
        points = self._beside.points(action)
        ours = [bool((self._side >> seat) & 1) for seat in range(len(points))]
        ahead = points[ours.index(True)] - points[ours.index(False)]
        shift = (1 - PLAY_OUTS_BESIDE_SOLUTIONS) * (self._totals[action] / self._solved - ahead) / 2
        return [one + (shift if own else -shift) for one, own in zip(points, ours, strict=True)]


def _longer(rows: np.ndarray, most: int) -> np.ndarray:
    """The same rows with room for twice as many, and no more than the most; a full tree grows no further."""
    grown = np.zeros((min(2 * len(rows), most), rows.shape[1]), rows.dtype)
    grown[: len(rows)] = rows
    return grown


_ONE_EACH = threading.local()


def _solver() -> Solver:
    """One for each thread: it is large, and made for one question at a time."""
    if not hasattr(_ONE_EACH, "solver"):
        _ONE_EACH.solver = Solver(SOLVER_POOL)
    solver: Solver = _ONE_EACH.solver
    return solver
