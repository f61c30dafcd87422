"""`expert`: the network's choice, overruled where the lookahead is clear; search where no network was trained."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from atout import Game, Setup
from atout.bots import Budget, ask, expert, make_bot
from atout.exam import examine
from atout.exam.blunder_suite import suite
from atout.search.gain import gain

BLUNDERS = (
    "Every trick will be its own, and each costs two points",
    "Seat 3 wins, and its green pile shows a 1",
    "The better hand does not play for less",
)
"""Positions that the network alone gets wrong."""


@pytest.mark.parametrize("title", BLUNDERS)
def test_a_blunder_of_the_network_is_seen(title: str) -> None:
    (position,) = [it for it in suite() if it.title == title]
    view = position.game.view(position.seat)
    assert ask(make_bot("learned"), view, random.Random(1)).action in position.blunders
    looked = ask(make_bot("expert"), view, random.Random(1))
    assert looked.action not in position.blunders
    (reason,) = looked.reasons
    assert reason.code == "best-over-worlds"
    assert reason.parameters["better_by"] > 0


@pytest.mark.slow
def test_a_lead_that_is_not_sure_does_not_overrule_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """With an unreachable threshold it plays a whole round as the network does; what seemed better is not told."""
    monkeypatch.setattr(expert, "LEAD_ERRORS", 1e9)
    monkeypatch.setattr(expert, "MAX_LEAD_ERRORS", 1e9)
    game, network, bot = Game.new("njet-2007", 3, seed=5), make_bot("learned"), make_bot("expert")
    while game.turn is not None and game.round == 1:
        view = game.view(game.turn)
        choice, alone = ask(bot, view, random.Random(2), Budget(nodes=600)), ask(network, view, random.Random(2))
        assert (choice.action, choice.reasons[0].code) == (alone.action, alone.reasons[0].code)
        if len(view["legal"]) > 1:
            assert choice.reasons[0].parameters["chance"] == alone.reasons[0].parameters["chance"]
            expected = gain(choice.estimates[choice.action], game.setup, game.turn)
            assert abs(choice.reasons[0].parameters["gain"] - expected) < 0.02, "the reason says what the estimates say"
            assert {choice.action} <= set(choice.estimates) <= set(view["legal"])
            assert all(gain(one, game.setup, game.turn) <= expected + 0.02 for one in choice.estimates.values())
        game.play(choice.action)


@pytest.mark.parametrize("budget", [Budget(nodes=0), Budget(nodes=50), Budget(seconds=1e-6)])
def test_without_time_for_a_look_the_network_decides(budget: Budget) -> None:
    game = Game.new("nichtig", 4, seed=2)
    view = game.view(game.turn)
    hurried, alone = (ask(make_bot(name), view, random.Random(1), budget) for name in ("expert", "learned"))
    assert hurried == alone


def test_one_slow_answer_does_not_end_all_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a budget of seconds: a machine that was busy once does not end lookahead for ever."""
    game, bot = Game.new("niet-2015", 4, seed=2), make_bot("expert")
    view = game.view(game.turn)
    monkeypatch.setattr(expert.ExpertBot, "pace", 10.0)
    asked = 0
    while len(ask(bot, view, random.Random(1), Budget(seconds=0.5)).estimates) == 1:
        asked += 1
        assert asked < 200
    assert asked > 1


def test_a_slow_answer_is_believed_only_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.new("niet-2015", 4, seed=2)
    monkeypatch.setattr(expert.ExpertBot, "pace", 1e-9)
    ask(make_bot("expert"), game.view(game.turn), random.Random(1), Budget(seconds=0.5))
    assert expert.ExpertBot.pace == 1e-9 * expert.SLOWER


@pytest.mark.parametrize("place", [("niet-2015", 4), ("nichtig", 3)])
@pytest.mark.slow
def test_it_passes_the_exam_with_a_look_at_every_decision(place: tuple[str, int]) -> None:
    """Among others: the same choice for the same view and seed, in another process too, whatever is hidden."""
    report = examine("expert", nodes=400, seconds=None, setups=[Setup.of(*place)], each=1)
    assert report.failures == []


def test_house_rules_are_played_by_search(tmp_path: Path) -> None:
    """No network was trained for a house edition; the reasons say which bot chose instead."""
    path = tmp_path / "house.toml"
    path.write_text('id = "house"\nbase = "niet-2015"\n[board]\ntrump = ["red", "yellow", "blue", "none"]\n')
    game = Game.new(str(path), 4, seed=3)
    choice = ask(make_bot("expert"), game.view(game.turn), random.Random(1), Budget(nodes=50))
    assert choice.reasons[0].code == "no-weights"
    assert choice.reasons[0].parameters["instead"] == "search"
    assert choice.action in game.view(game.turn)["legal"]
