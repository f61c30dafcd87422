"""Episodes on a GPU: one thread per match, the functions of `step.py`, arrays shared with PyTorch without a copy.

An illegal action changes nothing and is marked REFUSED in `progress`: an exception would need a synchronisation.
Observations and masks are cleared by a kernel of their own, in which neighbouring threads write neighbouring words; the
thread of a match then writes only what is not 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import int64

from atout.batch import step
from atout.batch.device import FACTS_TYPE, STATE_TYPE, THREADS, cuda, reset_all
from atout.game.setup import Setup
from atout.knowledge.features import ACTIONS, SIZE
from atout.rules.arrays import Int64Array
from atout.rules.layout import LOG, NOBODY, RNG_WORDS, RULES, SEATS, STATE

CLEARING = 1024, 256
"""Blocks and threads that clear an array, each in several turns."""


@cuda.jit
def advance_all(
    states: Any, rules: Any, which: Any, rngs: Any, logs: Any, progress: Any, actions: Any, points: Any, reward: Any,
    won: Any, stop: int, mode: int, terminated: Any,
) -> None:  # fmt: skip
    i = cuda.grid(1)
    if i < which.shape[0]:
        terminated[i] = step.step_episode(
            states[i], rules[which[i]], rngs[i], logs[i], progress[i], actions[i], points[i], reward[i], won[i], stop,
            mode,
        )  # fmt: skip


@cuda.jit
def renew_all(
    states: Any, rules: Any, which: Any, rngs: Any, logs: Any, progress: Any, chosen: Any, terminated: Any
) -> None:
    i = cuda.grid(1)
    if i < which.shape[0] and chosen[i] != 0:
        step.renew(states[i], rules[which[i]], rngs[i], logs[i], progress[i])
        terminated[i] = 0


@cuda.jit
def clear_all(words: Any) -> None:
    for i in range(cuda.grid(1), words.shape[0], cuda.gridsize(1)):
        words[i] = 0


@cuda.jit
def observe_all(
    states: Any, rules: Any, which: Any, logs: Any, progress: Any, seats: Any, observation: Any, mask: Any
) -> None:
    seen = cuda.local.array(1, dtype=STATE_TYPE)
    facts = cuda.local.array(1, dtype=FACTS_TYPE)
    seen_log = cuda.local.array(LOG, dtype=int64)
    i = cuda.grid(1)
    if i < which.shape[0]:
        if states[i].turn != NOBODY:
            seats[i] = states[i].turn
        step.observe_into_zeros(
            states[i], rules[which[i]], logs[i], progress[i], seats[i], seen[0], facts[0], seen_log, observation[i],
            mask[i],
        )  # fmt: skip


def on_device(array: Any, dtype: Any) -> Any:
    """An array of the device as it is; one of the host as a copy."""
    if hasattr(array, "__cuda_array_interface__"):
        return cuda.as_cuda_array(array)
    return cuda.to_device(np.ascontiguousarray(array, dtype))


def torch_or_numba() -> Any:
    """What allocates arrays of zeros on the device."""
    try:
        import torch
    except ImportError:
        return lambda shape, dtype: cuda.to_device(np.zeros(shape, dtype))
    return lambda shape, dtype: torch.zeros(shape, dtype=getattr(torch, np.dtype(dtype).name), device="cuda")


class DeviceEpisodes:
    """`Episodes` on the device."""

    def __init__(self, setups: Sequence[Setup], which: Sequence[int] | Int64Array, stop: int, mode: int) -> None:
        self.setups, self.stop, self.mode = tuple(setups), stop, mode
        chosen: Int64Array = np.ascontiguousarray(which, np.int64)
        size = self.size = len(chosen)
        make = torch_or_numba()
        self.which = cuda.to_device(chosen)
        self.rules = cuda.to_device(np.concatenate([setup.rules for setup in setups]).view(RULES))
        self.states = cuda.to_device(np.zeros(size, STATE))
        self.rngs, self.logs, self.progress = (
            cuda.to_device(np.zeros((size, width), np.int64)) for width in (RNG_WORDS, LOG, 2)
        )
        self.current_player = make((size,), np.int64)
        self.observation, self.legal_action_mask = make((size, SIZE), np.int8), make((size, ACTIONS), np.bool_)
        self.terminated, self.never = make((size,), np.bool_), make((size,), np.bool_)
        self.points, self.gain, self.won = (make((size, SEATS), np.float32) for _ in range(3))
        names = ("current_player", "observation", "legal_action_mask", "terminated", "points", "gain", "won")
        self._at = {name: cuda.as_cuda_array(getattr(self, name)) for name in names}
        for name in ("legal_action_mask", "terminated"):
            self._at[name] = self._at[name].view(np.int8)
        self._words = [
            self._at[name].reshape(size * width).view(np.int64)
            for name, width in (("observation", SIZE), ("legal_action_mask", ACTIONS))
        ]
        self._grid = (size + THREADS - 1) // THREADS, THREADS

    def reset(self, seed: int, streams: Sequence[int] | Int64Array | None = None) -> None:
        chosen = np.arange(self.size) if streams is None else np.ascontiguousarray(streams, np.int64)
        reset_all[self._grid](
            self.states, self.rules, self.which, self.rngs, self.logs, self.progress, cuda.to_device(chosen), seed
        )
        for name in ("terminated", "points", "gain", "won"):
            array = self._at[name]
            array.copy_to_device(np.zeros(array.shape, array.dtype))
        self._observe()

    def renew(self, chosen: Any) -> None:
        renew_all[self._grid](
            self.states, self.rules, self.which, self.rngs, self.logs, self.progress, on_device(chosen, np.bool_),
            self._at["terminated"],
        )  # fmt: skip
        self._observe()

    def step(self, actions: Any) -> None:
        at = self._at
        advance_all[self._grid](
            self.states, self.rules, self.which, self.rngs, self.logs, self.progress, on_device(actions, np.int64),
            at["points"], at["gain"], at["won"], self.stop, self.mode, at["terminated"],
        )  # fmt: skip
        self._observe()

    def _observe(self) -> None:
        at = self._at
        for words in self._words:
            clear_all[CLEARING](words)
        observe_all[self._grid](
            self.states, self.rules, self.which, self.logs, self.progress, at["current_player"], at["observation"],
            at["legal_action_mask"],
        )  # fmt: skip
