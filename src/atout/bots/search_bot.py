"""Bots that think: they imagine worlds, have them judged, and take what does best.

    club       worlds drawn alike, a contest of quick sensible play-outs, the last few tricks solved; it heeds vetoes
               only when it chooses a side, and covers cells by habit
    searcher   worlds the likelier kept the more often, judged by every veto, discard and card seen; vetoes by the
               textbook's tree, sides, discards and Null & nichtig by a guided one; the tricks of Njet! in a contest,
               their second half solved with open cards in each world

How one decision is thought through is in `thought.py`, who judges in `judges.py`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from atout.bots.bot import Budget, Choice, Reason
from atout.bots.decision import Belief, Thought
from atout.bots.ismcts import IsmctsBot
from atout.game import View, read_view
from atout.rules.layout import DISCARD, DOUBLE, PASS, PLAY, TEAM, VETO


class SearchOptions(Struct, frozen=True):
    """How a bot thinks."""

    nodes: int
    """Play-outs when nobody sets a budget."""
    belief: Belief
    heeds: tuple[int, ...]
    """Phases of Njet! in which worlds are weighed by the belief; in Null & nichtig cards say too little."""
    vetoes: Literal["habit", "textbook"]
    """Cover cells by rule of thumb, or as `ismcts` does: measured to be better than what the judges here say."""
    judge: Literal["contest", "tree"] = "contest"
    """Of all but vetoes and the tricks of Njet!, where a contest does better."""
    exact_cards: int = 0
    """With so many cards or fewer left in all hands, worlds are solved (Njet!)."""


class SearchBot:
    """A style under a name."""

    def __init__(self, name: str, style: SearchOptions) -> None:
        self.name, self.style = name, style

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        if len(legal) == 1:
            return Choice(legal[0], reasons=(Reason("only-choice"),))
        knowledge, style = read_view(view), self.style
        phase = knowledge.state.phase
        belief = style.belief if phase in style.heeds and knowledge.setup.edition.is_njet else Belief()
        thought = Thought(knowledge, belief, rng.getrandbits(62))
        allowed = Budget(nodes=style.nodes) if budget == Budget() else budget
        if phase == VETO:
            return (
                thought.playout_policy(legal)
                if style.vetoes == "habit"
                else IsmctsBot().choose(view, legal, allowed, rng)
            )
        judge = thought.judge(style.judge, style.exact_cards)
        thought.spend(judge, allowed)
        return thought.choice(judge, legal)


CLUB = SearchOptions(
    nodes=2_000, belief=Belief(spread=8, warmth=40.0), heeds=(TEAM, DOUBLE), vetoes="habit", exact_cards=20
)
SEARCHER = SearchOptions(
    nodes=25_000,
    belief=Belief(spread=4, warmth=40.0, miss=0.75),
    heeds=(TEAM, DOUBLE, DISCARD, PASS, PLAY),
    vetoes="textbook",
    judge="tree",
    exact_cards=28,
)


def club() -> SearchBot:
    return SearchBot("club", CLUB)
