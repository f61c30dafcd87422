"""How much work a review spends: levels of effort, counted in network evaluations and not in seconds.

A budget of seconds chooses a level by what an evaluation usually takes. So the same budget is the same work on every
machine and on every day, and gives the same review.
"""

from __future__ import annotations

from msgspec import Struct

from atout.errors import UsageError

EVALUATION_SECONDS = 0.00013
"""What an evaluation is taken to last; as measured on one core of a Neoverse-N1."""
PASSES = 1.7
"""Passes over a decision, on average: the first, and the check in fresh worlds where it matters."""


class Effort(Struct, frozen=True):
    """Network evaluations for one pass over a decision, and limits on its worlds."""

    level: int
    evaluations: int
    fewest: int
    """Worlds of a pass, at least."""
    most: int
    """Worlds of a pass, at most."""
    passes: int
    """Passes of fresh worlds, at most, while their standard error is too large."""
    nodes: int
    """Positions that the exact solver may visit for a decision."""

    @property
    def seconds(self) -> float:
        """What a decision is taken to last on one core."""
        return PASSES * self.evaluations * EVALUATION_SECONDS


EFFORTS = (
    Effort(0, 500, 8, 64, 1, 1 << 17),
    Effort(1, 1_000, 12, 96, 3, 1 << 18),
    Effort(2, 2_000, 24, 128, 5, 1 << 19),
    Effort(3, 4_000, 32, 192, 6, 1 << 20),
    Effort(4, 8_000, 48, 384, 6, 1 << 21),
    Effort(5, 16_000, 64, 768, 6, 1 << 22),
    Effort(6, 32_000, 96, 1_536, 6, 1 << 23),
)
DEFAULT = EFFORTS[2]


def effort_of(seconds: float) -> Effort:
    """The highest level at which one decision takes no longer, or the lowest.

    >>> effort_of(0.3).level, effort_of(2.0).level, effort_of(0.0).level
    (1, 4, 0)
    """
    if not seconds >= 0:
        raise UsageError(f"time: {seconds} is not allowed; allowed: seconds from 0")
    return next((effort for effort in reversed(EFFORTS) if effort.seconds <= seconds), EFFORTS[0])
