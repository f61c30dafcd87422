"""The three cards in the picture of a public match: cards of the deck that was played.

A high card, a middle one and a low one. In Njet! the low one is a supertrump; Null & nichtig has none.
"""

from __future__ import annotations

from atout.drawing.cards import DrawnCard, draw_card
from atout.editions import PUBLISHED, load

PLACES = ("translate(770 174) rotate(-14)", "translate(866 156)", "translate(962 174) rotate(14)")
BELOW_THE_HIGHEST = 3
"""By how much the middle card is lower than the highest."""


def cards_of(id: str, players: int) -> tuple[DrawnCard, DrawnCard, DrawnCard]:
    """The cards to show for an edition. House rules get the same as Null & nichtig: their deck is not known here.

    >>> [(card.colour, card.value) for card in cards_of("njet-2007", 4)]
    [('blue', 9), ('red', 6), ('yellow', 0)]
    >>> cards_of("niet-2015", 3)[0].value
    10
    """
    edition = load(id if id in PUBLISHED else "nichtig")
    removed = edition.at(players).remove if players in edition.counts else ()
    left = [value for value in edition.deck.values if value not in removed]
    highest, low = max(left), min(left)
    second, third = ("green" if "green" in edition.deck.colours else "red",
                     "yellow" if "yellow" in edition.deck.colours else "red")  # fmt: skip
    return (
        DrawnCard("blue", highest, highest),
        DrawnCard(second, highest - BELOW_THE_HIGHEST, highest),
        DrawnCard(third, low, highest, is_low=True, is_supertrump=edition.game == "njet"),
    )


def draw_cards(id: str, players: int) -> list[str]:
    """The cards as parts of the picture, side by side like a hand."""
    return [draw_card(card, f"{place} scale(1.5)") for card, place in zip(cards_of(id, players), PLACES, strict=True)]
