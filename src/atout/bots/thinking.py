"""Bots that think: they draw worlds their seat may be in, play them out, and take what did best.

`ismcts` is the textbook: information-set tree search, uniform worlds, random play-outs. `club` is plain
Monte Carlo over worlds with sensible play-outs; it covers cells by habit, because a search of its size
tells vetoes apart worse than a rule of thumb does.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from atout.bots.bot import Budget, Choice, Reason
from atout.engine import tree
from atout.game import Knowledge, View, new_luck, read_view
from atout.kernel.layout import SEATS, STATE_WORDS

FIRST_SLICE = 64
"""Iterations before the first look at the clock."""
MOST_NODES = 400_000


class Style(Struct, frozen=True):
    """How a bot searches."""

    depth: int
    """Levels of the tree below the root; 1 is plain Monte Carlo."""
    sensible: bool
    """Play-outs by habit, not by chance."""
    nodes: int
    """Iterations when nobody sets a budget."""
    explore: float
    """Weight of the unknown, in points for a round worth one point a trick."""
    vetoes_by_habit: bool = False
    """Cover cells by rule of thumb instead."""


class ThinkingBot:
    """A search in one style under one name."""

    def __init__(self, name: str, style: Style) -> None:
        self.name, self.style = name, style

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        if len(legal) == 1:
            return Choice(legal[0], reasons=(Reason("only-choice"),))
        search = Search(read_view(view), self.style, rng.getrandbits(62))
        if self.style.vetoes_by_habit and view["phase"] == "veto":
            return search.habit(legal)
        search.spend(budget)
        return search.choice(legal)


class Search:
    """One decision's tree, grown as far as the budget goes."""

    def __init__(self, knowledge: Knowledge, style: Style, seed: int) -> None:
        self.knowledge, self.style = knowledge, style
        self.iterations = 0
        self._luck = new_luck(seed)
        self._used = 0
        self._nodes = np.zeros((0, tree.NODE_WORDS), np.int64)
        self._sums = np.zeros((0, SEATS), np.float64)
        self._room(4096)
        self._path = np.zeros(tree.PATH, np.int64)
        self._world = np.zeros(STATE_WORDS, np.int64)
        self._scratch = np.zeros(len(knowledge.log), np.int64)
        worth = abs(knowledge.state.points) or 2
        self._explore = style.explore * worth

    def _room(self, nodes: int) -> None:
        """Room for more nodes; what has grown stays."""
        grown, sums = np.zeros((nodes, tree.NODE_WORDS), np.int64), np.zeros((nodes, SEATS), np.float64)
        grown[: self._used], sums[: self._used] = self._nodes[: self._used], self._sums[: self._used]
        self._nodes, self._sums = grown, sums

    def spend(self, budget: Budget) -> None:
        """By count if nodes are given, by the clock if seconds are; by the style's own count otherwise."""
        nodes = budget.nodes
        if budget.seconds is None:
            self.grow(self.style.nodes if nodes is None else nodes)
            return
        start = time.perf_counter()
        count = FIRST_SLICE
        while nodes is None or self.iterations < nodes:
            self.grow(count if nodes is None else min(count, nodes - self.iterations))
            spent = time.perf_counter() - start
            left = budget.seconds - spent
            count = int(0.5 * left * self.iterations / spent)
            if left < 0.03 * budget.seconds or count < 1:
                return

    def grow(self, count: int) -> None:
        """So many worlds more."""
        if self.style.depth > 1 and self._used + count >= len(self._nodes):
            self._room(min(2 * (self._used + count), MOST_NODES))
        known, sampler = self.knowledge, self.knowledge.sampler
        self._used = tree.grow(
            known.seen, known.facts, known.table.rules, sampler._plan, sampler._ways, sampler._chances, self._luck,
            self._world, known.log, self._scratch, self._nodes, self._sums, self._path, self._used, count,
            self.style.depth, int(self.style.sensible), self._explore,
        )  # fmt: skip
        self.iterations += count

    def estimates(self) -> dict[int, tuple[int, list[float]]]:
        """For every action tried: visits, and the expected points of each seat."""
        result: dict[int, tuple[int, list[float]]] = {}
        child = int(self._nodes[0, tree.CHILD])
        while child != tree.NONE:
            visits = int(self._nodes[child, tree.VISITS])
            points = (self._sums[child, : self.knowledge.table.players] / visits).tolist()
            result[int(self._nodes[child, tree.ACTION])] = visits, points
            child = int(self._nodes[child, tree.SIBLING])
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

    def habit(self, legal: Sequence[str]) -> Choice:
        """What a sensible player does without thinking; it looks at its own hand and the board alone."""
        action = tree.act_by_habit(self.knowledge.seen.copy(), self.knowledge.table.rules, self._luck)
        return Choice(legal[self._actions().index(action)], reasons=(Reason("rule-of-thumb", {"phase": "veto"}),))

    def _actions(self) -> list[int]:
        """Indices of the legal actions in their pinned order: that of the words."""
        mask = self.knowledge.legal
        return [i for i in range(64) if (mask >> i) & 1]

    def _gain(self, points: list[float]) -> float:
        """The seat's points less the mean of the others'."""
        seat = self.knowledge.seat or 0
        others = [one for other, one in enumerate(points) if other != seat]
        return points[seat] - sum(others) / len(others)


def club() -> ThinkingBot:
    return ThinkingBot("club", Style(depth=1, sensible=True, nodes=3_000, explore=5.0, vetoes_by_habit=True))


def ismcts() -> ThinkingBot:
    return ThinkingBot("ismcts", Style(depth=tree.PATH, sensible=False, nodes=3_000, explore=5.0))
