"""How often and how many: buckets that fill up again, and counts."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

FORGET_AT = 20_000
"""Buckets kept; full ones are forgotten first."""


class Buckets:
    """By key, `burst` at once and `rate` a second in the long run.

    >>> now = 0.0
    >>> buckets = Buckets(rate=1.0, burst=2.0, clock=lambda: now)
    >>> [buckets.take("ann") for _ in range(3)]
    [0.0, 0.0, 1.0]
    """

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self._clock = rate, burst, clock
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, key: str) -> float:
        """0 if it may be; else the seconds to wait."""
        now = self._clock()
        left, since = self._left.get(key, (self.burst, now))
        left = min(left + (now - since) * self.rate, self.burst)
        if left < 1.0:
            return (1.0 - left) / self.rate
        self._left[key] = left - 1.0, now
        if len(self._left) > FORGET_AT:
            self._forget(now)
        return 0.0

    def _forget(self, now: float) -> None:
        full = [key for key, (left, since) in self._left.items() if left + (now - since) * self.rate >= self.burst]
        for key in full or list(self._left)[: FORGET_AT // 2]:
            del self._left[key]


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
