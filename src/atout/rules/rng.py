"""The random number generator: xorshift64 (period 2^64 − 1), seeded through splitmix64's mixing function.

Its one word of state is kept apart from the game's, so that a copy of a game does not repeat its random numbers.
Neighbouring seeds give unrelated sequences. The numbers are the same on every machine, compiled or not.
"""

from __future__ import annotations

from typing import Any

from atout.rules.bits import nth_bit, popcount, wrap
from atout.rules.jit import rule

LOW32 = (1 << 32) - 1


@rule
def mix(x: int) -> int:
    """A bijective hash of 64 bits: the finaliser of splitmix64, on signed words."""
    x = wrap(x)
    x = wrap((x ^ ((x >> 30) & 0x3FFFFFFFF)) * -4658895280553007687)
    x = wrap((x ^ ((x >> 27) & 0x1FFFFFFFFF)) * -7723592293110705685)
    return x ^ ((x >> 31) & 0x1FFFFFFFF)


@rule
def seed_rng(rng: Any, seed: int, stream: int) -> None:
    """Start the generator; each (seed, stream) gives an independent sequence."""
    x = mix(wrap(mix(wrap(seed - 7046029254386353131)) + stream * 7046029254386353131))
    if x == 0:
        x = 1
    rng[0] = x


@rule
def below(rng: Any, n: int) -> int:
    """Uniform in 0 … n−1 (bias below n / 2^32)."""
    x = rng[0]
    x ^= wrap(x << 13)
    x ^= (x >> 7) & 0x01FFFFFFFFFFFFFF
    x ^= wrap(x << 17)
    rng[0] = x
    return (((x >> 32) & LOW32) * n) >> 32


@rule
def unit(rng: Any) -> float:
    """Uniform in [0, 1), with 53 bits."""
    high = below(rng, 1 << 26)
    return (high * (1 << 27) + below(rng, 1 << 27)) / 9007199254740992.0


@rule
def random_bit(mask: int, rng: Any) -> int:
    """Index of a uniformly chosen set bit."""
    return nth_bit(mask, below(rng, popcount(mask)))
