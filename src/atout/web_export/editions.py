"""The published editions as the score sheet reads them: their data, and what follows from it for a round.

What follows is found by playing, so that no rule is written here: the sides that a start player may choose and the
holders of the ×2 card are found by choosing them.
"""

from __future__ import annotations

from typing import Any

from atout.editions import PUBLISHED, Edition, published, to_tree
from atout.game import Game, Setup


def editions() -> list[dict[str, Any]]:
    """All published editions in the order of the page: the newest Njet! first, then Null & nichtig."""
    order = [name for name in reversed(PUBLISHED) if published(name).is_njet]
    order += [name for name in PUBLISHED if not published(name).is_njet]
    return [_edition(published(name)) for name in order]


def _edition(edition: Edition) -> dict[str, Any]:
    tree = to_tree(edition)
    return {
        "id": edition.id,
        "game": edition.game,
        "name": edition.name,
        "author": edition.author,
        "deck": tree["deck"],
        "board": tree.get("board"),
        "scoring": edition.match.scoring if edition.is_njet else None,
        "target": edition.match.target,
        "players": [_seats(edition, players) for players in edition.counts],
    }


def _seats(edition: Edition, players: int) -> dict[str, Any]:
    setup = Setup.of(edition, players)
    low = edition.deck.low
    result: dict[str, Any] = {
        "players": players,
        "hand": setup.hand_size,
        "remove": list(setup.seats.remove),
        "rounds": setup.seats.rounds,
        "short": setup.seats.short,
        "teams": setup.seats.teams,
        "lows": 0 if low is None else setup.copies[low] * len(edition.deck.colours),
    }
    if edition.board is None:
        result["tricks"] = setup.hand_size - setup.seats.lay
    else:
        result["tricks"] = {cell: _tricks(setup, cell) for cell in edition.board.discard}
        result["splits"] = _splits(setup)
    return result


def _veto(game: Game, discard: str) -> None:
    """Markers everywhere but on seat 0, the wanted discard, and the first cells of the other rows."""
    while game.phase == "veto":
        row = {action.words: action for action in game.legal()}
        keep = {("start", "0"), ("discard", discard)}
        game.play(next(action for words, action in reversed(row.items()) if words not in keep))


def _tricks(setup: Setup, cell: str) -> int:
    """Tricks of a round: the cards left in a hand when the giving is over."""
    game = Game.at(setup, seed=1, first_dealer=0)
    _veto(game, cell)
    while game.phase != "play":
        game.play(game.legal()[0])
    return game.view(0)["hand_sizes"][0]


def _splits(setup: Setup) -> list[dict[str, Any]]:
    """How the table may part: the sizes of the two sides, and the size of the side that holds the ×2 card."""
    game = Game.at(setup, seed=1, first_dealer=0)
    _veto(game, "none")
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
