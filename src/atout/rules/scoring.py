"""Scoring (Njet! §7, Null & nichtig §5): from what was won to `scores`; pure arithmetic."""

from __future__ import annotations

from typing import Any

from atout.rules.jit import rule
from atout.rules.layout import COLOURS, NJET, SEATS


@rule
def lane(word: int, i: int) -> int:
    return (word >> (8 * i)) & 255


@rule
def own_points(s: Any, seat: int) -> int:
    """§7.1, §7.2: tricks and loot times the value of the round, twice for the ×2 card."""
    points = (lane(s.tricks, seat) + lane(s.loot, seat)) * s.points
    if seat == s.doubler:
        points *= 2
    return points


@rule
def score_njet(s: Any, r: Any) -> None:
    """§7.3, §7.4: everyone scores the sum of the side; with difference scoring only what it is ahead."""
    ours, theirs = 0, 0
    for seat in range(r.players):
        if (s.side >> seat) & 1 != 0:
            ours += own_points(s, seat)
        else:
            theirs += own_points(s, seat)
    if r.difference != 0:
        ahead = ours - theirs
        ours, theirs = max(ahead, 0), max(-ahead, 0)
    for seat in range(r.players):
        s.scores[seat] = ours if (s.side >> seat) & 1 != 0 else theirs


@rule
def score_nichtig(s: Any, r: Any) -> None:
    """§5.1: the sum of the top cards; an empty lane is no pile, else value + 1."""
    for seat in range(r.players):
        total = 0
        for colour in range(COLOURS):
            top = lane(s.tops[seat], colour)
            if top != 0:
                total += top - 1
        s.scores[seat] = total


@rule
def score_round(s: Any, r: Any) -> None:
    if r.game == NJET:
        score_njet(s, r)
    else:
        score_nichtig(s, r)


@rule
def standing(s: Any, r: Any, seat: int) -> int:
    """What decides the match for the seat: its total, or its team's (Null & nichtig §6.4)."""
    if r.teams == 0:
        return s.totals[seat]
    total = 0
    for other in range(SEATS):
        if other < r.players and (other - seat) % 2 == 0:
            total += s.totals[other]
    return total


@rule
def winners(s: Any, r: Any) -> int:
    """Seats with the highest standing; ties share the win (§8.3; Null & nichtig §6.5)."""
    best = standing(s, r, 0)
    for seat in range(1, r.players):
        best = max(best, standing(s, r, seat))
    mask = 0
    for seat in range(r.players):
        if standing(s, r, seat) == best:
            mask |= 1 << seat
    return mask
