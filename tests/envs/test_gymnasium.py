"""One seat against bots: Gymnasium's own check, and the rewards between two decisions."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from atout.envs.gymnasium import AtoutSeatEnv
from atout.errors import BotError, UsageError
from tests.envs.tables import differs, disguised
from tests.properties.matches import chance


@pytest.mark.filterwarnings("ignore")
def test_check_env_of_gymnasium() -> None:
    check_env(gymnasium.make("atout/Table-v0", opponents="random", render_mode="ansi").unwrapped)


@pytest.mark.parametrize("seat", [0, 2, None])
def test_a_match_against_bots(seat: int | None) -> None:
    env, rng = AtoutSeatEnv("nichtig", 3, opponents=["novice", "random"], seat=seat), chance("seat", seat)
    observation, info = env.reset(seed=8)
    total, over = 0.0, False
    while not over:
        assert env._match.turn == info["seat"] == env.seat
        action = rng.choice(np.flatnonzero(observation["action_mask"]).tolist())
        observation, reward, over, cut, info = env.step(action)
        total += reward
        assert not cut
    points = env._match.game().totals
    assert total == pytest.approx(points[env.seat] - (sum(points) - points[env.seat]) / 2)
    assert not observation["action_mask"].any()


def test_hidden_cards_change_nothing() -> None:
    """What the seat may not know is permuted: the observation stays the same."""
    env, rng, changed = AtoutSeatEnv("nichtig", 4, opponents="random", seat=1), chance("leak"), 0
    observation, _ = env.reset(seed=6)
    for _ in range(30):
        match = env._match
        env._match = disguised(match, env.seat, 3)
        changed += differs(match, env._match)
        twin, _ = env._observe()
        assert all((twin[key] == observation[key]).all() for key in observation)
        env._match = match
        observation, _, over, _, _ = env.step(rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
        if over:
            break
    assert changed > 10


def test_an_illegal_action_ends_the_episode() -> None:
    env = AtoutSeatEnv("nichtig", 3, illegal_reward=-5.0)
    env.reset(seed=1)
    _, reward, over, _, info = env.step(447)
    assert (reward, over, info["illegal"]) == (-5.0, True, True)


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(UsageError, match="opponents: 3 names are not allowed; allowed: one, or 2"):
        AtoutSeatEnv("nichtig", 3, opponents=["random"] * 3)
    with pytest.raises(BotError, match="'x' is not known"):
        AtoutSeatEnv("nichtig", 3, opponents="x")
