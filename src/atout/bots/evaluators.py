"""Evaluators: given worlds, they estimate what each legal action leads to.

    FlatMonteCarlo    every action in every world, the round played out by the playout policy; hopeless actions drop out
    GuidedMcts        one search tree over all worlds, so that replies are searched, too
    SolverEvaluator   every world solved with open cards (Njet!), combined with playouts

Actions are compared by the gain of their expected points (`rules/scoring.py`).
"""

from __future__ import annotations

import math
import threading
from typing import Protocol

import numpy as np

from atout.game import Knowledge
from atout.rules.arrays import Int64Array
from atout.rules.layout import STATE_WORDS
from atout.search import flat_mc, guided_mcts, mcts
from atout.search.gain import gain
from atout.search.solver.solver import Solver

FAR_BEHIND = 3.5
"""Standard errors behind the best at which an action drops out of flat Monte Carlo."""
MIN_WORLDS = 32
"""Worlds before any action drops out."""
MIN_VARIANCE = 0.25
"""Least variance of the difference of two actions, in square points: a few equal worlds prove little."""
WIDEN, EXPLORE = 1, 10.0
"""Parameters of guided MCTS. `EXPLORE` is in points for a round worth one point per trick; low values trust early
luck."""
FIRST_NODES, MAX_NODES = 4096, 400_000
SOLVER_NODES_PER_PLAYOUT = 90
"""About how many nodes the solver searches in the time of one playout."""
PLAYOUT_WEIGHT = 0.1
"""The weight of playouts beside solved worlds: with open cards defence looks too easy, and all ways to win the same
trick look alike."""
SOLVER_POOL = 1 << 20


class Evaluator(Protocol):
    """Turns worlds into a decision."""

    batch: int
    """How many worlds it is best given at a time."""
    uses: int
    """How often it can use the same world."""

    def update(self, states: Int64Array, picks: Int64Array) -> float:
        """Take the picked worlds into account. Returns the cost, in playouts."""

    @property
    def is_decided(self) -> bool:
        """Whether more worlds cannot change the decision."""

    def weight(self, action: int) -> float:
        """The action with the highest weight is chosen."""

    def points(self, action: int) -> list[float]:
        """Expected points of the round for every seat; empty for an action that was not tried."""


class FlatMonteCarlo:
    """Tries all actions in the same worlds."""

    batch, uses = 32, 1

    def __init__(self, knowledge: Knowledge, actions: list[int], rng: Int64Array, *, drops: bool = True) -> None:
        self.setup, self.seat = knowledge.setup, knowledge.fact.seat
        self.actions, self._rng, self._drops = actions, rng, drops
        self._candidates = knowledge.legal
        self._world = np.zeros(STATE_WORDS, np.int64)
        self._trials = flat_mc.new_trials()

    def update(self, states: Int64Array, picks: Int64Array) -> float:
        candidates = self._candidates
        flat_mc.try_actions(states, picks, self.setup.rules, candidates, self._trials, self._rng, self._world)
        if self._drops:
            self._drop_hopeless()
        return len(picks) * candidates.bit_count()

    @property
    def is_decided(self) -> bool:
        return self._candidates & (self._candidates - 1) == 0

    def points(self, action: int) -> list[float]:
        sums, counts = self._trials.sums, self._trials.counts
        points: list[float] = (sums[action, : self.setup.players] / counts[action]).tolist()
        return points

    def weight(self, action: int) -> float:
        is_candidate = (self._candidates >> action) & 1
        return gain(self.points(action), self.setup, self.seat) if is_candidate else -math.inf

    def _drop_hopeless(self) -> None:
        """Drop the actions that are far behind the best one in the worlds in which both were tried."""
        best = max(self.actions, key=self.weight)
        lead = self.weight(best)
        for action in self.actions:
            count, behind = int(self._trials.counts[action]), lead - self.weight(action)
            if count < MIN_WORLDS or math.isinf(behind):
                continue
            variance = max(self._trials.squared_gaps[best, action] / count - behind * behind, MIN_VARIANCE)
            if behind > FAR_BEHIND * math.sqrt(variance / count):
                self._candidates &= ~(1 << action)


class GuidedMcts:
    """Information-set tree search guided by the playout policy (`search/guided_mcts.py`)."""

    batch, uses, is_decided = 128, 4, False

    def __init__(self, knowledge: Knowledge, rng: Int64Array) -> None:
        self.players = knowledge.setup.players
        self._rules, self._rng = knowledge.setup.rules, rng
        self._explore = EXPLORE * (abs(knowledge.state.points) or 2)
        self._used = 0
        self._tree = mcts.new_tree(FIRST_NODES)
        self._world = np.zeros(STATE_WORDS, np.int64)
        self._tried: dict[int, int] = {}
        """The node of every action tried."""

    def update(self, states: Int64Array, picks: Int64Array) -> float:
        size = len(self._tree.nodes)
        if self._used + len(picks) > size and size < MAX_NODES:
            self._tree = mcts.new_tree(min(2 * size, MAX_NODES), self._tree)
        self._used = guided_mcts.grow_guided(
            states, picks, self._rules, self._tree, self._used, WIDEN, self._explore, self._rng, self._world
        )
        nodes = self._tree.nodes
        child = int(nodes[0, mcts.CHILD])
        while child != mcts.NONE:
            self._tried[int(nodes[child, mcts.ACTION])] = child
            child = int(nodes[child, mcts.SIBLING])
        return len(picks)

    def weight(self, action: int) -> float:
        """The number of visits: what the search came back to."""
        return float(self._tree.nodes[self._tried[action], mcts.VISITS]) if action in self._tried else -math.inf

    def points(self, action: int) -> list[float]:
        if action not in self._tried:
            return []
        node, tree = self._tried[action], self._tree
        points: list[float] = (tree.sums[node, : self.players] / tree.nodes[node, mcts.VISITS]).tolist()
        return points


class SolverEvaluator:
    """Exact play with open cards in every world (perfect-information Monte Carlo)."""

    batch, uses, is_decided = 4, 1, False

    def __init__(self, knowledge: Knowledge, actions: list[int], rng: Int64Array) -> None:
        self._playouts = FlatMonteCarlo(knowledge, actions, rng, drops=False)
        self.setup, self.seat, self._side = knowledge.setup, knowledge.fact.seat, knowledge.state.side
        self._totals = dict.fromkeys(actions, 0.0)
        self._solved = 0
        self._solver = _solver()
        self._solver.forget()  # so that the number of nodes does not depend on earlier decisions

    def update(self, states: Int64Array, picks: Int64Array) -> float:
        cost = self._playouts.update(states, picks)
        for pick in picks:
            solution = self._solver.solve(states[pick], self.setup.rules, each=True, line=False)
            assert solution is not None, "no limit in seconds was set"
            for action, total in solution.totals.items():
                self._totals[action] += total
            self._solved += 1
            cost += solution.nodes / SOLVER_NODES_PER_PLAYOUT
        return cost

    def weight(self, action: int) -> float:
        return gain(self.points(action), self.setup, self.seat)

    def points(self, action: int) -> list[float]:
        """The points of the playouts, shifted so that the difference of the two sides is mostly the solved one."""
        points = self._playouts.points(action)
        ours = [bool((self._side >> seat) & 1) for seat in range(len(points))]
        ahead = points[ours.index(True)] - points[ours.index(False)]
        shift = (1 - PLAYOUT_WEIGHT) * (self._totals[action] / self._solved - ahead) / 2
        return [one + (shift if own else -shift) for one, own in zip(points, ours, strict=True)]


_LOCAL = threading.local()


def _solver() -> Solver:
    """One solver per thread: it is large, and solves one position at a time."""
    if not hasattr(_LOCAL, "solver"):
        _LOCAL.solver = Solver(SOLVER_POOL)
    solver: Solver = _LOCAL.solver
    return solver
