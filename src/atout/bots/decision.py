"""One decision, thought through: imagine worlds, let a judge hear of them, take what it favours.

Worlds the seat may be in are drawn uniformly; with a belief the likelier ones are kept more often. A better
policy has its place in the belief (how likely were these acts?) and in a judge (how does the round go on?); those of a
network are in `foresight.py`.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from atout.bots.bot import Budget, Choice, Reason
from atout.bots.evaluators import Contest, Evaluator, SolverEvaluator, Tree, gain
from atout.game import Knowledge, new_rng
from atout.rules.arrays import Int64Array
from atout.rules.layout import KINDS, PLAY, STATE_WORDS
from atout.search import belief as engine_belief
from atout.search import flat_mc as engine_contest

MOST_TRICKS_SOLVED = 9
FIRST_WORLDS = 4
"""Before the first look at a clock."""


class Belief(Struct, frozen=True):
    """How worlds are weighed (`search/belief.py`); as it stands, they are not."""

    spread: int = 1
    """Worlds drawn for each one kept."""
    warmth: float = 0.0
    """How much hurt, in hundredths, makes a veto e times as likely; 0: vetoes say nothing."""
    miss: float = 1.0
    """The factor for a card the habit would not have chosen; 1: cards say nothing."""


class Thought:
    """What a seat makes of its knowledge, for as long as it is given."""

    def __init__(self, knowledge: Knowledge, belief: Belief, seed: int) -> None:
        self.knowledge, self.belief = knowledge, belief
        self.actions = [action for action in range(KINDS) if (knowledge.legal >> action) & 1]
        self.worlds = 0
        self._rng, self._chance = new_rng(seed), random.Random(seed)  # noqa: S311
        self._draft, self._scratch = np.zeros(STATE_WORDS, np.int64), np.zeros(len(knowledge.log), np.int64)
        self._states = np.zeros((0, STATE_WORDS), np.int64)
        self._weights = np.zeros(0, np.float64)

    def judge(self, name: str, exact_cards: int) -> Evaluator:
        """The one of that name; but tricks of Njet! are a contest, and their endings can be solved."""
        knowledge = self.knowledge
        if knowledge.setup.edition.is_njet and knowledge.state.phase == PLAY:
            cards = sum(knowledge.fact.in_hand[: knowledge.setup.players])
            if cards <= min(exact_cards, MOST_TRICKS_SOLVED * knowledge.setup.players):
                return SolverEvaluator(knowledge, self.actions, self._rng)
        elif name == "tree":
            return Tree(knowledge, self._rng)
        return Contest(knowledge, self.actions, self._rng)

    def spend(self, judge: Evaluator, budget: Budget) -> None:
        """Until nodes or seconds are spent, or the judge has decided."""
        end = None if budget.seconds is None else time.perf_counter() + 0.97 * budget.seconds
        nodes = math.inf if budget.nodes is None else budget.nodes
        count, spent = judge.batch if end is None else FIRST_WORLDS, 0.0
        while True:
            started = time.perf_counter()
            picks = self._imagine(count)
            if self.belief.spread > 1:
                picks = np.tile(picks, judge.uses)
                spent += count * self.belief.spread
            spent += judge.hear(self._states, picks)
            self.worlds += count
            if spent >= nodes or judge.is_decided:
                return
            if end is not None:
                now = time.perf_counter()
                count = min(judge.batch, int(0.8 * (end - now) / (now - started) * count))
                if count < 1:
                    return

    def _imagine(self, count: int) -> Int64Array:
        """Draw worlds and pick `count` of them, in proportion to their weights."""
        known, sampler, belief = self.knowledge, self.knowledge.sampler, self.belief
        drawn = count * belief.spread
        if drawn > len(self._weights):
            self._states, self._weights = np.zeros((drawn, STATE_WORDS), np.int64), np.zeros(drawn, np.float64)
        engine_belief.imagine(
            known.redacted, known.facts, known.setup.rules, sampler._plan, sampler._ways, sampler._chances, self._rng,
            known.log, self._scratch, self._draft, self._states, self._weights, drawn, belief.warmth, belief.miss,
        )  # fmt: skip
        if belief.spread == 1:
            return np.arange(count)
        return _picks(self._weights[:drawn], count, self._chance.random())

    def choice(self, judge: Evaluator, legal: Sequence[str]) -> Choice:
        """What the judge favours, with what is expected of each action it tried."""
        words = dict(zip(self.actions, legal, strict=True))
        best = max(self.actions, key=judge.weight)
        points = {action: judge.points(action) for action in self.actions}
        gains = {action: gain(told, self.knowledge.fact.seat) for action, told in points.items() if told}
        others = [one for action, one in gains.items() if action != best]
        parameters: dict[str, Any] = {
            "worlds": self.worlds,
            "gain": round(gains[best], 2),
            "better_by": round(gains[best] - max(others), 2) if others else 0.0,
        }
        estimates = {words[action]: [round(one, 2) for one in told] for action, told in points.items() if told}
        code = "exact" if isinstance(judge, SolverEvaluator) else "best-over-worlds"
        return Choice(words[best], estimates, (Reason(code, parameters),))

    def playout_policy(self, legal: Sequence[str]) -> Choice:
        """What a sensible player does without thinking; it looks at its own hand and the board alone."""
        action = engine_contest.act_by_playout_policy(
            self.knowledge.redacted.copy(), self.knowledge.setup.rules, self._rng
        )
        return Choice(legal[self.actions.index(action)], reasons=(Reason("rule-of-thumb", {"phase": "veto"}),))


def _picks(logs: npt.NDArray[np.float64], count: int, offset: float) -> Int64Array:
    """Indices drawn at equal steps along the weights laid end to end: as close to proportion as can be."""
    marks = np.cumsum(np.exp(logs - logs.max()))
    steps = (np.arange(count) + offset) * (marks[-1] / count)
    picks: Int64Array = np.minimum(np.searchsorted(marks, steps), len(marks) - 1)
    return picks
