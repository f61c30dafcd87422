"""The expert: the network's word, overruled by a clear lead; where nothing was learned, search."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from atout import Game
from atout.bots import Budget, ask, expert, judges, make_bot
from atout.exam.shameful import suite

BLUNDER = "Two cards left, and this trick is lost anyway"
"""Where the network alone gives a loot card away."""


def test_a_blunder_of_the_network_is_seen() -> None:
    (position,) = [it for it in suite() if it.title == BLUNDER]
    view = position.game.view(position.seat)
    alone = ask(make_bot("learned"), view, random.Random(1))
    looked = ask(make_bot("expert"), view, random.Random(1))
    assert alone.action in position.shameful
    assert looked.action not in position.shameful
    assert looked.reasons[0].code == "exact"


def test_a_small_lead_does_not_overrule_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a bar no lead can clear, it plays a whole round as the network does."""
    monkeypatch.setattr(expert, "CLEAR", 1e9)
    game, network, bot = Game.new("njet-2007", 3, seed=5), make_bot("learned"), make_bot("expert")
    while game.turn is not None and game.round == 1:
        view = game.view(game.turn)
        choice, alone = ask(bot, view, random.Random(2), Budget(nodes=100)), ask(network, view, random.Random(2))
        assert (choice.action, choice.reasons[0].code) == (alone.action, alone.reasons[0].code)
        if len(view["legal"]) > 1:
            assert choice.reasons[0].parameters["chance"] == alone.reasons[0].parameters["chance"]
            gain = judges.gain(choice.estimates[choice.action], game.turn)
            assert abs(choice.reasons[0].parameters["gain"] - gain) < 0.02, "the reason says what the estimates say"
            assert set(choice.estimates) == set(view["legal"])
        game.play(choice.action)


def test_the_last_cards_of_null_and_nichtig_are_looked_at() -> None:
    (position,) = [it for it in suite() if it.title == "Ten points lie on the table"]
    view = position.game.view(position.seat)
    assert ask(make_bot("learned"), view, random.Random(1)).action in position.shameful
    assert ask(make_bot("expert"), view, random.Random(1)).action not in position.shameful


def test_house_rules_are_played_by_search(tmp_path: Path) -> None:
    """Nothing was learned for a house edition; the reasons say who thought instead."""
    path = tmp_path / "house.toml"
    path.write_text('id = "house"\nbase = "niet-2015"\n[board]\ntrump = ["red", "yellow", "blue", "none"]\n')
    game = Game.new(str(path), 4, seed=3)
    choice = ask(make_bot("expert"), game.view(game.turn), random.Random(1), Budget(nodes=50))
    assert choice.reasons[0].code == "no-weights"
    assert choice.reasons[0].parameters["instead"] == "search"
    assert choice.action in game.view(game.turn)["legal"]
