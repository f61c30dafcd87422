"""Checks of the rules themselves: invariants of a state, and a digest of its fields."""

from __future__ import annotations

from typing import Any

from atout.rules.bits import ctz, wrap
from atout.rules.cards import copies_of, size
from atout.rules.jit import rule
from atout.rules.layout import DEAL, DISCARD, OVER, PASS, PLAY, SEATS
from atout.rules.rng import mix
from atout.rules.scoring import lane

WELL, TOO_MANY_COPIES, UNEQUAL_HANDS, WRONG_TURN, WRONG_TRICKS = range(5)


@rule
def broken_invariant(s: Any, r: Any) -> int:
    """WELL, or the invariant that is broken: no card twice, hands of the right length, a turn that fits the tricks."""
    kinds = r.kinds
    while kinds != 0:
        kind = ctz(kinds)
        kinds &= kinds - 1
        copies = 0
        for seat in range(SEATS):
            copies += copies_of(r, s.hand[seat], s.spare[seat], kind)
        if copies > r.copies[kind]:
            return TOO_MANY_COPIES
    if s.phase == DEAL or s.phase == OVER:
        return WELL
    if s.turn < 0 or s.turn >= r.players:
        return WRONG_TURN
    given = r.lay_count
    if s.giving >= 0 and r.give_pass[s.giving] == 0:
        given += r.give_count[s.giving]
    if s.phase == PLAY:
        done = 0
        for seat in range(r.players):
            done += lane(s.tricks, seat)
        for seat in range(r.players):
            since_lead = (s.turn - seat) % r.players
            in_trick = 1 if s.played > 0 and 0 < since_lead <= s.played else 0
            if size(s.hand[seat], s.spare[seat]) != r.hand_size - given - done - in_trick:
                return UNEQUAL_HANDS
    elif s.phase != DISCARD and s.phase != PASS and r.lay_count == 0:
        for seat in range(r.players):
            if size(s.hand[seat], s.spare[seat]) != r.hand_size:
                return UNEQUAL_HANDS
    return WELL


@rule
def digest(s: Any, seed: int) -> int:
    """A number that changes with any field of the state."""
    x = seed
    x = mix(wrap(x + s.phase * 8191 + s.turn * 131071 + s.finished * 524287 + s.dealer))
    x = mix(wrap(x + s.free * 3 + s.shut * 5 + s.start * 8191 + s.giving))
    x = mix(wrap(x + s.trump * 31 + s.super * 127 + s.points * 8191 + s.side * 524287 + s.doubler))
    x = mix(wrap(x + s.trumps * 3 + s.supers * 5 + s.todo + s.lows * 127))
    x = mix(wrap(x + s.played + s.follow * 3 + s.beating * 5 + s.best))
    x = mix(wrap(x + s.tricks * 3 + s.loot * 5))
    for seat in range(SEATS):
        x = mix(wrap(x + s.totals[seat] * 8191 + s.scores[seat] * 131071 + s.trick[seat]))
        x = mix(wrap(x + s.hand[seat] * 3 + s.spare[seat] * 5))
        x = mix(wrap(x + s.gone[seat] * 3 + s.gone_spare[seat] * 5 + s.tops[seat] * 7))
    return x
