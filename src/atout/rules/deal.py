"""Dealing (rules §2), the only place where the game uses random numbers."""

from __future__ import annotations

from typing import Any

from atout.rules import lay, veto
from atout.rules.cards import put_in_hand, spare_with
from atout.rules.jit import rule
from atout.rules.layout import NJET, NOBODY, SEATS
from atout.rules.rng import below


@rule
def clear_round(s: Any) -> None:
    """Clear everything that belongs to one round."""
    s.free = 0
    s.shut = 0
    s.giving = 0
    s.trump = 0
    s.super = 0
    s.points = 0
    s.trumps = 0
    s.supers = 0
    s.side = 0
    s.doubler = NOBODY
    s.todo = 0
    s.played = 0
    s.follow = 0
    s.beating = 0
    s.best = NOBODY
    s.lows = 0
    s.tricks = 0
    s.loot = 0
    for seat in range(SEATS):
        s.hand[seat] = 0
        s.spare[seat] = 0
        s.gone[seat] = 0
        s.gone_spare[seat] = 0
        s.trick[seat] = NOBODY
        s.tops[seat] = 0


@rule
def begin_round(s: Any, r: Any) -> None:
    """Begin the first phase, once the hands are dealt."""
    if r.game == NJET:
        s.start = NOBODY
        veto.begin(s, r)
    else:
        lay.begin(s, r)


@rule
def shuffle(r: Any, rng: Any) -> None:
    """Shuffle the pack in `rng`, as far as it will be dealt.

    When every card is dealt, the last hand is what is left: its own order does not matter.
    """
    for i in range(r.cards):
        rng[1 + i] = r.deck[i]
    drawn = r.players * r.hand_size
    if drawn == r.cards:
        drawn -= r.hand_size
    for i in range(drawn):
        j = i + below(rng, r.cards - i)
        kind = rng[1 + j]
        rng[1 + j] = rng[1 + i]
        rng[1 + i] = kind


@rule
def is_from_deck(r: Any, rng: Any) -> bool:
    """No kind lies in the dealt part of the pack more often than the deck has it."""
    kinds, spare = 0, 0
    for i in range(r.players * r.hand_size):
        kind = rng[1 + i]
        field = r.spare_of[kind]
        if (kinds >> kind) & 1 != 0 and spare & field == field:
            return False
        spare = spare_with(r, kinds, spare, kind)
        kinds |= 1 << kind
    return True


@rule
def deal_pack(s: Any, r: Any, rng: Any) -> None:
    """Deal the pack in `rng` in its order, one whole hand after another."""
    clear_round(s)
    i = 1
    for seat in range(r.players):
        for _ in range(r.hand_size):
            put_in_hand(s, r, seat, rng[i])
            i += 1
    begin_round(s, r)


@rule
def deal(s: Any, r: Any, rng: Any) -> None:
    """Shuffle, and deal a new round."""
    shuffle(r, rng)
    deal_pack(s, r, rng)
