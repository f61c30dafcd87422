"""Discard or pass in Njet! (rules §5).

All players choose at the same time and in secret. Here the choices are made one seat after the other,
from the start player on. What a seat knows does not depend on the choices made before its own, and
passed cards arrive only when all have chosen.
"""

from __future__ import annotations

from typing import Any

from atout.rules import trick
from atout.rules.bits import ctz
from atout.rules.cards import copies_of, put_aside, put_in_hand
from atout.rules.jit import rule
from atout.rules.layout import DISCARD, PASS


@rule
def begin(s: Any, r: Any) -> None:
    s.turn = s.start
    s.todo = r.give_count[s.giving]
    if s.todo == 0:
        trick.begin(s, r)
    else:
        s.phase = PASS if r.give_pass[s.giving] != 0 else DISCARD


@rule
def legal_discard(s: Any, r: Any) -> int:
    """§5.3: low cards may be barred, unless nothing else is left in the hand."""
    hand = s.hand[s.turn]
    if r.give_not_low[s.giving] != 0 and hand & ~r.low != 0:
        return hand & ~r.low
    return hand


@rule
def apply_discard(s: Any, r: Any, kind: int) -> None:
    put_aside(s, r, s.turn, kind)
    count_discard(s, r)


@rule
def count_discard(s: Any, r: Any) -> None:
    """Count one choice as made, whatever it was; the last one ends the phase."""
    seat = s.turn
    s.todo -= 1
    if s.todo == 0:
        seat += 1
        if seat == r.players:
            seat = 0
        s.turn = seat
        s.todo = r.give_count[s.giving]
        if seat == s.start:
            s.todo = 0
            if s.phase == PASS:
                pass_left(s, r)
            trick.begin(s, r)


@rule
def pass_left(s: Any, r: Any) -> None:
    """§5.5: what a seat put aside goes to its left neighbour's hand."""
    for seat in range(r.players):
        left = seat + 1
        if left == r.players:
            left = 0
        kinds = s.gone[seat]
        while kinds != 0:
            kind = ctz(kinds)
            kinds &= kinds - 1
            for _ in range(copies_of(r, s.gone[seat], s.gone_spare[seat], kind)):
                put_in_hand(s, r, left, kind)
