"""Why an action is not legal, as a code; `game/refusals.py` has the texts and paragraphs."""

from __future__ import annotations

from typing import Any

from atout.rules.jit import rule
from atout.rules.layout import DEAL, DISCARD, DOUBLE, OVER, PLAY, TEAM, VETO
from atout.rules.step import legal

(
    ALLOWED,
    MATCH_OVER,
    NOT_DEALT,
    NOT_YOUR_TURN,
    WRONG_PHASE,
    NO_SUCH_CELL,
    COVERED,
    LAST_FREE,
    BAD_SIDE,
    BAD_DOUBLE,
    NOT_HELD,
    LOW_BARRED,
    MUST_FOLLOW,
    MUST_TRUMP,
) = range(14)


@rule
def refusal(s: Any, r: Any, seat: int, phase: int, action: int) -> int:
    """ALLOWED, or the first reason why the seat may not make this action of this phase."""
    if s.phase == OVER:
        return MATCH_OVER
    if s.phase == DEAL:
        return NOT_DEALT
    if phase != s.phase:
        return WRONG_PHASE
    if seat != s.turn:
        return NOT_YOUR_TURN
    if (legal(s, r) >> action) & 1 != 0:
        return ALLOWED
    if phase == VETO:
        if (r.board >> action) & 1 == 0:
            return NO_SUCH_CELL
        if (s.free >> action) & 1 == 0:
            return COVERED
        return LAST_FREE
    if phase == TEAM:
        return BAD_SIDE
    if phase == DOUBLE:
        return BAD_DOUBLE
    if (s.hand[seat] >> action) & 1 == 0:
        return NOT_HELD
    if phase == DISCARD:
        return LOW_BARRED
    if phase == PLAY and s.hand[seat] & s.follow != 0:
        return MUST_FOLLOW
    return MUST_TRUMP
