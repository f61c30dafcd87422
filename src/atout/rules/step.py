"""The switch over the phases: `legal` and `apply` for both games."""

from __future__ import annotations

from typing import Any

from atout.rules.discard import apply_discard, legal_discard
from atout.rules.jit import rule
from atout.rules.lay import apply_lay, legal_lay
from atout.rules.layout import DISCARD, DOUBLE, LAY, PASS, PLAY, TEAM, VETO
from atout.rules.team import apply_double, apply_team, legal_double, legal_team
from atout.rules.trick import apply_play, legal_play
from atout.rules.veto import apply_veto, legal_veto


@rule
def legal(s: Any, r: Any) -> int:
    """The legal actions of the seat to act as a mask, one bit for each index; 0 when nobody acts."""
    if s.phase == PLAY:
        return legal_play(s, r)
    if s.phase == VETO:
        return legal_veto(s)
    if s.phase == DISCARD or s.phase == PASS:
        return legal_discard(s, r)
    if s.phase == LAY:
        return legal_lay(s)
    if s.phase == TEAM:
        return legal_team(s, r)
    if s.phase == DOUBLE:
        return legal_double(s, r)
    return 0


@rule
def apply(s: Any, r: Any, action: int) -> None:
    """Make one action. Legality is not checked; the caller asks `legal` first."""
    if s.phase == PLAY:
        apply_play(s, r, action)
    elif s.phase == VETO:
        apply_veto(s, r, action)
    elif s.phase == DISCARD or s.phase == PASS:
        apply_discard(s, r, action)
    elif s.phase == LAY:
        apply_lay(s, r, action)
    elif s.phase == TEAM:
        apply_team(s, r, action)
    elif s.phase == DOUBLE:
        apply_double(s, r, action)
