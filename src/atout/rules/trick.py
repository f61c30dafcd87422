"""Playing tricks in both games (Njet! §6, Null & nichtig §4).

Two masks describe a trick: `follow`, the kinds that follow the led card, and `beating`, the kinds that
would beat the card that is winning. A card takes the trick over when its bit is set in `beating`.
Null & nichtig is the case without following, without trumps, and with ties won by the first card.
"""

from __future__ import annotations

from typing import Any

from atout.rules import match
from atout.rules.bits import popcount
from atout.rules.cards import take_from_hand
from atout.rules.jit import rule
from atout.rules.layout import NJET, PLAY


@rule
def begin(s: Any, r: Any) -> None:
    s.phase = PLAY
    s.turn = s.start
    s.played = 0
    s.lows = 0


@rule
def following(s: Any, r: Any, led: int) -> int:
    """Kinds of the suit the led card belongs to (§6.2); every kind where nobody must follow."""
    if r.must_follow == 0:
        return r.kinds
    if (s.trumps >> led) & 1 != 0:
        return s.trumps
    return r.mates[led] & ~s.trumps


@rule
def taking_over(s: Any, r: Any, kind: int) -> int:
    """Kinds that beat this kind when it is winning the trick (§6.5)."""
    if (s.supers >> kind) & 1 != 0:
        if r.last_wins_ties != 0:
            return s.supers
        return 0
    if (s.trumps >> kind) & 1 != 0:
        return r.beats[kind] | s.supers
    return r.beats[kind] | s.trumps | s.supers


@rule
def legal_play(s: Any, r: Any) -> int:
    hand = s.hand[s.turn]
    if s.played == 0:
        return hand
    suited = hand & s.follow
    if suited != 0:
        return suited
    if r.must_trump != 0:
        ruffs = hand & (s.trumps | s.supers)
        if ruffs != 0:
            return ruffs
    return hand


@rule
def shown_absent(s: Any, r: Any, follow: int, kind: int) -> int:
    """Kinds that a seat shows not to hold by playing this one; it mirrors `legal_play`."""
    if (follow >> kind) & 1 != 0:
        return 0
    absent = follow
    if r.must_trump != 0 and ((s.trumps | s.supers) >> kind) & 1 == 0:
        absent |= s.trumps | s.supers
    return absent


@rule
def apply_play(s: Any, r: Any, kind: int) -> None:
    seat = s.turn
    take_from_hand(s, r, seat, kind)
    s.trick[seat] = kind
    s.lows |= ((r.low >> kind) & 1) << seat
    if s.played == 0:
        s.follow = following(s, r, kind)
        s.beating = taking_over(s, r, kind)
        s.best = seat
    elif (s.beating >> kind) & 1 != 0:
        s.beating = taking_over(s, r, kind)
        s.best = seat
    s.played += 1
    if s.played == r.players:
        end_trick(s, r)
    else:
        seat += 1
        if seat == r.players:
            seat = 0
        s.turn = seat


@rule
def opponents(s: Any, r: Any, seat: int) -> int:
    if (s.side >> seat) & 1 != 0:
        return ((1 << r.players) - 1) & ~s.side
    return s.side


@rule
def end_trick(s: Any, r: Any) -> None:
    """Give the trick to its winner: loot in Njet! (§6.6), cards onto piles in Null & nichtig; the winner leads next."""
    winner = s.best
    s.tricks += 1 << (8 * winner)
    if r.game == NJET:
        s.loot += popcount(s.lows & opponents(s, r, winner)) << (8 * winner)
    else:
        for i in range(r.players):
            lay_on_pile(s, r, winner, s.trick[collected_from(r, winner, i)])
    s.played = 0
    s.lows = 0
    s.turn = winner
    if s.hand[winner] == 0:
        match.end_round(s, r)


@rule
def collected_from(r: Any, winner: int, i: int) -> int:
    """The seat whose card the winner takes as number i: its own first, then clockwise (Null & nichtig §4.4)."""
    seat = winner + i
    if seat >= r.players:
        seat -= r.players
    return seat


@rule
def lay_on_pile(s: Any, r: Any, seat: int, kind: int) -> None:
    """The card covers the seat's pile of its colour."""
    lane = 8 * r.colour_of[kind]
    s.tops[seat] = (s.tops[seat] & ~(255 << lane)) | ((r.value_of[kind] + 1) << lane)
