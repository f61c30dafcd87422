"""The level `expert`: the network, checked by a lookahead (`search/lookahead.py`).

Actions are tried in worlds that the network finds likely, and the network plays the round out. Another action overrules
the network's first choice where it is clearly better: for the points of the round, and late in a match for the match.
Setups that no network was trained for are played by search.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from functools import cache

from threadpoolctl import ThreadpoolController

from atout.bots.bot import Budget, Choice, Reason
from atout.bots.estimates import consistent_estimates
from atout.bots.learned import LearnedBot, Prediction
from atout.bots.search_bot import SEARCHER, SearchBot
from atout.nets.beliefs import BeliefNetwork, beliefs_of
from atout.rules.layout import DOUBLE, PLAY, TEAM, VETO
from atout.rules.log import seat_of
from atout.search.lookahead import Lookahead

EVALUATIONS = 1_500
"""Network evaluations per decision when no budget is given."""
FIRST_WORLDS = 4
"""Worlds in which every action is tried first, up to the seat's next turn."""
DRAWN = 2
"""Worlds sampled for each one picked."""
MAX_WORLDS = 256
"""Worlds picked, at most; more change nothing."""
LIKELY = 0.02
"""The probability with which an action is a candidate."""
MIN_PROBABILITY = 1e-6
"""The least probability that is distinguished."""
SURE = 0.95
"""The probability of the network's choice from which others are no candidates, unless the first trial favours them, or
the decision is one of a few that decide most of the round."""
CANDIDATES = 4
"""Actions played to the end of the round, at most."""
LAST_CARDS, LAST_CELLS = 2, 2
"""Cards in hand, or cells in a last veto, with which every action is a candidate."""
LAST_FACTOR = 3
"""The factor of evaluations for those decisions, when no budget is given."""
LEAD_ERRORS, MAX_LEAD_ERRORS = 0.5, 2.0
"""Standard errors by which another action must lead, per factor of e between the two probabilities; at most."""
TRIAL_LEAD_ERRORS = 2.0
"""Standard errors of a lead in the first trial that makes an action a candidate."""
CHOICES = 0.6
"""The share of actions that are choices; forced actions need no evaluation."""
IN_TIME = 0.8
"""The share of a budget of seconds that is planned for."""
SLOWER, FASTER = 1.5, 0.9
"""Limits on how the measured pace changes: one slow decision raises it by at most `SLOWER`; after one without
time for a lookahead it is lowered by `FASTER`, so that the bot tries again."""


class ExpertBot(LearnedBot):
    """The network with lookahead."""

    name = "expert"
    pace = 0.0005
    """Seconds per network evaluation, as measured in this process."""
    uses_beliefs = False
    """Whether worlds come from the belief model. They are likelier, and the bot was not seen to play better with them
    (bench/results.md)."""

    def __init__(self) -> None:
        super().__init__(fallback=SearchBot("search", SEARCHER))

    def model(self, prediction: Prediction) -> BeliefNetwork | None:
        """The belief model that worlds are drawn from, if `uses_beliefs`."""
        if not self.uses_beliefs:
            return None
        return beliefs_of("njet" if prediction.knowledge.setup.edition.is_njet else "nichtig")

    def decide(self, prediction: Prediction, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        evaluations = EVALUATIONS * (LAST_FACTOR if is_last(prediction) else 1)
        allowance = EvaluationBudget(evaluations, budget, ExpertBot.pace)
        spread, seed = prediction.trained.spread, rng.getrandbits(62)
        lookahead = Lookahead(prediction.knowledge, prediction.network, spread, seed, self.model(prediction))
        players = prediction.knowledge.setup.players
        if allowance.left(0) < _cost(prediction, DRAWN * FIRST_WORLDS, FIRST_WORLDS * len(legal), players):
            ExpertBot.pace *= FASTER
            return prediction.choice(legal)
        with _threads().limit(limits=1):
            best = look_ahead(lookahead, prediction, allowance)
        ExpertBot.pace = min(allowance.pace(lookahead.evaluations), SLOWER * ExpertBot.pace)
        return _choice(lookahead, prediction, legal, best)


class EvaluationBudget:
    """How many network evaluations one decision may take."""

    def __init__(self, default: int, budget: Budget, pace: float) -> None:
        """`default` is for an empty budget."""
        own = float(default) if budget == Budget() else math.inf
        self._evaluations = own if budget.nodes is None else float(budget.nodes)
        self._seconds, self._pace, self._started = budget.seconds, pace, time.perf_counter()

    def left(self, done: int) -> float:
        """Evaluations that are left after `done`."""
        left = self._evaluations - done
        if self._seconds is not None:
            spent = time.perf_counter() - self._started
            left = min(left, (IN_TIME * self._seconds - spent) / self.pace(done))
        return left

    def pace(self, done: int) -> float:
        """Seconds per evaluation so far; the given pace before the first."""
        return (time.perf_counter() - self._started) / done if done else self._pace


def _cost(prediction: Prediction, worlds: int, rollouts: int, ahead: int) -> float:
    """Evaluations needed to weight worlds, and for rollouts of `ahead` actions each."""
    knowledge = prediction.knowledge
    behind = sum(1 for entry in knowledge.log if seat_of(int(entry)) != knowledge.fact.seat)
    return CHOICES * (worlds * behind + rollouts * ahead)


def look_ahead(lookahead: Lookahead, prediction: Prediction, allowance: EvaluationBudget) -> int:
    """The action to play: a short trial of all, then the candidates are played to the end of the round."""
    knowledge = prediction.knowledge
    lookahead.sample_worlds(DRAWN * FIRST_WORLDS)
    lookahead.try_actions(prediction.actions, FIRST_WORLDS, to_the_end=False)
    candidates = _candidates(lookahead, prediction)
    ahead = knowledge.state.free.bit_count() + sum(knowledge.fact.in_hand[: knowledge.setup.players])
    count = int(allowance.left(lookahead.evaluations) / _cost(prediction, DRAWN, len(candidates), ahead))
    if len(candidates) == 1 or count < FIRST_WORLDS:
        return prediction.best
    count = min(MAX_WORLDS, count)
    lookahead.sample_worlds(DRAWN * count)
    lookahead.try_actions(candidates, count, to_the_end=True)
    return max(candidates, key=lambda action: _certain_lead(lookahead, prediction, action))


def _certain_lead(lookahead: Lookahead, prediction: Prediction, action: int) -> float:
    """The lead of an action over the network's choice, less a margin of error that is wider for less likely actions."""
    lead, error = lookahead.lead(action, prediction.best)
    most = LEAD_ERRORS if is_last(prediction) else MAX_LEAD_ERRORS
    return lead - errors_needed(prediction.policy[prediction.best], prediction.policy[action], most) * error


def errors_needed(likelier: float, other: float, most: float = MAX_LEAD_ERRORS) -> float:
    """Standard errors by which an action must lead over a likelier one to overrule it; from the probabilities of both.

    >>> errors_needed(0.5, 0.5), errors_needed(0.9, 0.0)
    (0.0, 2.0)
    """
    return min(LEAD_ERRORS * math.log(likelier / max(other, MIN_PROBABILITY)), most)


def is_last(prediction: Prediction) -> bool:
    """Whether it is a last veto, which decides between two boards, or a last card, where nearly all is known."""
    knowledge = prediction.knowledge
    if knowledge.state.phase == VETO:
        return len(prediction.actions) <= LAST_CELLS
    return bool(knowledge.state.phase == PLAY and knowledge.fact.in_hand[knowledge.fact.seat] <= LAST_CARDS)


def _is_always_tried(prediction: Prediction) -> bool:
    """Whether every action is played out, however sure the network is: partners, the ×2 card, and what comes last."""
    return prediction.knowledge.state.phase in (TEAM, DOUBLE) or is_last(prediction)


def _candidates(lookahead: Lookahead, prediction: Prediction) -> list[int]:
    """The network's choice and the actions that are compared with it."""
    first, policy, every = prediction.best, prediction.policy, _is_always_tried(prediction)
    others = [action for action in prediction.actions if action != first]
    leading = {}
    for action in others:
        lead, error = lookahead.lead(action, first)
        if lead > TRIAL_LEAD_ERRORS * error:
            leading[action] = lead
    candidates = [a for a in others if every or a in leading or (policy[a] >= LIKELY and policy[first] < SURE)]
    candidates.sort(key=lambda action: (action in leading, policy[action]), reverse=True)
    return [first, *candidates[: CANDIDATES - 1]]


def _choice(lookahead: Lookahead, prediction: Prediction, legal: Sequence[str], best: int) -> Choice:
    """The choice, with the expected points of every action; where the match decides, with the chance of winning it."""
    setup, seat = prediction.knowledge.setup, prediction.knowledge.fact.seat
    words = dict(zip(prediction.actions, legal, strict=True))
    if (chances := lookahead.match_chances()) is not None:
        others = [chance for action, chance in chances.items() if action != best]
        parameters = {"worlds": lookahead.worlds, "chance": round(chances[best], 2), "next": round(max(others), 2)}
        expected = [round(one, 2) for one in lookahead.points(best, prediction.best)]
        return Choice(words[best], {words[best]: expected}, (Reason("match", parameters),))
    points = {word: lookahead.points(action, prediction.best) for action, word in words.items()}
    found = consistent_estimates(words[best], points, setup, seat)
    if best == prediction.best:
        return Choice(words[best], found.estimates, (prediction.reason(found.gain),))
    parameters = {"worlds": lookahead.worlds, "gain": found.gain, "better_by": found.better_by}
    return Choice(words[best], found.estimates, (Reason("best-over-worlds", parameters),))


@cache
def _threads() -> ThreadpoolController:
    """The threads of the matrix library, to limit them to one: on a busy machine they would wait for each other."""
    return ThreadpoolController()
