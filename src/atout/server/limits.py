"""Rate limits and count limits: token buckets, counters with a maximum, and the network that an address counts for."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter
from collections.abc import Callable

MAX_BUCKETS = 20_000
"""Buckets that are remembered; full ones are forgotten first."""
MAX_ADDRESS = 45
"""Letters of the longest IPv6 address. Longer text, which a proxy may send instead, is cut."""
HOST_BITS = 64
"""The last bits of an IPv6 address, which the owner of a network chooses freely."""
ROUNDING = 1e-6
"""How much sums of fractions may be off."""


def network_of(address: str) -> str:
    """The network that a client's address counts for: its /64 for IPv6, because one household or server has all of it.

    >>> network_of("2001:db8:0:1:aaaa::1"), network_of("2001:db8:0:1::2"), network_of("fe80::1%eth0")
    ('2001:db8:0:1::/64', '2001:db8:0:1::/64', 'fe80::/64')
    >>> network_of("192.0.2.1"), network_of("::ffff:192.0.2.1"), network_of("unknown")
    ('192.0.2.1', '192.0.2.1', 'unknown')
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address[:MAX_ADDRESS]
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return f"{ipaddress.IPv6Address(int(parsed) >> HOST_BITS << HOST_BITS)}/{HOST_BITS}"


class Buckets:
    """Token buckets by key: `burst` at once, and `rate` per second in the long run.

    >>> now = 0.0
    >>> buckets = Buckets(rate=1.0, burst=2.0, clock=lambda: now)
    >>> [buckets.take("ann") for _ in range(3)]
    [0.0, 0.0, 1.0]
    """

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self._clock = rate, burst, clock
        self._full_at: dict[str, float] = {}
        """When each bucket will be full again; this number says how many tokens it holds now."""

    def take(self, key: str, count: float = 1.0) -> float:
        """Take tokens, at most a full bucket. Returns 0 if there were enough, else the seconds until there are."""
        count = min(count, self.burst)
        now = self._clock()
        full_at = max(self._full_at.get(key, now), now)
        tokens = self.burst - (full_at - now) * self.rate
        if tokens < count - ROUNDING:
            return (count - tokens) / self.rate
        self._full_at[key] = full_at + count / self.rate
        if len(self._full_at) > MAX_BUCKETS:
            self._forget(now)
        return 0.0

    def _forget(self, now: float) -> None:
        full = [key for key, full_at in self._full_at.items() if full_at <= now]
        for key in full or list(self._full_at)[: MAX_BUCKETS // 2]:
            del self._full_at[key]


class CountLimit:
    """How many of something each key has, up to a maximum."""

    def __init__(self, maximum: int) -> None:
        self.maximum = maximum
        self._counts: Counter[str] = Counter()

    def enter(self, key: str) -> bool:
        """Count one more; False if the key has the maximum already."""
        if self._counts[key] >= self.maximum:
            return False
        self._counts[key] += 1
        return True

    def leave(self, key: str) -> None:
        """Count one less."""
        self._counts[key] -= 1
        if self._counts[key] <= 0:
            del self._counts[key]

    @property
    def total(self) -> int:
        """The sum over all keys."""
        return self._counts.total()
