"""Whether a bot keeps a budget of seconds, judged by medians so that a busy machine does not make it fail."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

from atout.exam.questions import Question
from atout.exam.report import Timing

OVER = 1.1
"""A budget may be overrun by a tenth."""
CALL = 0.02
"""Seconds added for the call itself: reading the view, and the first step of a search."""


def allowed(seconds: float) -> float:
    """The longest median that keeps a budget.

    >>> round(allowed(1.0), 3)
    1.12
    """
    return OVER * seconds + CALL


def timings(measured: Iterable[tuple[Question, float]], seconds: float) -> list[Timing]:
    """Times by setup, and by phase of a game, so that a bot that is slow in one of them only is found."""
    groups: dict[str, list[float]] = {}
    for question, spent in measured:
        groups.setdefault(question.setup.name, []).append(spent)
        groups.setdefault(f"{question.setup.edition.game}: {question.phase}", []).append(spent)
    return [
        Timing(what, len(spent), median(spent), max(spent), allowed(seconds)) for what, spent in sorted(groups.items())
    ]
