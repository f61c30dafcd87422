"""The numbers in the tables of docs/rules are those the editions play with."""

from __future__ import annotations

from pathlib import Path

import pytest

from atout import Game, Setup
from atout.editions import PUBLISHED, checks, published
from tests.rules.positions import Setting, played_out, sit, veto

PAGES = Path(__file__).parents[2] / "docs" / "rules"
NJET = ("njet-1997", "njet-2007", "niet-2015")


def tables(page: str) -> list[list[list[str]]]:
    """All tables of a page: their rows, the heading first, as cells."""
    found: list[list[list[str]]] = [[]]
    for line in (PAGES / f"{page}.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("|"):
            found[-1].append([cell.strip() for cell in line.strip("|").split("|")])
        elif found[-1]:
            found.append([])
    return [[rows[0], *rows[2:]] for rows in found if rows]


def columns(page: str, *heading: str) -> dict[int, list[int]]:
    """A table with one row for each number of players, by its heading."""
    [rows] = [rows for rows in tables(page) if rows[0] == ["players", *heading]]
    return {int(row[0]): [int(cell) for cell in row[1:]] for row in rows[1:]}


@pytest.mark.parametrize("edition", PUBLISHED)
def test_values_of_each_colour(edition: str) -> None:
    [rows] = [rows for rows in tables(edition) if rows[0] == ["colour", "letter", "values"]]
    deck = published(edition).deck
    assert [row[0] for row in rows[1:]] == list(deck.colours)
    for row in rows[1:]:
        assert [int(value) for value in row[2].split()] == list(deck.values)


@pytest.mark.parametrize("edition", PUBLISHED)
def test_hands(edition: str) -> None:
    found = {players: Setup.of(edition, players) for players in published(edition).counts}
    cards = {players: int(setup.rules_record.cards) for players, setup in found.items()}
    hand = {players: setup.hand_size for players, setup in found.items()}
    rest = {players: cards[players] - players * hand[players] for players in found}
    if edition == "nichtig":
        lay = {players: setup.seats.lay for players, setup in found.items()}
        assert columns(edition, "hand", "not dealt", "cards laid out", "tricks") == {
            players: [hand[players], rest[players], lay[players], hand[players] - lay[players]] for players in found
        }
    elif edition == "njet-1997":
        assert columns(edition, "cards in the deck", "hand") == {
            players: [cards[players], hand[players]] for players in found
        }
        assert set(rest.values()) == {0}
    else:
        assert columns(edition, "cards in the deck", "hand", "not dealt") == {
            players: [cards[players], hand[players], rest[players]] for players in found
        }


@pytest.mark.parametrize("edition", PUBLISHED)
def test_rounds(edition: str) -> None:
    seats = {players: Setup.of(edition, players).seats for players in published(edition).counts}
    if edition == "njet-1997":
        written = columns(edition, "rounds", "short match")
        assert written == {players: [own.rounds, own.short] for players, own in seats.items()}
    else:
        assert columns(edition, "rounds") == {players: [own.rounds] for players, own in seats.items()}


@pytest.mark.parametrize("edition", NJET)
def test_cells_and_markers(edition: str) -> None:
    for players, (cells, markers) in columns(edition, "cells on the board", "markers placed").items():
        game = Game.new(edition, players, seed=1)
        assert len(game.legal()) == cells
        veto(game, Setting())
        assert len(game.actions) == markers


@pytest.mark.parametrize("edition", NJET)
def test_rows_of_the_board(edition: str) -> None:
    [rows] = [rows for rows in tables(edition) if rows[0] == ["row", "in records", "cells", "number"]]
    board = published(edition).board
    assert board is not None
    assert [row[1] for row in rows[1:]] == ["`start`", "`discard`", "`trump`", "`super`", "`points`"]
    discard, trump, super, points = (row[2] for row in rows[2:])
    assert discard.split("`")[1::2] == list(board.discard)
    assert tuple(trump.split(", ")) == board.trump
    assert tuple(super.split(", ")) == board.super
    assert [int(number.replace("−", "-")) for number in points.split(", ")] == list(board.points)


@pytest.mark.parametrize("edition", NJET)
def test_tricks_of_a_round(edition: str) -> None:
    """§5.1: every cell of the discard row, with every number of players."""
    [rows] = [rows for rows in tables(edition) if rows[0][0] == "free cell"]
    board = published(edition).board
    assert board is not None
    for row, cell in zip(rows[1:], board.discard, strict=True):
        tricks = [int(number) for entry in row[2:] for number in entry.split(" / ")]
        for players, count in zip(published(edition).counts, tricks, strict=True):
            wanted = Setting(start=0, discard=cell, side=(0, 1), double=0)
            game = sit(veto(Game.new(edition, players, seed=1), wanted), wanted)
            result = played_out(game, until_round=2).past()[0]
            assert sum(result["tricks"]) == count
            given = 0 if cell.startswith("pass-") else checks.given_count(cell)
            assert count == Setup.of(edition, players).hand_size - given
