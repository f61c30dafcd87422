"""How often and how many: buckets that fill up again, and counts."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

FORGET_AT = 20_000
"""Buckets kept; full ones are forgotten first."""
ROUNDING = 1e-6
"""What sums of fractions may be off by."""


class Buckets:
    """By key, `burst` at once and `rate` a second in the long run.

    >>> now = 0.0
    >>> buckets = Buckets(rate=1.0, burst=2.0, clock=lambda: now)
    >>> [buckets.take("ann") for _ in range(3)]
    [0.0, 0.0, 1.0]
    """

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self._clock = rate, burst, clock
        self._full: dict[str, float] = {}
        """When a bucket is full again: one number says all."""

    def take(self, key: str) -> float:
        """0 if it may be; else the seconds to wait."""
        now = self._clock()
        full = max(self._full.get(key, now), now)
        left = self.burst - (full - now) * self.rate
        if left < 1.0 - ROUNDING:
            return (1.0 - left) / self.rate
        self._full[key] = full + 1.0 / self.rate
        if len(self._full) > FORGET_AT:
            self._forget(now)
        return 0.0

    def _forget(self, now: float) -> None:
        full = [key for key, when in self._full.items() if when <= now]
        for key in full or list(self._full)[: FORGET_AT // 2]:
            del self._full[key]


class Seats:
    """How many of something each key has, up to a limit."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._taken: Counter[str] = Counter()

    def enter(self, key: str) -> bool:
        if self._taken[key] >= self.most:
            return False
        self._taken[key] += 1
        return True

    def leave(self, key: str) -> None:
        self._taken[key] -= 1
        if self._taken[key] <= 0:
            del self._taken[key]

    @property
    def total(self) -> int:
        return self._taken.total()
