"""The batched environment as a TorchRL `EnvBase`.

Keys: `observation` int8, `action_mask` bool, `current_player` int64, `rewards` float32 for all seats; `reward` is that
of the seat that acted. For learning from the seats' own view, `SeatTransitions` (`batched.py`) adds up what comes
between two decisions of a seat.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from atout.editions import Edition
from atout.envs import MissingPackage
from atout.envs.batched import BatchedEnv
from atout.envs.table import Episode, Rewards
from atout.knowledge.features import ACTIONS, SIZE
from atout.rules.layout import SEATS

try:
    import torch
    from tensordict import TensorDict, TensorDictBase
    from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
    from torchrl.envs import EnvBase
except ImportError as error:
    raise MissingPackage("torchrl") from error


class AtoutTorchEnv(EnvBase):  # type: ignore[misc]  # the package has no types
    """`size` matches of one setup, on the CPU; TorchRL resets those that are done."""

    batch_locked = True

    def __init__(
        self,
        edition: str | Edition = "niet-2015",
        players: int = 4,
        size: int = 64,
        options: Any = None,
        episode: Episode = "match",
        rewards: Rewards = "round",
        threads: int | None = None,
    ) -> None:
        super().__init__(device="cpu", batch_size=[size])
        self._env = BatchedEnv(edition, players, size, options, episode, rewards, "manual", "cpu", threads)
        self._seed = 0
        self._is_dealt = False
        shape = self.batch_size
        self.observation_spec = Composite(
            observation=Bounded(-127, 127, shape=(*shape, SIZE), dtype=torch.int8),
            action_mask=Binary(ACTIONS, shape=(*shape, ACTIONS), dtype=torch.bool),
            current_player=Categorical(SEATS, shape=shape, dtype=torch.int64),
            rewards=Unbounded(shape=(*shape, SEATS), dtype=torch.float32),
            shape=shape,
        )
        self.action_spec = Categorical(ACTIONS, shape=shape, dtype=torch.int64)
        self.reward_spec = Unbounded(shape=(*shape, 1), dtype=torch.float32)
        self.done_spec = Composite(
            {name: Categorical(2, shape=(*shape, 1), dtype=torch.bool) for name in ("done", "terminated", "truncated")},
            shape=shape,
        )

    def _set_seed(self, seed: int | None) -> None:
        self._seed, self._is_dealt = 0 if seed is None else int(seed), False

    def _observed(self) -> dict[str, Any]:
        """Copies: TorchRL keeps what it is given."""
        state = self._env.state
        mask = torch.from_numpy(state.legal_action_mask.copy())
        playing = mask.any(-1, keepdim=True)
        self.action_spec.update_mask(mask | ~playing)
        return {
            "observation": torch.from_numpy(state.observation.copy()),
            "action_mask": mask,
            "current_player": torch.from_numpy(state.current_player.copy()),
            "rewards": torch.from_numpy(state.rewards.copy()),
        }

    def _reset(self, tensordict: TensorDictBase | None = None, **_: Any) -> TensorDictBase:
        chosen = None if tensordict is None else tensordict.get("_reset", None)
        if chosen is None or not self._is_dealt:
            self._env.init(self._seed)
            self._seed, self._is_dealt = self._seed + 1, True
        else:
            self._env.reset(chosen.reshape(-1).numpy())
        return TensorDict({**self._observed(), **self._ended()}, self.batch_size)

    def _ended(self) -> dict[str, Any]:
        over = torch.from_numpy(self._env.state.terminated.copy()).unsqueeze(-1)
        return {"done": over, "terminated": over.clone(), "truncated": torch.zeros_like(over)}

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        state = self._env.state
        seat = state.current_player.copy()
        self._env.step(tensordict["action"].reshape(-1).numpy())
        reward = state.rewards[np.arange(self._env.size), seat]
        return TensorDict(
            {**self._observed(), **self._ended(), "reward": torch.from_numpy(reward).unsqueeze(-1)}, self.batch_size
        )
