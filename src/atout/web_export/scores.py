"""Matches scored by the rules, several hundred rounds: test data for the arithmetic of the score sheet.

Every edition, number of players and option, played by random legal actions.
"""

from __future__ import annotations

from typing import Any

import msgspec

from atout.editions import PUBLISHED, Edition, published
from atout.game import Game
from atout.game.knowledge import new_rng
from atout.game.view import PastRound
from atout.i18n import Texts
from atout.sheet import SheetEditor, new_sheet

TARGETS = (25, 60)
"""Target scores small enough for random play to reach soon."""


def scored_matches() -> list[dict[str, Any]]:
    return [
        _match(edition, players, options, seed)
        for edition in map(published, PUBLISHED)
        for players in edition.counts
        for seed, options in enumerate(_options(edition, players))
    ]


def kept_sheet() -> dict[str, Any]:
    """A score sheet as `atout score` writes it: the page must read it and write the same."""
    editor = SheetEditor(new_sheet("niet-2015", ["Ann", "Bo", "Cy", "Di"]), Texts())
    assert not editor.do("add start=3 discard=one trump=red super=none points=-2 side=1,3 tricks=5,4,3,2 loot=1,0,2,0")
    assert not editor.do("add scores=3,0,3,0")
    data: dict[str, Any] = msgspec.to_builtins(editor.sheet)
    return {**data, "id": "kept-here", "created": 1_763_300_000_000, "changed": 1_763_300_000_001}


def _options(edition: Edition, players: int) -> list[dict[str, Any]]:
    """Every option the edition offers, each scoring with each length."""
    seats = edition.at(players)
    lengths: list[dict[str, Any]] = [{}]
    if seats.short is not None:
        lengths.append({"length": "short"})
    if edition.match.target is not None:
        lengths += [{"length": {"target": target}} for target in TARGETS]
    others: list[dict[str, Any]] = [{}]
    if edition.is_njet:
        others = [{"scoring": "total"}, {"scoring": "difference"}]
    elif seats.teams:
        others.append({"teams": True})
    return [{**length, **other} for length in lengths for other in others]


def _match(edition: Edition, players: int, options: dict[str, Any], seed: int) -> dict[str, Any]:
    game = Game.new(edition, players, seed=seed, options=options)
    rng = new_rng(seed, players)
    while not game.is_over:
        game.play_randomly(rng)
    rounds = [_njet_round(past) for past in game.past()] if edition.is_njet else _nichtig_rounds(game)
    return {
        "edition": edition.id,
        "players": players,
        "options": options,
        "rounds": rounds,
        "totals": game.totals,
        "winners": game.winners,
    }


def _njet_round(past: PastRound) -> dict[str, Any]:
    conditions = past["conditions"]
    assert conditions is not None
    return {
        "discard": conditions["discard"],
        "points": conditions["points"],
        "sides": past["sides"],
        "double": past["double"],
        "tricks": past["tricks"],
        "loot": past["loot"],
        "scores": past["scores"],
    }


def _nichtig_rounds(game: Game) -> list[dict[str, Any]]:
    """The top cards of each round, from the piles at its end."""
    rounds: list[dict[str, Any]] = []
    for _, now in Game.steps(game.record()):
        if now.is_round_over:
            piles = now.view(None)["piles"]
            assert piles is not None
            tops = [[int(pile[-1][1:]) for pile in mine] for mine in piles]
            rounds.append({"tops": tops, "scores": now.past()[-1]["scores"]})
    return rounds
