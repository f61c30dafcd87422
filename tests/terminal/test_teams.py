"""Null & nichtig in teams: the terminal says who plays with whom, and adds up what a team has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from atout import Game
from atout.i18n import Texts
from atout.terminal.screen import draw
from atout.terminal.seats import bot_name
from tests.terminal.keyboard import at_random, sit_down
from tests.terminal.test_screen import match_of

SPACES = re.compile(r"[\u00a0\u2007]")


def sums(points: list[int], players: int) -> dict[int, int]:
    """By the first seat of each team (rules §6.4): every second seat."""
    return {first: sum(points[first:players:2]) for first in (0, 1)}


@pytest.mark.parametrize("players", [4, 6])
def test_a_match_line_by_line_names_the_partner_and_the_teams_points(players: int, tmp_path: Path) -> None:
    game = Game.new("nichtig", players=players, seed=9, options={"teams": True, "length": {"target": 30}})
    table = sit_down(game, at_random(2), tmp_path / "game.json")
    assert table.is_over
    text, names = SPACES.sub(" ", table.flat), [bot_name(Texts(), seat) for seat in range(players)]
    ours = Texts().listed(["you", *names[2::2]])
    theirs = Texts().listed(names[1::2])
    assert f"Teams: {ours} against {theirs}." in text
    assert f"Your team: {ours}." in text, "at every decision"
    for first, who in ((0, ours), (1, theirs)):
        total = 0
        for past in game.past():
            points = sums(past["scores"], players)[first]
            total += points
            assert re.search(rf"\b{who}: {points} points?, total {total}\b", text, re.IGNORECASE), who
    totals = sums(game.totals, players)
    best = max(totals.values())
    end = text.partition("The match is over. ")[2].partition("\n")[0]
    assert end.endswith(f"with {best} points. Congratulations!" if 0 in game.winners else f"with {best} points."), end
    assert all((names[seat] in end) == (seat in game.winners) for seat in range(1, players)), end


def test_the_screen_has_a_row_for_each_team(tmp_path: Path) -> None:
    """Beside the seats, after the round and at the end; nothing of it where everybody plays alone."""
    match = match_of(tmp_path, "nichtig", 4, options={"teams": True})
    game = match.game
    while not game.past():
        game.play(game.legal()[0])
        if game.is_round_over and not game.is_over:
            break
    view, words = game.view(0), match.words
    assert view["teams"] is not None
    for team, side, mark in zip(view["teams"], ("Us", "Them"), "●○", strict=True):
        total = sum(game.totals[seat] for seat in team["seats"])
        assert re.search(rf"{mark} {side} +\d+ +{total}$", draw.seats(view, words, [], 40).plain, re.MULTILINE), side
        assert f"{mark} {side} {total}" in draw.scores(view, words, 40).plain
        score = sum(game.past()[-1]["scores"][seat] for seat in team["seats"])
        rows = [row for row in words.round_lines(view, 1) if row[0] == side]
        assert [row[2:] for row in rows] == [(str(score), str(total))]
        assert rows[0][1] == words.team(team["seats"])
        assert f"{words.team(team['seats'])} {score}" in words.round_ends(view, 1)
        assert f"{words.team(team['seats'])} {total}" in words.result(view)
    alone = match_of(tmp_path, "nichtig", 4)
    assert "Us" not in draw.seats(alone.game.view(0), alone.words, [], 40).plain
