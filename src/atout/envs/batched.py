"""Thousands of matches at once: the environment to train with. Field names are those of Pgx.

    env = BatchedEnv("nichtig", players=3, size=4096)
    state = env.init(seed=1)
    state = env.step(actions)            # one number per match, from state.legal_action_mask

A `State` is one set of arrays that every step overwrites; take a copy of what you keep. On the CPU they are NumPy
arrays: `torch.from_dlpack(state.observation)` and `jax.dlpack.from_dlpack` share them without a copy. With
`device="cuda"` they are PyTorch tensors, or arrays of Numba where PyTorch is missing.

The step that ends an episode always has its last rewards and `terminated`. `auto_reset` says what else it does:

    replace   the state is already the first of the next episode, and so is its observation
    manual    the state stays at the end until `reset(chosen)`; a step in between is an error
    none      the state stays at the end; further steps change nothing and give no reward
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from atout.batch import step
from atout.batch.episodes import Episodes
from atout.editions import Edition
from atout.envs.table import Episode, Rewards, check_choice
from atout.errors import UsageError
from atout.game.setup import Setup
from atout.knowledge.features import ACTIONS, SIZE
from atout.rules.layout import SEATS

AutoReset = Literal["replace", "manual", "none"]
MODES = {"replace": step.REPLACE, "manual": step.MANUAL, "none": step.NONE}


class State(NamedTuple):
    """The arrays of all matches."""

    current_player: Any
    """int64 (matches,): the seat in turn; at an end, the seat that acted last."""
    observation: Any
    """int8 (matches, 1432): what that seat sees (`docs/observation.md`)."""
    legal_action_mask: Any
    """bool (matches, 448): empty at an end."""
    rewards: Any
    """float32 (matches, 6): of the last step, by seat."""
    terminated: Any
    """bool (matches,): the last step ended an episode."""
    truncated: Any
    """bool (matches,): always false; episodes are never cut off."""


class BatchedEnv:
    """Matches of one setup, or of several: match i has `setups[i % len(setups)]`."""

    num_actions = ACTIONS
    observation_shape = (SIZE,)

    def __init__(
        self,
        edition: str | Edition | Sequence[Setup] = "niet-2015",
        players: int = 4,
        size: int = 1024,
        options: Any = None,
        episode: Episode = "match",
        rewards: Rewards = "round",
        auto_reset: AutoReset = "replace",
        device: Literal["cpu", "cuda"] = "cpu",
        threads: int | None = None,
    ) -> None:
        check_choice("episode", episode, ("match", "round"))
        check_choice("rewards", rewards, ("round", "match"))
        check_choice("auto_reset", auto_reset, tuple(MODES))
        check_choice("device", device, ("cpu", "cuda"))
        if episode == "round" and rewards == "match":
            raise UsageError("rewards: 'match' needs episode='match'; one round has no winner of the match")
        if isinstance(edition, (str, Edition)):
            self.setups: tuple[Setup, ...] = (Setup.of(edition, players, options),)
        else:
            self.setups = tuple(edition)
        if size < 1:
            raise UsageError(f"size: {size} is not allowed; allowed: 1 or more")
        self.size, self.auto_reset = size, auto_reset
        self._is_dealt = False
        stop = step.AT_ROUND_END if episode == "round" else step.AT_MATCH_END
        which = np.arange(size) % len(self.setups)
        self.batch: Any
        if device == "cpu":
            self.batch = Episodes(self.setups, which, stop, MODES[auto_reset], threads)
        else:
            from atout.batch.episodes_device import DeviceEpisodes

            self.batch = DeviceEpisodes(self.setups, which, stop, MODES[auto_reset])
        paid = self.batch.gain if rewards == "round" else self.batch.won
        never = np.zeros(size, np.bool_) if device == "cpu" else self.batch.never
        self.state = State(
            self.batch.current_player, self.batch.observation, self.batch.legal_action_mask, paid,
            self.batch.terminated, never,
        )  # fmt: skip

    @property
    def players(self) -> npt.NDArray[np.int64]:
        """The number of players of every match."""
        return np.array([self.setups[i % len(self.setups)].players for i in range(self.size)])

    def init(self, seed: int, streams: Sequence[int] | None = None) -> State:
        """Begin all matches. Match i is stream i of the seed, or `streams[i]`; a stream sets the first dealer."""
        self.batch.reset(seed, None if streams is None else self._checked("streams", streams, "iu"))
        self._is_dealt = True
        return self.state

    def step(self, actions: Any) -> State:
        """One action per match. On a GPU an illegal action changes nothing; on the CPU it raises an error."""
        self._check_dealt()
        self.batch.step(self._checked("actions", actions, "iu"))
        return self.state

    def reset(self, chosen: Any) -> State:
        """Begin the next episode of the chosen matches: a boolean for each."""
        self._check_dealt()
        self.batch.renew(self._checked("chosen", chosen, "b"))
        return self.state

    def observe(self, seats: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.bool_]]:
        """What the given seats see, and their legal actions: none for seats that are not in turn. CPU only."""
        self._check_dealt()
        chosen = self._checked("seats", seats, "iu")
        observation, mask = np.zeros((self.size, SIZE), np.int8), np.zeros((self.size, ACTIONS), np.bool_)
        self.batch.observe_seats(chosen, observation, mask)
        return observation, mask

    def _check_dealt(self) -> None:
        if not self._is_dealt:
            raise UsageError("no match has begun; call init(seed) first")

    def _checked(self, name: str, given: Any, kinds: Literal["iu", "b"]) -> Any:
        """One value of these kinds per match. Arrays of a GPU stay there; all others become NumPy arrays."""
        if hasattr(given, "__cuda_array_interface__"):
            about = given.__cuda_array_interface__
            shape, dtype = tuple(about["shape"]), np.dtype(about["typestr"])
        else:
            given = np.asarray(given)
            shape, dtype = given.shape, given.dtype
        each = "one boolean per match" if kinds == "b" else "one per match"
        if shape != (self.size,):
            raise UsageError(f"{name}: shape {shape} is not allowed; allowed: ({self.size},), {each}")
        if dtype.kind not in kinds:
            allowed = "booleans, one per match" if kinds == "b" else "whole numbers, one per match"
            raise UsageError(f"{name}: {dtype} is not allowed; allowed: {allowed}")
        return given


class Transitions(NamedTuple):
    """Decisions whose outcome is known: each from a seat's decision to its next one, or to the end of the episode."""

    match: npt.NDArray[np.int64]
    seat: npt.NDArray[np.int64]
    observation: npt.NDArray[np.int8]
    legal_action_mask: npt.NDArray[np.bool_]
    action: npt.NDArray[np.int64]
    reward: npt.NDArray[np.float32]
    """The sum of the seat's rewards in between."""
    next_observation: npt.NDArray[np.int8]
    """At the end of the episode: zeros."""
    done: npt.NDArray[np.bool_]


class SeatTransitions:
    """The view of each seat: what turn-based learning needs.

    After a step of the environment another seat decides. This class remembers what each seat did last, and returns it
    once that seat decides again, with the rewards since then added up.

        turns = SeatTransitions(env, seed=1)
        settled = turns.step(actions)       # for env.state
    """

    def __init__(self, env: BatchedEnv, seed: int) -> None:
        self.env, size = env, env.size
        env.init(seed)
        self._open = np.zeros((size, SEATS), np.bool_)
        self._observation = np.zeros((size, SEATS, SIZE), np.int8)
        self._mask = np.zeros((size, SEATS, ACTIONS), np.bool_)
        self._action = np.zeros((size, SEATS), np.int64)
        self._reward = np.zeros((size, SEATS), np.float32)

    def step(self, actions: npt.NDArray[np.int64]) -> Transitions:
        """One action per match; returns the decisions whose outcome is known now."""
        state, every = self.env.state, np.arange(self.env.size)
        seat = state.current_player.copy()
        live = state.legal_action_mask.any(1)
        at = every[live], seat[live]
        self._open[at] = True
        self._observation[at], self._mask[at] = state.observation[live], state.legal_action_mask[live]
        self._action[at], self._reward[at] = np.asarray(actions)[live], 0.0
        self.env.step(actions)
        self._reward += np.where(self._open, state.rewards, 0.0)
        ended = state.terminated & live
        settled = self._open & ended[:, None]
        goes_on = every[~ended & live]
        again = state.current_player[goes_on]
        settled[goes_on, again] = self._open[goes_on, again]
        match, seats = np.nonzero(settled)
        self._open[match, seats] = False
        done = ended[match]
        following = np.where(done[:, None], 0, state.observation[match]).astype(np.int8)
        return Transitions(
            match, seats, self._observation[match, seats], self._mask[match, seats], self._action[match, seats],
            self._reward[match, seats], following, done,
        )  # fmt: skip
