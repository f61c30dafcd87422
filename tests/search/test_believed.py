"""Worlds drawn from a belief model: they fit what the seat knows, and their weights make up for how they were drawn."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from atout import Game
from atout.game import Knowledge, new_rng
from atout.knowledge import entries as knowledge_entries
from atout.knowledge.features import ACTIONS, GRID, SIZE, VERSION
from atout.nets.beliefs import BeliefNetwork
from atout.nets.weights import WHERE, Header, Network
from atout.rules.arrays import plain
from atout.rules.layout import FACTS_WORDS, STATE, STATE_WORDS
from atout.search.believed import Beliefs
from tests.properties.matches import chance, play_on

HEAD = 3
WORLDS = 1_500
SETUPS = [("niet-2015", 4), ("njet-2007", 3), ("njet-2007", 2), ("nichtig", 4)]


@cache
def some_model(strength: float) -> BeliefNetwork:
    """A belief model that believes nonsense."""
    header = Header(VERSION, "njet", 8, 1, list(range(0, SIZE, 3)), [], [], kind="beliefs", head=HEAD)
    rng = np.random.default_rng(5)
    arrays = {name: rng.normal(0, strength * (0.3 if "head" in name else 0.1), shape) for name, shape in header.shapes}
    return BeliefNetwork(header, arrays)


@cache
def some_player() -> Network:
    """A player to which every action is alike."""
    header = Header(VERSION, "njet", 4, 1, [0, 1], list(range(ACTIONS)), [])
    return Network(header, {name: np.zeros(shape) for name, shape in header.shapes})


def positions(edition: str, players: int) -> list[tuple[Game, Knowledge]]:
    """One of each kind of phase, and some tricks."""
    found: dict[Any, tuple[Game, Knowledge]] = {}
    for seed in range(6):
        for actions in (2, 9, 17, 19, 21, 23, 26, 30, 38):
            one = play_on(Game.new(edition, players, seed=seed), chance(f"believed {seed}"), actions)
            if one.turn is not None and one.phase in ("veto", "team", "discard", "pass", "lay", "play"):
                knowledge = one.knowledge(one.turn)
                kind = (one.phase, knowledge.state.giving, knowledge.fact.passed, actions > 25)
                found.setdefault(kind, (one, knowledge))
    return list(found.values())


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_worlds_fit_what_the_seat_knows(edition: str, players: int) -> None:
    for _, knowledge in positions(edition, players):
        drawn = Beliefs(knowledge, some_model(1.0), some_player(), seed=3).draw(12)
        for state, log in zip(drawn.worlds.states, drawn.worlds.logs, strict=True):
            seen, facts, seen_log = (np.zeros(n, np.int64) for n in (STATE_WORDS, FACTS_WORDS, knowledge.length))
            own = log[: knowledge.length].copy()
            seat, rules = knowledge.fact.seat, knowledge.setup.rules
            knowledge_entries.redact(state, rules, own, knowledge.length, seat, seen, facts, seen_log)
            assert (seen == knowledge.redacted).all()
            assert (facts == knowledge.facts).all()
            assert (seen_log == knowledge.log).all()
        assert np.isfinite(drawn.log_weights).all()
        assert 0 < drawn.effective <= 1


@pytest.mark.slow
@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_weights_make_up_for_the_draw(edition: str, players: int) -> None:
    """With a player to which all actions are alike, every card is where the uniform sampler has it, on average."""
    for _, knowledge in positions(edition, players):
        if any(knowledge.fact.given) and knowledge.fact.laid_count == 0:
            continue  # the uniform sampler does not let the players make their choices
        drawn = Beliefs(knowledge, some_model(0.5), some_player(), seed=8).draw(WORLDS)
        sampler, rng = knowledge.sampler, new_rng(4)
        uniform = np.array([held(knowledge, sampler.draw(rng)[0]) for _ in range(WORLDS)])
        mine = np.array([held(knowledge, state) for state in drawn.worlds.states])
        weights, other = drawn.weights, uniform.mean(0)
        mean = weights @ mine
        errors = np.sqrt((weights**2) @ (mine - mean) ** 2 + uniform.var(0) / WORLDS) + 0.01
        assert np.abs((mean - other) / errors).max() < 5.5


def held(knowledge: Knowledge, state: Any) -> Any:
    """For each kind, and then for each kind that has copies, what the left neighbour holds."""
    world = plain(state, STATE)
    left = (knowledge.fact.seat + 1) % knowledge.setup.players
    return [(word >> kind) & 1 for word in (world.hand[left], world.spare[left]) for kind in range(GRID)]


def test_a_model_that_knows_nothing_is_nearly_uniform() -> None:
    game = play_on(Game.new("niet-2015", 4, seed=2), chance("none"), 4)
    assert game.turn is not None
    drawn = Beliefs(game.knowledge(game.turn), None, some_player(), seed=1).draw(50)
    copies = drawn.log_weights - drawn.log_weights.mean()
    assert np.abs(copies).max() < 4
    assert WHERE == 11
