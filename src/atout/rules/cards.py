"""Card sets: two words, `kinds` and `spare` (drawn in `layout.py`).

The spare field of a kind fills from its lowest bit, so equal sets are equal words:

    copies held      0     1     2     3     4
    bit in kinds     0     1     1     1     1
    spare field    000   000   001   011   111
"""

from __future__ import annotations

from typing import Any

from atout.rules.bits import popcount
from atout.rules.jit import rule


@rule
def spare_with(r: Any, kinds: int, spare: int, kind: int) -> int:
    """The spare word after one more card of the kind; the caller sets its bit in kinds."""
    if (kinds >> kind) & 1 == 0:
        return spare
    field = r.spare_of[kind]
    return spare | (((spare & field) << 1 | field & -field) & field)


@rule
def spare_without(r: Any, spare: int, kind: int) -> int:
    """The spare word after one card of the kind is taken away."""
    field = r.spare_of[kind]
    held = spare & field
    return spare ^ held ^ ((held >> 1) & field)


@rule
def kinds_without(r: Any, kinds: int, spare: int, kind: int) -> int:
    """The kinds word after one card of the kind is taken away; the bit stays while a spare copy is there."""
    if spare & r.spare_of[kind] != 0:
        return kinds
    return kinds & ~(1 << kind)


@rule
def copies_of(r: Any, kinds: int, spare: int, kind: int) -> int:
    return ((kinds >> kind) & 1) + popcount(spare & r.spare_of[kind])


@rule
def size(kinds: int, spare: int) -> int:
    return popcount(kinds) + popcount(spare)


@rule
def take_from_hand(s: Any, r: Any, seat: int, kind: int) -> None:
    spare = s.spare[seat]
    s.hand[seat] = kinds_without(r, s.hand[seat], spare, kind)
    s.spare[seat] = spare_without(r, spare, kind)


@rule
def put_in_hand(s: Any, r: Any, seat: int, kind: int) -> None:
    s.spare[seat] = spare_with(r, s.hand[seat], s.spare[seat], kind)
    s.hand[seat] |= 1 << kind


@rule
def put_aside(s: Any, r: Any, seat: int, kind: int) -> None:
    """Move a card from the hand to what the seat discards, passes or lays out this round (`gone`)."""
    take_from_hand(s, r, seat, kind)
    s.gone_spare[seat] = spare_with(r, s.gone[seat], s.gone_spare[seat], kind)
    s.gone[seat] |= 1 << kind
