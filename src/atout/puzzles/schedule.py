"""Spaced repetition: when a mistake comes back. Later and later while it is solved, soon after it was not (FSRS)."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fsrs import Scheduler

DAY = 86400.0


def next_time(card: bytes, is_right: bool, now: float) -> tuple[bytes, float]:
    """The card after an attempt at time `now`, and when it is due; an empty card was never tried.

    Needs `fsrs`, which comes with `atout[server]`.

    >>> card, first = next_time(b"", True, 0.0)
    >>> card, second = next_time(card, True, first)
    >>> _, third = next_time(card, False, second)
    >>> 1 <= first / DAY < (second - first) / DAY, (third - second) / DAY < (second - first) / DAY
    (True, True)
    """
    from fsrs import Card, Rating

    when = datetime.fromtimestamp(now, UTC)
    known = Card.from_json(card.decode()) if card else Card(card_id=0, due=when)
    after, _ = _scheduler().review_card(known, Rating.Good if is_right else Rating.Again, when)
    return after.to_json().encode(), after.due.timestamp()


@cache
def _scheduler() -> Scheduler:
    """Whole days from the first attempt on, and nothing random: the same attempts give the same days."""
    from fsrs import Scheduler

    return Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
