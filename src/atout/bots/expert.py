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
from atout.bots.foresight import Foresight
from atout.bots.judges import gain
from atout.bots.learned import LearnedBot, Verdict
from atout.bots.thinker import SEARCHER, Thinker
from atout.kernel.layout import PLAY, VETO
from atout.kernel.log import seat_of

QUESTIONS = 1_500
"""To the network, for a decision, when nobody sets a budget."""
LEAST_QUESTIONS = 300
"""With less there is no second look."""
GLANCE = 4
"""Worlds in which every action is tried, up to the seat's next turn."""
DRAWN = 2
"""Worlds imagined for each one picked."""
MOST_WORLDS = 256
"""Picked; more change nothing."""
LIKELY = 0.02
"""What the network must give an action to be worth a thought."""
LEAST_LIKELY = 1e-6
SURE = 0.95
"""What it must give its own for no other to be, unless the glance speaks for it."""
CONTENDERS = 4
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


class ExpertBot(LearnedBot):
    """A network with second thoughts."""

    name = "expert"
    pace = 0.0005
    """Seconds it took to ask the network once, the last time."""

    def __init__(self) -> None:
        super().__init__(otherwise=Thinker("search", SEARCHER))

    def decide(self, verdict: Verdict, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        questions = self._affordable(budget, verdict)
        if questions < LEAST_QUESTIONS:
            return verdict.choice(legal)
        foresight = Foresight(verdict.knowledge, verdict.network, verdict.trained.spread, rng.getrandbits(62))
        started = time.perf_counter()
        with _threads().limit(limits=1):
            best = _look(foresight, verdict, questions)
        ExpertBot.pace = (time.perf_counter() - started) / foresight.questions
        return _told(foresight, verdict, legal, best)

    def _affordable(self, budget: Budget, verdict: Verdict) -> float:
        """Questions that fit into a budget."""
        if budget == Budget():
            return QUESTIONS * (THOROUGH if _is_last(verdict) else 1)
        questions = [float(budget.nodes)] if budget.nodes is not None else []
        if budget.seconds is not None:
            questions.append(IN_TIME * budget.seconds / self.pace)
        return min(questions)


def _look(foresight: Foresight, verdict: Verdict, questions: float) -> int:
    """The action to take: a glance at all, then those worth a thought are played to the end of the round."""
    first, knowledge = verdict.best, verdict.knowledge
    foresight.imagine(DRAWN * GLANCE)
    foresight.try_out(verdict.actions, GLANCE, to_the_end=False)
    contenders = _contenders(foresight, verdict)
    behind = sum(1 for entry in knowledge.log if seat_of(int(entry)) != knowledge.fact.seat)
    ahead = knowledge.state.free.bit_count() + sum(knowledge.fact.in_hand[: knowledge.table.players])
    cost = CHOICES * (DRAWN * behind + ahead * len(contenders))
    count = min(MOST_WORLDS, int((questions - foresight.questions) / cost))
    if len(contenders) == 1 or count < GLANCE:
        return first
    foresight.imagine(DRAWN * count)
    foresight.try_out(contenders, count, to_the_end=True)
    return max(contenders, key=lambda action: _surely(foresight, verdict, action))


def _surely(foresight: Foresight, verdict: Verdict, action: int) -> float:
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


def _contenders(foresight: Foresight, verdict: Verdict) -> list[int]:
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


def _told(foresight: Foresight, verdict: Verdict, legal: Sequence[str], best: int) -> Choice:
    """The choice, with what is expected of every action."""
    seat = verdict.knowledge.fact.seat
    points = {action: foresight.points(action, verdict.best) for action in verdict.actions}
    gains = {action: gain(told, seat) for action, told in points.items()}
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
