"""Where a match begins that is played on from a decision of another one.

A table opened with an origin starts with the deals and actions of a record up to that decision; later rounds are
dealt by its own shuffle. It has no names, and its match is neither kept as a record nor counted: part of it was played
by others, and its first deals cannot be proved by this table's secret.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from atout.errors import RecordError
from atout.game import Game, Setup
from atout.game.game import Deals
from atout.game.record import Recorded, read
from atout.game.view import SECRET_NAMES


class Begun(Struct, frozen=True):
    """A round of an origin: its deal, and the actions that were played. Only the last round is unfinished."""

    hands: list[str]
    actions: list[str]


class Origin(Struct, frozen=True):
    """A decision of an earlier match, with everything that led to it. It contains all hands: for the server alone."""

    source: str
    """Where the match is found: `records/…`, `shared/…` or `puzzles/…`."""
    seat: int
    first_dealer: int
    rounds: list[Begun]

    def shown(self, *, with_source: bool) -> OriginView:
        return OriginView(self.source if with_source else "", self.seat, len(self.rounds) - 1)

    def start(self, rules: Setup, later: Deals) -> Game:
        """The match at that decision. `later` deals the rounds that follow."""
        known = [one.hands for one in self.rounds]
        game = Game.at(rules, 0, self.first_dealer, lambda n: known[n] if n < len(known) else later(n))
        for begun in self.rounds:
            for action in begun.actions:
                game.play(action)
        return game


class OriginView(Struct, frozen=True):
    """What the players of a table are told of its origin."""

    source: str
    """For whoever opened the table; empty for others: a record's id is its table's, which others have no part in."""
    seat: int
    round: int
    """From 0."""


def origin_of(record: Any, source: str, round: int, index: int) -> Origin:
    """The origin at an action of a record, `round` and `index` from 0; `RecordError` if there is no such action.

    Where all choose at the same time, the match begins before the first choice: nobody knew the others'.
    """
    recorded = read(record)
    if not 0 <= round < len(recorded.rounds):
        raise RecordError(f"there is no round {round}; expected 0 to {len(recorded.rounds) - 1}")
    last = recorded.rounds[round]
    if not 0 <= index < len(last.actions):
        raise RecordError(f"round {round} has no action {index}; expected 0 to {len(last.actions) - 1}")
    begin, seat = _decision(record, round, index)
    return _origin(recorded, source, seat, round, begin)


def origin_at_end(record: Any, source: str) -> Origin:
    """The origin at the decision with which an unfinished record stops, as that of a puzzle does."""
    recorded = read(record)
    round = len(recorded.rounds) - 1
    begin, seat = _decision(record, round, len(recorded.rounds[round].actions))
    return _origin(recorded, source, seat, round, begin)


def next_of(record: Any, round: int, index: int, seat: int) -> tuple[int, int]:
    """Round and index of the first action of a seat, from an action on; `RecordError` if none follows."""
    for number, one in enumerate(read(record).rounds):
        for place, action in enumerate(one.actions):
            if (number, place) >= (round, index) and int(action.split(" ")[0]) == seat:
                return number, place
    raise RecordError(f"seat {seat} decides nothing from action {index} of round {round} on; expected an earlier one")


def _origin(recorded: Recorded, source: str, seat: int, round: int, begin: int) -> Origin:
    last = recorded.rounds[round]
    rounds = [Begun(list(one.hands), list(one.actions)) for one in recorded.rounds[:round]]
    return Origin(source, seat, recorded.first_dealer, [*rounds, Begun(list(last.hands), list(last.actions[:begin]))])


def _decision(record: Any, round: int, index: int) -> tuple[int, int]:
    """Where the phase of an action's choice begins, and the seat that chose."""
    number, count, begin, seat = -1, 0, 0, 0
    before = ""
    for action, game in Game.steps(record):
        if action is None:
            number, count, before = number + 1, 0, ""
        else:
            count += 1
        if number == round:
            if game.phase not in SECRET_NAMES or game.phase != before:
                begin = count
            if count == index:
                seat = -1 if game.turn is None else game.turn
                break
        before = game.phase
    return begin, seat
