"""A second look with the network's own eyes, in worlds weighed by how the network would have acted.

imagine    worlds the seat may be in; each weighs as much as the network, in the places of the others, would have
           done what they did. The weights are flattened until enough worlds count.
try_out    each action is made in the same picked worlds, and all go on as the network would: to the end of the
           round, or until it is the seat's turn again, for what the network expects there. That is quick, and
           wrong where play has left what the network knows.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from atout.game import Knowledge, new_rng
from atout.knowledge.features import SIZE
from atout.nets.weights import Network
from atout.rules.arrays import Int64Array
from atout.rules.layout import FACTS_WORDS, LOG, SEATS, STATE_WORDS
from atout.search import net_rollout

Reals = npt.NDArray[np.float64]
WHIM = 0.05
"""The part of actions that follow no network: nobody's world is ruled out by one of them."""
ENOUGH = 0.25
"""The part of the worlds that must count, after flattening."""
FLATTER = 0.8
"""What the logarithms of weights are multiplied by, as often as needed."""
LANES = 512
"""Worlds times actions that take their steps together, at most."""


class Lookahead:
    """What a seat makes of its knowledge with the help of a network."""

    def __init__(self, knowledge: Knowledge, network: Network, spread: float, seed: int) -> None:
        self.knowledge, self.network, self.spread = knowledge, network, spread
        self.questions = 0
        """How often the network was asked."""
        self._rng, self._chance = new_rng(seed), random.Random(seed)  # noqa: S311
        self._worlds, self._logs = np.zeros((0, STATE_WORDS), np.int64), np.zeros((0, LOG), np.int64)
        self._likely = np.zeros(0)
        self._trials: list[tuple[dict[int, Reals], float]] = []
        """For each action the points of every seat in each of its worlds; how many worlds the picks were worth."""
        self._seen, self._facts, self._seen_log = (np.zeros(n, np.int64) for n in (STATE_WORDS, FACTS_WORDS, LOG))

    @property
    def worlds(self) -> int:
        return len(self._worlds)

    def imagine(self, count: int) -> None:
        """Draw and weigh so many more worlds."""
        known, sampler = self.knowledge, self.knowledge.sampler
        worlds, states = (np.zeros((count, STATE_WORDS), np.int64) for _ in range(2))
        logs = np.zeros((count, LOG), np.int64)
        net_rollout.imagine_deals(
            known.redacted, known.facts, known.setup.rules, sampler._plan, sampler._ways, sampler._chances, self._rng,
            known.log, worlds, logs, states,
        )  # fmt: skip
        self._worlds, self._logs = np.concatenate([self._worlds, worlds]), np.concatenate([self._logs, logs])
        self._likely = np.concatenate([self._likely, self._log_likelihoods(states, logs)])

    def _log_likelihoods(self, states: Int64Array, logs: Int64Array) -> Reals:
        """Of what the other seats did in the round, in worlds turned back to the deal."""
        known, count = self.knowledge, len(states)
        observations = np.zeros((count, SIZE), np.int8)
        masks, blocks, places, lanes = (np.zeros(count, np.int64) for _ in range(4))
        total = np.zeros(count)
        for at in range(len(known.log)):
            asked = net_rollout.look_back(
                states, logs, at, known.fact.seat, known.setup.rules, self._seen, self._facts, self._seen_log,
                observations, masks, blocks, places, lanes,
            )  # fmt: skip
            if asked:
                self.questions += asked
                answers = self.network.ask_all(observations[:asked])
                likely = np.exp(self.network.ratings(answers, masks[:asked], blocks[:asked]))
                taken = likely[np.arange(asked), places[:asked]]
                options = np.bitwise_count(masks[:asked])
                total[lanes[:asked]] += np.log((1 - WHIM) * taken + WHIM / options)
        return total

    def _picks(self, count: int) -> tuple[Int64Array, float]:
        """Worlds in proportion to their flattened weights, at equal steps; how many equal ones they are worth."""
        logs = self._likely - self._likely.max()
        while True:
            weights = np.exp(logs)
            worth = float(weights.sum() ** 2 / (weights * weights).sum())
            if worth >= ENOUGH * len(weights):
                break
            logs *= FLATTER
        marks = np.cumsum(weights)
        steps = (np.arange(count) + self._chance.random()) * (marks[-1] / count)
        picks: Int64Array = np.minimum(np.searchsorted(marks, steps), len(marks) - 1)
        return picks, min(float(count), worth)

    def try_out(self, actions: Sequence[int], count: int, to_the_end: bool) -> None:
        """Each action in the same picks of a world."""
        picks, worth = self._picks(count)
        tried: dict[int, Reals] = {}
        several = max(1, LANES // count)
        for first in range(0, len(actions), several):
            some = actions[first : first + several]
            tried |= zip(some, self._play_on(some, picks, to_the_end), strict=True)
        self._trials.append((tried, worth))

    def _play_on(self, actions: Sequence[int], picks: Int64Array, to_the_end: bool) -> Reals:
        """Points of every seat, by action and pick."""
        known, count = self.knowledge, len(actions) * len(picks)
        rules, seat, players = known.setup.rules, known.fact.seat, known.setup.players
        states, logs = np.zeros((count, STATE_WORDS), np.int64), np.zeros((count, LOG), np.int64)
        observations, progress = np.zeros((count, SIZE), np.int8), np.zeros((count, 1), np.int64)
        masks, blocks, turns, lanes = (np.zeros(count, np.int64) for _ in range(4))
        expected, stopped = np.zeros((count, players)), np.zeros(count, bool)
        going = net_rollout.set_out(
            self._worlds, self._logs, len(known.log), picks, np.array(actions, np.int64), rules, states, logs, progress,
            lanes,
        )  # fmt: skip
        while going:
            now = lanes[:going]
            net_rollout.look_ahead(
                states, logs, progress, now, rules, self._seen, self._facts, self._seen_log, observations, masks,
                blocks, turns,
            )  # fmt: skip
            self.questions += going
            answers = self.network.ask_all(observations[:going])
            ratings = self.network.ratings(answers, masks[:going], blocks[:going])
            own = (turns[:going] == seat) & (not to_the_end)
            forecasts = self.network.forecasts(answers[own])[:, :players]
            expected[now[own]], stopped[now[own]] = np.roll(forecasts, seat, axis=1) * self.spread, True
            going = len(rest := now[~own])
            lanes[:going] = rest
            going = net_rollout.go_on(states, logs, progress, lanes[:going], ratings[~own].argmax(1), rules)
        scores = np.zeros((count, SEATS))
        net_rollout.read_scores(states, scores)
        expected[~stopped] = scores[~stopped, :players]
        return expected.reshape(len(actions), len(picks), players)

    def lead(self, action: int, over: int) -> tuple[float, float]:
        """By how much an action gained more than another in the last trial; the standard error."""
        tried, worth = self._trials[-1]
        gaps = self._gains(tried[action]) - self._gains(tried[over])
        return float(gaps.mean()), float(gaps.std() / worth**0.5)

    def points(self, action: int, beside: int) -> list[float]:
        """Expected points of every seat: what `beside` brought in the last trial, and by how much this one differed in
        the last of its own.
        """
        base = self._trials[-1][0][beside].mean(0)
        tried = next(tried for tried, _ in reversed(self._trials) if action in tried)
        told: list[float] = (base + (tried[action] - tried[beside]).mean(0)).tolist()
        return told

    def _gains(self, points: Reals) -> Reals:
        """The seat's points less the mean of the others', in each world."""
        players = points.shape[1]
        gains: Reals = (players * points[:, self.knowledge.fact.seat] - points.sum(1)) / (players - 1)
        return gains
