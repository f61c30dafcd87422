"""The level `novice`: a beginner's rules of thumb. Legal actions are rated from the view alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from atout.bots.bot import Budget, Choice, Reason
from atout.bots.novice_nichtig import Piles
from atout.bots.novice_njet import Hand
from atout.game import View

Rating = Callable[[Sequence[str]], float]
"""The rating of an action, from the words after its verb."""


class NoviceBot:
    """Plays by rules of thumb; equal ratings are decided at random."""

    name = "novice"

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:  # noqa: ARG002
        rate = rating(view)
        ratings = [rate(action.split(" ")[2:]) for action in legal]
        best = [action for action, rated in zip(legal, ratings, strict=True) if rated == max(ratings)]
        return Choice(rng.choice(best), reasons=(Reason("rule-of-thumb", {"phase": view["phase"]}),))


def rating(view: View) -> Rating:
    """The rule of thumb for the phase of the view."""
    if view["game"] == "nichtig":
        piles = Piles(view)
        return piles.lay if view["phase"] == "lay" else piles.play
    hand = Hand(view)
    return {
        "veto": hand.veto,
        "team": hand.team,
        "double": hand.double,
        "discard": hand.discard,
        "pass": hand.discard,
        "play": hand.play,
    }[view["phase"]]
