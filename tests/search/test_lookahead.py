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
from atout.nets.critic import critic_of
from atout.nets.weights import Network
from atout.rules.layout import VETO
from atout.search import net_rollout
from atout.search.believed import Beliefs
from atout.search.gain import gain
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
    return Lookahead(knowledge, network, trained.scale, seed)


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


@pytest.mark.parametrize(("edition", "players"), PLACES)
def test_a_replay_says_the_same_in_one_batch_and_step_by_step(
    edition: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for view in some_views(edition, players, 2):
        weights = []
        for batch in (512, 1):
            monkeypatch.setattr(net_rollout, "BATCH", batch)
            drawn = Beliefs(read_view(view), None, network_for(view), seed=3).draw(5)
            weights.append(drawn.log_weights)
        assert np.abs(weights[0] - weights[1]).max() < 1e-3


@pytest.mark.parametrize(("edition", "players"), PLACES)
def test_rollouts_that_stop_early_are_worth_what_the_critic_says(edition: str, players: int) -> None:
    """The points that are told gain as much as the critic says; a horizon beyond the round gives its result."""
    view = some_views(edition, players, 6)[2]
    knowledge, network, critic = read_view(view), network_for(view), critic_of(view["game"])
    trained = trained_at(network, knowledge)
    assert trained is not None
    actions = [action for action in range(64) if (knowledge.legal >> action) & 1][:2]
    early = Lookahead(knowledge, network, trained.scale, 1, critic=critic)
    late = Lookahead(knowledge, network, trained.scale, 1)
    for lookahead in (early, late):
        lookahead.sample_worlds(4)
        lookahead.try_actions(actions, 2)
    assert (early.reach(2), late.reach(2)) == (2, TO_THE_END)
    assert early.compared == late.compared == tuple(actions)
    for lookahead in (early, late):
        first, second = (
            gain(lookahead.points(action, actions[0]), knowledge.setup, knowledge.fact.seat) for action in actions
        )
        assert second - first == pytest.approx(lookahead.lead(actions[1], actions[0])[0], abs=1e-4)
    assert all(float(x).is_integer() for points in late._trials[-1].points.values() for x in points.ravel())
    assert not all(float(x).is_integer() for points in early._trials[-1].points.values() for x in points.ravel())


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
