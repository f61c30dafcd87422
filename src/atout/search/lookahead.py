"""The lookahead of `expert`: likely worlds, weighted by how the network would have acted, and rollouts by the network.

sample_worlds   draws worlds the seat may be in, most of them from the belief model, and weights them: by the chance
                that the network, in the place of the other seats, would have done what they did, over the chance of
                the draw (`believed.py`). Weights are flattened until enough worlds count.
try_actions     tries each action in the same sample of worlds, and lets the network play all seats. What the rest is
                worth is told by the network's forecast at the seat's next turn, by the open-card critic after some
                tricks, or by the result of the round.

An action is as good as what it gains in points; late in a match, as what it does for the match (`match_chance.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from atout.game import Knowledge
from atout.nets.beliefs import BeliefNetwork
from atout.nets.critic import Critic
from atout.nets.weights import Network
from atout.rules.layout import SEATS
from atout.search import net_rollout
from atout.search.believed import Beliefs, critic_gains
from atout.search.gain import Float64Array, gains, partners
from atout.search.match_chance import is_late, match_shares
from atout.search.net_rollout import TO_THE_END, Worlds, new_queries, new_worlds, tricks_of
from atout.search.weighted import flattened, mean_and_error

NEXT_TURN = 0
"""A horizon: rollouts stop when it is the seat's turn again, and the network's forecast is taken."""
ANY = 0.25
"""The share of worlds that are drawn without the belief model: it is sure of itself where somebody plays oddly."""
ENOUGH = 0.15
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
    """By action what the seat that decides gets in each world: its gain, or its share of the match."""
    weights: Float64Array
    """The weight of each world; they add up to 1."""
    horizon: int
    is_for_the_match: bool


class Lookahead:
    """One decision of a seat, looked at with a network."""

    def __init__(
        self, knowledge: Knowledge, network: Network, scale: float, seed: int,
        model: BeliefNetwork | None = None, critic: Critic | None = None,
    ) -> None:  # fmt: skip
        """Without a belief model worlds are drawn uniformly; without a critic rollouts go to the end of the round."""
        self.knowledge, self.network, self.scale, self._critic = knowledge, network, scale, critic
        self._likely, self._any = Beliefs(knowledge, model, network, seed), Beliefs(knowledge, None, network, seed)
        self._evaluations = 0
        self.drawn = new_worlds(0)
        self.log_weights = np.zeros(0)
        self.is_for_the_match = is_late(knowledge)
        """Whether rollouts to the end of the round are valued by the match, not by points."""
        self._trials: list[Trial] = []

    @property
    def evaluations(self) -> int:
        """How many positions the networks have evaluated."""
        return self._evaluations + self._likely.evaluations + self._any.evaluations

    @property
    def worlds(self) -> int:
        """How many have been drawn."""
        return len(self.drawn.states)

    def reach(self, horizon: int) -> int:
        """The horizon that rollouts really have: the match, and rounds without a critic, are played to the end."""
        return TO_THE_END if horizon != NEXT_TURN and (self.is_for_the_match or self._critic is None) else horizon

    def sample_worlds(self, count: int) -> None:
        """Draw and weight `count` more worlds."""
        others = int(ANY * count)
        for beliefs, some in ((self._likely, count - others), (self._any, others)):
            worlds, _, log_weights = beliefs.draw(some)
            self.drawn = Worlds(*(np.concatenate(pair) for pair in zip(self.drawn, worlds, strict=True)))
            self.log_weights = np.concatenate([self.log_weights, log_weights])

    def try_actions(self, actions: Sequence[int], horizon: int) -> None:
        """Try each action in all worlds, up to `NEXT_TURN`, some tricks from now, or `TO_THE_END`."""
        reach = self.reach(horizon)
        for_the_match = reach == TO_THE_END and self.is_for_the_match
        trial = Trial({}, {}, flattened(self.log_weights, ENOUGH, FLATTEN), reach, for_the_match)
        several = max(1, BATCH // self.worlds)
        for first in range(0, len(actions), several):
            some = actions[first : first + several]
            points, values = self._roll_out(some, trial)
            trial.points.update(zip(some, points, strict=True))
            trial.values.update(zip(some, values, strict=True))
        self._trials.append(trial)

    def _roll_out(self, actions: Sequence[int], trial: Trial) -> tuple[Float64Array, Float64Array]:
        """The points of every seat, by action and world; and what they are worth to the seat that decides."""
        horizon = trial.horizon
        known, count, picks = self.knowledge, len(actions) * self.worlds, np.arange(self.worlds)
        rules, seat, players = known.setup.rules, known.fact.seat, known.setup.players
        rollouts, queries = new_worlds(count), new_queries(count)
        expected, stopped = np.zeros((count, players)), np.zeros(count, bool)
        rows, last = queries.rows, tricks_of(self.drawn.states[:1], players)[0] + horizon
        going = net_rollout.begin_rollouts(self.drawn, picks, np.array(actions, np.int64), rules, rollouts, rows)
        while going:
            now = rows[:going]
            net_rollout.fill_queries(rollouts, going, rules, queries)
            self._evaluations += going
            outputs = self.network.evaluate_all(queries.features[:going])
            policies = self.network.log_policies(outputs, queries.masks[:going], queries.blocks[:going])
            turns = queries.turns[:going]
            ends = turns == seat if horizon == NEXT_TURN else tricks_of(rollouts.states[now], players) >= last
            forecasts = self.network.forecasts(outputs[ends])[:, :players] * self.scale
            places = (np.arange(players) - turns[ends, None]) % players
            expected[now[ends]], stopped[now[ends]] = np.take_along_axis(forecasts, places, 1), True
            going = len(rest := now[~ends])
            rows[:going] = rest
            going = net_rollout.step_rollouts(rollouts, rows[:going], policies[~ends].argmax(1), rules)
        scores = np.zeros((count, SEATS))
        net_rollout.read_scores(rollouts.states, scores)
        expected[~stopped] = scores[~stopped, :players]
        if trial.is_for_the_match:
            values = match_shares(rollouts.states, known.setup, seat)
        else:
            if horizon != NEXT_TURN and stopped.any():
                self._correct(expected, rollouts, stopped)
            values = gains(expected, known.setup, seat)
        shape = (len(actions), self.worlds)
        return expected.reshape(*shape, players), values.reshape(shape)

    def _correct(self, expected: Float64Array, rollouts: Worlds, stopped: npt.NDArray[np.bool_]) -> None:
        """Move the forecast points of the seat's side so that they gain what the critic says: it sees all hands."""
        assert self._critic is not None
        setup, seat = self.knowledge.setup, self.knowledge.fact.seat
        self._evaluations += int(stopped.sum())
        worlds = Worlds(*(array[stopped] for array in rollouts))
        told = critic_gains(self._critic, worlds, setup, self.scale)[:, seat]
        missing = told - gains(expected[stopped], setup, seat)
        for own in partners(setup, seat):
            expected[stopped, own] += missing

    @property
    def compared(self) -> tuple[int, ...]:
        """The actions of the last trial that went further than the seat's next turn."""
        far = [trial.values for trial in self._trials if trial.horizon != NEXT_TURN]
        return tuple(far[-1]) if far else ()

    def lead(self, action: int, over: int) -> tuple[float, float]:
        """By how much an action is better than another in the last trial, with its standard error."""
        trial = self._trials[-1]
        return mean_and_error(trial.values[action] - trial.values[over], trial.weights)

    def wins_no_less(self, action: int, over: int) -> bool:
        """Whether an action wins more of the match than another in some world of the last trial, and in none less."""
        trial = self._trials[-1]
        better = trial.values[action] - trial.values[over]
        return trial.is_for_the_match and bool((better >= 0).all() and (better > 0).any())

    def match_chances(self) -> dict[int, float] | None:
        """The chance of winning the match after each action of the last trial; None if points were played for."""
        trial = self._trials[-1]
        if not trial.is_for_the_match:
            return None
        return {action: float(trial.weights @ shares) for action, shares in trial.values.items()}

    def points(self, action: int, beside: int) -> list[float]:
        """Expected points of every seat: those of `beside` in the last trial, plus the difference of the two actions in
        the last trial that had both.
        """
        last = self._trials[-1]
        tried = next(trial for trial in reversed(self._trials) if action in trial.points)
        moved = tried.weights @ (tried.points[action] - tried.points[beside])
        points: list[float] = (last.weights @ last.points[beside] + moved).tolist()
        return points
