"""What follows from an edition for the score of a round: the number of tricks, the sides, the holders of the ×2 card.

It is found by playing, so that no rule is written here.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from atout.game import Game, Setup


def veto_all_but(game: Game, discard: str) -> None:
    """Markers everywhere but on seat 0, the wanted discard, and the first cells of the other rows."""
    while game.phase == "veto":
        row = {action.words: action for action in game.legal()}
        keep = {("start", "0"), ("discard", discard)}
        game.play(next(action for words, action in reversed(row.items()) if words not in keep))


def tricks_of(setup: Setup, cell: str) -> int:
    """Tricks of a round: the cards left in a hand when the giving is over."""
    game = Game.at(setup, seed=1, first_dealer=0)
    veto_all_but(game, cell)
    while game.phase != "play":
        game.play(game.legal()[0])
    return game.view(0)["hand_sizes"][0]


def splits_of(setup: Setup) -> list[dict[str, Any]]:
    """How the table may part: the sizes of the two sides, and the size of the side that holds the ×2 card."""
    game = Game.at(setup, seed=1, first_dealer=0)
    veto_all_but(game, "none")
    if game.phase != "team":
        return []
    found: dict[tuple[int, ...], int | None] = {}
    for action in game.legal():
        parted = game.copy()
        parted.play(action)
        chosen = parted.phase == "double"
        if chosen:
            parted.play(parted.legal()[0])
        view = parted.view(0)
        sides = view["sides"] or []
        sizes = tuple(sorted(len(side) for side in sides))
        holder = next((len(side) for side in sides if view["double"] in side), None)
        assert found.setdefault(sizes, holder) == holder, "equal sides, equal holders"
    return [{"sizes": list(sizes), "double": holder} for sizes, holder in found.items()]


@cache
def tricks(setup: Setup, cell: str) -> int:
    return tricks_of(setup, cell)


@cache
def splits(setup: Setup) -> tuple[dict[str, Any], ...]:
    return tuple(splits_of(setup))


def lows(setup: Setup) -> int:
    """How many low cards are in play."""
    low = setup.edition.deck.low
    return 0 if low is None else setup.copies[low] * len(setup.edition.deck.colours)
