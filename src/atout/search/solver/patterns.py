"""The transposition table: patterns of positions between two tricks, with bounds of their value (partition search).

The value of a position seldom depends on every rank. The search finds which ranked cards mattered, always all of a suit
from the strongest down to some kind; below that only the number of cards counts. A *pattern* is such a statement. It
holds for every position of the same *shape*, that is, with the same number of cards of each suit and class in each hand
and the same leader:

    the k strongest ranked cards of each suit have these owners   →   low ≤ value ≤ high

What a card can do depends on how many cards are above it, not on which, so owners are listed by place, not by kind
(words in `problem.py`). The method is partition search (Ginsberg 1996), which bridge solvers use.

A slot of the table leads to the patterns of one shape, a chain in the pool:

    slot      bit  61 … 44   43 … 32         31 … 0
                   stamp     bits of key     first pattern
    pattern   word 0: next (32)   low (10)   high (10)   best lead (6)
                   1: 6 bits per suit, 4 * k    left << 36
                   2: key
                   3: words

Bounds are biased by 512. Slots of another stamp are free, so clearing the table takes no time. When the pool is full,
the patterns with few tricks left are evicted: they are many, and cheap to find again.
"""

from __future__ import annotations

from typing import Any

from atout.rules.bits import ctz, popcount
from atout.rules.jit import rule
from atout.search.solver.numbering import NOT_SHARED
from atout.search.solver.problem import NO_CARD, POOL, SLOTS

HEAD = 3
BIAS = 512
UNBOUNDED = 1023
FIRST_SIZE = 1 << 10
FIRST = 8
"""Offset of the first pattern; 0 means that there is none."""
LINK = (1 << 32) - 1
EXTENT = (1 << 36) - 1
EVERYTHING = 0xF3CF3CF3C
"""The extent of patterns that leave nothing out: 15 cards of each of six words."""


@rule
def clear(t: Any) -> None:
    if t.stamp >= 1 << 17:
        t.stamp = 0
        for slot in range(2 << SLOTS):
            t.slot[slot] = 0
    t.stamp += 1
    t.slots = FIRST_SIZE
    t.shapes = 0
    t.used = FIRST


@rule
def prepare(t: Any, conditions: int) -> None:
    """Keep what was found under the same conditions, whatever cards were in play; clear everything else."""
    if t.limit == 0:
        t.limit = POOL
    if t.conditions != conditions or conditions == NOT_SHARED:
        t.conditions = conditions
        clear(t)


@rule
def slot_of(t: Any, key: int) -> int:
    """The slot of the shape, or the free one where it belongs."""
    at = key ^ (key >> 23)
    tag = t.stamp << 12 | ((key >> 46) & 4095)
    while True:
        slot = t.slots + (at & (t.slots - 1))
        head = t.slot[slot]
        if head >> 32 == tag and t.pool[(head & LINK) + 2] == key:
            return slot
        if head >> 44 != t.stamp:
            return slot
        at += 1


@rule
def first_pattern(t: Any, slot: int) -> int:
    head = t.slot[slot]
    if head >> 44 != t.stamp:
        return 0
    return head & LINK


@rule
def link(t: Any, slot: int, key: int, entry: int) -> None:
    t.slot[slot] = (t.stamp << 12 | ((key >> 46) & 4095)) << 32 | entry


@rule
def grow(t: Any) -> None:
    """Double the slots."""
    old = t.slots
    t.slots = 2 * old
    for slot in range(old, 2 * old):
        entry = first_pattern(t, slot)
        if entry != 0:
            key = t.pool[entry + 2]
            link(t, slot_of(t, key), key, entry)


@rule
def evict(t: Any, stride: int) -> None:
    """Make room: keep the patterns with the most tricks left, at most half of them."""
    keep, least = t.limit // 2, 64
    while least > 1:
        count = 0
        for entry in range(FIRST, t.used, stride):
            if t.pool[entry + 1] >> 36 == least - 1:
                count += stride
        if count > keep:
            break
        keep -= count
        least -= 1
    used, size = t.used, t.slots
    clear(t)
    t.slots = size
    for entry in range(FIRST, used, stride):
        if t.pool[entry + 1] >> 36 >= least:
            to, key = t.used, t.pool[entry + 2]
            for i in range(stride):
                t.pool[to + i] = t.pool[entry + i]
            t.used += stride
            slot = slot_of(t, key)
            after = first_pattern(t, slot)
            t.shapes += 1 if after == 0 else 0
            t.pool[to] = (t.pool[to] & ~LINK) | after
            link(t, slot, key, to)


@rule
def fits(p: Any, f: Any, t: Any, entry: int, extent: int) -> bool:
    """Whether the owners agree as far as the pattern goes, and no further card equals the last of them."""
    for i in range(p.words):
        if (f.words[i] ^ t.pool[entry + HEAD + i]) & ((2 << (extent & 60)) - 1) != 0:
            return False
        extent >>= 6
    return True


@rule
def extent_of(p: Any, f: Any, ranks: int) -> int:
    """How many ranked cards of each suit mattered."""
    if p.verbatim != 0:
        return EVERYTHING
    extent = 0
    for suit in range(p.suits):
        seen = f.live & ranks & p.suit[suit]
        if seen != 0:
            extent |= popcount(seen) << (6 * suit + 2)
    return extent


@rule
def ranks_of(p: Any, f: Any, extent: int) -> int:
    """The inverse of `extent_of`: the cards of this position that a pattern is about, whole kinds at a time."""
    ranks = 0
    if p.verbatim == 0:
        for suit in range(p.suits):
            count = (extent >> 2) & 15
            extent >>= 6
            if count != 0:
                cards = f.live & p.ranks[suit]
                for _ in range(count - 1):
                    cards &= cards - 1
                ranks |= p.down_to[ctz(cards)]
    return ranks


@rule
def look_up(p: Any, f: Any, t: Any) -> bool:
    """Whether a pattern decides the position. If so, value and ranks are set; otherwise perhaps a good lead."""
    f.choice = NO_CARD
    entry = first_pattern(t, slot_of(t, f.key + p.lead_code[f.turn]))
    while entry != 0:
        head, extent = t.pool[entry], t.pool[entry + 1] & EXTENT
        if fits(p, f, t, entry, extent):
            low, high = ((head >> 32) & 1023) - BIAS, ((head >> 42) & 1023) - BIAS
            if low >= f.target or high < f.target:
                f.value = low if low >= f.target else high
                f.ranks = ranks_of(p, f, extent)
                return True
            f.choice = head >> 52
        elif f.choice == NO_CARD:
            f.choice = head >> 52
        entry = head & LINK
    return False


@rule
def bounded(head: int, value: int, is_low: bool, choice: int) -> int:
    """The first word of a pattern, with one more bound and the latest choice."""
    low, high = (head >> 32) & 1023, (head >> 42) & 1023
    if is_low:
        low = max(low, value + BIAS)
    else:
        high = min(high, value + BIAS)
    return head & LINK | low << 32 | high << 42 | choice << 52


@rule
def store(p: Any, f: Any, t: Any) -> None:
    """Store the value of a searched frame: a lower bound if it reached its target, otherwise an upper bound."""
    extent = extent_of(p, f, f.ranks)
    key = f.key + p.lead_code[f.turn]
    is_low = f.value >= f.target
    slot = slot_of(t, key)
    first = first_pattern(t, slot)
    entry = first
    while entry != 0:
        if t.pool[entry + 1] & EXTENT == extent and fits(p, f, t, entry, extent):
            t.pool[entry] = bounded(t.pool[entry], f.value, is_low, f.choice)
            return
        entry = t.pool[entry] & LINK
    stride = HEAD + p.words
    if t.used + stride > t.limit:
        evict(t, stride)
        slot = slot_of(t, key)
        first = first_pattern(t, slot)
    if first == 0:
        if 2 * t.shapes >= t.slots and t.slots < 1 << SLOTS:
            grow(t)
            slot = slot_of(t, key)
        elif 8 * t.shapes >= 7 * t.slots:
            clear(t)
            slot = slot_of(t, key)
        t.shapes += 1
    entry = t.used
    t.used += stride
    t.pool[entry] = bounded(first | UNBOUNDED << 42, f.value, is_low, f.choice)
    t.pool[entry + 1] = extent | f.left << 36
    t.pool[entry + 2] = key
    for i in range(p.words):
        t.pool[entry + HEAD + i] = f.words[i]
    link(t, slot, key, entry)
