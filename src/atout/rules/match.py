"""From round to round in both games: who deals or leads next, and when the match ends (Njet! §8; Null & nichtig §6)."""

from __future__ import annotations

from typing import Any

from atout.rules.jit import rule
from atout.rules.layout import DEAL, NJET, NOBODY, OVER, SEATS
from atout.rules.scoring import score_round


@rule
def begin_match(s: Any, r: Any, first_dealer: int) -> None:
    s.phase = DEAL
    s.turn = NOBODY
    s.finished = 0
    s.dealer = first_dealer
    s.start = (first_dealer + 1) % r.players
    for seat in range(SEATS):
        s.totals[seat] = 0
        s.scores[seat] = 0


@rule
def reaches_target(s: Any, r: Any) -> bool:
    """Njet! §8.2: reached; Null & nichtig §6.3: exceeded."""
    for seat in range(r.players):
        if s.totals[seat] >= r.target + r.target_exceeded:
            return True
    return False


@rule
def ends_match(s: Any, r: Any) -> bool:
    if r.target != 0:
        return reaches_target(s, r)
    return s.finished == r.rounds


@rule
def next_dealer(s: Any, r: Any) -> int:
    """§2.5: the deal passes to the left; in 1997 to the left of the round's start player."""
    if r.deal_left_of_start != 0:
        return (s.start + 1) % r.players
    return (s.dealer + 1) % r.players


@rule
def lowest_score(s: Any, r: Any) -> int:
    """Null & nichtig §6.1: the lowest score leads; with a tie, the first of them clockwise after the last leader."""
    best = (s.start + 1) % r.players
    for step in range(2, r.players + 1):
        seat = (s.start + step) % r.players
        if s.scores[seat] < s.scores[best]:
            best = seat
    return best


@rule
def end_round(s: Any, r: Any) -> None:
    """Score the round, add it to the totals, and end the match or name who deals or leads next."""
    score_round(s, r)
    for seat in range(r.players):
        s.totals[seat] += s.scores[seat]
    s.finished += 1
    s.turn = NOBODY
    if ends_match(s, r):
        s.phase = OVER
        return
    s.phase = DEAL
    if r.game == NJET:
        s.dealer = next_dealer(s, r)
    else:
        s.start = lowest_score(s, r)
        s.dealer = (s.start - 1) % r.players
