"""The bots that search: legal everywhere, the same from the same seed, blind to what they may not see."""

from __future__ import annotations

import random
import time

import pytest

from atout import Game
from atout.bots import Budget, ask, make_bot
from atout.bots.ismcts import Search
from atout.editions import PUBLISHED, published
from atout.game import read_view
from atout.search.gain import gain

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
        gains = {action: gain(points, game.setup, seat) for action, points in choice.estimates.items()}
        assert max(gains.values(), default=0.0) <= gains.get(choice.action, 0.0) + 0.011, "the choice is worth the most"
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


def test_by_the_clock_it_ends_early_only_where_all_the_time_would_have_changed_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The clock counts iterations, a thousand per second, so that five seconds are known beforehand."""
    played, grow = 0, Search.grow

    def counted(search: Search, count: int) -> None:
        nonlocal played
        played += count
        grow(search, count)

    monkeypatch.setattr(Search, "grow", counted)
    monkeypatch.setattr(time, "perf_counter", lambda: played / 1000)
    early = 0
    for seed in range(12):
        game, rng = Game.new(*TABLES[seed % len(TABLES)], seed=seed), random.Random(seed)
        for _ in range(4 + 5 * seed):
            game.play(rng.choice(game.legal()))
        view = game.view(game.turn)
        known = read_view(view)
        timed, whole = Search(known, seed), Search(known, seed)
        timed.run(Budget(seconds=5.0))
        whole.grow(5000)
        assert timed.choice(view["legal"]).action == whole.choice(view["legal"]).action
        assert timed.iterations <= 5000
        early += timed.iterations < 4500
    assert 0 < early < 12


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
