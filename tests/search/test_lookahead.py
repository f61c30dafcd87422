"""Lookahead with a network: batched evaluations, weighted worlds, actions tried in the same worlds."""

from __future__ import annotations

import random

import numpy as np
import pytest

from atout import Game
from atout.bots import ask
from atout.bots.learned import LearnedBot, network_of, trained_at
from atout.exam.blunder_suite import suite
from atout.game import Knowledge, View, read_view
from atout.nets.weights import Network
from atout.rules.layout import VETO
from atout.search.believed import Beliefs
from atout.search.lookahead import NEXT_TURN, Lookahead
from atout.search.net_rollout import TO_THE_END

PLACES = [("niet-2015", 4), ("njet-1997", 3), ("nichtig", 5)]


def some_views(edition: str, players: int, count: int) -> list[View]:
    """The views of seats with a choice, along a random round."""
    game, chance = Game.new(edition, players, seed=8), random.Random(2)
    views = []
    while game.turn is not None and game.round == 1:
        if len(game.legal()) > 1:
            views.append(game.view(game.turn))
        game.play(chance.choice(game.legal()))
    return views[:: max(1, len(views) // count)]


def network_for(view: View) -> Network:
    network = network_of(view["game"])
    assert network is not None
    return network


def lookahead_of(view: View, seed: int = 1) -> Lookahead:
    knowledge, network = read_view(view), network_for(view)
    trained = trained_at(network, knowledge)
    assert trained is not None
    return Lookahead(knowledge, network, trained.spread, seed)


@pytest.mark.parametrize(("edition", "players"), PLACES)
def test_many_answers_are_those_one_by_one(edition: str, players: int) -> None:
    views = some_views(edition, players, 20)
    known = [read_view(view) for view in views]
    network, seen = network_for(views[0]), [one.encode() for one in known]
    masks, blocks = np.array([mask for _, mask in seen]), np.array([one.state.phase - VETO for one in known])
    outputs = network.evaluate_all(np.stack([observation for observation, _ in seen]))
    policies, forecasts = network.log_policies(outputs, masks, blocks), network.forecasts(outputs)
    for k, (observation, mask) in enumerate(seen):
        policy, forecast = network(observation, mask, int(blocks[k]))
        assert np.abs(np.exp(policies[k]) - policy).max() < 1e-4
        assert np.abs(forecasts[k] - forecast).max() < 1e-3


@pytest.mark.parametrize("count", [2, pytest.param(6, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("edition", "players"), PLACES)
def test_worlds_fit_what_the_seat_knows(edition: str, players: int, count: int) -> None:
    for view in some_views(edition, players, count):
        lookahead, knowledge = lookahead_of(view), read_view(view)
        lookahead.sample_worlds(6)
        for state, log in zip(lookahead.drawn.states, lookahead.drawn.logs, strict=True):
            again = Knowledge.of(knowledge.setup, knowledge.seat, state, log[: knowledge.length])
            assert (again.redacted == knowledge.redacted).all()
            assert (again.log == knowledge.log).all()


@pytest.mark.parametrize("rounds", [2, pytest.param(6, marks=pytest.mark.slow)])
def test_the_network_believes_in_the_hands_it_has_played(rounds: int) -> None:
    """A round played by the network itself: late in it, the true deal is likelier than most that fit as well."""
    beaten = total = 0
    for seed in range(rounds):
        game, bot = Game.new("niet-2015", 4, seed=seed), LearnedBot()
        while game.phase != "play" or len(game.view(0)["hand"]) > 7:
            game.play(ask(bot, game.view(game.turn), random.Random(0)).action)
        view = game.view(game.turn)
        beliefs = Beliefs(read_view(view), None, network_for(view), seed=1)
        truth = beliefs.true_log_likelihood(game._state, game._log_array())
        beaten += int((truth > beliefs.draw(24).log_likelihoods).sum())
        total += 24
    assert beaten > 0.8 * total


def test_an_open_ending_is_exact() -> None:
    """Two cards each, and the seat knows all of them: what a card is worth does not depend on the worlds drawn."""
    (position,) = [it for it in suite() if it.title == "Two cards left, and this trick is lost anyway"]
    view = position.game.view(position.seat)
    lookahead, knowledge = lookahead_of(view), read_view(view)
    actions = [action for action in range(64) if (knowledge.legal >> action) & 1]
    lookahead.sample_worlds(8)
    lookahead.try_actions(actions, TO_THE_END)
    first, second = actions
    lead, error = lookahead.lead(second, first)
    assert (abs(lead), error) == (16.0, 0.0)
    for action in actions:
        assert np.allclose(lookahead.points(action, first), lookahead._trials[0][0][action][0])


def test_the_same_seed_gives_the_same_worlds_and_points() -> None:
    view = some_views("nichtig", 4, 4)[2]
    found = []
    for _ in range(2):
        lookahead, knowledge = lookahead_of(view, seed=5), read_view(view)
        actions = [action for action in range(64) if (knowledge.legal >> action) & 1]
        lookahead.sample_worlds(8)
        lookahead.try_actions(actions, NEXT_TURN)
        found.append([lookahead.points(action, actions[0]) for action in actions])
    assert found[0] == found[1]
