"""When a bot's decision is shown: at a moment that says nothing of its cards.

A bot with one legal card answers sooner than one that has to search. So its answer is held back until a moment that
follows from public things alone: when it was asked, the table's pace, the bot's level and its seat.

    asked ──────── delay ────────► due ── STEP ──► ── STEP ──►        thinking that ends late is shown at the next step
"""

from __future__ import annotations

from math import ceil
from typing import Literal

from atout.bots import SEARCHING

CALM_SECONDS = 0.7
"""Until a decision is shown at a calm table: about as long as people take."""
QUICK_SECONDS = 0.1
"""The least delay of a bot that does not search; it decides within milliseconds."""
SLACK, SLACK_SECONDS = 1.5, 0.05
"""The delay of a search bot is at least its budget times `SLACK` plus `SLACK_SECONDS`: its search may end that late."""
STEP_SECONDS = 0.5
"""Late decisions are shown at multiples of this after they were due: what made them late is the load of the machine."""
SEAT_SECONDS = 0.01
"""Bots that are asked at the same time are shown in the order of their seats, not in the order they were ready."""


class Pace:
    """The rule, with the operator's settings: the search bots' budget, and a factor for the delays."""

    def __init__(self, budget: float, factor: float) -> None:
        self._budget, self._factor = budget, factor

    @property
    def is_held(self) -> bool:
        """Whether decisions are held back at all."""
        return self._factor > 0

    def delay(self, pace: Literal["calm", "at-once"], level: str, cards: int = 1) -> float:
        """Seconds from asking a bot of this level until its decision is shown; cards chosen together share the pause.

        >>> rule = Pace(budget=0.3, factor=1.0)
        >>> rule.delay("calm", "expert"), rule.delay("at-once", "expert"), rule.delay("at-once", "novice")
        (0.7, 0.5, 0.1)
        >>> rule.delay("calm", "novice", cards=2)
        0.35
        """
        least = round(SLACK * self._budget + SLACK_SECONDS, 3) if level in SEARCHING else QUICK_SECONDS
        pause = CALM_SECONDS / cards if pace == "calm" else 0.0
        return self._factor * max(pause, least)

    def moment(self, asked: float, delay: float, seat: int, ready: float) -> float:
        """When a decision is shown that was asked for and ready at these times.

        >>> rule = Pace(budget=0.3, factor=1.0)
        >>> rule.moment(asked=10.0, delay=0.5, seat=0, ready=10.002), rule.moment(10.0, 0.5, 0, ready=10.4)
        (10.5, 10.5)
        >>> rule.moment(asked=10.0, delay=0.5, seat=0, ready=10.51), rule.moment(10.0, 0.5, 0, ready=10.9)
        (11.0, 11.0)
        """
        if not self.is_held:
            return ready
        due = asked + delay + seat * SEAT_SECONDS
        return due if ready <= due else due + ceil((ready - due) / STEP_SECONDS) * STEP_SECONDS
