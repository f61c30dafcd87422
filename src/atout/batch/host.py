"""A batch on the CPU: threads step chunks of matches, in compiled code that releases the GIL."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from atout.batch import step
from atout.errors import UsageError
from atout.game.setup import Setup
from atout.knowledge.features import HIDDEN_SIZE, SIZE
from atout.rules.arrays import Int64Array, as_facts, as_rules, as_state
from atout.rules.jit import entry
from atout.rules.layout import FACTS_WORDS, LOG, RNG_WORDS, SEATS, STATE_WORDS

SMALL = 256
"""Fewest matches per thread."""


@entry
def reset_some(
    states: Any, rows: Any, which: Any, rngs: Any, logs: Any, progress: Any, streams: Any, seed: int, first: int,
    last: int,
) -> None:  # fmt: skip
    for i in range(first, last):
        r = as_rules(rows[which[i]])
        step.reset_one(as_state(states[i]), r, rngs[i], logs[i], progress[i], seed, streams[i])


@entry
def step_some(
    states: Any, rows: Any, which: Any, rngs: Any, logs: Any, progress: Any, places: Any, points: Any, reward: Any,
    won: Any, first: int, last: int,
) -> None:  # fmt: skip
    for i in range(first, last):
        r = as_rules(rows[which[i]])
        step.step_one(
            as_state(states[i]), r, rngs[i], logs[i], progress[i], places[i], points[i], reward[i], won[i], step.NEVER
        )


@entry
def observe_some(
    states: Any, rows: Any, which: Any, logs: Any, progress: Any, observation: Any, hidden: Any, mask: Any, block: Any,
    turn: Any, seen: Any, facts: Any, seen_log: Any, first: int, last: int,
) -> None:  # fmt: skip
    o, f = as_state(seen), as_facts(facts)
    for i in range(first, last):
        s = as_state(states[i])
        mask[i] = step.observe_one(
            s, as_rules(rows[which[i]]), logs[i], progress[i], o, f, seen_log, observation[i], hidden[i]
        )
        block[i] = step.block_of(s)
        turn[i] = s.turn


@entry
def policy_places_of_some(states: Any, rows: Any, which: Any, rngs: Any, places: Any, first: int, last: int) -> None:
    for i in range(first, last):
        places[i] = step.policy_place(as_state(states[i]), as_rules(rows[which[i]]), rngs[i])


class Batch:
    """Matches of given setups; match i has the setup `setups[which[i]]`.

    >>> batch = Batch([Setup.of("nichtig", 3)], which=[0, 0])
    >>> batch.reset(seed=1)
    >>> batch.observe()
    >>> batch.observation.shape[0], int(batch.mask[0]).bit_count()
    (2, 13)
    >>> batch.step(np.array([int(mask).bit_length() - 1 for mask in batch.mask]))
    """

    def __init__(self, setups: Sequence[Setup], which: Sequence[int] | Int64Array, threads: int | None = None) -> None:
        self.setups = tuple(setups)
        self.which: Int64Array = np.ascontiguousarray(which, np.int64)
        if self.which.ndim != 1 or len(self.which) == 0 or not 0 <= self.which.min() <= self.which.max() < len(setups):
            raise UsageError(f"which: expected a list of numbers from 0 to {len(setups) - 1}, one per match")
        size = self.size = len(self.which)
        self.rules: Int64Array = np.stack([setup.rules for setup in setups])
        self.states, self.logs, self.rngs, self.progress = (
            np.zeros((size, width), np.int64) for width in (STATE_WORDS, LOG, RNG_WORDS, 2)
        )
        self.observation, self.hidden = (np.zeros((size, width), np.int8) for width in (SIZE, HIDDEN_SIZE))
        self.mask, self.block, self.turn = (np.zeros(size, np.int64) for _ in range(3))
        self.points, self.reward, self.won = (np.zeros((size, SEATS), np.float32) for _ in range(3))
        self.places = np.zeros(size, np.int64)
        count = max(1, min(threads or os.cpu_count() or 1, size // SMALL))
        self._chunks = [(size * i // count, size * (i + 1) // count) for i in range(count)]
        self._threads = ThreadPoolExecutor(count) if count > 1 else None

    @property
    def ended(self) -> npt.NDArray[np.int64]:
        """How the last step ended for each match: GOES_ON, ROUND_OVER, MATCH_OVER (`step.py`)."""
        return self.progress[:, step.ENDED]

    def reset(self, seed: int, streams: Sequence[int] | Int64Array | None = None) -> None:
        """Begin new matches. Those with the same stream and setup have the same first dealer and deal."""
        chosen: Int64Array = np.arange(self.size) if streams is None else np.ascontiguousarray(streams, np.int64)
        self._all(
            lambda first, last: reset_some(
                self.states, self.rules, self.which, self.rngs, self.logs, self.progress, chosen, seed, first, last
            )
        )

    def observe(self) -> None:
        """Fill `observation`, `hidden`, `mask`, `block` and `turn` for the seat in turn of every match."""
        self._all(self._observe)

    def _observe(self, first: int, last: int) -> None:
        seen, facts, seen_log = (np.zeros(words, np.int64) for words in (STATE_WORDS, FACTS_WORDS, LOG))
        observe_some(
            self.states, self.rules, self.which, self.logs, self.progress, self.observation, self.hidden, self.mask,
            self.block, self.turn, seen, facts, seen_log, first, last,
        )  # fmt: skip

    def step(self, places: npt.NDArray[np.int64]) -> None:
        """One action per match, a place in the block of its phase. Fills `points`, `reward`, `won` and `ended`."""
        chosen: Int64Array = np.ascontiguousarray(places, np.int64)
        if chosen.shape != (self.size,):
            raise UsageError(f"places: shape {chosen.shape} is not allowed; allowed: ({self.size},), one per match")
        self._all(
            lambda first, last: step_some(
                self.states, self.rules, self.which, self.rngs, self.logs, self.progress, chosen, self.points,
                self.reward, self.won, first, last,
            )
        )  # fmt: skip
        refused = np.flatnonzero(self.ended == step.REFUSED)
        if len(refused):
            i = int(refused[0])
            raise UsageError(f"places: {int(chosen[i])} is not legal in match {i}; allowed: the bits of mask[{i}]")

    def policy_places(self) -> Int64Array:
        """The action of the playout policy (`search/playout/policy.py`) in every match, as places."""
        places = self.places
        self._all(
            lambda first, last: policy_places_of_some(
                self.states, self.rules, self.which, self.rngs, places, first, last
            )
        )
        return places

    def _all(self, work: Callable[[int, int], None]) -> None:
        if self._threads is None:
            for first, last in self._chunks:
                work(first, last)
        else:
            for done in [self._threads.submit(work, first, last) for first, last in self._chunks]:
                done.result()
