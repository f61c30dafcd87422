"""Rules of thumb for Null & nichtig: lay out high tops, then win only what leaves better tops than before.

`search/playout/piles.py` has the same policy, compiled and with some noise, for playouts; the weights are shared.
"""

from __future__ import annotations

from collections.abc import Sequence

from atout.editions import Edition, from_tree, published
from atout.game import Card, View, read_view
from atout.search.gain import partners
from atout.search.playout.piles import HOLDER_PILES_WEIGHT, LATER_CARD_COST, SHED_WEIGHT, WIN_COST


class Piles:
    """The tops of all players, and a rating for each phase."""

    def __init__(self, view: View) -> None:
        assert view["seat"] is not None, "a spectator has nothing to choose"
        self.view, self.seat = view, view["seat"]
        deck = _edition(view).deck
        self.colours, self.highest = len(deck.colours), max(deck.values)
        self.tops = [_tops(piles) for piles in view["piles"] or []]
        self.partners = partners(read_view(view).setup, self.seat) if view["options"].get("teams") else [self.seat]

    def lay(self, words: Sequence[str]) -> float:
        """Lay out the highest cards, each of another colour."""
        card = Card.parse(words[0])
        laid = [Card.parse(word).colour for word in self.view["chosen"]]
        return card.value - (20 if card.colour in laid else 0)

    def play(self, words: Sequence[str]) -> float:
        """How winning would change its own tops, against what the present winner of the trick would get."""
        card = Card.parse(words[0])
        trick = {it["seat"]: Card.parse(it["card"]) for it in self.view["trick"]}
        wins = all(card.value > other.value for other in trick.values())
        trick[self.seat] = card
        behind = self.view["players"] - len(trick)
        chance = (card.value / self.highest) ** behind if wins else 0.0
        later = LATER_CARD_COST * behind * sum(self.tops[self.seat].values()) / self.colours
        taken = self._change(self.seat, trick) - later - WIN_COST * len(self.view["hand"])
        holder = self.view["winning"]
        given = 0.0 if holder is None else HOLDER_PILES_WEIGHT * self._change(holder, trick)
        left = SHED_WEIGHT * card.value + (given if holder in self.partners else -given)
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


def _edition(view: View) -> Edition:
    return published(view["edition"]) if view["rules"] is None else from_tree(view["rules"], "view")
