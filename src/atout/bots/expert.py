"""The strongest player: the network's word, and a second look with its own eyes (`foresight.py`).

Actions are tried in worlds the network believes in, and played on as it would. Where it is clear enough that another is
better, that overrules the first word. Where nothing was learned, the strongest search plays.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from functools import cache

from threadpoolctl import ThreadpoolController

from atout.bots.bot import Budget, Choice, Reason
from atout.bots.learned import LearnedBot, Verdict
from atout.bots.search_bot import SEARCHER, SearchBot
from atout.rules.layout import PLAY, VETO
from atout.rules.log import seat_of
from atout.search.gain import gain
from atout.search.lookahead import Lookahead

QUESTIONS = 1_500
"""To the network, for a decision, when nobody sets a budget."""
GLANCE = 4
"""Worlds in which every action is tried, up to the seat's next turn."""
DRAWN = 2
"""Worlds imagined for each one picked."""
MOST_WORLDS = 256
"""Picked; more change nothing."""
LIKELY = 0.02
"""What the network must give an action to be worth a thought."""
LEAST_LIKELY = 1e-6
"""What counts as the least it can give."""
SURE = 0.95
"""What it must give its own for no other to be worth one, unless the glance speaks for it."""
CONTENDERS = 4
"""Actions played to the end, at most."""
LAST_CARDS, LAST_CELLS = 2, 2
"""In hand, and free in a last veto, when every action is worth a thought whatever the network made of it."""
THOROUGH = 3
"""How many times the questions those get, when nobody sets a budget."""
CLEAR, CLEAREST = 0.5, 2.0
"""Standard errors of a lead that overrules the network, for each e-fold by which it thought otherwise; at most."""
SURPRISING = 2.0
"""Standard errors of a lead in the glance that makes an action worth a thought."""
CHOICES = 0.6
"""The part of actions that are choices: others the network is not asked about."""
IN_TIME = 0.8
"""The part of a budget of seconds that is planned for."""
SLOWER, PATIENCE = 1.5, 0.9
"""A slow answer is believed only so far, as the first ones are; who had no time for a look hopes for quicker ones."""


class ExpertBot(LearnedBot):
    """A network with second thoughts."""

    name = "expert"
    pace = 0.0005
    """Seconds it takes to ask the network once, as far as this process knows."""

    def __init__(self) -> None:
        super().__init__(otherwise=SearchBot("search", SEARCHER))

    def decide(self, verdict: Verdict, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        allowance = Allowance(QUESTIONS * (THOROUGH if _is_last(verdict) else 1), budget, ExpertBot.pace)
        foresight = Lookahead(verdict.knowledge, verdict.network, verdict.trained.spread, rng.getrandbits(62))
        if allowance.left(0) < _cost(verdict, DRAWN * GLANCE, GLANCE * len(legal), verdict.knowledge.setup.players):
            ExpertBot.pace *= PATIENCE
            return verdict.choice(legal)
        with _threads().limit(limits=1):
            best = _look(foresight, verdict, allowance)
        ExpertBot.pace = min(allowance.pace(foresight.questions), SLOWER * ExpertBot.pace)
        return _told(foresight, verdict, legal, best)


class Allowance:
    """How often the network may be asked for one decision."""

    def __init__(self, measure: int, budget: Budget, pace: float) -> None:
        """`measure` is for when nobody sets a budget."""
        own = float(measure) if budget == Budget() else math.inf
        self._questions = own if budget.nodes is None else float(budget.nodes)
        self._seconds, self._pace, self._started = budget.seconds, pace, time.perf_counter()

    def left(self, asked: int) -> float:
        """Questions that still fit in, after so many."""
        left = self._questions - asked
        if self._seconds is not None:
            spent = time.perf_counter() - self._started
            left = min(left, (IN_TIME * self._seconds - spent) / self.pace(asked))
        return left

    def pace(self, asked: int) -> float:
        """Seconds a question took, or may take if none was asked."""
        return (time.perf_counter() - self._started) / asked if asked else self._pace


def _cost(verdict: Verdict, worlds: int, lanes: int, ahead: int) -> float:
    """Questions it takes to weigh worlds, and to go on for so many actions in each lane, forced ones left out."""
    knowledge = verdict.knowledge
    behind = sum(1 for entry in knowledge.log if seat_of(int(entry)) != knowledge.fact.seat)
    return CHOICES * (worlds * behind + lanes * ahead)


def _look(foresight: Lookahead, verdict: Verdict, allowance: Allowance) -> int:
    """The action to take: a glance at all, then those worth a thought are played to the end of the round."""
    knowledge = verdict.knowledge
    foresight.imagine(DRAWN * GLANCE)
    foresight.try_out(verdict.actions, GLANCE, to_the_end=False)
    contenders = _contenders(foresight, verdict)
    ahead = knowledge.state.free.bit_count() + sum(knowledge.fact.in_hand[: knowledge.setup.players])
    count = int(allowance.left(foresight.questions) / _cost(verdict, DRAWN, len(contenders), ahead))
    if len(contenders) == 1 or count < GLANCE:
        return verdict.best
    count = min(MOST_WORLDS, count)
    foresight.imagine(DRAWN * count)
    foresight.try_out(contenders, count, to_the_end=True)
    return max(contenders, key=lambda action: _surely(foresight, verdict, action))


def _surely(foresight: Lookahead, verdict: Verdict, action: int) -> float:
    """What an action surely gains over the network's own; the less that thought of it, the surer it must be."""
    lead, error = foresight.lead(action, verdict.best)
    doubt = math.log(verdict.likely[verdict.best] / max(verdict.likely[action], LEAST_LIKELY))
    return lead - min(CLEAR * doubt, CLEAR if _is_last(verdict) else CLEAREST) * error


def _is_last(verdict: Verdict) -> bool:
    """A last veto decides between two boards; of a last card nearly all can be known."""
    knowledge = verdict.knowledge
    if knowledge.state.phase == VETO:
        return len(verdict.actions) <= LAST_CELLS
    return bool(knowledge.state.phase == PLAY and knowledge.fact.in_hand[knowledge.fact.seat] <= LAST_CARDS)


def _contenders(foresight: Lookahead, verdict: Verdict) -> list[int]:
    """The network's action and those worth a thought beside it."""
    first, likely, last = verdict.best, verdict.likely, _is_last(verdict)
    others = [action for action in verdict.actions if action != first]
    surprising = {}
    for action in others:
        lead, error = foresight.lead(action, first)
        if lead > SURPRISING * error:
            surprising[action] = lead
    worthy = [a for a in others if last or a in surprising or (likely[a] >= LIKELY and likely[first] < SURE)]
    worthy.sort(key=lambda action: (action in surprising, likely[action]), reverse=True)
    return [first, *worthy[: CONTENDERS - 1]]


def _told(foresight: Lookahead, verdict: Verdict, legal: Sequence[str], best: int) -> Choice:
    """The choice, with what is expected of every action."""
    setup, seat = verdict.knowledge.setup, verdict.knowledge.fact.seat
    points = {action: foresight.points(action, verdict.best) for action in verdict.actions}
    gains = {action: gain(told, setup, seat) for action, told in points.items()}
    words = dict(zip(verdict.actions, legal, strict=True))
    estimates = {words[action]: [round(one, 2) for one in told] for action, told in points.items()}
    if best == verdict.best:
        return Choice(words[best], estimates, (verdict.reason(gains[best]),))
    lead = gains[best] - gains[verdict.best]
    parameters = {"worlds": foresight.worlds, "gain": round(gains[best], 2), "better_by": round(lead, 2)}
    return Choice(words[best], estimates, (Reason("best-over-worlds", parameters),))


@cache
def _threads() -> ThreadpoolController:
    """Of the library that multiplies matrices: on a busy machine its threads would wait for each other."""
    return ThreadpoolController()
