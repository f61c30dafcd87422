"""Bots that search: they sample worlds, evaluate the legal actions in them, and play the best.

    mc         uniform worlds, flat Monte Carlo with the playout policy for every decision, the last few tricks solved:
               the plain baseline that other bots are measured against
    club       uniform worlds, flat Monte Carlo with the playout policy, the last few tricks solved; vetoes carry weight
               only in the choice of a side, and cells are covered by the playout policy
    SEARCHER   worlds weighted by every veto, discard and card seen; vetoes by ISMCTS; sides, discards and Null &
               nichtig by guided MCTS; the tricks of Njet! by flat Monte Carlo, their second half solved in each
               world. It plays for `expert` where no network was trained

A single decision is in `decision.py`, the evaluators in `evaluators.py`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from atout.bots.bot import Budget, Choice, Reason
from atout.bots.decision import Belief, SearchDecision
from atout.bots.ismcts import IsmctsBot
from atout.game import View, read_view
from atout.rules.layout import DISCARD, DOUBLE, PASS, PLAY, TEAM, VETO


class SearchOptions(Struct, frozen=True):
    """How a search bot decides."""

    nodes: int
    """Playouts per decision when no budget is given."""
    belief: Belief
    belief_phases: tuple[int, ...]
    """Phases of Njet! in which worlds are weighted by the belief. In Null & nichtig actions say too little."""
    vetoes: Literal["playout_policy", "ismcts", "evaluator"]
    """What chooses vetoes. The first two were measured to be better than the evaluators."""
    evaluator: Literal["flat_mc", "guided_mcts"] = "flat_mc"
    """For all but vetoes and the tricks of Njet!, where flat Monte Carlo is better."""
    exact_cards: int = 0
    """With at most this many cards in all hands, worlds are solved (Njet!)."""


class SearchBot:
    """A bot with search options and a name."""

    def __init__(self, name: str, options: SearchOptions) -> None:
        self.name, self.options = name, options

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        if len(legal) == 1:
            return Choice(legal[0], reasons=(Reason("only-choice"),))
        knowledge, options = read_view(view), self.options
        phase = knowledge.state.phase
        weighs = phase in options.belief_phases and knowledge.setup.edition.is_njet
        decision = SearchDecision(knowledge, options.belief if weighs else Belief(), rng.getrandbits(62))
        allowed = Budget(nodes=options.nodes) if budget == Budget() else budget
        if phase == VETO and options.vetoes == "playout_policy":
            return decision.by_playout_policy(legal)
        if phase == VETO and options.vetoes == "ismcts":
            return IsmctsBot().choose(view, legal, allowed, rng)
        evaluator = decision.evaluator(options.evaluator, options.exact_cards)
        decision.run(evaluator, allowed)
        return decision.choice(evaluator, legal)


MC = SearchOptions(nodes=2_000, belief=Belief(), belief_phases=(), vetoes="evaluator", exact_cards=20)
CLUB = SearchOptions(
    nodes=2_000,
    belief=Belief(spread=8, temperature=40.0),
    belief_phases=(TEAM, DOUBLE),
    vetoes="playout_policy",
    exact_cards=20,
)
SEARCHER = SearchOptions(
    nodes=25_000,
    belief=Belief(spread=4, temperature=40.0, off_policy_factor=0.75),
    belief_phases=(TEAM, DOUBLE, DISCARD, PASS, PLAY),
    vetoes="ismcts",
    evaluator="guided_mcts",
    exact_cards=28,
)


def mc() -> SearchBot:
    """The level `mc`."""
    return SearchBot("mc", MC)


def club() -> SearchBot:
    """The level `club`."""
    return SearchBot("club", CLUB)
