"""Whole games in one compiled loop: random matches, and the phases of a round one after the other."""

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
    """Uniformly random actions to the end of the round; how many there were.

    Phase by phase, not through the switch: a thread of a GPU keeps step with its neighbours.
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
    """Uniformly random actions and deals to the end of the match."""
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
