"""The level `expert`: the network, checked by a lookahead (`search/lookahead.py`).

Actions are tried in likely worlds. The network plays some tricks, and the open-card critic says what the rest is worth;
late in a match it plays to the end of the round. Another action overrules the network's first choice where it is
clearly better: for the points of the round, and late in a match for the match. What is laid out in Null & nichtig is
the network's choice: overruling it was not seen to gain (`bench/lookahead.py`). Setups that no network was trained for
are played by search.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence

from atout.bots.bot import Budget, Choice, Reason
from atout.bots.estimates import consistent_estimates
from atout.bots.learned import LearnedBot, Prediction
from atout.bots.search_bot import SEARCHER, SearchBot
from atout.game import Knowledge
from atout.nets.beliefs import beliefs_of
from atout.nets.critic import critic_of
from atout.rules.layout import LAY, PLAY, VETO
from atout.rules.log import seat_of
from atout.search.lookahead import NEXT_TURN, Lookahead

EVALUATIONS = 3_500
"""Network evaluations per decision when no budget is given."""
FIRST_WORLDS = 6
"""Worlds in which every action is tried first, up to the seat's next turn."""
MIN_WORLDS, MAX_WORLDS = 10, 256
"""Worlds of a comparison, at least and at most. If time allows fewer, the network's choice stays: overruling it by the
luck of a few worlds gains nothing (`bench/lookahead.py`)."""
HORIZON = 3
"""Tricks that are played before the critic is asked."""
MIN_PROBABILITY = 1e-6
"""The least probability that is distinguished."""
SURE = 0.97
"""From this probability of a card, if at least `CANDIDATES` others are legal, only an action that the first trial
favours is compared with it."""
CANDIDATES = 4
"""Candidates: the network's choice and its likeliest alternatives. One more joins if it leads by `TRIAL_LEAD_ERRORS` in
the first trial."""
LAST_CARDS, LAST_CELLS = 2, 2
"""Cards in hand, or cells in a last veto, with which a small lead is enough."""
LAST_FACTOR = 3
"""The factor of evaluations for those decisions, when no budget is given."""
LEAD_ERRORS, MAX_LEAD_ERRORS = 0.5, 2.0
"""Standard errors by which another action must lead, per factor of e between the two probabilities; at most."""
TRIAL_LEAD_ERRORS = 2.0
"""Standard errors of a lead in the first trial that makes an action a candidate."""
CHOICES = 0.7
"""The share of actions that are choices; forced actions need no evaluation."""
AT_THE_END = 2
"""Evaluations where a rollout stops: by the network and by the critic."""
BEFORE_TRICKS = 2
"""Actions of each seat between the vetoes and the first trick, roughly."""
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

    def __init__(self) -> None:
        super().__init__(fallback=SearchBot("search", SEARCHER))

    def decide(self, prediction: Prediction, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        if is_left_to_the_network(prediction):
            return prediction.choice(legal)
        evaluations = EVALUATIONS * (LAST_FACTOR if is_last(prediction) else 1)
        allowance = EvaluationBudget(evaluations, budget, ExpertBot.pace)
        lookahead = lookahead_of(prediction, rng.getrandbits(62))
        players = prediction.knowledge.setup.players
        if allowance.left(0) < _cost(prediction, FIRST_WORLDS, FIRST_WORLDS * len(legal), players):
            ExpertBot.pace *= FASTER
            return prediction.choice(legal)
        best = look_ahead(lookahead, prediction, allowance)
        ExpertBot.pace = min(allowance.pace(lookahead.evaluations), SLOWER * ExpertBot.pace)
        return _choice(lookahead, prediction, legal, best)


def lookahead_of(prediction: Prediction, seed: int) -> Lookahead:
    """A lookahead at a decision, with the belief model and the critic of its game."""
    game = "njet" if prediction.knowledge.setup.edition.is_njet else "nichtig"
    knowledge, network, scale = prediction.knowledge, prediction.network, prediction.trained.scale
    return Lookahead(knowledge, network, scale, seed, beliefs_of(game), critic_of(game))


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
    return CHOICES * (worlds * behind + rollouts * ahead) + AT_THE_END * rollouts


def _actions_ahead(knowledge: Knowledge, tricks: int) -> int:
    """How many actions a rollout of so many tricks has, roughly."""
    state, players = knowledge.state, knowledge.setup.players
    cards = min(sum(knowledge.fact.in_hand[:players]), tricks * players)
    before = 0 if state.phase == PLAY else BEFORE_TRICKS * players
    return int(state.free.bit_count() + before + cards)


def look_ahead(lookahead: Lookahead, prediction: Prediction, allowance: EvaluationBudget) -> int:
    """The action to play: a short trial of all, then the candidates are compared further into the round."""
    knowledge = prediction.knowledge
    lookahead.sample_worlds(FIRST_WORLDS)
    lookahead.try_actions(prediction.actions, NEXT_TURN)
    candidates = _candidates(lookahead, prediction)
    ahead = _actions_ahead(knowledge, lookahead.reach(HORIZON))
    count = int(allowance.left(lookahead.evaluations) / _cost(prediction, 1, len(candidates), ahead))
    if len(candidates) == 1 or count < MIN_WORLDS:
        return prediction.best
    count = min(MAX_WORLDS, count)
    lookahead.sample_worlds(count)
    lookahead.try_actions(candidates, HORIZON)
    return max(candidates, key=lambda action: certain_lead(lookahead, prediction, action))


def certain_lead(lookahead: Lookahead, prediction: Prediction, action: int) -> float:
    """The lead of an action over the network's choice, less a margin of error.

    Late in a match an action that wins it more often, and in no world less, needs no margin: the network plays for
    points in the first place, and often chooses a partner with whom the match cannot be won.
    """
    if lookahead.wins_no_less(action, prediction.best):
        return lookahead.lead(action, prediction.best)[0]
    return lead_less_margin(lookahead, prediction, action)


def lead_less_margin(lookahead: Lookahead, prediction: Prediction, action: int) -> float:
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


def is_left_to_the_network(prediction: Prediction) -> bool:
    """Whether cards are laid out, all at the same time."""
    return bool(prediction.knowledge.state.phase == LAY)


def likeliest(prediction: Prediction) -> list[int]:
    """Candidates before the first trial: the network's choice and, unless it is sure, its likeliest alternatives."""
    first, policy = prediction.best, prediction.policy
    others = sorted((action for action in prediction.actions if action != first), key=lambda action: -policy[action])
    is_card = prediction.knowledge.state.phase == PLAY
    is_sure = is_card and len(others) >= CANDIDATES and policy[first] >= SURE
    return [first] if is_sure else [first, *others[: CANDIDATES - 1]]


def _candidates(lookahead: Lookahead, prediction: Prediction) -> list[int]:
    """The network's choice and the actions that are compared with it."""
    candidates = likeliest(prediction)
    leads = {
        action: lookahead.lead(action, prediction.best) for action in prediction.actions if action not in candidates
    }
    leading = [action for action, (lead, error) in leads.items() if lead > TRIAL_LEAD_ERRORS * error]
    return candidates + sorted(leading, key=lambda action: -leads[action][0])[:1]


def _choice(lookahead: Lookahead, prediction: Prediction, legal: Sequence[str], best: int) -> Choice:
    """The choice, with the expected points of every action; where the match decides, with the chance of winning it."""
    setup, seat = prediction.knowledge.setup, prediction.knowledge.fact.seat
    words = dict(zip(prediction.actions, legal, strict=True))
    chances = lookahead.match_chances()
    chance, other = _chances(chances, best) if chances else (0.0, 0.0)
    if chance > other:
        parameters = {"worlds": lookahead.worlds, "chance": chance, "next": other}
        expected = [round(one, 2) for one in lookahead.points(best, prediction.best)]
        return Choice(words[best], {words[best]: expected}, (Reason("match", parameters),))
    points = {word: lookahead.points(action, prediction.best) for action, word in words.items()}
    found = consistent_estimates(words[best], points, setup, seat)
    if best == prediction.best:
        return Choice(words[best], found.estimates, (prediction.reason(found.gain),))
    parameters = {"worlds": lookahead.worlds, "gain": found.gain, "better_by": found.better_by}
    return Choice(words[best], found.estimates, (Reason("best-over-worlds", parameters),))


def _chances(chances: dict[int, float], best: int) -> tuple[float, float]:
    """The chance of winning the match after the best action, and after the best other one; rounded as they are told."""
    return round(chances[best], 2), round(max(chance for action, chance in chances.items() if action != best), 2)
