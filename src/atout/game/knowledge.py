"""What one seat knows, as numbers: the only thing a bot or a view is made from."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from atout.game.setup import Setup
from atout.knowledge import entries as knowledge_entries
from atout.knowledge.features import SIZE
from atout.knowledge.world_source import WorldSource
from atout.rules import entries
from atout.rules.arrays import Int64Array, plain
from atout.rules.layout import (
    FACTS,
    FACTS_WORDS,
    NOBODY,
    PLAN_WORDS,
    RNG_WORDS,
    SEATS,
    STATE,
    STATE_WORDS,
)

TURN = STATE.fields["turn"][1] // 8  # type: ignore[index]
Log = np.ndarray[Any, np.dtype[np.int64]]
MAX_SCENARIOS = 3**SEATS
_END = STATE_WORDS + FACTS_WORDS


class Knowledge:
    """A seat's redacted state, the facts it can remember, and the redacted log of the round.

    There is no way back from here to the state. `sample` draws a world the seat may be in.
    """

    def __init__(self, setup: Setup, seat: int | None, seen: Int64Array, facts: Int64Array, log: Log) -> None:
        """Made by `of` or `rebuilt`; all arrays are redacted already."""
        self.setup, self.seat, self.length = setup, seat, len(log)
        self.seen, self.facts, self.log = seen, facts, log
        self._sampler: Sampler | None = None

    @cached_property
    def state(self) -> Any:
        """The redacted state by name."""
        return plain(self.seen, STATE)

    @cached_property
    def fact(self) -> Any:
        """The facts by name."""
        return plain(self.facts, FACTS)

    @classmethod
    def of(cls, setup: Setup, seat: int | None, state: Int64Array, log: Log) -> Knowledge:
        """Through the gate: what the seat may know of a state and the log of its round."""
        words = np.zeros(_END + len(log), np.int64)
        seen, facts, seen_log = words[:STATE_WORDS], words[STATE_WORDS:_END], words[_END:]
        number = NOBODY if seat is None else seat
        knowledge_entries.redact(state, setup.rules, log, len(log), number, seen, facts, seen_log)
        return cls(setup, seat, seen, facts, seen_log)

    @property
    def legal(self) -> int:
        """The legal actions, if it is this seat's turn: a seat in turn knows its hand and the table."""
        if self.seat is None or self.seen[TURN] != self.seat:
            return 0
        return entries.legal(self.seen, self.setup.rules)

    def encode(self) -> tuple[npt.NDArray[np.int8], int]:
        """What the seat knows as the vector of `knowledge/features.py`; its legal actions as a mask over their block.

        For the seat in turn; any other seat has no legal actions.
        """
        if self.seat is None:
            raise ValueError("a spectator has no place to look from; ask for a seat's knowledge")
        observation = np.zeros(SIZE, np.int8)
        mask = knowledge_entries.encode(self.seen, self.facts, self.setup.rules, observation)
        return observation, mask if self.seen[TURN] == self.seat else 0

    @property
    def sampler(self) -> Sampler:
        if self._sampler is None:
            self._sampler = Sampler(self)
        return self._sampler


class Sampler:
    """Draws worlds consistent with a seat's knowledge, all equally likely; the table is built once."""

    def __init__(self, knowledge: Knowledge) -> None:
        if knowledge.seat is None:
            raise ValueError("a spectator holds no cards to reason from; ask for a seat's knowledge")
        self.knowledge = knowledge
        known = knowledge.seen, knowledge.facts, knowledge.setup.rules
        plan = np.zeros(PLAN_WORDS, np.int64)
        ways = np.zeros(knowledge_entries.sample_size(*known, plan), np.float64)
        chances = np.zeros(MAX_SCENARIOS, np.float64)
        self.placements: float = knowledge_entries.sample_plan(*known, plan, ways, chances)
        """In how many ways the unseen cards can lie; copies of a kind count as different cards."""
        self.source = WorldSource(*known, plan, ways, chances, knowledge.log)
        """The same for compiled searches, which draw thousands of worlds in one call."""

    def draw(self, rng: Int64Array) -> tuple[Int64Array, Log]:
        """A whole state, and the log with every secret choice filled in."""
        world, log = np.zeros(STATE_WORDS, np.int64), np.zeros(self.knowledge.length, np.int64)
        knowledge_entries.sample_draw(self.source, rng, world, log)
        return world, log


def new_rng(seed: int, stream: int = 0) -> Int64Array:
    """A source of chance for `Sampler.draw`."""
    rng = np.zeros(RNG_WORDS, np.int64)
    entries.seed(rng, seed, stream)
    return rng
