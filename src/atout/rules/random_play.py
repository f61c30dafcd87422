"""Random rounds and matches in one compiled loop."""

from __future__ import annotations

from typing import Any

from atout.rules.deal import deal
from atout.rules.discard import apply_discard, legal_discard
from atout.rules.jit import rule
from atout.rules.lay import apply_lay, legal_lay
from atout.rules.layout import DEAL, DISCARD, DOUBLE, LAY, OVER, PASS, PLAY, TEAM, VETO
from atout.rules.match import begin_match
from atout.rules.rng import random_bit
from atout.rules.team import apply_double, apply_team, legal_double, legal_team
from atout.rules.trick import apply_play, legal_play
from atout.rules.veto import apply_veto, legal_veto


@rule
def playout_round(s: Any, r: Any, rng: Any) -> int:
    """Play uniformly random actions to the end of the round; returns how many.

    It goes phase by phase and not through the switch of `step.py`, so that the threads of a GPU do not diverge.
    """
    moves = 0
    while s.phase == VETO:
        apply_veto(s, r, random_bit(legal_veto(s), rng))
        moves += 1
    if s.phase == TEAM:
        apply_team(s, r, random_bit(legal_team(s, r), rng))
        moves += 1
    if s.phase == DOUBLE:
        apply_double(s, r, random_bit(legal_double(s, r), rng))
        moves += 1
    while s.phase == DISCARD or s.phase == PASS:
        apply_discard(s, r, random_bit(legal_discard(s, r), rng))
        moves += 1
    while s.phase == LAY:
        apply_lay(s, r, random_bit(legal_lay(s), rng))
        moves += 1
    while s.phase == PLAY:
        apply_play(s, r, random_bit(legal_play(s, r), rng))
        moves += 1
    return moves


@rule
def playout(s: Any, r: Any, rng: Any) -> int:
    """Play uniformly random actions and deals to the end of the match; returns the number of actions."""
    moves = 0
    while s.phase != OVER:
        if s.phase == DEAL:
            deal(s, r, rng)
        moves += playout_round(s, r, rng)
    return moves


@rule
def random_match(s: Any, r: Any, first_dealer: int, rng: Any) -> int:
    begin_match(s, r, first_dealer)
    return playout(s, r, rng)
