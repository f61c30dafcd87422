"""The gain of expected points, for Python: all callers share one function of the rules (`rules/scoring.py`)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from atout.game.setup import Setup
from atout.rules.scoring import compare_sides

Float64Array = npt.NDArray[np.float64]


def means(points: Float64Array, setup: Setup, seat: int) -> Float64Array:
    """Two numbers for every row of points: the mean over the seat and its team, and the mean over its opponents."""
    rows = np.ascontiguousarray(points, np.float64)
    found = np.zeros((len(rows), 2))
    compare_sides(rows, setup.rules, seat, found)
    return found


def gains(points: Float64Array, setup: Setup, seat: int) -> Float64Array:
    """The gain of the seat for every row of points, one number per player in a row."""
    own, opponents = means(points, setup, seat).T
    return own - opponents


def gain(points: Sequence[float], setup: Setup, seat: int) -> float:
    """What these points of a round are worth to a seat.

    >>> gain([10, 4, 6, 1], Setup.of("nichtig", 4), seat=0)
    6.333333333333334
    >>> gain([10, 4, 6, 1], Setup.of("nichtig", 4, {"teams": True}), seat=0)
    5.5
    """
    return float(gains(np.array([points]), setup, seat)[0])


def partners(setup: Setup, seat: int) -> list[int]:
    """The seats whose points count for the seat, itself included.

    >>> partners(Setup.of("nichtig", 6, {"teams": True}), seat=3), partners(Setup.of("niet-2015", 4), seat=3)
    ([1, 3, 5], [3])
    """
    return np.flatnonzero(means(np.eye(setup.players), setup, seat)[:, 0]).tolist()
