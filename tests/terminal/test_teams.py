"""Null & nichtig in teams: the terminal says who plays with whom, and adds up what a team has."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest
from pypdf import PdfReader

from atout import Game
from atout.bots import make_bot
from atout.i18n import Texts
from atout.terminal.saves import saved
from atout.terminal.screen import draw
from atout.terminal.seats import Seating, bot_name
from tests.cli.test_cli import Atout, atout
from tests.terminal.keyboard import at_random, sit_down
from tests.terminal.test_screen import match_of

__all__ = ["atout"]
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
    who = Texts().listed([*(["You"] if 0 in game.winners else []), *(names[seat] for seat in game.winners if seat)])
    assert end.startswith(f"{who} win with "), end


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


def played(path: Path) -> Game:
    """A finished match in two teams in a file."""
    game, rng = Game.new("nichtig", 4, 7, {"teams": True, "length": {"target": 60}}), Random(3)
    while not game.is_over:
        game.play(rng.choice(game.legal()))
    seating = Seating(4, {0}, {seat: make_bot("random") for seat in (1, 2, 3)}, ["Ann", "Bo", "Cy", "Di"])
    path.write_text(json.dumps(saved(game, seating)) + "\n")
    return game


def printed(path: Path) -> str:
    return flat("\n".join(page.extract_text() for page in PdfReader(path).pages))


def flat(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def test_a_replay_says_who_is_with_whom(atout: Atout, tmp_path: Path) -> None:
    """In lines and on paper, at the head and below every round."""
    game = played(tmp_path / "match.json")
    totals = sums(game.totals, 4)
    shown = flat(atout("show", tmp_path / "match.json", "--plain").out)
    assert f"Team 1: Seat 0 (Ann) and Seat 2 (Cy), {totals[0]} points" in shown
    assert f"Team 2: Seat 1 (Bo) and Seat 3 (Di), {totals[1]} points" in shown
    assert atout("print", "booklet", tmp_path / "match.json", "--out", tmp_path / "x.pdf").code == 0
    booklet = printed(tmp_path / "x.pdf")
    assert "4 players · two teams" in booklet
    assert f"Team 1: Ann and Cy, {totals[0]} points" in booklet
    assert f"Team 2: Bo and Di, {totals[1]} points" in booklet
    so_far = [0, 0]
    for past in game.past():
        for team, name in enumerate(("Team 1", "Team 2")):
            points = sums(past["scores"], 4)[team]
            so_far[team] += points
            assert re.search(rf"{name} {points} {so_far[team]}\b", booklet)
            assert re.search(rf"{name} {points:+} {so_far[team]:+}\b|{name} {points} {so_far[team]}\b", shown)


def test_a_score_sheet_says_who_is_with_whom(atout: Atout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from io import StringIO

    monkeypatch.setattr("sys.stdin", StringIO("add scores=10,4,7,2\nquit\n"))
    words = ["-e", "nichtig", "--options", '{"teams": true}', "--names", "Ann,Bo,Cy,Di"]
    kept = atout("score", tmp_path / "sheet.json", *words)
    assert kept.out.endswith("Round 2 of 4 · team 1 (Ann and Cy): 17 · team 2 (Bo and Di): 6\n")
    assert atout("print", "sheet", "--filled", tmp_path / "sheet.json", "--out", tmp_path / "x.pdf").code == 0
    assert "Team 1: Ann and Cy, 17 points · Team 2: Bo and Di, 6 points" in printed(tmp_path / "x.pdf")
    assert len(PdfReader(tmp_path / "x.pdf").pages) == 1


def test_a_review_says_who_is_with_whom(atout: Atout, tmp_path: Path) -> None:
    """And that its numbers are those of the team, for each player."""
    played(tmp_path / "match.json")
    words = ["review", tmp_path / "match.json", "--time", "1s"]
    lines = flat(atout(*words).out)
    heading = "Where the points came from (your team's lead over the other, in points per player)"
    assert "Your team: you and Cy." in lines
    assert heading in lines
    assert "gain over the others" not in lines
    assert atout(*words, "--html", tmp_path / "x.html").code == 0
    page = (tmp_path / "x.html").read_text().replace("&#x27;", "'")
    assert "<p>Your team: you and Cy.</p>" in page
    assert heading in page
    assert "Gains are the team's lead over the other team in a round, in points per player." in page
    assert "less the others' mean" not in page
