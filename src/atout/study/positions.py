"""The positions of a record in which a seat had a choice, with all cards: the raw material of a review."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from msgspec import Struct

from atout.game import Game, Knowledge, Setup
from atout.game.notation import bits_of, notation_of
from atout.game.record import Recorded, parse_hands, read, setup_of
from atout.rules import entries
from atout.rules.arrays import Int64Array
from atout.rules.autoplay import LENGTH
from atout.rules.layout import RNG_WORDS, STATE, STATE_WORDS
from atout.rules.log import action_of, logged, phase_of, seat_of
from atout.search.net_rollout import Worlds, new_worlds

PHASE = STATE.fields["phase"][1] // 8  # type: ignore[index]
SCORES = STATE.fields["scores"][1] // 8  # type: ignore[index]


class Position(Struct, frozen=True):
    """A moment of a round before an action, as it really was."""

    setup: Setup
    round: int
    index: int
    """The place of the action among the round's actions."""
    state: Int64Array
    log: Int64Array
    entry: int
    """The action that was taken, with its seat and phase (`rules/log.py`)."""

    @property
    def seat(self) -> int:
        return seat_of(self.entry)

    @property
    def phase(self) -> int:
        return phase_of(self.entry)

    @property
    def chosen(self) -> int:
        return action_of(self.entry)

    @property
    def legal(self) -> list[int]:
        return bits_of(entries.legal(self.state, self.setup.rules))

    def knowledge(self, seat: int | None = None) -> Knowledge:
        """What a seat knew; without a number, the one that acts."""
        return Knowledge.of(self.setup, self.seat if seat is None else seat, self.state, self.log)

    def word(self, action: int) -> str:
        """An action of the seat as it is written in a record."""
        return notation_of(self.setup).text_of[logged(self.seat, self.phase, action)]

    def world(self) -> Worlds:
        """The true world as one row."""
        worlds = new_worlds(1)
        worlds.states[0], worlds.logs[0, : len(self.log)] = self.state, self.log
        worlds.progress[0, LENGTH] = len(self.log)
        return worlds


class PlayedRound(Struct, frozen=True):
    """A round of a record: every position with a choice, and how it ended."""

    setup: Setup
    number: int
    choices: tuple[Position, ...]
    """Positions with more than one legal action."""
    end: Int64Array
    """The state after the last action."""
    log: Int64Array
    is_finished: bool

    @property
    def scores(self) -> list[int]:
        """The points of every seat; only of a finished round."""
        return [int(x) for x in self.end[SCORES : SCORES + self.setup.players]]


def played_rounds(record: Any) -> Iterator[PlayedRound]:
    """The rounds of a record. It is checked first: `RecordError` if it breaks a rule."""
    recorded = read(record)
    Game.from_record(recorded)
    setup = setup_of(recorded)
    state = np.zeros(STATE_WORDS, np.int64)
    entries.begin(state, setup.rules, recorded.first_dealer)
    for number in range(len(recorded.rounds)):
        yield _play_round(recorded, setup, number, state)


def _play_round(recorded: Recorded, setup: Setup, number: int, state: Int64Array) -> PlayedRound:
    """Replay a round on `state`."""
    notation, recorded_round = notation_of(setup), recorded.rounds[number]
    pack = [kind for hand in parse_hands(notation, recorded_round.hands) for kind in hand]
    rng = np.zeros(RNG_WORDS, np.int64)
    rng[1 : 1 + len(pack)] = pack
    entries.deal_pack(state, setup.rules, rng)
    log = np.array([notation.entry_of[words] for words in recorded_round.actions], np.int64)
    choices = []
    for index, entry in enumerate(log.tolist()):
        if entries.legal(state, setup.rules).bit_count() > 1:
            choices.append(Position(setup, number, index, state.copy(), log[:index], entry))
        entries.apply(state, setup.rules, action_of(entry))
    is_finished = recorded_round.scores is not None
    return PlayedRound(setup, number, tuple(choices), state.copy(), log, is_finished)


def seed_of(knowledge: Knowledge, evaluator: str, purpose: str) -> int:
    """A seed from what a seat knows, and from nothing else: hidden cards cannot change what a review finds."""
    digest = hashlib.sha256(f"{evaluator} {purpose} {knowledge.seat}".encode())
    for words in (knowledge.redacted, knowledge.facts, knowledge.log):
        digest.update(np.ascontiguousarray(words, "<i8").tobytes())
    return int.from_bytes(digest.digest()[:7], "little")
