"""The strongest player: the network's word, and a second look at some of its decisions.

The network's card is tried beside all others, in worlds weighed by what was seen (`thought.py`; endings are solved).
Play-outs by habit and open cards know less of these games than the network does, so only a clear lead overrules it: a
blunder is seen, a matter of taste is left alone. In Njet! with four players every trick is looked at; elsewhere, where
the network guesses hidden cards better than any weighing here, only the last cards are, for a blunder that nothing can
explain. So is the last veto, which decides between two boards. In all else the look is for the estimates alone. Where
nothing was learned, the strongest search plays.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import inf

from atout.bots.bot import Budget, Choice, Reason
from atout.bots.judges import gain
from atout.bots.learned import LearnedBot
from atout.bots.thinker import SEARCHER, Thinker
from atout.bots.thought import Belief, Thought
from atout.game import Knowledge, View, read_view

NODES = 1_500
"""Play-outs of a second look when nobody sets a budget."""
CLEAR = 1.0
"""A lead that overrules the network, in tricks (Njet!)."""
CLEAR_IN_PILES = 4.0
"""In points of Null & nichtig."""
CLEAR_ON_BOARD = 3.0
"""In points a round of Njet! may bring, when the last veto decides between two boards."""
LAST_VETO = 2
"""Cells to choose from, when it is."""
LAST_CARDS = 3
"""In hand, when they are looked at at every table."""
ALL_TRICKS = 4
"""Players of Njet! with whom all tricks are: overruled earlier with another number, the network played no better."""


class ExpertBot:
    """A network with second thoughts."""

    name = "expert"

    def __init__(self) -> None:
        self._learned = LearnedBot(otherwise=Thinker("search", SEARCHER))

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        first = self._learned.choose(view, legal, budget, rng)
        if first.reasons[0].code != "learned":
            return first
        knowledge, is_njet = read_view(view), view["game"] == "njet"
        thought = Thought(knowledge, SEARCHER.belief if is_njet else Belief(), rng.getrandbits(62))
        judge = thought.judge("contest", SEARCHER.exact_cards)
        thought.spend(judge, Budget(nodes=NODES) if budget == Budget() else budget)
        second = thought.choice(judge, legal)
        gains = {action: gain(points, knowledge.fact.seat) for action, points in second.estimates.items()}
        if gains[second.action] - gains[first.action] >= _bar(view, knowledge):
            return second
        said = Reason("learned", first.reasons[0].parameters | {"gain": round(gains[first.action], 2)})
        return Choice(first.action, second.estimates, (said, *first.reasons[1:]))


def _bar(view: View, knowledge: Knowledge) -> float:
    """The lead that overrules the network here."""
    is_njet = view["game"] == "njet"
    if view["phase"] == "veto" and len(view["legal"]) == LAST_VETO:
        return CLEAR_ON_BOARD
    if view["phase"] == "play" and (len(view["hand"]) <= LAST_CARDS or (is_njet and view["players"] == ALL_TRICKS)):
        return CLEAR * abs(knowledge.state.points) if is_njet else CLEAR_IN_PILES
    return inf
