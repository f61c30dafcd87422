"""Teams of Njet! (rules §4): the start player chooses its side and, if need be, who gets the ×2 card."""

from __future__ import annotations

from typing import Any

from atout.rules import discard
from atout.rules.bits import ctz, popcount
from atout.rules.jit import rule
from atout.rules.layout import DOUBLE, NOBODY, TEAM


@rule
def begin(s: Any, r: Any) -> None:
    """§4.2: with two players there is nothing to decide."""
    s.turn = s.start
    s.doubler = NOBODY
    if r.sides[s.start] == 0:
        s.side = 1 << s.start
        discard.begin(s, r)
    else:
        s.side = 0
        s.phase = TEAM


@rule
def legal_team(s: Any, r: Any) -> int:
    return r.sides[s.start]


@rule
def smaller_side(s: Any, r: Any) -> int:
    """The seats of the smaller side; none when the sides are equal."""
    others = ((1 << r.players) - 1) & ~s.side
    ours, theirs = popcount(s.side), popcount(others)
    if ours == theirs:
        return 0
    if ours < theirs:
        return s.side
    return others


@rule
def apply_team(s: Any, r: Any, side: int) -> None:
    """§4.3: a single player gets the ×2 card without a choice."""
    s.side = side
    candidates = 0
    if r.doubles != 0:
        candidates = smaller_side(s, r)
    if popcount(candidates) > 1:
        s.phase = DOUBLE
    else:
        if candidates != 0:
            s.doubler = ctz(candidates)
        discard.begin(s, r)


@rule
def legal_double(s: Any, r: Any) -> int:
    return smaller_side(s, r)


@rule
def apply_double(s: Any, r: Any, seat: int) -> None:
    s.doubler = seat
    discard.begin(s, r)
