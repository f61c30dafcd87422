"""The same seeds give the same matches through every interface: digests of all that was seen, done and rewarded."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from atout.batch.match import GAIN, Match
from atout.bots import Budget, Choice
from atout.envs.batched import BatchedEnv
from atout.game import View
from tests.envs.tables import NEEDS_OPENSPIEL, NEEDS_TORCHRL, QUICK, setup_of
from tests.properties.matches import SETTINGS, Setting

SEED = 11


class Digest:
    """A digest of a match: before each decision what was seen, after it what was rewarded."""

    def __init__(self) -> None:
        self._sum, self.decisions = hashlib.sha256(), 0

    def decide(self, turn: int, observation: Any, mask: Any) -> int:
        """One of the legal actions, by a rule that looks at nothing else."""
        legal = np.flatnonzero(np.asarray(mask))
        action = int(legal[(self.decisions * 7919 + turn) % len(legal)])
        self._sum.update(np.asarray(observation, np.int8).tobytes() + legal.tobytes() + bytes([turn]))
        self.decisions += 1
        return action

    def reward(self, rewards: Any) -> None:
        self._sum.update(np.round(np.asarray(rewards, np.float64), 3).astype(np.float32).tobytes())

    @property
    def text(self) -> str:
        return f"{self.decisions} {self._sum.hexdigest()[:16]}"


def by_match(setting: Setting) -> str:
    match, digest = Match(setup_of(setting)), Digest()
    match.reset(SEED)
    while not match.is_over:
        match.step(digest.decide(match.turn, *match.observe(match.turn)))
        digest.reward(match.results[GAIN, : setting.players])
    return digest.text


def by_pettingzoo(setting: Setting) -> str:
    from atout.envs.pettingzoo import AtoutEnv

    env, digest = AtoutEnv(setting.edition, setting.players, setting.options), Digest()
    env.reset(seed=SEED)
    while not any(env.terminations.values()):
        seen = env.last()[0]
        env.step(digest.decide(env._seat_of[env.agent_selection], seen["observation"], seen["action_mask"]))
        digest.reward(list(env.rewards.values()))
    return digest.text


def by_batch(setting: Setting) -> str:
    env, digest = BatchedEnv([setup_of(setting)], size=2, auto_reset="none"), Digest()
    state = env.init(SEED, streams=[SEED, 0])
    while not state.terminated[0]:
        actions = state.legal_action_mask.argmax(1)
        actions[0] = digest.decide(int(state.current_player[0]), state.observation[0], state.legal_action_mask[0])
        env.step(actions)
        digest.reward(state.rewards[0, : setting.players])
    return digest.text


def by_openspiel(setting: Setting) -> str:
    pyspiel = pytest.importorskip("pyspiel", reason=NEEDS_OPENSPIEL)
    from atout.envs.openspiel import DIVISORS
    from tests.envs.test_openspiel import name_of

    digest = Digest()
    state = pyspiel.load_game(name_of(setting, episode="match", chance="numbered")).new_initial_state()
    state.apply_action(SEED)
    while not state.is_terminal():
        turn = state.current_player()
        observation = np.round(np.array(state.observation_tensor(turn)) * DIVISORS)
        state.apply_action(digest.decide(turn, observation, state.legal_actions_mask(turn)))
        digest.reward(state.rewards())
    return digest.text


def by_torchrl(setting: Setting) -> str:
    pytest.importorskip("torchrl", reason=NEEDS_TORCHRL)
    import torch
    from tensordict import TensorDict

    from atout.envs.torchrl import AtoutTorchEnv

    env, digest = AtoutTorchEnv(setting.edition, setting.players, 1, setting.options), Digest()
    env.reset()
    env._env.init(SEED, streams=[SEED])
    env._is_dealt = True
    seen = env._observed()
    while not env._env.state.terminated[0]:
        turn = int(seen["current_player"][0])
        action = digest.decide(turn, seen["observation"][0], seen["action_mask"][0])
        seen = env.step(TensorDict({"action": torch.tensor([action])}, [1]))["next"]
        digest.reward(seen["rewards"][0, : setting.players])
    return digest.text


@pytest.mark.parametrize(
    "setting",
    [pytest.param(one, id=one.id, marks=[] if one in QUICK else [pytest.mark.slow]) for one in SETTINGS],
)
@pytest.mark.parametrize("interface", [by_pettingzoo, by_batch, by_openspiel, by_torchrl])
@pytest.mark.filterwarnings("ignore")
def test_equal_games(setting: Setting, interface: Callable[[Setting], str]) -> None:
    assert interface(setting) == by_match(setting)


class Least:
    """A bot that always plays the least of the legal actions, as text."""

    name = "least"

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        return Choice(min(legal))


def least(match: Match) -> int:
    return min(match.legal(), key=lambda number: str(match.action(number)))


@pytest.mark.parametrize("setting", [pytest.param(one, id=one.id) for one in QUICK])
def test_equal_games_of_one_seat(setting: Setting) -> None:
    """Gymnasium: what one seat sees and is rewarded from decision to decision, against bots that play by a rule."""
    from atout.envs.gymnasium import AtoutSeatEnv

    seat, expected, digest = 1, Digest(), Digest()
    match, reward = Match(setup_of(setting)), 0.0
    match.reset(SEED)
    while not match.is_over:
        if match.turn == seat:
            expected.reward([reward])
            expected.decide(seat, *match.observe(seat))
            reward = 0.0
        match.step(least(match))
        reward += match.results[GAIN, seat]
    expected.reward([reward])
    env = AtoutSeatEnv(setting.edition, setting.players, setting.options, f"{__name__}:Least", seat=seat)
    seen, paid, over = env.reset(seed=SEED)[0], 0.0, False
    while not over:
        digest.reward([paid])
        digest.decide(seat, seen["observation"], seen["action_mask"])
        seen, paid, over, _, _ = env.step(least(env._match))
    digest.reward([paid])
    assert digest.text == expected.text
    assert digest.decisions > 8
