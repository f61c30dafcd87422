"""The textbook: single-observer information-set Monte Carlo tree search, uniform worlds, random play-outs.

Nothing of these games is known to it but their rules: what better bots are measured by.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

import numpy as np

from atout.bots.bot import Budget, Choice, Reason
from atout.game import Knowledge, View, new_rng, read_view
from atout.rules.layout import SEATS, STATE_WORDS
from atout.search import mcts

NODES = 3_000
"""Iterations when nobody sets a budget."""
EXPLORE = 5.0
"""Weight of the unknown, in points for a round worth one point a trick."""
FIRST_SLICE = 64
"""Iterations before the first look at the clock."""
LOOKS = 16
"""At most this share of the time passes between two looks at the clock."""
HASTE = 1.2
"""How much quicker than so far the rest might go, when it is asked whether it can still change anything."""
MOST_NODES = 400_000


class IsmctsBot:
    """ISMCTS as it is written down."""

    name = "ismcts"

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        if len(legal) == 1:
            return Choice(legal[0], reasons=(Reason("only-choice"),))
        search = Search(read_view(view), rng.getrandbits(62))
        search.spend(budget)
        return search.choice(legal)


class Search:
    """One decision's tree, grown as far as the budget goes."""

    def __init__(self, knowledge: Knowledge, seed: int) -> None:
        self.knowledge = knowledge
        self.iterations = 0
        self._rng = new_rng(seed)
        self._used = 0
        self._nodes = np.zeros((0, mcts.NODE_WORDS), np.int64)
        self._sums = np.zeros((0, SEATS), np.float64)
        self._room(4096)
        self._path = np.zeros(mcts.PATH, np.int64)
        self._world = np.zeros(STATE_WORDS, np.int64)
        self._scratch = np.zeros(len(knowledge.log), np.int64)
        self._explore = EXPLORE * (abs(knowledge.state.points) or 2)

    def _room(self, nodes: int) -> None:
        """Room for more nodes; what has grown stays."""
        grown, sums = np.zeros((nodes, mcts.NODE_WORDS), np.int64), np.zeros((nodes, SEATS), np.float64)
        grown[: self._used], sums[: self._used] = self._nodes[: self._used], self._sums[: self._used]
        self._nodes, self._sums = grown, sums

    def spend(self, budget: Budget) -> None:
        """By count if nodes are given, by the clock if seconds are; by its own count otherwise.

        By the clock it ends early once no other action can be visited more often in the time left: the choice is
        the one that all the time would have led to.
        """
        nodes = budget.nodes
        if budget.seconds is None:
            self.grow(NODES if nodes is None else nodes)
            return
        start = time.perf_counter()
        count = FIRST_SLICE
        while nodes is None or self.iterations < nodes:
            self.grow(count if nodes is None else min(count, nodes - self.iterations))
            spent = time.perf_counter() - start
            left = budget.seconds - spent
            speed = self.iterations / spent
            count = int(min(0.5 * left, budget.seconds / LOOKS) * speed)
            if left < 0.03 * budget.seconds or count < 1 or self._lead() > HASTE * left * speed:
                return

    def grow(self, count: int) -> None:
        """So many worlds more."""
        if self._used + count >= len(self._nodes):
            self._room(min(2 * (self._used + count), MOST_NODES))
        known, sampler = self.knowledge, self.knowledge.sampler
        self._used = mcts.grow(
            known.redacted, known.facts, known.setup.rules, sampler._plan, sampler._ways, sampler._chances, self._rng,
            self._world, known.log, self._scratch, self._nodes, self._sums, self._path, self._used, count,
            self._explore,
        )  # fmt: skip
        self.iterations += count

    def _lead(self) -> int:
        """By how many visits the first of the actions is ahead of the second."""
        visits = sorted(visits for visits, _ in self.estimates().values())
        return visits[-1] - visits[-2] if len(visits) > 1 else 0

    def estimates(self) -> dict[int, tuple[int, list[float]]]:
        """For every action tried: visits, and the expected points of each seat."""
        result: dict[int, tuple[int, list[float]]] = {}
        child = int(self._nodes[0, mcts.CHILD])
        while child != mcts.NONE:
            visits = int(self._nodes[child, mcts.VISITS])
            points = (self._sums[child, : self.knowledge.setup.players] / visits).tolist()
            result[int(self._nodes[child, mcts.ACTION])] = visits, points
            child = int(self._nodes[child, mcts.SIBLING])
        return result

    def choice(self, legal: Sequence[str]) -> Choice:
        """The action visited most, with what is expected of it and of the next best."""
        words = dict(zip(self._actions(), legal, strict=True))
        tried = {words[action]: told for action, told in self.estimates().items()}
        best = max(tried, key=lambda action: (tried[action][0], action))
        others = [self._gain(tried[action][1]) for action in tried if action != best]
        parameters = {
            "worlds": self.iterations,
            "gain": round(self._gain(tried[best][1]), 2),
            "better_by": round(self._gain(tried[best][1]) - max(others), 2) if others else 0.0,
        }
        estimates = {action: [round(one, 2) for one in points] for action, (_, points) in tried.items()}
        return Choice(best, estimates, (Reason("best-over-worlds", parameters),))

    def _actions(self) -> list[int]:
        """Indices of the legal actions in their pinned order: that of the words."""
        mask = self.knowledge.legal
        return [i for i in range(64) if (mask >> i) & 1]

    def _gain(self, points: list[float]) -> float:
        """The seat's points less the mean of the others'."""
        seat = self.knowledge.seat or 0
        others = [one for other, one in enumerate(points) if other != seat]
        return points[seat] - sum(others) / len(others)
