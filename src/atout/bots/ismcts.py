"""Plain information-set Monte Carlo tree search (`search/mcts.py`): uniform worlds, random playouts.

It knows nothing of these games but their rules, so other bots are measured against it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

import numpy as np

from atout.bots.bot import Budget, Choice, Reason
from atout.bots.estimates import consistent_estimates
from atout.game import Knowledge, View, new_rng, read_view
from atout.rules.layout import STATE_WORDS
from atout.search import mcts

NODES = 3_000
"""Iterations when no budget is given."""
EXPLORE = 5.0
"""Weight of exploration, in points for a round worth one point per trick."""
FIRST_SLICE = 64
"""Iterations before the first look at the clock."""
SLICES = 16
"""At least this many looks at the clock."""
HASTE = 1.2
"""How much faster than so far the rest might run, when the search checks whether it can still change its choice."""
FIRST_NODES, MAX_NODES = 4096, 400_000


class IsmctsBot:
    """The level `ismcts`."""

    name = "ismcts"

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        if len(legal) == 1:
            return Choice(legal[0], reasons=(Reason("only-choice"),))
        search = Search(read_view(view), rng.getrandbits(62))
        search.run(budget)
        return search.choice(legal)


class Search:
    """The tree of one decision."""

    def __init__(self, knowledge: Knowledge, seed: int) -> None:
        self.knowledge = knowledge
        self.iterations = 0
        self._rng = new_rng(seed)
        self._used = 0
        self._tree = mcts.new_tree(FIRST_NODES)
        self._world = np.zeros(STATE_WORDS, np.int64)
        self._scratch = np.zeros(len(knowledge.log), np.int64)
        self._explore = EXPLORE * (abs(knowledge.state.points) or 2)

    def run(self, budget: Budget) -> None:
        """Search for the given nodes or seconds, or `NODES` iterations.

        With a budget of seconds the search ends early once no other action can get more visits in the time left: the
        choice is the one that the whole time would have led to.
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
            count = int(min(0.5 * left, budget.seconds / SLICES) * speed)
            if left < 0.03 * budget.seconds or count < 1 or self.lead() > HASTE * left * speed:
                return

    def grow(self, count: int) -> None:
        """Run `count` more iterations."""
        size = len(self._tree.nodes)
        if size < MAX_NODES and self._used + count >= size:
            self._tree = mcts.new_tree(min(2 * (self._used + count), MAX_NODES), self._tree)
        self._used = mcts.grow(
            self.knowledge.sampler.source, self._tree, self._used, count, self._explore, self._rng, self._world,
            self._scratch,
        )  # fmt: skip
        self.iterations += count

    def lead(self) -> int:
        """By how many visits the first action is ahead of the second."""
        visits = sorted(visits for visits, _ in self.estimates().values())
        return visits[-1] - visits[-2] if len(visits) > 1 else 0

    def estimates(self) -> dict[int, tuple[int, list[float]]]:
        """For every action tried: its visits, and the expected points of each seat."""
        nodes, sums = self._tree.nodes, self._tree.sums
        result: dict[int, tuple[int, list[float]]] = {}
        child = int(nodes[0, mcts.CHILD])
        while child != mcts.NONE:
            visits = int(nodes[child, mcts.VISITS])
            points = (sums[child, : self.knowledge.setup.players] / visits).tolist()
            result[int(nodes[child, mcts.ACTION])] = visits, points
            child = int(nodes[child, mcts.SIBLING])
        return result

    def choice(self, legal: Sequence[str]) -> Choice:
        """The action with the most visits, with the expected points of every action tried."""
        words = dict(zip(self._actions(), legal, strict=True))
        tried = {words[action]: found for action, found in self.estimates().items()}
        best = max(tried, key=lambda action: (tried[action][0], action))
        points = {action: expected for action, (_, expected) in tried.items()}
        result = consistent_estimates(best, points, self.knowledge.setup, self.knowledge.fact.seat)
        parameters = {"worlds": self.iterations, "gain": result.gain, "better_by": result.better_by}
        return Choice(best, result.estimates, (Reason("best-over-worlds", parameters),))

    def _actions(self) -> list[int]:
        """Indices of the legal actions, in the order of the list of legal actions."""
        mask = self.knowledge.legal
        return [i for i in range(64) if (mask >> i) & 1]
