"""The cards that a seat has not seen, and the places where they may be; `sample.py` explains the method.

A *place* is a hand, the secret choice of a seat, or the cards that were not dealt. It has room for some cards and
bars some kinds. Places that bar the same kinds form a *group*.
"""

from __future__ import annotations

from typing import Any

from atout.rules.bits import ctz
from atout.rules.cards import copies_of, size
from atout.rules.jit import rule
from atout.rules.layout import PLACES, SEATS

CHOSEN, CHOSEN_LOW, UNDEALT = SEATS, 2 * SEATS, 3 * SEATS


@rule
def choices_hidden(f: Any) -> bool:
    """Whether the secret choices lie apart: neither passed on nor laid open."""
    return f.passed == 0 and f.laid_count == 0


@rule
def unseen_copies(o: Any, f: Any, r: Any, kind: int) -> int:
    """Copies of the kind whose place the seat does not know."""
    copies = r.copies[kind] - copies_of(r, o.hand[f.seat], o.spare[f.seat], kind)
    if choices_hidden(f):
        copies -= copies_of(r, o.gone[f.seat], o.gone_spare[f.seat], kind)
    for seat in range(r.players):
        copies -= copies_of(r, f.seen[seat], f.seen_spare[seat], kind)
        copies -= copies_of(r, f.known[seat], f.known_spare[seat], kind)
    return copies


@rule
def forced_low(o: Any, f: Any, r: Any, seat: int, scenario: int) -> int:
    """The seat's digit of the scenario: how many low cards it had to discard."""
    digit = 0
    for other in range(seat + 1):
        base = scenario_base(o, f, r, other)
        digit = scenario % base
        scenario //= base
    return digit


@rule
def scenario_base(o: Any, f: Any, r: Any, seat: int) -> int:
    if seat == f.seat or r.give_not_low[o.giving] == 0 or not choices_hidden(f):
        return 1
    return f.given[seat] + 1


@rule
def count_scenarios(o: Any, f: Any, r: Any) -> int:
    product = 1
    for seat in range(r.players):
        product *= scenario_base(o, f, r, seat)
    return product


@rule
def is_possible(o: Any, f: Any, r: Any, scenario: int) -> bool:
    """Whether the scenario fits: a seat that had to discard a low card holds only low cards and has played no other."""
    lows = 0
    kinds = r.low
    while kinds != 0:
        lows += unseen_copies(o, f, r, ctz(kinds))
        kinds &= kinds - 1
    for seat in range(r.players):
        forced = forced_low(o, f, r, seat, scenario)
        if forced > 0 and (f.seen[seat] & ~r.low != 0 or f.in_hand[seat] + forced > lows):
            return False
    return True


@rule
def set_places(o: Any, f: Any, r: Any, p: Any, scenario: int) -> None:
    """Set the room of every place in this scenario, and the kinds it bars."""
    for place in range(PLACES):
        p.room[place] = 0
        p.barred[place] = 0
    p.room[UNDEALT] = f.undealt
    for seat in range(r.players):
        if seat != f.seat:
            p.room[seat] = f.in_hand[seat] - size(f.known[seat], f.known_spare[seat])
            p.barred[seat] = f.cannot[seat]
            if choices_hidden(f):
                set_choice_places(o, f, r, p, seat, forced_low(o, f, r, seat, scenario))


@rule
def set_choice_places(o: Any, f: Any, r: Any, p: Any, seat: int, forced: int) -> None:
    p.room[CHOSEN + seat] = f.given[seat] - forced
    p.room[CHOSEN_LOW + seat] = forced
    p.barred[CHOSEN_LOW + seat] = r.kinds & ~r.low
    if r.give_not_low[o.giving] != 0:
        p.barred[CHOSEN + seat] = r.low
    if forced > 0:
        p.barred[seat] |= r.kinds & ~r.low


@rule
def set_groups(p: Any, unseen: int) -> None:
    """Join places that bar the same kinds; only unseen kinds count."""
    p.groups = 1
    p.group_room[0] = 0
    p.group_barred[0] = 0
    for place in range(PLACES):
        p.group[place] = 0
        bars = p.barred[place] & unseen
        if bars != 0 and p.room[place] > 0:
            group = 1
            while group < p.groups and p.group_barred[group] != bars:
                group += 1
            if group == p.groups:
                p.groups += 1
                p.group_room[group] = 0
                p.group_barred[group] = bars
            p.group[place] = group
        p.group_room[p.group[place]] += p.room[place]
    p.states = 1
    for group in range(1, p.groups):
        p.stride[group] = p.states
        p.states *= p.group_room[group] + 1


@rule
def set_cards(o: Any, f: Any, r: Any, p: Any) -> None:
    """List the unseen cards; first those that some group bars."""
    barred = 0
    for group in range(1, p.groups):
        barred |= p.group_barred[group]
    p.cards = 0
    for wanted in range(2):
        if wanted == 1:
            p.bound = p.cards
        kinds = r.kinds & barred if wanted == 0 else r.kinds & ~barred
        while kinds != 0:
            kind = ctz(kinds)
            kinds &= kinds - 1
            for _ in range(unseen_copies(o, f, r, kind)):
                p.card[p.cards] = kind
                p.cards += 1


@rule
def make_plan(o: Any, f: Any, r: Any, p: Any, scenario: int) -> int:
    """Make the plan except the lookup; returns how many numbers the lookup needs."""
    unseen = 0
    kinds = r.kinds
    while kinds != 0:
        kind = ctz(kinds)
        kinds &= kinds - 1
        if unseen_copies(o, f, r, kind) > 0:
            unseen |= 1 << kind
    set_places(o, f, r, p, scenario)
    set_groups(p, unseen)
    set_cards(o, f, r, p)
    p.scenario = scenario
    return (p.bound + 1) * p.states
