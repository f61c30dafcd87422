"""The published editions as the score sheet reads them: their data, and what follows from it for a round.

What follows is found by playing (`atout.sheet.facts`), so that no rule is written here.
"""

from __future__ import annotations

from typing import Any

from atout.editions import PUBLISHED, Edition, published, to_tree
from atout.game import Setup
from atout.rules.scoring import plays_with
from atout.sheet import facts


def editions() -> list[dict[str, Any]]:
    """All published editions in the order of the page: the newest Njet! first, then Null & nichtig."""
    order = [name for name in reversed(PUBLISHED) if published(name).is_njet]
    order += [name for name in PUBLISHED if not published(name).is_njet]
    return [_edition(published(name)) for name in order]


def _edition(edition: Edition) -> dict[str, Any]:
    tree = to_tree(edition)
    deck = Setup.of(edition, edition.counts[0]).deck
    return {
        "id": edition.id,
        "game": edition.game,
        "name": edition.name,
        "author": edition.author,
        "deck": {**tree["deck"], "low": deck.low, "high": deck.high},
        "board": tree.get("board"),
        "scoring": edition.match.scoring if edition.is_njet else None,
        "target": edition.match.target,
        "players": [_seats(edition, players) for players in edition.counts],
    }


def _seats(edition: Edition, players: int) -> dict[str, Any]:
    setup = Setup.of(edition, players)
    result: dict[str, Any] = {
        "players": players,
        "hand": setup.hand_size,
        "remove": list(setup.seats.remove),
        "rounds": setup.seats.rounds,
        "short": setup.seats.short,
        "teams": setup.seats.teams,
        "lows": facts.lows(setup),
        "low_copies": setup.deck.low_copies,
    }
    if edition.board is None:
        result["tricks"] = setup.hand_size - setup.seats.lay
    else:
        result["tricks"] = {cell: facts.tricks_of(setup, cell) for cell in edition.board.discard}
        result["splits"] = facts.splits_of(setup)
    return result


def team_of_seat() -> list[int]:
    """By seat, the first seat of its team in a match in teams, by the rules; the same for all numbers of players."""
    tables: list[list[int]] = []
    for edition in map(published, PUBLISHED):
        for players in edition.counts:
            if Setup.of(edition, players).seats.teams:
                r = Setup.of(edition, players, {"teams": True}).rules_record
                tables.append([next(i for i in range(players) if plays_with(r, seat, i)) for seat in range(players)])
    longest = max(tables, key=len)
    assert all(table == longest[: len(table)] for table in tables), "teams depend on the number of players"
    return longest
