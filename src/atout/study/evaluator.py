"""What every action of a decision is worth: given what the seat knew, and with open cards.

known   Worlds are drawn from the belief model and weighed by how the player network would have acted in the others'
        places (`search/believed.py`). Weights are flattened until enough worlds count. Each action is tried in the same
        worlds (`playouts.py`). It is a race: all actions in a quarter of the worlds, then the better half in all of
        them, with the action that was chosen and the network's two likeliest, all with the critic close by; then a few
        finalists further into the round, where the critic is sure (`python -m bench.study horizons`).
check   The best action is compared with the chosen one again, in fresh worlds: the best of many noisy values is always
        too good. Labels come from there.
open    The true world: exact where a solver answers in time, else the critic.

Nothing hidden has a part in `known`: worlds, random numbers and the race follow from the seat's knowledge and choice.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from functools import cache, cached_property

import msgspec
import numpy as np
from msgspec import Struct

from atout.bots.learned import Prediction
from atout.game import Knowledge
from atout.rules import entries
from atout.rules.layout import PLAY, STATE, VETO
from atout.rules.log import seat_of
from atout.search.believed import Beliefs
from atout.search.gain import Float64Array, gain
from atout.search.maxn import MaxN
from atout.search.net_rollout import TO_THE_END, Worlds
from atout.search.solver.solver import Solver
from atout.search.weighted import flattened, mean_and_error
from atout.study.effort import Effort
from atout.study.networks import Networks, checksums, networks_of
from atout.study.playouts import Playouts, gumbel, play_out
from atout.study.positions import PHASE, SCORES, Position, seed_of

SIDE = STATE.fields["side"][1] // 8  # type: ignore[index]
VERSIONS = {"njet": 4, "nichtig": 5}
"""By game. Counts up when the code finds other values or labels with the same networks and settings."""


class Settings(Struct, frozen=True):
    """How an evaluator works; part of its hash."""

    enough: float = 0.25
    """The effective sample size that weights of worlds must have, as a share of the worlds."""
    flatten: float = 0.8
    """The factor of the log weights, applied as often as needed."""
    horizon: int = 1
    """Tricks that the race plays in the trick phase before the critic is asked: the present one. Before the trick phase
    it asks at once."""
    far_horizon: int = 3
    """Tricks that finalists and fresh worlds are played on."""
    far_veto_horizon: int = 1
    """The same for vetoes: the rest of the board, the sides and the first trick."""
    finalists: int = 2
    """Actions of the race that go on, beside the network's likeliest and the chosen one."""
    last_cards: int = 3
    """Cards in hand from which on rounds are played to the end."""
    early_worlds: float = 0.25
    """The share of the worlds in which all actions are tried."""
    kept: float = 0.5
    """The share of the actions that stays in the race."""
    least_kept: int = 3
    obvious: float = 0.95
    """The share of strong play from which a choice is obvious."""
    ledger_players: int = 16
    """Players of the ledger's value function (`ledger.py`)."""
    ledger_noise: float = 0.5
    """How much they differ from the network's likeliest choice: 1 draws its choices, 0 is always the likeliest."""
    obvious_factor: float = 0.25
    """The share of the work for a choice that is obvious and was made."""


DEFAULT = Settings()


class Sample:
    """Worlds with their weights."""

    def __init__(
        self, worlds: Worlds, log_weights: Float64Array, noise: Float64Array, enough: float, flatten: float
    ) -> None:
        self.worlds, self.log_weights, self.noise = worlds, log_weights, noise
        self.enough, self.flatten = enough, flatten

    @cached_property
    def weights(self) -> Float64Array:
        """They add up to 1, and are flattened until enough worlds count."""
        return flattened(self.log_weights, self.enough, self.flatten)

    def __len__(self) -> int:
        return len(self.log_weights)

    def first(self, count: int) -> Sample:
        worlds = Worlds(*(array[:count] for array in self.worlds))
        return Sample(worlds, self.log_weights[:count], self.noise[:count], self.enough, self.flatten)

    def joined(self, other: Sample) -> Sample:
        worlds = Worlds(*(np.concatenate(pair) for pair in zip(self.worlds, other.worlds, strict=True)))
        weights, noise = (
            np.concatenate(pair) for pair in ((self.log_weights, other.log_weights), (self.noise, other.noise))
        )
        return Sample(worlds, weights, noise, self.enough, self.flatten)


class Compared(Struct, frozen=True):
    """Two actions in the same worlds."""

    better: int
    other: int
    lead: float
    """The mean of better − other."""
    se: float
    value: float
    """The known value of `better`."""
    value_se: float
    other_se: float
    """The standard error of the other's known value."""
    sample: Sample


class Judged(Struct, frozen=True):
    """A decision, given what its seat knew."""

    actions: list[int]
    known: dict[int, float]
    se: dict[int, float]
    found_by: dict[int, float]
    ranking: list[int]
    """The actions by their known value in the first pass, best first."""
    gaps: dict[int, tuple[float, float]]
    """By action how far it is behind the first, in the worlds that both were tried in, with its standard error."""
    sample: Sample
    is_obvious: bool

    @property
    def best(self) -> int:
        return self.ranking[0]

    @property
    def likeliest(self) -> int:
        """The action that strong play chooses most."""
        return max(self.actions, key=lambda action: self.found_by[action])


def evaluator_id(game: str, settings: Settings = DEFAULT) -> str:
    """The hash that names an evaluator, of `njet` or `nichtig`: it is known without loading the networks."""
    return hashlib.sha256(msgspec.json.encode((VERSIONS[game], settings)) + checksums(game)).hexdigest()[:12]


class DecisionEvaluator:
    """Values of decisions at one setup."""

    def __init__(self, nets: Networks, settings: Settings = DEFAULT) -> None:
        self.nets, self.settings = nets, settings
        game = "njet" if nets.setup.edition.is_njet else "nichtig"
        self.id = evaluator_id(game, settings)
        """A hash of the networks and settings."""

    @classmethod
    def of(cls, knowledge: Knowledge, settings: Settings = DEFAULT) -> DecisionEvaluator:
        """The evaluator for a table; `UsageError` if no network has learned it."""
        return cls(networks_of(knowledge), settings)

    # ---------------------------------------------------------------- known

    def judge(self, knowledge: Knowledge, effort: Effort, chosen: int | None = None) -> Judged:
        """The first pass over a decision of the seat in turn. `chosen` never leaves the race."""
        prediction = Prediction(self.nets.player, self.nets.trained, knowledge)
        actions, policy = prediction.actions, prediction.policy
        likely = sorted(actions, key=lambda action: -policy[action])
        is_obvious = policy[likely[0]] >= self.settings.obvious
        factor = self.settings.obvious_factor if is_obvious and chosen in (None, likely[0]) else 1.0
        count = self._worlds(knowledge, effort, len(actions), factor)
        sample = self.draw(knowledge, count, "first")
        early = sample.first(max(4, int(count * self.settings.early_worlds)))
        first = self._values(knowledge, early, actions)
        means = dict(zip(actions, (first @ early.weights).tolist(), strict=True))
        left = max(self.settings.least_kept, math.ceil(len(actions) * self.settings.kept))
        kept = set(sorted(actions, key=lambda action: -means[action])[:left]) | set(likely[:2])
        kept |= set() if chosen is None else {chosen}
        staying = [action for action in actions if action in kept]
        values = self._values(knowledge, sample, staying)
        judged = self._judged(actions, policy, sample, values, staying, early, first, is_obvious)
        if factor < 1.0:
            return judged
        finalists = dict.fromkeys([*judged.ranking[: self.settings.finalists], likely[0]])
        if chosen is not None:
            finalists[chosen] = None
        return self._final(knowledge, judged, list(finalists))

    def _judged(
        self, actions: list[int], policy: dict[int, float], sample: Sample, values: Float64Array, staying: list[int],
        early: Sample, first: Float64Array, is_obvious: bool,
    ) -> Judged:  # fmt: skip
        rows = dict(zip(staying, values, strict=True))
        early_rows = dict(zip(actions, first, strict=True))
        best = max(staying, key=lambda action: (round(float(sample.weights @ rows[action]), 9), policy[action]))
        top, top_se = mean_and_error(rows[best], sample.weights)
        known, errors, gaps = {best: top}, {best: top_se}, {best: (0.0, 0.0)}
        for action in actions:
            if action == best:
                continue
            if action in rows:
                gaps[action] = mean_and_error(rows[best] - rows[action], sample.weights)
                known[action], errors[action] = mean_and_error(rows[action], sample.weights)
            else:
                gap, error = mean_and_error(early_rows[best] - early_rows[action], early.weights)
                gaps[action] = max(gap, 0.0), error
                known[action], errors[action] = top - max(gap, 0.0), math.hypot(top_se, error)
        ranking = sorted(actions, key=lambda action: (-known[action], action != best, -policy[action]))
        return Judged(actions, known, errors, policy, ranking, gaps, sample, is_obvious)

    def _final(self, knowledge: Knowledge, judged: Judged, finalists: list[int]) -> Judged:
        """Play the finalists further. The others keep their distance to the first of the race."""
        if self.horizon(knowledge) == self.far(knowledge) or len(finalists) == 1:
            return judged
        sample, first = judged.sample, judged.best
        rows = dict(
            zip(
                finalists,
                self.play_out(knowledge, sample, finalists, self.far(knowledge)).values,
                strict=True,
            )
        )
        policy = judged.found_by
        best = max(finalists, key=lambda action: (round(float(sample.weights @ rows[action]), 9), policy[action]))
        top, _ = mean_and_error(rows[best], sample.weights)
        base, _ = mean_and_error(rows[first], sample.weights)
        known, errors, gaps = {}, {}, {}
        for action in judged.actions:
            if action in rows:
                known[action], errors[action] = mean_and_error(rows[action], sample.weights)
                gaps[action] = mean_and_error(rows[best] - rows[action], sample.weights)
            else:
                gap, error = judged.gaps[action]
                known[action], errors[action] = base - gap, judged.se[action]
                gaps[action] = top - known[action], error
        ranking = sorted(judged.actions, key=lambda action: (-known[action], action != best, -policy[action]))
        return msgspec.structs.replace(judged, known=known, se=errors, gaps=gaps, ranking=ranking)

    def compare(
        self, knowledge: Knowledge, effort: Effort, better: int, other: int, enough: float, passes: int | None = None,
        purpose: str = "fresh",
    ) -> Compared:  # fmt: skip
        """Two actions in fresh worlds, which `purpose` names; more of them while the standard error of the difference
        is above `enough`.
        """
        count = self.worlds_for(knowledge, effort, 2)
        sample: Sample | None = None
        values = np.zeros((2, 0))
        for number in range(effort.passes if passes is None else passes):
            more = self.draw(knowledge, count, f"{purpose} {number}")
            played = self.play_out(knowledge, more, [better, other], self.far(knowledge))
            values = np.concatenate([values, played.values], axis=1)
            sample = more if sample is None else sample.joined(more)
            lead, error = mean_and_error(values[0] - values[1], sample.weights)
            if error <= enough or lead + 2 * error < enough:  # it will not become an inaccuracy
                break
        assert sample is not None
        value, value_se = mean_and_error(values[0], sample.weights)
        _, other_se = mean_and_error(values[1], sample.weights)
        return Compared(better, other, lead, error, value, value_se, other_se, sample)

    def draw(self, knowledge: Knowledge, count: int, purpose: str) -> Sample:
        """Likely worlds, from a seed that follows from the knowledge."""
        seed = seed_of(knowledge, self.id, purpose)
        drawn = Beliefs(knowledge, self.nets.beliefs, self.nets.player, seed).draw(count)
        noise = gumbel(count, seed + 1)
        return Sample(drawn.worlds, drawn.log_weights, noise, self.settings.enough, self.settings.flatten)

    def _values(self, knowledge: Knowledge, sample: Sample, actions: Sequence[int]) -> Float64Array:
        """The gain of the seat by action and world."""
        return self.play_out(knowledge, sample, actions, self.horizon(knowledge)).values

    def play_out(self, knowledge: Knowledge, sample: Sample, actions: Sequence[int], horizon: int) -> Playouts:
        return play_out(self.nets, sample.worlds, actions, knowledge.fact.seat, horizon, sample.noise)

    def horizon(self, knowledge: Knowledge) -> int:
        """How many tricks are played before the critic is asked."""
        if knowledge.state.phase != PLAY:
            return 0
        if knowledge.fact.in_hand[knowledge.fact.seat] <= self.settings.last_cards:
            return TO_THE_END
        return self.settings.horizon

    def far(self, knowledge: Knowledge) -> int:
        """How many tricks finalists and fresh worlds are played on."""
        near = self.horizon(knowledge)
        if near == TO_THE_END:
            return near
        return self.settings.far_veto_horizon if knowledge.state.phase == VETO else self.settings.far_horizon

    def worlds_for(self, knowledge: Knowledge, effort: Effort, finalists: int) -> int:
        """How many worlds a pass draws in which only some actions are tried, and those far into the round."""
        return self._worlds(knowledge, effort, 0, 1.0, finalists)

    def _worlds(
        self, knowledge: Knowledge, effort: Effort, actions: int, factor: float, finalists: int | None = None
    ) -> int:
        """How many worlds the evaluations of a pass are enough for."""
        players, held = knowledge.setup.players, knowledge.fact.in_hand[knowledge.fact.seat]
        behind = sum(1 for entry in knowledge.log if seat_of(int(entry)) != knowledge.fact.seat)
        tricks = min(self.horizon(knowledge), held)
        race = 0.6 * actions * (1 + 0.5 * players * tricks)
        if finalists is None:
            finalists = self.settings.finalists + 1 if factor == 1.0 else 0
        steps = knowledge.state.free.bit_count() + 0.7 * players * min(self.far(knowledge), held)
        count = int(factor * effort.evaluations / (0.8 * behind + race + finalists * steps + 1))
        return max(effort.fewest, min(effort.most, count))

    # ---------------------------------------------------------------- open

    def open_values(self, position: Position, effort: Effort) -> tuple[dict[int, float], bool]:
        """The gain of each legal action in the true world, and whether it is exact."""
        exact = self.exact(position, effort)
        if exact is not None:
            return exact, True
        actions = position.legal
        noise = np.zeros_like(gumbel(1, 0))
        found = play_out(self.nets, position.world(), actions, position.seat, 0, noise).values[:, 0]
        return dict(zip(actions, found.tolist(), strict=True)), False

    def exact(self, position: Position, effort: Effort) -> dict[int, float] | None:
        """The gain of each action of the trick phase with all cards open; None where a solver needs too long."""
        if position.phase != PLAY:
            return None
        if position.setup.edition.is_njet:
            return self._solved(position, effort.nodes)
        return self._max_n(position, effort.nodes)

    def _solved(self, position: Position, nodes: int) -> dict[int, float] | None:
        """Best play of both sides of Njet!."""
        found = _solver().solve(position.state, position.setup.rules, line=False, nodes=nodes)
        if found is None:
            return None
        side = int(position.state[SIDE])
        ours = [(side >> seat) & 1 for seat in range(position.setup.players)]
        # Everybody scores the sum of the side, so the gain follows from the difference of the sides alone.
        return {
            action: gain([total * mine for mine in ours], position.setup, position.seat)
            for action, total in found.totals.items()
        }

    def _max_n(self, position: Position, nodes: int) -> dict[int, float] | None:
        """Null & nichtig: every seat for its own gain, in teams for the team's."""
        players, found = position.setup.players, {}
        for action in position.legal:
            after = position.state.copy()
            entries.apply(after, position.setup.rules, action)
            if after[PHASE] == PLAY:
                outcome = _max_n().max_n(after, position.setup.rules, nodes=nodes)
                if outcome is None:
                    return None
                scores = outcome.scores
            else:
                scores = [int(score) for score in after[SCORES : SCORES + players]]
            found[action] = gain(scores, position.setup, position.seat)
        return found


@cache
def _solver() -> Solver:
    return Solver()


@cache
def _max_n() -> MaxN:
    return MaxN()
