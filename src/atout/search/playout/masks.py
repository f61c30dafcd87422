"""The lowest and the highest kind of a set, across colours."""

from __future__ import annotations

from typing import Any

from atout.rules.bits import ctz
from atout.rules.jit import rule
from atout.rules.rng import below


@rule
def lowest(r: Any, kinds: int, rng: Any) -> int:
    """A kind of the smallest value in the set; among colours at random."""
    best, value = -1, 1 << 20
    first = below(rng, r.colours)
    for i in range(r.colours):
        colour = first + i
        if colour >= r.colours:
            colour -= r.colours
        suited = kinds & r.suit[colour]
        if suited != 0:
            kind = ctz(suited)
            if r.value_of[kind] < value:
                best, value = kind, r.value_of[kind]
    return best


@rule
def highest(r: Any, kinds: int, rng: Any) -> int:
    """A kind of the largest value in the set; among colours at random."""
    best, value = -1, -1
    first = below(rng, r.colours)
    for i in range(r.colours):
        colour = first + i
        if colour >= r.colours:
            colour -= r.colours
        suited = kinds & r.suit[colour]
        if suited != 0:
            kind = top(suited)
            if r.value_of[kind] > value:
                best, value = kind, r.value_of[kind]
    return best


@rule
def top(kinds: int) -> int:
    """Index of the highest set bit."""
    at = 0
    for step in (32, 16, 8, 4, 2, 1):
        if kinds >> (at + step) != 0:
            at += step
    return at
