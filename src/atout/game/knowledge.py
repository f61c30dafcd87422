"""`Knowledge`: what one seat knows, as arrays. Bots and views are made from nothing else."""

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

    There is no way back from here to the state. `sampler` draws worlds that the seat may be in.

    >>> from atout.game import Game
    >>> knowledge = Game.new("niet-2015", players=4, seed=7).knowledge(seat=0)
    >>> knowledge.fact.in_hand[:4], knowledge.state.hand[1]
    ([15, 15, 15, 15], 0)
    """

    def __init__(self, setup: Setup, seat: int | None, redacted: Int64Array, facts: Int64Array, log: Log) -> None:
        """Use `Knowledge.of`, `Game.knowledge` or `read_view`; all arrays given here are redacted already."""
        self.setup, self.seat, self.length = setup, seat, len(log)
        self.redacted, self.facts, self.log = redacted, facts, log
        self._sampler: Sampler | None = None

    @cached_property
    def state(self) -> Any:
        """The redacted state with the names of `rules/layout.py`."""
        return plain(self.redacted, STATE)

    @cached_property
    def fact(self) -> Any:
        """The facts with the names of `rules/layout.py`."""
        return plain(self.facts, FACTS)

    @classmethod
    def of(cls, setup: Setup, seat: int | None, state: Int64Array, log: Log) -> Knowledge:
        """What the seat may know of a state and the log of its round; all redaction happens here."""
        words = np.zeros(_END + len(log), np.int64)
        redacted, facts, redacted_log = words[:STATE_WORDS], words[STATE_WORDS:_END], words[_END:]
        number = NOBODY if seat is None else seat
        knowledge_entries.redact(state, setup.rules, log, len(log), number, redacted, facts, redacted_log)
        return cls(setup, seat, redacted, facts, redacted_log)

    @property
    def legal(self) -> int:
        """The legal actions as a mask, if it is this seat's turn; else 0."""
        if self.seat is None or self.redacted[TURN] != self.seat:
            return 0
        return entries.legal(self.redacted, self.setup.rules)

    def encode(self) -> tuple[npt.NDArray[np.int8], int]:
        """The features of the seat (`knowledge/features.py`), and its legal actions as a mask over their block.

        A seat that is not in turn has no legal actions.
        """
        if self.seat is None:
            raise ValueError("a spectator has no features; use the knowledge of a seat")
        observation = np.zeros(SIZE, np.int8)
        mask = knowledge_entries.encode(self.redacted, self.facts, self.setup.rules, observation)
        return observation, mask if self.redacted[TURN] == self.seat else 0

    @property
    def sampler(self) -> Sampler:
        """The sampler of worlds for this knowledge, made once."""
        if self._sampler is None:
            self._sampler = Sampler(self)
        return self._sampler


class Sampler:
    """Draws worlds that are consistent with a seat's knowledge, all equally likely.

    >>> from atout.game import Game
    >>> game = Game.new("nichtig", players=3, seed=1)
    >>> world, log = game.knowledge(0).sampler.draw(new_rng(5))
    """

    def __init__(self, knowledge: Knowledge) -> None:
        if knowledge.seat is None:
            raise ValueError("a spectator has no cards of its own; use the knowledge of a seat")
        self.knowledge = knowledge
        known = knowledge.redacted, knowledge.facts, knowledge.setup.rules
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
    """A random number generator for `Sampler.draw` and `Game.play_randomly`.

    >>> bool((new_rng(7) == new_rng(7)).all()), bool((new_rng(7) == new_rng(7, stream=1)).all())
    (True, False)
    """
    rng = np.zeros(RNG_WORDS, np.int64)
    entries.seed(rng, seed, stream)
    return rng
