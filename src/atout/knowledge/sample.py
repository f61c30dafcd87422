"""Belief sampling: from what a seat knows to a world it may be in, every consistent world equally likely.

A *world* says where each unseen card is (in whose hand, in whose secret choice, or not dealt) and what
each secret choice was. Copies of a kind are different cards here, as they are when shuffled. What a
seat knows bars kinds from places: a seat that did not follow has no card of that suit in hand, and where low
cards may not be discarded none is among the discards. So the worlds are the ways to put the unseen cards into
places with room, each card into a place that does not bar it.

Places with the same bars form a group; a group without bars takes any card. With the barred cards
first, the number of ways to place the cards from the i-th on depends only on the room left in each
barring group:

    ways[i, rooms] = Σ over groups that take card i: ways[i + 1, rooms − 1 there]

A lookup of these numbers is built once (`counting.py`); each draw walks it card by card (`draw`), choosing a
group in proportion to the ways that remain, and a place of the group in proportion to its room. No draw
fails. The numbers are floats: exact up to 2^53, then rounded.

One correction remains. A seat that has played a red 1 may hold another, and nobody can tell which copy was
played: the same deal leads to C(held + played, played) placements. So that every deal counts once, a
placement is kept with the probability 1 / C(held + played, played) for each such kind, else drawn again.

"Unless nothing else is left in the hand" (§5.3) makes the bars of a hand depend on its discards. The
worlds are split into *scenarios*, one number per seat: how many low cards it had to discard. Scenario 0
is nearly always the only possible one.
"""

from __future__ import annotations

from typing import Any

from atout.knowledge.counting import fill_lookup
from atout.knowledge.unseen import CHOSEN, UNDEALT, make_plan, set_places
from atout.rules.bits import ctz
from atout.rules.cards import copies_of, put_in_hand, size, spare_with, spare_without, take_from_hand
from atout.rules.jit import rule
from atout.rules.layout import DISCARD, LAY, PASS, PLACES, PLAY, SEATS
from atout.rules.log import HIDDEN, action_of, logged, phase_of, seat_of
from atout.rules.rng import below, unit
from atout.rules.trick import lay_on_pile


@rule
def draw_scenario(p: Any, chances: Any, rng: Any) -> int:
    total = 0.0
    for scenario in range(p.scenarios):
        total += chances[scenario]
    x = unit(rng) * total
    chosen = 0
    for scenario in range(p.scenarios):
        if chances[scenario] > 0.0:
            chosen = scenario
            if x < chances[scenario]:
                break
            x -= chances[scenario]
    return chosen


@rule
def draw_group(p: Any, ways: Any, i: int, at: int, rest: int, rng: Any) -> int:
    """The group of card i, in proportion to the ways that remain after it."""
    following = (i + 1) * p.states + at
    x = unit(rng) * ways[i * p.states + at]
    chosen = 0
    if rest > 0:
        x -= ways[following]
    if rest == 0 or x >= 0.0:
        for group in range(1, p.groups):
            if p.digit[group] > 0 and (p.group_barred[group] >> p.card[i]) & 1 == 0:
                chance = ways[following - p.stride[group]]
                if chance > 0.0:
                    chosen = group
                    if x < chance:
                        break
                    x -= chance
    return chosen


@rule
def draw_place(p: Any, group: int, room: int, rng: Any) -> int:
    """A place of the group, in proportion to its room; `room` is the group's."""
    x = below(rng, room)
    chosen = 0
    for place in range(PLACES):
        if p.group[place] == group and p.room[place] > 0:
            chosen = place
            if x < p.room[place]:
                break
            x -= p.room[place]
    return chosen


@rule
def put_in_place(w: Any, r: Any, place: int, kind: int) -> None:
    if place < CHOSEN:
        put_in_hand(w, r, place, kind)
    elif place < UNDEALT:
        seat = (place - CHOSEN) % SEATS
        w.gone_spare[seat] = spare_with(r, w.gone[seat], w.gone_spare[seat], kind)
        w.gone[seat] |= 1 << kind


@rule
def put_unseen(w: Any, r: Any, p: Any, ways: Any, rng: Any) -> None:
    """Place every unseen card; afterwards no place has room left."""
    at = p.states - 1
    rest = p.group_room[0]
    for group in range(1, p.groups):
        p.digit[group] = p.group_room[group]
    for i in range(p.cards):
        group = 0
        room = p.cards - i
        if i < p.bound:
            group = draw_group(p, ways, i, at, rest, rng)
            room = rest if group == 0 else p.digit[group]
        if i >= p.bound:
            place = draw_any_place(p, room, rng)
        else:
            place = draw_place(p, group, room, rng)
            if group == 0:
                rest -= 1
            else:
                p.digit[group] -= 1
                at -= p.stride[group]
        p.room[place] -= 1
        put_in_place(w, r, place, p.card[i])


@rule
def draw_any_place(p: Any, room: int, rng: Any) -> int:
    """A place for a card that no place bars, in proportion to the room of each."""
    x = below(rng, room)
    chosen = 0
    for place in range(PLACES):
        if p.room[place] > 0:
            chosen = place
            if x < p.room[place]:
                break
            x -= p.room[place]
    return chosen


@rule
def put_known(o: Any, f: Any, r: Any, w: Any) -> None:
    for seat in range(r.players):
        kinds = f.known[seat]
        while kinds != 0:
            kind = ctz(kinds)
            kinds &= kinds - 1
            for _ in range(copies_of(r, f.known[seat], f.known_spare[seat], kind)):
                put_in_hand(w, r, seat, kind)


@rule
def draw_from_set(r: Any, kinds: int, spare: int, rng: Any) -> int:
    """A uniformly chosen card of a set, copies counted."""
    x = below(rng, size(kinds, spare))
    left = kinds
    while True:
        kind = ctz(left)
        left &= left - 1
        x -= copies_of(r, kinds, spare, kind)
        if x < 0 or left == 0:
            return kind


@rule
def draw_passes(f: Any, r: Any, w: Any, rng: Any) -> None:
    """Draw what others passed among themselves: any of the cards that the receiver had after the pass."""
    for seat in range(r.players):
        left = (seat + 1) % r.players
        if seat != f.seat and left != f.seat:
            w.gone[seat] = 0
            w.gone_spare[seat] = 0
            kinds, spare = joined(r, w.hand[left], w.spare[left], f.seen[left], f.seen_spare[left])
            for _ in range(f.given[seat]):
                kind = draw_from_set(r, kinds, spare, rng)
                if spare & r.spare_of[kind] == 0:
                    kinds &= ~(1 << kind)
                spare = spare_without(r, spare, kind)
                w.gone_spare[seat] = spare_with(r, w.gone[seat], w.gone_spare[seat], kind)
                w.gone[seat] |= 1 << kind


@rule
def joined(r: Any, kinds: int, spare: int, more: int, more_spare: int) -> tuple[int, int]:
    """The union of two card sets, copies added up."""
    left = more
    while left != 0:
        kind = ctz(left)
        left &= left - 1
        for _ in range(copies_of(r, more, more_spare, kind)):
            spare = spare_with(r, kinds, spare, kind)
            kinds |= 1 << kind
    return kinds, spare


@rule
def name_choices(o: Any, f: Any, r: Any, w: Any, log: Any, length: int, rng: Any) -> None:
    """Write the drawn choices into the hidden entries of the log: low discards last, lay-outs in any order."""
    seat = -1
    kinds, spare = 0, 0
    for i in range(length):
        if action_of(log[i]) == HIDDEN:
            phase = phase_of(log[i])
            if seat_of(log[i]) != seat:
                seat = seat_of(log[i])
                kinds, spare = w.gone[seat], w.gone_spare[seat]
            choice, choice_spare = kinds, spare
            if r.give_not_low[o.giving] != 0 and kinds & ~r.low != 0:
                choice = kinds & ~r.low
                choice_spare = high_spares(r, choice, spare)
            kind = draw_from_set(r, choice, choice_spare, rng)
            if spare & r.spare_of[kind] == 0:
                kinds &= ~(1 << kind)
            spare = spare_without(r, spare, kind)
            log[i] = logged(seat, phase, kind)
            if phase == LAY:
                lay_on_pile(w, r, seat, kind)


@rule
def high_spares(r: Any, kinds: int, spare: int) -> int:
    """The spare copies that belong to these kinds."""
    result = 0
    while kinds != 0:
        result |= spare & r.spare_of[ctz(kinds)]
        kinds &= kinds - 1
    return result


@rule
def copies_played(o: Any, f: Any, r: Any, seat: int, kind: int) -> int:
    """Copies the seat has played, without those that the observer knows it got or laid out."""
    played = copies_of(r, f.seen[seat], f.seen_spare[seat], kind)
    if f.passed != 0:
        if (f.seat + 1) % r.players == seat:
            played -= copies_of(r, o.gone[f.seat], o.gone_spare[f.seat], kind)
    elif f.laid_count > 0:
        played -= copies_of(r, o.gone[seat], o.gone_spare[seat], kind)
    return max(played, 0)


@rule
def is_kept(o: Any, f: Any, r: Any, w: Any, rng: Any) -> bool:
    """Whether to keep the placement: with the probability 1 / C(held + played, played) for each kind."""
    for seat in range(r.players):
        kinds = w.hand[seat] & f.seen[seat] if seat != f.seat else 0
        while kinds != 0:
            kind = ctz(kinds)
            kinds &= kinds - 1
            held = copies_of(r, w.hand[seat], w.spare[seat], kind)
            held -= copies_of(r, f.known[seat], f.known_spare[seat], kind)
            for i in range(1, copies_played(o, f, r, seat, kind) + 1):
                if below(rng, held + i) >= i:
                    return False
    return True


@rule
def place_cards(o: Any, f: Any, r: Any, p: Any, ways: Any, chances: Any, rng: Any, w: Any) -> None:
    """Draw one placement of the unseen cards; `is_kept` decides whether it counts."""
    scenario = draw_scenario(p, chances, rng)
    if scenario != p.scenario:
        make_plan(o, f, r, p, scenario)
        fill_lookup(p, ways)
    set_places(o, f, r, p, scenario)
    for seat in range(r.players):
        w.hand[seat] = o.hand[seat]
        w.spare[seat] = o.spare[seat]
        w.gone[seat] = o.gone[seat]
        w.gone_spare[seat] = o.gone_spare[seat]
    put_known(o, f, r, w)
    put_unseen(w, r, p, ways, rng)


@rule
def draw(o: Any, f: Any, r: Any, p: Any, ways: Any, chances: Any, rng: Any, w: Any, log: Any, length: int) -> None:
    """Turn `w`, a copy of the redacted state, and its log into a world drawn uniformly from all possible ones."""
    place_cards(o, f, r, p, ways, chances, rng, w)
    while not is_kept(o, f, r, w, rng):
        place_cards(o, f, r, p, ways, chances, rng, w)
    if f.passed != 0:
        draw_passes(f, r, w, rng)
    name_choices(o, f, r, w, log, length, rng)


@rule
def rewind(s: Any, r: Any, log: Any, length: int) -> None:
    """Give all cards back, so that the hands become those that were dealt."""
    for i in range(length):
        back = length - 1 - i
        actor, phase, kind = seat_of(log[back]), phase_of(log[back]), action_of(log[back])
        if phase == PLAY or phase == LAY:
            put_in_hand(s, r, actor, kind)
        elif phase == DISCARD or phase == PASS:
            if phase == PASS and s.phase != PASS:
                take_from_hand(s, r, (actor + 1) % r.players, kind)
            put_in_hand(s, r, actor, kind)
