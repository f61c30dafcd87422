"""Bots that think: they imagine worlds, have them judged, and take what does best.

    club     worlds drawn alike, a contest of quick sensible play-outs, the last few tricks solved; it heeds vetoes
             only when it chooses a side, and covers cells by habit
    expert   worlds the likelier kept the more often, judged by every veto, discard and card seen; a guided tree from
             the first veto on; the second half of the tricks of Njet! solved with open cards in each world

How one decision is thought through is in `thought.py`, who judges in `judges.py`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from atout.bots.bot import Budget, Choice, Reason
from atout.bots.thought import Belief, Thought
from atout.game import View, read_view
from atout.kernel.layout import DISCARD, DOUBLE, PASS, PLAY, TEAM, VETO


class Style(Struct, frozen=True):
    """How a bot thinks."""

    nodes: int
    """Play-outs when nobody sets a budget."""
    belief: Belief
    heeds: tuple[int, ...]
    """Phases of Njet! in which worlds are weighed by the belief; in Null & nichtig cards say too little."""
    vetoes_by_habit: bool = False
    """Cover cells by rule of thumb alone."""
    judge: Literal["contest", "tree"] = "contest"
    exact_cards: int = 0
    """With so many cards or fewer left in all hands, worlds are solved (Njet!)."""


class Thinker:
    """A style under a name."""

    def __init__(self, name: str, style: Style) -> None:
        self.name, self.style = name, style

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        if len(legal) == 1:
            return Choice(legal[0], reasons=(Reason("only-choice"),))
        knowledge, style = read_view(view), self.style
        phase = knowledge.state.phase
        belief = style.belief if phase in style.heeds and knowledge.table.edition.is_njet else Belief()
        thought = Thought(knowledge, belief, rng.getrandbits(62))
        if style.vetoes_by_habit and phase == VETO:
            return thought.habit(legal)
        judge = thought.judge(style.judge, style.exact_cards)
        thought.spend(judge, Budget(nodes=style.nodes) if budget == Budget() else budget)
        return thought.choice(judge, legal)


def club() -> Thinker:
    belief = Belief(spread=8, warmth=40.0)
    style = Style(nodes=2_000, belief=belief, heeds=(TEAM, DOUBLE), vetoes_by_habit=True, exact_cards=20)
    return Thinker("club", style)


def expert() -> Thinker:
    belief = Belief(spread=4, warmth=40.0, miss=0.75)
    heeds = (VETO, TEAM, DOUBLE, DISCARD, PASS, PLAY)
    return Thinker("expert", Style(nodes=25_000, belief=belief, heeds=heeds, judge="tree", exact_cards=28))
