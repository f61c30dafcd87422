"""Rules of thumb for Null & nichtig: lay out high tops, then win only what leaves better tops than before.

The weights are the best of several that played against each other; `search/playout/piles.py` has the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from atout.game import Card, View, read_view
from atout.search.gain import partners

COLOURS = 5
HIGHEST = 11
BURIED = 3.0
"""Share of the mean top that each card still to come into a won trick costs."""
TEMPO = 1.5
"""Points that winning a trick costs per card still in hand: the winner must lead, and may win again."""
SPITE = 0.15
"""Weight of how the piles of the trick's holder change, for a card that does not take the trick: against an opponent,
for a partner in a team."""
RELIEF = 0.3
"""Share of a card's value, for getting rid of it without winning the trick."""


class Piles:
    """The tops of all players, and a rating for each phase."""

    def __init__(self, view: View) -> None:
        assert view["seat"] is not None, "a spectator has nothing to choose"
        self.view, self.seat = view, view["seat"]
        self.tops = [_tops(piles) for piles in view["piles"] or []]
        self.partners = partners(read_view(view).setup, self.seat) if view["options"].get("teams") else [self.seat]

    def lay(self, words: Sequence[str]) -> float:
        """Lay out the highest cards, each of another colour."""
        card = Card.parse(words[0])
        laid = [Card.parse(word).colour for word in self.view["chosen"]]
        return card.value - (20 if card.colour in laid else 0)

    def play(self, words: Sequence[str]) -> float:
        """How winning would change the own tops, against what the present winner of the trick would get."""
        card = Card.parse(words[0])
        trick = {it["seat"]: Card.parse(it["card"]) for it in self.view["trick"]}
        wins = all(card.value > other.value for other in trick.values())
        trick[self.seat] = card
        behind = self.view["players"] - len(trick)
        chance = min(card.value / HIGHEST, 1.0) ** behind if wins else 0.0
        buried = BURIED * behind * sum(self.tops[self.seat].values()) / COLOURS
        taken = self._change(self.seat, trick) - buried - TEMPO * len(self.view["hand"])
        holder = self.view["winning"]
        given = 0.0 if holder is None else SPITE * self._change(holder, trick)
        left = RELIEF * card.value + (given if holder in self.partners else -given)
        return chance * taken + (1 - chance) * left

    def _change(self, winner: int, trick: dict[int, Card]) -> int:
        """How the sum of the winner's tops would change: its own card first, the others clockwise on it."""
        tops = dict(self.tops[winner])
        for step in range(self.view["players"]):
            card = trick.get((winner + step) % self.view["players"])
            if card is not None:
                tops[card.colour] = card.value
        return sum(tops.values()) - sum(self.tops[winner].values())


def _tops(piles: list[list[str]]) -> dict[str, int]:
    return dict(Card.parse(pile[-1]) for pile in piles)
