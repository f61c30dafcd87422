"""Laying out in Null & nichtig (rules §3 of that game).

All players choose at the same time and in secret. Here the choices are made one seat after the other, from
the leader on. A card goes onto its pile when it is laid, later cards on top of earlier ones; everyone sees the
piles when all have chosen.
"""

from __future__ import annotations

from typing import Any

from atout.rules import trick
from atout.rules.cards import put_aside
from atout.rules.jit import rule
from atout.rules.layout import LAY


@rule
def begin(s: Any, r: Any) -> None:
    s.turn = s.start
    s.todo = r.lay_count
    if s.todo == 0:
        trick.begin(s, r)
    else:
        s.phase = LAY


@rule
def legal_lay(s: Any) -> int:
    return s.hand[s.turn]


@rule
def apply_lay(s: Any, r: Any, kind: int) -> None:
    put_aside(s, r, s.turn, kind)
    trick.lay_on_pile(s, r, s.turn, kind)
    count_lay(s, r)


@rule
def count_lay(s: Any, r: Any) -> None:
    """Count one choice as made, whatever it was; the last one ends the phase."""
    seat = s.turn
    s.todo -= 1
    if s.todo == 0:
        seat += 1
        if seat == r.players:
            seat = 0
        s.turn = seat
        s.todo = r.lay_count
        if seat == s.start:
            s.todo = 0
            trick.begin(s, r)
