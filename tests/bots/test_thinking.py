"""The bots that search: legal everywhere, the same from the same seed, blind to what they may not see."""

from __future__ import annotations

import random

import pytest

from atout import Game
from atout.bots import Budget, ask, make_bot
from atout.editions import PUBLISHED, published

TABLES = [(edition, players) for edition in PUBLISHED for players in published(edition).counts]


@pytest.mark.parametrize("name", ["club", "ismcts", "learned", "expert"])
@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_a_round_at_every_table(name: str, edition: str, players: int) -> None:
    game, bot, rng = Game.new(edition, players, seed=2), make_bot(name), random.Random(1)
    while game.turn is not None and game.round == 1:
        seat = game.turn
        view = game.view(seat)
        choice = ask(bot, view, rng, Budget(nodes=60))
        assert set(choice.estimates) <= set(view["legal"])
        assert all(len(points) == players for points in choice.estimates.values())
        assert choice.reasons
        game.play(choice.action)


@pytest.mark.parametrize("name", ["club", "ismcts", "learned", "expert"])
def test_the_same_view_and_seed_give_the_same_choice_whatever_is_hidden(name: str) -> None:
    bot = make_bot(name)
    for edition, players in TABLES[::3]:
        game, rng = Game.new(edition, players, seed=4), random.Random(3)
        for step in range(40):
            if game.turn is None or game.round > 1:
                break
            seat = game.turn
            world = game.sample(seat, step)
            here = bot.choose(game.view(seat), game.view(seat)["legal"], Budget(nodes=40), random.Random(step))
            there = bot.choose(world.view(seat), world.view(seat)["legal"], Budget(nodes=40), random.Random(step))
            assert here == there
            game.play(rng.choice(game.legal()))


def test_a_budget_of_seconds_ends_and_of_nodes_counts() -> None:
    game, bot = Game.new("niet-2015", 4, seed=7), make_bot("ismcts")
    view = game.view(game.turn)
    counted = bot.choose(view, view["legal"], Budget(nodes=500), random.Random(0))
    assert counted.reasons[0].parameters["worlds"] == 500
    timed = bot.choose(view, view["legal"], Budget(seconds=0.02), random.Random(0))
    assert timed.reasons[0].parameters["worlds"] >= 64


def test_club_beats_chance_soundly() -> None:
    """Two seats of each at the same table, both ways round: far from even over a few deals."""
    margin = 0
    for seed in range(6):
        for side in (0, 1):
            game, rng = Game.new("niet-2015", 4, seed=seed), random.Random(seed)
            bots = [make_bot("club"), make_bot("random")]
            while game.turn is not None and game.round == 1:
                seat = game.turn
                game.play(ask(bots[(seat + side) % 2], game.view(seat), rng, Budget(nodes=150)).action)
            scores = game.past()[0]["scores"]
            ours = [score for seat, score in enumerate(scores) if (seat + side) % 2 == 0]
            margin += 2 * sum(ours) - sum(scores)
    assert margin > 100
