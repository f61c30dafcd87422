"""Verifying records against the rules, thousands per second.

`Game.from_record` defines what a valid record is, and says what is wrong with any other. The verifier first replays
whole matches in one call of the compiled rules; only a record that does not pass there is replayed action by action,
to find the reason.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from atout.editions import Edition
from atout.errors import EditionError, RecordError
from atout.game import Game, Setup
from atout.game.notation import Notation, bits_of, notation_of
from atout.game.record import Recorded, setup_of, type_problem
from atout.game.view import lanes
from atout.rules import entries
from atout.rules.arrays import Int64Array, plain
from atout.rules.layout import DEAL, OVER, RNG_WORDS, SEATS, STATE, STATE_WORDS


class Verifier:
    """Checks one line after another; `edition` gives the house rules of records that do not carry them.

    >>> Verifier().check(b"{}")
    Traceback (most recent call last):
    ...
    atout.errors.RecordError: object missing required field atout
    """

    def __init__(self, edition: Edition | None = None) -> None:
        self._edition = edition
        self._decoder = msgspec.json.Decoder(Recorded)
        self._tables: dict[Any, _QuickReplay] = {}

    def check(self, line: bytes) -> Recorded:
        """Return the record of a line; `RecordError` if it breaks a rule."""
        record = self.decode(line)
        if not self._passes_quickly(record):
            Game.from_record(record)
        return record

    def decode(self, line: bytes) -> Recorded:
        """Decode a line, and add the given house rules if it names them without carrying them."""
        try:
            record = self._decoder.decode(line.decode("utf-8"))
        except UnicodeDecodeError as error:
            raise RecordError(f"not UTF-8: byte {error.start} of the line is {line[error.start]:#04x}") from None
        except (msgspec.ValidationError, RecursionError) as error:
            raise RecordError(type_problem(error)) from None
        except msgspec.DecodeError as error:
            raise RecordError(f"not JSON: {error}") from None
        house = self._edition
        if house is not None and record.rules is None and record.edition == house.id:
            record = msgspec.structs.replace(record, rules=msgspec.to_builtins(house))
        return record

    def _passes_quickly(self, record: Recorded) -> bool:
        try:
            return self._table(record).passes(record)
        except (EditionError, RecordError):
            return False

    def _table(self, record: Recorded) -> _QuickReplay:
        if record.rules is not None or record.options:
            return _QuickReplay(setup_of(record))
        key = record.atout, record.edition, record.players
        if key not in self._tables:
            self._tables[key] = _QuickReplay(setup_of(record))
        return self._tables[key]


class _QuickReplay:
    """Replays records of one setup, all rounds in one call."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.notation: Notation = notation_of(setup)
        self.state = np.zeros(STATE_WORDS, np.int64)
        self.rng = np.zeros(RNG_WORDS, np.int64)

    def passes(self, record: Recorded) -> bool:
        """Whether the record is valid; False says nothing about the reason."""
        packs, log = self._packs(record), self._log(record)
        if packs is None or log is None or record.first_dealer >= self.setup.players:
            return False
        rounds = len(record.rounds)
        lengths = np.array([len(one.actions) for one in record.rounds], np.int64)
        results = np.zeros((rounds, 5 + SEATS), np.int64)
        rules = self.setup.rules
        entries.begin(self.state, rules, record.first_dealer)
        if entries.replay_match(self.state, rules, self.rng, packs, log, lengths, results) != rounds:
            return False
        return self._has_played_results(record, results.tolist()) and self._has_played_end(record)

    def _packs(self, record: Recorded) -> Int64Array | None:
        """All hands of all rounds as kinds, in dealing order."""
        hands = [hand for one in record.rounds for hand in one.hands]
        spaces = self.setup.hand_size - 1
        if any(len(one.hands) != self.setup.players for one in record.rounds):
            return None
        if any(hand.count(" ") != spaces for hand in hands):
            return None
        cards = " ".join(hands).split(" ") if hands else []
        return _numbers(self.notation.kind_of, cards)

    def _log(self, record: Recorded) -> Int64Array | None:
        return _numbers(self.notation.entry_of, [words for one in record.rounds for words in one.actions])

    def _has_played_results(self, record: Recorded, results: list[list[int]]) -> bool:
        """Whether every round began and ended as the record says; only the last may be unfinished."""
        njet, players = self.setup.edition.is_njet, self.setup.players
        for number, (recorded, result) in enumerate(zip(record.rounds, results, strict=True), 1):
            dealer, start, phase, tricks, loot, *scores = result
            if (recorded.dealer != dealer) if njet else (recorded.leader != start):
                return False
            if phase != DEAL and phase != OVER:
                return number == len(results) and recorded.tricks is recorded.loot is recorded.scores is None
            if recorded.scores != scores[:players]:
                return False
            if njet and (recorded.tricks != lanes(tricks, players) or recorded.loot != lanes(loot, players)):
                return False
        return True

    def _has_played_end(self, record: Recorded) -> bool:
        if self.state[0] != OVER:
            return record.totals is None and record.winners is None
        totals = plain(self.state, STATE).totals[: self.setup.players]
        winners = bits_of(entries.winners(self.state, self.setup.rules))
        return record.totals == totals and record.winners == winners


def _numbers(numbers: dict[str, int], words: list[str]) -> Int64Array | None:
    """The texts as numbers; None if one is unknown."""
    try:
        return np.fromiter(map(numbers.__getitem__, words), np.int64, len(words))
    except KeyError:
        return None
