"""What a bot says that its choice and the other actions are worth, so that the two agree.

A bot does not always choose the action with the highest mean: it goes by visits, or by what is certain, because a mean
over a few worlds is mostly luck. Where the worlds were too few to decide, nothing is said: an action that seems better
than the choice is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from atout.game.setup import Setup
from atout.search.gain import gain


class ConsistentEstimates(Struct, frozen=True):
    """Estimates that agree with the choice, and two numbers about it."""

    estimates: dict[str, list[float]]
    """The expected points of every seat, by action; no action gains more than the choice."""
    gain: float
    """What the choice gains."""
    better_by: float
    """How much more it gains than the best of the others; 0 if one of them seems better, or there is none."""


def consistent_estimates(
    choice: str, points: Mapping[str, Sequence[float]], setup: Setup, seat: int
) -> ConsistentEstimates:
    """The estimates of a decision of a seat, without actions that seem to gain more than the choice.

    >>> setup = Setup.of("nichtig", 3)
    >>> consistent_estimates("a", {"a": [4, 1, 1], "b": [9, 0, 0], "c": [2, 1, 1]}, setup, seat=0)
    ConsistentEstimates(estimates={'a': [4, 1, 1], 'c': [2, 1, 1]}, gain=3.0, better_by=0.0)
    """
    gains = {action: gain(expected, setup, seat) for action, expected in points.items()}
    best = gains[choice]
    certain = {action: expected for action, expected in points.items() if gains[action] <= best}
    others = [min(best, one) for action, one in gains.items() if action != choice]
    return ConsistentEstimates(
        {action: [round(one, 2) for one in expected] for action, expected in certain.items()},
        round(best, 2),
        round(best - max(others), 2) if others else 0.0,
    )
