"""One table as a PettingZoo AEC environment: every edition, number of players and option, house rules included.

    env = atout.envs.pettingzoo.env("niet-2015", players=4)

A seat's observation is {"observation": numbers of 8 bits, "action_mask": 0 or 1 for each action}, both as in
`docs/observation.md`. (The mask is int8 because Gymnasium's `sample` takes nothing else; `mask.view(bool)` is free.)

An agent that has several decisions in a row, such as two discards, is selected again for each, with a new observation;
its reward in between is 0. Forced actions are played without asking. An illegal action raises an error that lists the
legal ones and changes nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from atout.editions import Edition
from atout.envs import MissingPackage
from atout.envs.table import RENDER_MODES, Episode, Rewards, TableEpisode, check_choice, render
from atout.errors import UsageError
from atout.knowledge.features import ACTIONS, SIZE

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ImportError as error:
    raise MissingPackage("pettingzoo") from error


class AtoutEnv(AECEnv):  # type: ignore[misc]  # the package has no types
    """A table; agents are `player_0` … by seat."""

    metadata = {"name": "atout_v0", "render_modes": list(RENDER_MODES), "is_parallelizable": False, "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        edition: str | Edition = "niet-2015",
        players: int = 4,
        options: Any = None,
        episode: Episode = "match",
        rewards: Rewards = "round",
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """`max_cycles`: decisions per agent, on average, after which the episode is truncated."""
        super().__init__()
        if render_mode is not None:
            check_choice("render_mode", render_mode, RENDER_MODES)
        self._table = TableEpisode(edition, players, options, episode, rewards)
        self._match = self._table.match
        self._limit = None if max_cycles is None else max_cycles * players
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-127, 127, (SIZE,), np.int8),
                    "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(ACTIONS) for agent in self.possible_agents}
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new match; the same seed deals the same one."""
        self._table.reset(seed, options)
        self.agents = self.possible_agents[:]
        self._quiet = dict.fromkeys(self.agents, 0.0)
        self.rewards = self._quiet
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._decisions = 0
        self.agent_selection = self.possible_agents[self._match.turn]

    def observe(self, agent: str) -> dict[str, Any]:
        """What the agent sees now; its mask is empty unless it is selected."""
        observation, mask = self._match.observe(self._seat_of[agent])
        return {"observation": observation, "action_mask": mask}

    def step(self, action: int | None) -> None:
        if not self.agents:
            raise UsageError("step: the episode is over; call reset first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise UsageError(f"action: None is not allowed while {agent} plays; allowed: one of its action_mask")
        rewards = self._table.step(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._decisions += 1
        if rewards is None:
            self.rewards = self._quiet
        else:
            self.rewards = dict(zip(self.agents, rewards, strict=True))
            self._accumulate_rewards()
        turn = self._match.turn
        if turn < 0:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            if self._decisions == self._limit:
                self.truncations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.possible_agents[turn]

    def render(self) -> Any:
        """The table as the selected agent sees it: printed (`human`), as text (`ansi`), or as pixels."""
        return render(self._match, self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""


env = raw_env = AtoutEnv
