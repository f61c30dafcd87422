"""One decision by search: sample worlds, let an evaluator estimate the actions, choose the best.

Worlds that fit the seat's knowledge are drawn uniformly; with a belief, likelier ones are kept more often. The
network's versions of belief and evaluation are in `search/lookahead.py`.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from atout.bots.bot import Budget, Choice, Reason
from atout.bots.estimates import consistent_estimates
from atout.bots.evaluators import Evaluator, FlatMonteCarlo, GuidedMcts, SolverEvaluator
from atout.game import Knowledge, new_rng
from atout.rules.arrays import Int64Array
from atout.rules.layout import KINDS, PLAY, STATE_WORDS
from atout.search.belief import sample_worlds
from atout.search.flat_mc import act_by_playout_policy

MAX_SOLVED_TRICKS = 9
FIRST_WORLDS = 4
"""Worlds before the first look at the clock."""


class Belief(Struct, frozen=True):
    """How worlds are weighted (`search/belief.py`). By default they are not."""

    spread: int = 1
    """Worlds drawn for each one kept."""
    temperature: float = 0.0
    """The cost of a cell, in hundredths, that makes a veto e times as likely; 0: vetoes carry no weight."""
    off_policy_factor: float = 1.0
    """The factor for a card that the playout policy would not have chosen; 1: cards carry no weight."""


class SearchDecision:
    """A decision of a seat by search."""

    def __init__(self, knowledge: Knowledge, belief: Belief, seed: int) -> None:
        self.knowledge, self.belief = knowledge, belief
        self.actions = [action for action in range(KINDS) if (knowledge.legal >> action) & 1]
        self.worlds = 0
        self._rng, self._random = new_rng(seed), random.Random(seed)  # noqa: S311
        self._scratch, self._scratch_log = np.zeros(STATE_WORDS, np.int64), np.zeros(len(knowledge.log), np.int64)
        self._states = np.zeros((0, STATE_WORDS), np.int64)
        self._weights = np.zeros(0, np.float64)

    def evaluator(self, name: str, exact_cards: int) -> Evaluator:
        """The evaluator `name`; but tricks of Njet! are solved near the end, and flat Monte Carlo before that."""
        knowledge = self.knowledge
        if knowledge.setup.edition.is_njet and knowledge.state.phase == PLAY:
            cards = sum(knowledge.fact.in_hand[: knowledge.setup.players])
            if cards <= min(exact_cards, MAX_SOLVED_TRICKS * knowledge.setup.players):
                return SolverEvaluator(knowledge, self.actions, self._rng)
        elif name == "guided_mcts":
            return GuidedMcts(knowledge, self._rng)
        return FlatMonteCarlo(knowledge, self.actions, self._rng)

    def run(self, evaluator: Evaluator, budget: Budget) -> None:
        """Give worlds to the evaluator until the budget is used up or the decision is certain."""
        end = None if budget.seconds is None else time.perf_counter() + 0.97 * budget.seconds
        nodes = math.inf if budget.nodes is None else budget.nodes
        count, spent = evaluator.batch if end is None else FIRST_WORLDS, 0.0
        while True:
            started = time.perf_counter()
            picks = self._sample_worlds(count)
            if self.belief.spread > 1:
                picks = np.tile(picks, evaluator.uses)
                spent += count * self.belief.spread
            spent += evaluator.update(self._states, picks)
            self.worlds += count
            if spent >= nodes or evaluator.is_decided:
                return
            if end is not None:
                now = time.perf_counter()
                count = min(evaluator.batch, int(0.8 * (end - now) / (now - started) * count))
                if count < 1:
                    return

    def _sample_worlds(self, count: int) -> Int64Array:
        """Draw worlds and pick `count` of them, in proportion to their weights."""
        belief = self.belief
        drawn = count * belief.spread
        if drawn > len(self._weights):
            self._states, self._weights = np.zeros((drawn, STATE_WORDS), np.int64), np.zeros(drawn, np.float64)
        sample_worlds(
            self.knowledge.sampler.source, self._states, self._weights, drawn, belief.temperature,
            belief.off_policy_factor, self._rng, self._scratch, self._scratch_log,
        )  # fmt: skip
        if belief.spread == 1:
            return np.arange(count)
        return _systematic_sample(self._weights[:drawn], count, self._random.random())

    def choice(self, evaluator: Evaluator, legal: Sequence[str]) -> Choice:
        """The action with the highest weight, with the expected points of each action tried."""
        words = dict(zip(self.actions, legal, strict=True))
        best = max(self.actions, key=evaluator.weight)
        points = {word: found for action, word in words.items() if (found := evaluator.points(action))}
        result = consistent_estimates(words[best], points, self.knowledge.setup, self.knowledge.fact.seat)
        parameters = {"worlds": self.worlds, "gain": result.gain, "better_by": result.better_by}
        code = "exact" if isinstance(evaluator, SolverEvaluator) else "best-over-worlds"
        return Choice(words[best], result.estimates, (Reason(code, parameters),))

    def by_playout_policy(self, legal: Sequence[str]) -> Choice:
        """The playout policy's action, which depends on the seat's own hand and the board alone."""
        action = act_by_playout_policy(self.knowledge.redacted.copy(), self.knowledge.setup.rules, self._rng)
        return Choice(legal[self.actions.index(action)], reasons=(Reason("rule-of-thumb", {"phase": "veto"}),))


def _systematic_sample(logs: npt.NDArray[np.float64], count: int, offset: float) -> Int64Array:
    """Indices at equal steps along the cumulated weights: as close to proportion as possible."""
    bounds = np.cumsum(np.exp(logs - logs.max()))
    steps = (np.arange(count) + offset) * (bounds[-1] / count)
    picks: Int64Array = np.minimum(np.searchsorted(bounds, steps), len(bounds) - 1)
    return picks
