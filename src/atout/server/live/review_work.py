"""What reviews and hints ask of the bots' processes: each call is short. A record is read once in a process."""

from __future__ import annotations

from functools import lru_cache

import msgspec
from msgspec import Struct

from atout.errors import AtoutError, RecordError, UsageError
from atout.game import View
from atout.study import Decision, Explanation, Ledger, Study, explain
from atout.study.ledger import with_losses
from atout.study.model import RoundLedger
from atout.study.review import NothingToReview

KEPT = 3
"""Records that a process keeps ready."""
COME_BACK = ("mistake", "blunder")
"""Labels of decisions that come back as puzzles."""
Trouble = str
"""The code of the reason why there is no review."""


class Outline(Struct, frozen=True):
    """What can be told of a review before its decisions are judged."""

    decisions: int
    """How many there are."""
    evaluator: str
    effort: int
    spread: float
    ledger: Ledger
    """Without what decisions lost. A round whose curve is empty is not valued yet."""
    notes: tuple[str, ...] = ()


@lru_cache(KEPT)
def _study(body: bytes, seat: int) -> Study:
    return Study(msgspec.json.decode(body), seat)


def advise(view: View, seconds: float) -> Explanation | None:
    """Advice with reasons for the decision that a view asks for; None if its table was not learned."""
    try:
        return explain(view, seconds)
    except UsageError:
        return None


def outline(body: bytes, seat: int) -> Outline | Trouble:
    """Read a record; the code of the trouble if it cannot be reviewed."""
    try:
        study = _study(body, seat)
    except NothingToReview:
        return "nothing-played"
    except RecordError:
        return "bad-record"
    except AtoutError:
        return "not-learned"
    return Outline(
        len(study.positions), study.evaluator.id, study.effort.level, study.spread, study.outline(), study.notes
    )


def value_round(body: bytes, seat: int, number: int) -> RoundLedger:
    """What a round was worth to the seat, choice by choice; `number` is its place in the record."""
    return _study(body, seat).value_round(number)


def judge(body: bytes, seat: int, number: int) -> bytes:
    """Judge a decision, by its number among the seat's; as JSON."""
    return msgspec.json.encode(_study(body, seat).decision(number))


def conclude(outline: Ledger, decisions: list[bytes]) -> tuple[bytes, bytes, list[int]]:
    """The ledger, and the errors by phase, as JSON; and the numbers of the decisions that come back as puzzles."""
    known = [msgspec.json.decode(one, type=Decision) for one in decisions]
    ledger = with_losses(outline, known)
    wrong = [number for number, one in enumerate(known) if one.label in COME_BACK]
    return msgspec.json.encode(ledger), msgspec.json.encode(ledger.errors), wrong
