"""One seat against bots as a Gymnasium environment.

    env = gymnasium.make("atout/Table-v0", edition="nichtig", players=3, opponents="novice")   # or AtoutSeatEnv(...)

A step is from the seat's decision to its next one; the rewards of what happens in between are added up. An illegal
action ends the episode with `illegal_reward`, because a Gymnasium environment must accept every action of its space.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from atout.bots import Bot, ask, make_bot
from atout.bots.bot import UNLIMITED, Budget
from atout.editions import Edition
from atout.envs import MissingPackage
from atout.envs.table import RENDER_MODES, Episode, Rewards, TableEpisode, check_choice, render
from atout.errors import UsageError
from atout.knowledge.features import ACTIONS, SIZE

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:
    raise MissingPackage("gymnasium") from error


class AtoutSeatEnv(gymnasium.Env):  # type: ignore[misc, type-arg, unused-ignore]
    """The learner plays one seat; bots play the others.

    `opponents` is a bot's name for all of them, or one for each, clockwise from the learner's left. Without `seat` the
    learner's seat is drawn for every match.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 1}

    def __init__(
        self,
        edition: str | Edition = "nichtig",
        players: int = 3,
        options: Any = None,
        opponents: str | Sequence[str] = "novice",
        seat: int | None = None,
        episode: Episode = "match",
        rewards: Rewards = "round",
        budget: Budget = UNLIMITED,
        illegal_reward: float = -10.0,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            check_choice("render_mode", render_mode, RENDER_MODES)
        self._table = TableEpisode(edition, players, options, episode, rewards)
        self._match = self._table.match
        names = [opponents] * (players - 1) if isinstance(opponents, str) else list(opponents)
        if len(names) != players - 1:
            raise UsageError(f"opponents: {len(names)} names are not allowed; allowed: one, or {players - 1}")
        if seat is not None and not 0 <= seat < players:
            raise UsageError(f"seat: {seat} is not allowed; allowed: 0 to {players - 1}, or None")
        self._bots: list[Bot] = [make_bot(name) for name in names]
        self._budget, self._chosen_seat, self._illegal_reward = budget, seat, illegal_reward
        self.render_mode = render_mode
        self.seat = 0 if seat is None else seat
        self.action_space = spaces.Discrete(ACTIONS)
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(-127, 127, (SIZE,), np.int8),
                "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
            }
        )

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], Any]:
        super().reset(seed=seed)
        if seed is None:
            seed = int(self.np_random.integers(1 << 62))
        self._table.reset(seed, options)
        self._rng = random.Random(seed)  # noqa: S311
        if self._chosen_seat is None:
            self.seat = self._rng.randrange(self._table.setup.players)
        self._play_others()
        return self._observe()

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        if not self._match.observe(self.seat)[1][int(action)]:
            observation, info = self._observe()
            return observation, self._illegal_reward, True, False, info | {"illegal": True}
        rewards = self._table.step(int(action))
        reward = 0.0 if rewards is None else rewards[self.seat]
        reward += self._play_others()
        observation, info = self._observe()
        return observation, reward, self._match.is_over, False, info

    def _play_others(self) -> float:
        """Let the bots decide until it is the learner's turn or the end; returns the learner's reward meanwhile."""
        match, reward = self._match, 0.0
        while match.turn not in (self.seat, -1):
            bot = self._bots[(match.turn - self.seat - 1) % self._table.setup.players]
            choice = ask(bot, match.game().view(match.turn), self._rng, self._budget)
            rewards = self._table.step(match.number(choice.action))
            reward += 0.0 if rewards is None else rewards[self.seat]
        return reward

    def _observe(self) -> tuple[dict[str, Any], dict[str, Any]]:
        observation, mask = self._match.observe(self.seat)
        return {"observation": observation, "action_mask": mask}, {"seat": self.seat}

    def render(self) -> Any:
        return render(self._match, self.render_mode)


if "atout/Table-v0" not in gymnasium.registry:
    gymnasium.register("atout/Table-v0", entry_point="atout.envs.gymnasium:AtoutSeatEnv")
