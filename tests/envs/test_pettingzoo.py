"""The AEC environment: PettingZoo's own tests for all tables, and what they do not test."""

from __future__ import annotations

import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from atout.errors import UsageError
from tests.envs.tables import disguised, every_table, house_rules, new_match
from tests.properties.matches import Setting, chance

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its tests import games of its own, in a way it has deprecated
    from pettingzoo.test import api_test, max_cycles_test, render_test, seed_test
    from pettingzoo.test.save_obs_test import test_save_obs as save_obs_test

from atout.envs.pettingzoo import AtoutEnv


def make(setting: Setting, **other: Any) -> AtoutEnv:
    return AtoutEnv(setting.edition, setting.players, setting.options, **other)


def any_legal(env: AtoutEnv, rng: Any) -> int:
    return int(rng.choice(np.flatnonzero(env.last()[0]["action_mask"]).tolist()))


def check(env: AtoutEnv, cycles: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array|Observation space for each agent")
        # the mask of an agent that has ended is empty
        warnings.filterwarnings("ignore", message="Action mask numpy array is all zeros")
        api_test(env, num_cycles=cycles)


@every_table
def test_api_and_seed_of_pettingzoo(setting: Setting) -> None:
    check(make(setting), 60)
    seed_test(lambda: make(setting), num_cycles=40)


@every_table
@pytest.mark.slow
def test_render_and_save_obs_of_pettingzoo(setting: Setting) -> None:
    render_test(lambda render_mode=None: make(setting, render_mode=render_mode))
    save_obs_test(make(setting))


def test_house_rules(tmp_path: Path) -> None:
    check(AtoutEnv(house_rules(tmp_path), 3), 30)


def test_rewards_are_gains_of_rounds_or_shares_of_the_match() -> None:
    for rewards in ("round", "match"):
        env, rng, totals = AtoutEnv("nichtig", 3, rewards=rewards), chance("rewards"), np.zeros(3)
        env.reset(seed=4)
        for agent in env.agent_iter():
            _, reward, over, _, _ = env.last()
            totals[env.possible_agents.index(agent)] += reward
            env.step(None if over else any_legal(env, rng))
        game = env._match.game()
        if rewards == "match":
            share = [(seat in game.winners) / len(game.winners) - 1 / 3 for seat in range(3)]
            assert totals == pytest.approx(share)
        else:
            points = np.array(game.totals)
            assert totals == pytest.approx(points - (points.sum() - points) / 2)


def test_two_discards_in_a_row_are_two_steps_of_one_agent() -> None:
    """Between them the agent is observed again and gets no reward; its card has left the hand it sees."""
    rng, seen = chance("discards"), 0
    env = AtoutEnv("niet-2015", 4)
    for seed in range(30):
        env.reset(seed=seed)
        while not env._match.finished:
            match, agent = env._match, env.agent_selection
            owed = match.game().owed if match.game().phase in ("discard", "pass") else 0
            before = env.observe(agent)["observation"]
            env.step(any_legal(env, rng))
            if owed > 1:
                assert env.agent_selection == agent
                assert env.last()[1] == 0
                assert (env.observe(agent)["observation"] != before).any()
                seen += 1
    assert seen > 3


class LegalActions:
    """A space that samples legal actions only: PettingZoo's test of `max_cycles` knows no masks."""

    def __init__(self, env: AtoutEnv) -> None:
        self.env, self.rng = env, chance("legal")

    def sample(self) -> int:
        return any_legal(self.env, self.rng)


class Sampling(AtoutEnv):
    def action_space(self, agent: str) -> Any:
        return LegalActions(self)


class Cycles:
    """The parallel form that PettingZoo's test asks for: one step is one decision of every agent, in turn."""

    def __init__(self, **words: Any) -> None:
        self.env = Sampling("nichtig", 3, **words)
        self.agents = self.env.possible_agents

    def reset(self) -> tuple[dict[str, Any], dict[str, Any]]:
        self.env.reset(seed=1)
        return {}, {}

    def action_space(self, agent: str) -> Any:
        return self.env.action_space(agent)

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        for _ in actions:
            self.env.step(self.env.action_space(self.env.agent_selection).sample())
        return {}, self.env.rewards, self.env.terminations, self.env.truncations, {}


def test_max_cycles_of_pettingzoo() -> None:
    """In four cycles every agent lays out three cards and plays one, so the cycles are those of PettingZoo."""
    max_cycles_test(SimpleNamespace(parallel_env=Cycles, env=lambda **words: Sampling("nichtig", 3, **words)))


def test_max_cycles_truncates() -> None:
    env, rng = AtoutEnv("niet-2015", 4, max_cycles=3), chance("cycles")
    env.reset(seed=1)
    for _ in range(12):
        assert not any(env.truncations.values())
        env.step(any_legal(env, rng))
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    for _ in range(4):
        env.step(None)
    assert env.agents == []


def test_hidden_cards_change_no_observation_and_no_picture() -> None:
    env, rng = AtoutEnv("nichtig", 4, render_mode="ansi"), chance("leak")
    env.reset(seed=6)
    for _ in range(40):
        agent, seat = env.agent_selection, env._match.turn
        seen, drawn, match = env.observe(agent), env.render(), env._match
        env._match = disguised(match, seat, 3)
        assert all((env.observe(agent)[key] == seen[key]).all() for key in seen)
        assert env.render() == drawn
        env._match = match
        env.step(any_legal(env, rng))


@pytest.mark.slow
def test_the_picture_has_the_cards() -> None:
    env = AtoutEnv("nichtig", 3, render_mode="rgb_array")
    env.reset(seed=1)
    pixels = env.render()
    assert pixels.shape == (600, 960, 3)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 100
    match = new_match(Setting("nichtig", 3, {}), 1)
    from atout.envs.render import picture

    svg = picture(match.game().view(0), match.setup)
    assert svg.count('clip-path="url(#face)"') == match.setup.hand_size


def test_what_is_wrong_is_named() -> None:
    env = AtoutEnv("nichtig", 3)
    with pytest.raises(UsageError, match="call reset first"):
        env.step(0)
    env.reset(seed=1)
    with pytest.raises(UsageError, match="447 is not legal; allowed: "):
        env.step(447)
    with pytest.raises(UsageError, match="episode: 'game' is not allowed; allowed: match, round"):
        AtoutEnv("nichtig", 3, episode="game")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="render_mode: 'x' is not allowed; allowed: human, ansi, rgb_array"):
        AtoutEnv("nichtig", 3, render_mode="x")
