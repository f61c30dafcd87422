"""The positions of the exam as positions of a study, with an action that was taken there."""

from __future__ import annotations

from atout.exam.position import Position as ExamPosition
from atout.game.notation import notation_of
from atout.rules import entries
from atout.study.effort import Effort
from atout.study.evaluator import Evaluator
from atout.study.labels import spread_of
from atout.study.model import Decision
from atout.study.positions import Position, played_rounds
from atout.study.review import review_decision


def taken(position: ExamPosition, action: str) -> Position:
    """The moment before the action."""
    *_, played = played_rounds(position.game.record())
    setup = position.game.setup
    assert entries.legal(played.end, setup.rules).bit_count() > 1
    entry = notation_of(setup).entry_of[action]
    return Position(setup, played.number, len(played.log), played.end, played.log, entry)


def judged(position: ExamPosition, action: str, effort: Effort) -> Decision:
    """The review of an action in a position of the exam."""
    here = taken(position, action)
    return review_decision(Evaluator.of(here.knowledge()), here, effort, spread_of(here.setup))
