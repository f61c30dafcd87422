"""The lookahead of `expert`: worlds weighted by how the network would have acted, and rollouts by the network.

sample_worlds   draws worlds the seat may be in. With a belief model they are likely ones, and weights make up for the
                draw (`believed.py`). Without one they are drawn uniformly, the weight of a world is the chance that the
                network, in the place of the other seats, would have done what they did, and weights are flattened until
                enough worlds count.
try_actions     tries each action in the same sample of worlds, and lets the network play all seats: to the end of the
                round, or until it is the seat's turn again, where the network's forecast is taken. That is quicker,
                and less reliable where play has left what the network was trained on.

An action is as good as what it gains in points; late in a match, as what it does for the match (`match_chance.py`).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from atout.game import Knowledge, new_rng
from atout.nets.beliefs import BeliefNetwork
from atout.nets.weights import Network
from atout.rules.arrays import Int64Array
from atout.rules.layout import SEATS, STATE_WORDS
from atout.search import net_rollout
from atout.search.believed import Beliefs
from atout.search.gain import Float64Array, gains
from atout.search.match_chance import is_late, match_values
from atout.search.net_rollout import Worlds, new_queries, new_worlds

OFF_POLICY = 0.05
"""The share of actions that follow no network, so that no single action rules a world out."""
ENOUGH = 0.25
"""The effective sample size that weights must have, as a share of the worlds."""
FLATTEN = 0.8
"""The factor of the log weights, applied as often as needed."""
BATCH = 512
"""Rollouts that are stepped together, at most."""


class Trial(NamedTuple):
    """Some actions, tried in the same worlds."""

    points: dict[int, Float64Array]
    """By action the points of every seat in each world."""
    values: dict[int, Float64Array]
    """By action what each world is worth to the seat that decides."""
    effective: float
    """How many equally likely worlds the sample is worth."""
    is_to_the_end: bool
    """Whether rounds were played out."""


class Lookahead:
    """One decision of a seat, looked at with a network."""

    def __init__(
        self, knowledge: Knowledge, network: Network, spread: float, seed: int, model: BeliefNetwork | None = None
    ) -> None:
        """`model` is the belief model of the game, if there is one."""
        self.knowledge, self.network, self.spread = knowledge, network, spread
        self._beliefs = None if model is None else Beliefs(knowledge, model, network, seed)
        self._evaluations = 0
        self._rng, self._random = new_rng(seed), random.Random(seed)  # noqa: S311
        self._worlds = new_worlds(0)
        self._log_weights = np.zeros(0)
        self.is_for_the_match = is_late(knowledge)
        """Whether rollouts to the end of the round are valued by the match, not by their points."""
        self._trials: list[Trial] = []

    @property
    def evaluations(self) -> int:
        """How many positions the network has evaluated."""
        return self._evaluations + (self._beliefs.evaluations if self._beliefs else 0)

    @property
    def worlds(self) -> int:
        return len(self._worlds.states)

    def sample_worlds(self, count: int) -> None:
        """Draw and weight `count` more worlds."""
        if self._beliefs:
            drawn = self._beliefs.draw(count)
            self._add(drawn.worlds, drawn.log_weights)
            return
        new, deals = new_worlds(count), np.zeros((count, STATE_WORDS), np.int64)
        net_rollout.draw_deals(self.knowledge.sampler.source, new, deals, self._rng)
        self._add(new, self._log_likelihoods(deals, new.logs))

    def _add(self, worlds: Worlds, log_weights: Float64Array) -> None:
        self._worlds = Worlds(*(np.concatenate(pair) for pair in zip(self._worlds, worlds, strict=True)))
        self._log_weights = np.concatenate([self._log_weights, log_weights])

    def _log_likelihoods(self, deals: Int64Array, logs: Int64Array) -> Float64Array:
        """The log-likelihood of the others' actions in the round, for worlds that are turned back to the deal."""
        known, queries = self.knowledge, new_queries(len(deals))
        total = np.zeros(len(deals))
        for at in range(len(known.log)):
            count = net_rollout.replay_step(deals, logs, at, known.fact.seat, known.setup.rules, queries)
            if count:
                self._evaluations += count
                outputs = self.network.evaluate_all(queries.features[:count])
                masks, blocks = queries.masks[:count], queries.blocks[:count]
                likely = np.exp(self.network.log_policies(outputs, masks, blocks))
                taken = likely[np.arange(count), queries.places[:count]]
                options = np.bitwise_count(masks)
                total[queries.rows[:count]] += np.log((1 - OFF_POLICY) * taken + OFF_POLICY / options)
        return total

    def _picks(self, count: int) -> tuple[Int64Array, float]:
        """A systematic sample of worlds by their weights; how many equally likely ones it is worth."""
        logs = self._log_weights - self._log_weights.max()
        while True:
            weights = np.exp(logs)
            effective = float(weights.sum() ** 2 / (weights * weights).sum())
            if self._beliefs or effective >= ENOUGH * len(weights):
                break
            logs *= FLATTEN
        bounds = np.cumsum(weights)
        steps = (np.arange(count) + self._random.random()) * (bounds[-1] / count)
        picks: Int64Array = np.minimum(np.searchsorted(bounds, steps), len(bounds) - 1)
        return picks, min(float(count), effective)

    def try_actions(self, actions: Sequence[int], count: int, to_the_end: bool) -> None:
        """Try each action in the same `count` worlds."""
        picks, effective = self._picks(count)
        trial = Trial({}, {}, effective, to_the_end)
        several = max(1, BATCH // count)
        for first in range(0, len(actions), several):
            some = actions[first : first + several]
            points, values = self._roll_out(some, picks, to_the_end)
            trial.points.update(zip(some, points, strict=True))
            trial.values.update(zip(some, values, strict=True))
        self._trials.append(trial)

    def _roll_out(
        self, actions: Sequence[int], picks: Int64Array, to_the_end: bool
    ) -> tuple[Float64Array, Float64Array]:
        """The points of every seat, by action and world; and what they are worth to the seat that decides."""
        known, count = self.knowledge, len(actions) * len(picks)
        rules, seat, players = known.setup.rules, known.fact.seat, known.setup.players
        rollouts, queries = new_worlds(count), new_queries(count)
        expected, stopped = np.zeros((count, players)), np.zeros(count, bool)
        rows = queries.rows
        going = net_rollout.begin_rollouts(self._worlds, picks, np.array(actions, np.int64), rules, rollouts, rows)
        while going:
            now = rows[:going]
            net_rollout.fill_queries(rollouts, going, rules, queries)
            self._evaluations += going
            outputs = self.network.evaluate_all(queries.features[:going])
            policies = self.network.log_policies(outputs, queries.masks[:going], queries.blocks[:going])
            own = (queries.turns[:going] == seat) & (not to_the_end)
            forecasts = self.network.forecasts(outputs[own])[:, :players]
            expected[now[own]], stopped[now[own]] = np.roll(forecasts, seat, axis=1) * self.spread, True
            going = len(rest := now[~own])
            rows[:going] = rest
            going = net_rollout.step_rollouts(rollouts, rows[:going], policies[~own].argmax(1), rules)
        scores = np.zeros((count, SEATS))
        net_rollout.read_scores(rollouts.states, scores)
        expected[~stopped] = scores[~stopped, :players]
        if to_the_end and self.is_for_the_match:
            values = match_values(rollouts.states, expected, known, self.spread)
        else:
            values = gains(expected, known.setup, seat)
        shape = (len(actions), len(picks))
        return expected.reshape(*shape, players), values.reshape(shape)

    def lead(self, action: int, over: int) -> tuple[float, float]:
        """By how much an action is better than another in the last trial, with its standard error."""
        trial = self._trials[-1]
        gaps = trial.values[action] - trial.values[over]
        return float(gaps.mean()), float(gaps.std() / trial.effective**0.5)

    def match_chances(self) -> dict[int, float] | None:
        """The chance of winning the match after each action of the last trial; None if points were played for."""
        trial = self._trials[-1]
        if not (self.is_for_the_match and trial.is_to_the_end):
            return None
        return {action: min(1.0, max(0.0, float(values.mean()))) for action, values in trial.values.items()}

    def points(self, action: int, beside: int) -> list[float]:
        """Expected points of every seat: those of `beside` in the last trial, plus the difference of the two actions in
        the last trial that had both.
        """
        base = self._trials[-1].points[beside].mean(0)
        tried = next(trial.points for trial in reversed(self._trials) if action in trial.points)
        points: list[float] = (base + (tried[action] - tried[beside]).mean(0)).tolist()
        return points
