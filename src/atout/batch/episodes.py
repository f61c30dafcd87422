"""Episodes of many matches at once, in the flat action space: what the batched environment is made of.

A step plays one action per match and observes the seats that are in turn then, in one pass. The arrays are aligned, so
that PyTorch and JAX share them without a copy (DLPack). `episodes_device.py` has the same on a GPU.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from atout.batch import step
from atout.batch.host import SMALL, reset_some
from atout.errors import UsageError
from atout.game.setup import Setup
from atout.knowledge.features import ACTIONS, SIZE
from atout.rules.arrays import Int64Array, as_facts, as_rules, as_state
from atout.rules.jit import entry
from atout.rules.layout import FACTS_WORDS, LOG, NOBODY, RNG_WORDS, SEATS, STATE_WORDS

ALIGNED = 64
"""Bytes: JAX copies arrays that do not begin at a multiple."""


@entry
def advance_some(
    states: Any, rows: Any, which: Any, rngs: Any, logs: Any, progress: Any, actions: Any, points: Any, reward: Any,
    won: Any, stop: int, mode: int, terminated: Any, first: int, last: int,
) -> None:  # fmt: skip
    for i in range(first, last):
        terminated[i] = step.step_episode(
            as_state(states[i]), as_rules(rows[which[i]]), rngs[i], logs[i], progress[i], actions[i], points[i],
            reward[i], won[i], stop, mode,
        )  # fmt: skip


@entry
def renew_some(
    states: Any, rows: Any, which: Any, rngs: Any, logs: Any, progress: Any, chosen: Any, terminated: Any, first: int,
    last: int,
) -> None:  # fmt: skip
    """Begin the next episode of the chosen matches."""
    for i in range(first, last):
        if chosen[i]:
            step.renew(as_state(states[i]), as_rules(rows[which[i]]), rngs[i], logs[i], progress[i])
            terminated[i] = 0


@entry
def observe_seats_some(
    states: Any, rows: Any, which: Any, logs: Any, progress: Any, seats: Any, observation: Any, mask: Any, seen: Any,
    facts: Any, seen_log: Any, in_turn: bool, first: int, last: int,
) -> None:  # fmt: skip
    """Observe the given seats; with `in_turn` those in turn, which are noted in `seats` (at the end: the last one)."""
    o, f = as_state(seen), as_facts(facts)
    for i in range(first, last):
        s = as_state(states[i])
        if in_turn and s.turn != NOBODY:
            seats[i] = s.turn
        step.observe_flat(
            s, as_rules(rows[which[i]]), logs[i], progress[i], seats[i], o, f, seen_log, observation[i], mask[i]
        )


def aligned(shape: tuple[int, ...], dtype: Any) -> npt.NDArray[Any]:
    """Zeros that begin at a multiple of 64 bytes."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    buffer = np.zeros(size + ALIGNED, np.uint8)
    first = -buffer.ctypes.data % ALIGNED
    return buffer[first : first + size].view(dtype).reshape(shape)


class Episodes:
    """Episodes on the CPU; match i has the setup `setups[which[i]]`."""

    def __init__(
        self, setups: Sequence[Setup], which: Sequence[int] | Int64Array, stop: int, mode: int,
        threads: int | None = None,
    ) -> None:  # fmt: skip
        self.setups, self.stop, self.mode = tuple(setups), stop, mode
        self.which: Int64Array = np.ascontiguousarray(which, np.int64)
        if self.which.ndim != 1 or len(self.which) == 0 or not 0 <= self.which.min() <= self.which.max() < len(setups):
            raise UsageError(f"which: expected a list of numbers from 0 to {len(setups) - 1}, one per match")
        size = self.size = len(self.which)
        self.rules: Int64Array = np.stack([setup.rules for setup in setups])
        self.states, self.logs, self.rngs, self.progress = (
            np.zeros((size, width), np.int64) for width in (STATE_WORDS, LOG, RNG_WORDS, 2)
        )
        self.current_player = aligned((size,), np.int64)
        self.observation = aligned((size, SIZE), np.int8)
        self.legal_action_mask = aligned((size, ACTIONS), np.bool_)
        self.terminated = aligned((size,), np.bool_)
        self.points, self.gain, self.won = (aligned((size, SEATS), np.float32) for _ in range(3))
        count = max(1, min(threads or os.cpu_count() or 1, size // SMALL))
        self._chunks = [(size * i // count, size * (i + 1) // count) for i in range(count)]
        self._threads = ThreadPoolExecutor(count) if count > 1 else None

    def reset(self, seed: int, streams: Sequence[int] | Int64Array | None = None) -> None:
        """New matches; those with the same stream and setup are the same."""
        chosen: Int64Array = np.arange(self.size) if streams is None else np.ascontiguousarray(streams, np.int64)

        def work(first: int, last: int) -> None:
            reset_some(
                self.states, self.rules, self.which, self.rngs, self.logs, self.progress, chosen, seed, first, last
            )
            self._observe(first, last)

        for array in (self.terminated, self.points, self.gain, self.won):
            array[:] = 0
        self._all(work)

    def renew(self, chosen: npt.NDArray[np.bool_]) -> None:
        """Begin the next episode of the chosen matches, and observe."""
        marked = np.ascontiguousarray(chosen, np.bool_).view(np.int8)

        def work(first: int, last: int) -> None:
            renew_some(
                self.states, self.rules, self.which, self.rngs, self.logs, self.progress, marked,
                self.terminated.view(np.int8), first, last,
            )  # fmt: skip
            self._observe(first, last)

        self._all(work)

    def step(self, actions: npt.NDArray[np.int64]) -> None:
        """One action per match, then what the seats in turn see."""
        chosen: Int64Array = np.ascontiguousarray(actions, np.int64)
        if chosen.shape != (self.size,):
            raise UsageError(f"actions: shape {chosen.shape} is not allowed; allowed: ({self.size},), one per match")

        def work(first: int, last: int) -> None:
            advance_some(
                self.states, self.rules, self.which, self.rngs, self.logs, self.progress, chosen, self.points,
                self.gain, self.won, self.stop, self.mode, self.terminated.view(np.int8), first, last,
            )  # fmt: skip
            self._observe(first, last)

        self._all(work)
        refused = np.flatnonzero(self.progress[:, step.ENDED] == step.REFUSED)
        if len(refused):
            i = int(refused[0])
            why = "its episode is over" if self.terminated[i] else "allowed: those of legal_action_mask"
            raise UsageError(f"actions: {int(chosen[i])} is not legal in match {i}; {why}")

    def observe_seats(self, seats: Int64Array, observation: npt.NDArray[np.int8], mask: npt.NDArray[np.bool_]) -> None:
        """What the given seats see; only a seat in turn has legal actions."""
        chosen: Int64Array = np.ascontiguousarray(seats, np.int64)
        self._all(lambda first, last: self._observe(first, last, chosen, observation, mask))

    def _observe(self, first: int, last: int, seats: Any = None, observation: Any = None, mask: Any = None) -> None:
        seen, facts, seen_log = (np.zeros(words, np.int64) for words in (STATE_WORDS, FACTS_WORDS, LOG))
        in_turn = seats is None
        if in_turn:
            seats, observation, mask = self.current_player, self.observation, self.legal_action_mask
        observe_seats_some(
            self.states, self.rules, self.which, self.logs, self.progress, seats, observation, mask.view(np.int8),
            seen, facts, seen_log, in_turn, first, last,
        )  # fmt: skip

    def _all(self, work: Callable[[int, int], None]) -> None:
        if self._threads is None:
            for first, last in self._chunks:
                work(first, last)
        else:
            for done in [self._threads.submit(work, first, last) for first, last in self._chunks]:
                done.result()
