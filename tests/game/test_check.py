"""What was found legal once is played without asking again, and only as long as nothing has changed."""

from __future__ import annotations

import pytest

from atout import Game
from atout.errors import ActionError, IllegalAction
from atout.rules import entries


@pytest.fixture
def game() -> Game:
    return Game.new("niet-2015", players=4, seed=7, first_dealer=2)


def test_a_checked_action_is_played_without_asking_again(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    action = game.check("2 veto trump red")
    monkeypatch.setattr(entries, "refusal", None)
    assert game.play("2 veto trump red") == action


def test_another_one_is_asked_for(game: Game) -> None:
    game.check("2 veto trump red")
    with pytest.raises(IllegalAction, match="it is seat 2's turn"):
        game.play("3 veto trump red")
    with pytest.raises(ActionError, match="is not an action"):
        game.play(game.legal()[0]._replace(verb="play"))
    assert game.actions == []


def test_after_a_move_it_is_asked_for_anew(game: Game) -> None:
    game.check("2 veto trump red")
    game.play("2 veto trump red")
    with pytest.raises(IllegalAction, match="turn"):
        game.play("2 veto trump red")


def test_after_moves_were_taken_back_it_is_asked_for_anew(game: Game) -> None:
    game.play("2 veto trump red")
    game.check("3 veto trump blue")
    game.undo()
    with pytest.raises(IllegalAction, match="turn"):
        game.play("3 veto trump blue")


def test_a_copy_asks_for_itself(game: Game) -> None:
    game.check("2 veto trump red")
    twin = game.copy()
    twin.play("2 veto trump red")
    with pytest.raises(IllegalAction, match="turn"):
        twin.play("2 veto trump red")
    assert game.play("2 veto trump red").seat == 2
