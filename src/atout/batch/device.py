"""A batch on a GPU: one thread per match, the functions of `step.py`, arrays shared with PyTorch without a copy.

Arrays are anything with `__cuda_array_interface__`: `make` allocates them, so they can be tensors;
`torch.as_tensor` views those that Numba allocated. All work goes to the default stream, in order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

if not hasattr(np, "row_stack"):
    setattr(np, "row_stack", np.vstack)  # noqa: B010  # some releases of Numba use it

from numba import cuda as numba_cuda
from numba import from_dtype, int64

from atout.batch import step
from atout.game.setup import Setup
from atout.knowledge.features import HIDDEN_SIZE, SIZE
from atout.rules.arrays import Int64Array
from atout.rules.layout import FACTS, LOG, RNG_WORDS, RULES, SEATS, STATE

cuda: Any = numba_cuda
STATE_TYPE, FACTS_TYPE = from_dtype(STATE), from_dtype(FACTS)
THREADS = 64


@cuda.jit
def reset_all(
    states: Any, rules: Any, which: Any, rngs: Any, logs: Any, progress: Any, streams: Any, seed: int
) -> None:
    i = cuda.grid(1)
    if i < which.shape[0]:
        step.reset_one(states[i], rules[which[i]], rngs[i], logs[i], progress[i], seed, streams[i])


@cuda.jit
def step_all(
    states: Any, rules: Any, which: Any, rngs: Any, logs: Any, progress: Any, places: Any, points: Any, reward: Any,
    won: Any,
) -> None:  # fmt: skip
    i = cuda.grid(1)
    if i < which.shape[0]:
        step.step_one(
            states[i],
            rules[which[i]],
            rngs[i],
            logs[i],
            progress[i],
            places[i],
            points[i],
            reward[i],
            won[i],
            step.NEVER,
        )


@cuda.jit
def observe_all(
    states: Any, rules: Any, which: Any, logs: Any, progress: Any, observation: Any, hidden: Any, mask: Any, block: Any,
    turn: Any,
) -> None:  # fmt: skip
    """What a seat knows is computed in the local memory of the thread."""
    seen = cuda.local.array(1, dtype=STATE_TYPE)
    facts = cuda.local.array(1, dtype=FACTS_TYPE)
    seen_log = cuda.local.array(LOG, dtype=int64)
    i = cuda.grid(1)
    if i < which.shape[0]:
        mask[i] = step.observe_one(
            states[i], rules[which[i]], logs[i], progress[i], seen[0], facts[0], seen_log, observation[i], hidden[i]
        )
        block[i] = step.block_of(states[i])
        turn[i] = states[i].turn


@cuda.jit
def policy_places_of_all(states: Any, rules: Any, which: Any, rngs: Any, places: Any) -> None:
    i = cuda.grid(1)
    if i < which.shape[0]:
        places[i] = step.policy_place(states[i], rules[which[i]], rngs[i])


def numba_array(shape: tuple[int, ...], dtype: type) -> Any:
    """An array on the device; `torch.as_tensor` views it."""
    return cuda.device_array(shape, dtype)


class DeviceBatch:
    """`Batch` on the device. `make` allocates the shared arrays."""

    def __init__(
        self,
        setups: Sequence[Setup],
        which: Sequence[int] | Int64Array,
        make: Callable[[tuple[int, ...], type], Any] = numba_array,
    ) -> None:
        self.setups = tuple(setups)
        chosen: Int64Array = np.ascontiguousarray(which, np.int64)
        size = self.size = len(chosen)
        self.which = cuda.to_device(chosen)
        self.rules = cuda.to_device(np.concatenate([setup.rules for setup in setups]).view(RULES))
        self.states = cuda.to_device(np.zeros(size, STATE))
        self.rngs, self.logs = (cuda.to_device(np.zeros((size, width), np.int64)) for width in (RNG_WORDS, LOG))
        self.progress = make((size, 2), np.int64)
        self.observation, self.hidden = (make((size, width), np.int8) for width in (SIZE, HIDDEN_SIZE))
        self.mask, self.block, self.turn, self.places = (make((size,), np.int64) for _ in range(4))
        self.points, self.reward, self.won = (make((size, SEATS), np.float32) for _ in range(3))
        shared = ("progress", "observation", "hidden", "mask", "block", "turn", "places", "points", "reward", "won")
        self._at = {name: cuda.as_cuda_array(getattr(self, name)) for name in shared}
        self._grid = (size + THREADS - 1) // THREADS, THREADS

    def reset(self, seed: int, streams: Sequence[int] | Int64Array | None = None) -> None:
        chosen = np.arange(self.size) if streams is None else np.ascontiguousarray(streams, np.int64)
        reset_all[self._grid](
            self.states, self.rules, self.which, self.rngs, self.logs, self._at["progress"], cuda.to_device(chosen),
            seed,
        )  # fmt: skip

    def observe(self) -> None:
        at = self._at
        observe_all[self._grid](
            self.states, self.rules, self.which, self.logs, at["progress"], at["observation"], at["hidden"],
            at["mask"], at["block"], at["turn"],
        )  # fmt: skip

    def step(self, places: Any) -> None:
        """An illegal place changes nothing and is marked REFUSED in `progress`; no exception, because that would need a
        synchronisation with the device.
        """
        at = self._at
        step_all[self._grid](
            self.states, self.rules, self.which, self.rngs, self.logs, at["progress"], cuda.as_cuda_array(places),
            at["points"], at["reward"], at["won"],
        )  # fmt: skip

    def policy_places(self) -> Any:
        policy_places_of_all[self._grid](self.states, self.rules, self.which, self.rngs, self._at["places"])
        return self.places
