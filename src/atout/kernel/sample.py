"""From what a seat knows to a whole world it may be in, every consistent world equally likely.

A *world* says where each unseen card is (in whose hand, in whose secret choice, or not dealt) and what
each secret choice was. Copies of a kind are different cards here, as they are when shuffled. What a
seat knows bars kinds from places: who did not follow has no card of that suit in hand, and with
"without a 1" no low card is among the discards. So the worlds are the ways to put the unseen cards into
places with room, each card into a place that does not bar it.

Places with the same bars form a group; a group without bars takes any card. With the barred cards
first, the number of ways to place the cards from the i-th on depends only on the room left in each
barring group:

    ways[i, rooms] = Σ over groups that take card i: ways[i + 1, rooms − 1 there]

A table of these numbers is built once (`plan`); each draw walks it card by card (`draw`), choosing a
group in proportion to the ways that remain, and a place of the group in proportion to its room. No draw
fails. The numbers are floats: exact up to 2^53, then within rounding.

One correction remains. Who has played a red 1 may hold another, and nobody can tell which copy was
played: the same deal leads to C(held + played, played) placements. So that every deal counts once, a
placement is kept with the chance 1 / C(held + played, played) for each such kind, else drawn anew.

"Unless nothing else is left in the hand" (§5.3) makes the bars of a hand depend on its discards. The
worlds are split into *scenarios*, one number per seat: how many low cards it had to discard. Scenario 0
is nearly always the only possible one.
"""

from __future__ import annotations

from typing import Any

from atout.kernel.bits import ctz
from atout.kernel.cards import copies_of, put_in_hand, size, spare_with, spare_without, take_from_hand
from atout.kernel.jit import rule
from atout.kernel.layout import DISCARD, LAY, PASS, PLACES, PLAY, SEATS
from atout.kernel.log import HIDDEN, action_of, logged, phase_of, seat_of
from atout.kernel.luck import below, unit
from atout.kernel.trick import lay_on_pile

CHOSEN, CHOSEN_LOW, UNDEALT = SEATS, 2 * SEATS, 3 * SEATS


@rule
def factorial(n: int) -> float:
    product = 1.0
    for i in range(2, n + 1):
        product *= i
    return product


# ------------------------------------------------------------------ what is unseen, and where it may be


@rule
def choices_hidden(f: Any) -> bool:
    """Secret choices are cards of their own: not passed on, not laid open."""
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
    """Who had to discard a low card holds nothing but low cards, and has played nothing else."""
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
    """Room and bars of every place in this scenario."""
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
    """Join places with the same bars; bars against kinds that are not unseen do not count."""
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
    """List the unseen cards, those barred by some group first."""
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
def lay_plan(o: Any, f: Any, r: Any, p: Any, scenario: int) -> int:
    """Everything but the table; how many numbers the table needs."""
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


# ------------------------------------------------------------------ counting


@rule
def free_ways(p: Any, rest: int) -> float:
    """Ways to place the cards no group bars, with `rest` of them in the group without bars."""
    ways = factorial(p.cards - p.bound) / factorial(rest)
    for group in range(1, p.groups):
        ways /= factorial(p.digit[group])
    return ways


@rule
def ways_from(p: Any, ways: Any, i: int, at: int, rest: int) -> float:
    """One number of the table from the next row: card i goes to a group that takes it."""
    following = (i + 1) * p.states + at
    total = 0.0
    if rest > 0:
        total += ways[following]
    for group in range(1, p.groups):
        if p.digit[group] > 0 and (p.group_barred[group] >> p.card[i]) & 1 == 0:
            total += ways[following - p.stride[group]]
    return total


@rule
def fill_row(p: Any, ways: Any, i: int) -> None:
    for group in range(1, p.groups):
        p.digit[group] = 0
    taken = 0
    for at in range(p.states):
        rest = p.cards - i - taken
        number = 0.0
        if rest >= 0 and i == p.bound:
            number = free_ways(p, rest)
        elif rest >= 0:
            number = ways_from(p, ways, i, at, rest)
        ways[i * p.states + at] = number
        group = 1
        while group < p.groups and p.digit[group] == p.group_room[group]:
            taken -= p.digit[group]
            p.digit[group] = 0
            group += 1
        if group < p.groups:
            p.digit[group] += 1
            taken += 1


@rule
def fill_table(p: Any, ways: Any) -> float:
    """Build the table; how many worlds there are, places of one group told apart."""
    for back in range(p.bound + 1):
        fill_row(p, ways, p.bound - back)
    worlds = ways[p.states - 1]
    for group in range(p.groups):
        worlds *= factorial(p.group_room[group])
    for place in range(PLACES):
        worlds /= factorial(p.room[place])
    return worlds


@rule
def table_size(o: Any, f: Any, r: Any, p: Any) -> int:
    """Room the table needs in the largest scenario."""
    largest = 0
    p.scenarios = count_scenarios(o, f, r)
    for scenario in range(p.scenarios):
        if scenario == 0 or is_possible(o, f, r, scenario):
            largest = max(largest, lay_plan(o, f, r, p, scenario))
    return largest


@rule
def plan(o: Any, f: Any, r: Any, p: Any, ways: Any, chances: Any) -> float:
    """Count the worlds of every scenario into `chances`, and be ready to draw; the sum."""
    total = 0.0
    p.scenarios = count_scenarios(o, f, r)
    for back in range(p.scenarios):
        scenario = p.scenarios - 1 - back
        chances[scenario] = 0.0
        if scenario == 0 or is_possible(o, f, r, scenario):
            lay_plan(o, f, r, p, scenario)
            chances[scenario] = fill_table(p, ways)
        total += chances[scenario]
    return total


# ------------------------------------------------------------------ drawing


@rule
def draw_scenario(p: Any, chances: Any, luck: Any) -> int:
    total = 0.0
    for scenario in range(p.scenarios):
        total += chances[scenario]
    x = unit(luck) * total
    chosen = 0
    for scenario in range(p.scenarios):
        if chances[scenario] > 0.0:
            chosen = scenario
            if x < chances[scenario]:
                break
            x -= chances[scenario]
    return chosen


@rule
def draw_group(p: Any, ways: Any, i: int, at: int, rest: int, luck: Any) -> int:
    """The group of card i, in proportion to the ways that remain after it."""
    following = (i + 1) * p.states + at
    x = unit(luck) * ways[i * p.states + at]
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
def draw_place(p: Any, group: int, room: int, luck: Any) -> int:
    """A place of the group, in proportion to its room; `room` is the group's."""
    x = below(luck, room)
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
def put_unseen(w: Any, r: Any, p: Any, ways: Any, luck: Any) -> None:
    """Place every unseen card; afterwards no place has room."""
    at = p.states - 1
    rest = p.group_room[0]
    for group in range(1, p.groups):
        p.digit[group] = p.group_room[group]
    for i in range(p.cards):
        group = 0
        room = p.cards - i
        if i < p.bound:
            group = draw_group(p, ways, i, at, rest, luck)
            room = rest if group == 0 else p.digit[group]
        if i >= p.bound:
            place = draw_any_place(p, room, luck)
        else:
            place = draw_place(p, group, room, luck)
            if group == 0:
                rest -= 1
            else:
                p.digit[group] -= 1
                at -= p.stride[group]
        p.room[place] -= 1
        put_in_place(w, r, place, p.card[i])


@rule
def draw_any_place(p: Any, room: int, luck: Any) -> int:
    """A place for a card nobody bars, in proportion to the room of each."""
    x = below(luck, room)
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
def draw_from_set(r: Any, kinds: int, spare: int, luck: Any) -> int:
    """A uniformly chosen card of a set, copies counted."""
    x = below(luck, size(kinds, spare))
    left = kinds
    while True:
        kind = ctz(left)
        left &= left - 1
        x -= copies_of(r, kinds, spare, kind)
        if x < 0 or left == 0:
            return kind


@rule
def draw_passes(f: Any, r: Any, w: Any, luck: Any) -> None:
    """What others passed among themselves: any cards of those the receiver had after the pass."""
    for seat in range(r.players):
        left = (seat + 1) % r.players
        if seat != f.seat and left != f.seat:
            w.gone[seat] = 0
            w.gone_spare[seat] = 0
            kinds, spare = joined(r, w.hand[left], w.spare[left], f.seen[left], f.seen_spare[left])
            for _ in range(f.given[seat]):
                kind = draw_from_set(r, kinds, spare, luck)
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
def name_choices(o: Any, f: Any, r: Any, w: Any, log: Any, length: int, luck: Any) -> None:
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
            kind = draw_from_set(r, choice, choice_spare, luck)
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
    """Copies the seat has played that it was dealt, or got from somebody the observer cannot see."""
    played = copies_of(r, f.seen[seat], f.seen_spare[seat], kind)
    if f.passed != 0:
        if (f.seat + 1) % r.players == seat:
            played -= copies_of(r, o.gone[f.seat], o.gone_spare[f.seat], kind)
    elif f.laid_count > 0:
        played -= copies_of(r, o.gone[seat], o.gone_spare[seat], kind)
    return max(played, 0)


@rule
def is_kept(o: Any, f: Any, r: Any, w: Any, luck: Any) -> bool:
    """Keep a placement in proportion to the deals it stands for: one in C(held + played, played)."""
    for seat in range(r.players):
        kinds = w.hand[seat] & f.seen[seat] if seat != f.seat else 0
        while kinds != 0:
            kind = ctz(kinds)
            kinds &= kinds - 1
            held = copies_of(r, w.hand[seat], w.spare[seat], kind)
            held -= copies_of(r, f.known[seat], f.known_spare[seat], kind)
            for i in range(1, copies_played(o, f, r, seat, kind) + 1):
                if below(luck, held + i) >= i:
                    return False
    return True


@rule
def place_cards(o: Any, f: Any, r: Any, p: Any, ways: Any, chances: Any, luck: Any, w: Any) -> None:
    """One placement of the unseen cards, before it is known whether it is kept."""
    scenario = draw_scenario(p, chances, luck)
    if scenario != p.scenario:
        lay_plan(o, f, r, p, scenario)
        fill_table(p, ways)
    set_places(o, f, r, p, scenario)
    for seat in range(r.players):
        w.hand[seat] = o.hand[seat]
        w.spare[seat] = o.spare[seat]
        w.gone[seat] = o.gone[seat]
        w.gone_spare[seat] = o.gone_spare[seat]
    put_known(o, f, r, w)
    put_unseen(w, r, p, ways, luck)


@rule
def draw(o: Any, f: Any, r: Any, p: Any, ways: Any, chances: Any, luck: Any, w: Any, log: Any, length: int) -> None:
    """Turn `w`, a copy of the redacted state, and its log into one of the possible worlds."""
    place_cards(o, f, r, p, ways, chances, luck, w)
    while not is_kept(o, f, r, w, luck):
        place_cards(o, f, r, p, ways, chances, luck, w)
    if f.passed != 0:
        draw_passes(f, r, w, luck)
    name_choices(o, f, r, w, log, length, luck)


@rule
def rewind(s: Any, r: Any, log: Any, length: int) -> None:
    """Give every card back: the hands become what was dealt."""
    for i in range(length):
        back = length - 1 - i
        actor, phase, kind = seat_of(log[back]), phase_of(log[back]), action_of(log[back])
        if phase == PLAY or phase == LAY:
            put_in_hand(s, r, actor, kind)
        elif phase == DISCARD or phase == PASS:
            if phase == PASS and s.phase != PASS:
                take_from_hand(s, r, (actor + 1) % r.players, kind)
            put_in_hand(s, r, actor, kind)
