"""Means with their intervals. Samples must be independent: deals are, the matches of one deal are not."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131)
"""Student's t at 97.5 % for 1, 2, … degrees of freedom."""
NORMAL = 1.959964


class Estimate(msgspec.Struct, frozen=True):
    """A mean and the ends of its 95 % interval. A single sample has no interval."""

    mean: float
    low: float | None
    high: float | None


def student(freedom: int) -> float:
    """Student's t at 97.5 %: from the table, or the first terms of its expansion.

    >>> student(1), round(student(20), 3), round(student(100), 3)
    (12.706, 2.086, 1.984)
    """
    if freedom <= len(STUDENT):
        return STUDENT[freedom - 1]
    z = NORMAL
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def estimate(samples: Sequence[float], within: tuple[float, float] = (-math.inf, math.inf)) -> Estimate:
    """The mean of independent samples with its interval by Student's t, clipped to the possible values.

    >>> estimate([1.0, 2.0, 3.0]).mean, round(estimate([1.0, 2.0, 3.0]).low, 3)
    (2.0, -0.484)
    """
    count = len(samples)
    mean = math.fsum(samples) / count
    if count == 1:
        return Estimate(mean, None, None)
    variance = math.fsum((sample - mean) ** 2 for sample in samples) / (count - 1)
    half = student(count - 1) * math.sqrt(variance / count)
    return Estimate(mean, max(mean - half, within[0]), min(mean + half, within[1]))
