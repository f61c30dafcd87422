"""Fill the vector of `features.py` from what a seat knows, and translate its actions to the game's.

Everything is read from the redacted state and the facts (`redact.py`), so nothing secret gets in. The hands of the
others are a vector of their own, filled from the state, which only a critic in training is given.

Slots: the trump colour comes first and the supertrumps' colour second, as soon as the board has decided them. The
others follow by what the seat holds, in Null & nichtig by the tops of its own piles; with a tie the lower colour comes
first. The slots are one word: in every four bits the colour of a slot, slot 0 lowest, and from SLOT_OF on the slot of
every colour.

A batch spends most of its time here, so nothing is computed for each card that can be computed once: `shifts` is one
word that turns kinds into places, and the unseen cards are the deck less what the seat has seen, card by card.
"""

from __future__ import annotations

from typing import Any

from atout.knowledge import features as at
from atout.knowledge.redact import was_passed
from atout.knowledge.unseen import choices_hidden
from atout.rules.bits import ctz
from atout.rules.cards import copies_of
from atout.rules.jit import part, rule
from atout.rules.layout import (
    COLOURS,
    COLUMNS,
    DISCARD,
    DISCARD_ROW,
    DOUBLE,
    LAY,
    NICHTIG,
    NJET,
    NOBODY,
    PASS,
    PLAY,
    POINTS_ROW,
    START_ROW,
    SUPER_ROW,
    TEAM,
    TRUMP_ROW,
    VETO,
)
from atout.rules.scoring import lane, own_points, plays_with, standing
from atout.rules.veto import free_column, has_one_free

SURE = 1 << 40
"""Weight of a colour the board has decided."""
SLOT_OF = 24
"""The first bit of the second half of the slots."""
NO_SHIFT = 64
"""Added to every number of `shifts`, so that none is negative."""


# ------------------------------------------------------------------ slots and places


@rule
def is_decided(o: Any, r: Any, row: int) -> bool:
    """The row of the board has one free cell: Njet!, from the last veto in it on."""
    return r.game == NJET and o.free != 0 and has_one_free(o.free, row)


@rule
def colour_of_row(o: Any, r: Any, row: int) -> int:
    """The colour a decided row stands for; the number of colours: none."""
    column = free_column(o, row)
    return r.trump_cells[column] if row == TRUMP_ROW else r.super_cells[column]


@rule
def weight_of(o: Any, r: Any, seat: int, trump: int, supertrump: int, colour: int) -> int:
    """What decides a colour's slot: the heaviest comes first, of equal ones the lower colour."""
    if colour >= r.colours:
        return -1
    weight = lane(o.tops[seat], colour) << 20
    if trump == colour:
        weight += 2 * SURE
    if supertrump == colour:
        weight += SURE
    hand, spare = o.hand[seat], o.spare[seat]
    held = hand & r.suit[colour]
    while held != 0:
        kind = ctz(held)
        held &= held - 1
        weight += copies_of(r, hand, spare, kind) * (32 + r.value_of[kind])
    return weight * 8 + 7 - colour


@rule
def with_slot(r: Any, slots: int, colour: int, weight: int, a: int, b: int, c: int, d: int) -> int:
    """The slots with one more colour, given its weight and those of the others."""
    if colour >= r.colours:
        return slots | at.NO_COLOUR << (SLOT_OF + 4 * colour)
    slot = 1 if a > weight else 0
    slot += 1 if b > weight else 0
    slot += 1 if c > weight else 0
    slot += 1 if d > weight else 0
    return slots | colour << (4 * slot) | slot << (SLOT_OF + 4 * colour)


@part
def slots_of(o: Any, r: Any, seat: int) -> int:
    """The colours by slot, for this seat: the heaviest (`weight_of`) first; and the slots by colour."""
    trump, supertrump = NOBODY, NOBODY
    if is_decided(o, r, TRUMP_ROW):
        trump = colour_of_row(o, r, TRUMP_ROW)
    if is_decided(o, r, SUPER_ROW):
        supertrump = colour_of_row(o, r, SUPER_ROW)
    a = weight_of(o, r, seat, trump, supertrump, 0)
    b = weight_of(o, r, seat, trump, supertrump, 1)
    c = weight_of(o, r, seat, trump, supertrump, 2)
    d = weight_of(o, r, seat, trump, supertrump, 3)
    e = weight_of(o, r, seat, trump, supertrump, 4)
    slots = at.NO_COLOUR << (SLOT_OF + 4 * COLOURS)
    slots = with_slot(r, slots, 0, a, b, c, d, e)
    slots = with_slot(r, slots, 1, b, a, c, d, e)
    slots = with_slot(r, slots, 2, c, a, b, d, e)
    slots = with_slot(r, slots, 3, d, a, b, c, e)
    return with_slot(r, slots, 4, e, a, b, c, d)


@rule
def slot_of(slots: int, colour: int) -> int:
    """The slot of a colour; the number of colours has NO_COLOUR."""
    return (slots >> (SLOT_OF + 4 * colour)) & 15


@rule
def shifts_of(r: Any, slots: int) -> int:
    """What turns a kind into its place, for every colour: 8 bits each."""
    shifts, width = 0, at.GRID // r.colours
    for colour in range(r.colours):
        shifts |= (NO_SHIFT + slot_of(slots, colour) * width - ctz(r.suit[colour])) << (8 * colour)
    return shifts


@rule
def shifted(r: Any, shifts: int, kind: int) -> int:
    """`place_of`, for many kinds."""
    return kind - NO_SHIFT + ((shifts >> (8 * r.colour_of[kind])) & 255)


@part
def place_of(r: Any, slots: int, kind: int) -> int:
    """Slot by slot, and in it by rank: how far above the lowest kind of its colour in play."""
    colour = r.colour_of[kind]
    return slot_of(slots, colour) * (at.GRID // r.colours) + kind - ctz(r.suit[colour])


# ------------------------------------------------------------------ actions


@part
def place_of_cell(r: Any, seat: int, slots: int, cell: int) -> int:
    row, column = cell // COLUMNS, cell % COLUMNS
    if row == START_ROW:
        column = (column - seat) % r.players
    elif row == TRUMP_ROW:
        column = slot_of(slots, r.trump_cells[column])
    elif row == SUPER_ROW:
        column = slot_of(slots, r.super_cells[column])
    return row * COLUMNS + column


@rule
def turned(r: Any, seat: int, seats: int) -> int:
    """A mask of seats with the seat itself at bit 0."""
    return ((seats >> seat) | (seats << (r.players - seat))) & ((1 << r.players) - 1)


@rule
def place_of_action(r: Any, seat: int, slots: int, phase: int, action: int) -> int:
    """The index of the game's action in its block of 64."""
    if phase == VETO:
        return place_of_cell(r, seat, slots, action)
    if phase == TEAM:
        return turned(r, seat, action)
    if phase == DOUBLE:
        return (action - seat) % r.players
    return place_of(r, slots, action)


@part
def legal_places(o: Any, r: Any, options: int) -> int:
    """The legal actions of the seat in turn, as a mask over its block."""
    return places_of(o, r, slots_of(o, r, o.turn), options)


@part
def places_of(o: Any, r: Any, slots: int, options: int) -> int:
    """The same for slots that are known."""
    mask = 0
    if o.phase == PLAY or o.phase == LAY or o.phase == DISCARD or o.phase == PASS:
        shifts = shifts_of(r, slots)
        while options != 0:
            mask |= 1 << shifted(r, shifts, ctz(options))
            options &= options - 1
    while options != 0:
        mask |= 1 << place_of_action(r, o.turn, slots, o.phase, ctz(options))
        options &= options - 1
    return mask


@part
def action_at(o: Any, r: Any, options: int, place: int) -> int:
    """The game's action for an index of the block; NOBODY if it is not legal."""
    slots = slots_of(o, r, o.turn)
    while options != 0:
        action = ctz(options)
        options &= options - 1
        if place_of_action(r, o.turn, slots, o.phase, action) == place:
            return action
    return NOBODY


# ------------------------------------------------------------------ the vector


@rule
def small(number: int) -> int:
    """Within the vector's numbers of 8 bits."""
    return max(-127, min(127, number))


@part
def put_cards(r: Any, shifts: int, kinds: int, spare: int, out: Any, first: int) -> None:
    rest = kinds
    while rest != 0:
        kind = ctz(rest)
        rest &= rest - 1
        out[first + shifted(r, shifts, kind)] = copies_of(r, kinds, spare, kind)


@part
def take_cards(r: Any, shifts: int, kinds: int, spare: int, out: Any) -> None:
    """Take cards that the seat has seen from the unseen ones."""
    rest = kinds
    while rest != 0:
        kind = ctz(rest)
        rest &= rest - 1
        out[at.UNSEEN + shifted(r, shifts, kind)] -= copies_of(r, kinds, spare, kind)


@rule
def put_own_cards(o: Any, f: Any, r: Any, shifts: int, out: Any) -> None:
    me = f.seat
    put_cards(r, shifts, o.hand[me], o.spare[me], out, at.HAND)
    put_cards(r, shifts, o.gone[me], o.gone_spare[me], out, at.CHOSEN)
    if f.passed != 0:
        left, right = (me + 1) % r.players, (me - 1) % r.players
        put_cards(r, shifts, o.gone[right], o.gone_spare[right], out, at.RECEIVED)
        put_cards(r, shifts, f.known[left], f.known_spare[left], out, at.KNOWN)


@rule
def put_unseen(o: Any, f: Any, r: Any, shifts: int, out: Any) -> None:
    """`unseen_copies` (`unseen.py`) of every kind: the deck less what the seat knows the place of."""
    rest = r.kinds
    while rest != 0:
        kind = ctz(rest)
        rest &= rest - 1
        out[at.UNSEEN + shifted(r, shifts, kind)] = r.copies[kind]
    me = f.seat
    take_cards(r, shifts, o.hand[me], o.spare[me], out)
    if choices_hidden(f):
        take_cards(r, shifts, o.gone[me], o.gone_spare[me], out)
    for seat in range(r.players):
        take_cards(r, shifts, f.seen[seat], f.seen_spare[seat], out)
        take_cards(r, shifts, f.known[seat], f.known_spare[seat], out)


@rule
def put_trick(o: Any, f: Any, r: Any, slots: int, shifts: int, out: Any) -> None:
    if o.phase != PLAY:
        return
    out[at.PLAYED + o.played] = 1
    if o.played == 0:
        return
    put_cards(r, shifts, o.beating & r.kinds, 0, out, at.BEATING)
    out[at.BEST + (o.best - f.seat) % r.players] = 1
    for back in range(1, o.played + 1):
        seat = (o.turn - back) % r.players
        kind, k = o.trick[seat], (seat - f.seat) % r.players
        out[at.TRICK + shifted(r, shifts, kind)] += 1
        out[at.IN_TRICK + k * COLOURS + slot_of(slots, r.colour_of[kind])] = small(r.value_of[kind] + 1)


@rule
def put_order(f: Any, r: Any, shifts: int, out: Any) -> None:
    """In which trick each card was played, and which cards led."""
    for i in range(f.play_count):
        place = shifted(r, shifts, f.plays[i])
        out[at.WHEN + place] = i // r.players + 1
        if i % r.players == 0:
            out[at.LED + place] += 1


@rule
def put_board(o: Any, f: Any, r: Any, slots: int, out: Any) -> None:
    rest = o.free
    while rest != 0:
        out[at.FREE + place_of_cell(r, f.seat, slots, ctz(rest))] = 1
        rest &= rest - 1
    if is_decided(o, r, START_ROW):
        out[at.START + (free_column(o, START_ROW) - f.seat) % r.players] = 1
    if is_decided(o, r, DISCARD_ROW):
        column = free_column(o, DISCARD_ROW)
        out[at.GIVE_COUNT] = small(r.give_count[column])
        out[at.GIVE_PASS] = r.give_pass[column]
        out[at.GIVE_NOT_LOW] = r.give_not_low[column]
    if is_decided(o, r, TRUMP_ROW) and colour_of_row(o, r, TRUMP_ROW) < r.colours:
        out[at.TRUMP] = 1
    if is_decided(o, r, SUPER_ROW):
        out[at.SUPER + slot_of(slots, colour_of_row(o, r, SUPER_ROW))] = 1
    if is_decided(o, r, POINTS_ROW):
        out[at.POINTS] = small(r.points_cells[free_column(o, POINTS_ROW)])


@rule
def are_together(o: Any, r: Any, one: int, other: int) -> bool:
    if r.teams != 0:
        return plays_with(r, one, other)
    return o.side != 0 and (o.side >> one) & 1 == (o.side >> other) & 1


@rule
def earned(o: Any, r: Any, seat: int) -> int:
    """The seat's own points so far (Njet! §7.1; Null & nichtig §5.1)."""
    if r.game != NICHTIG:
        return own_points(o, seat)
    total = 0
    for colour in range(COLOURS):
        total += max(0, lane(o.tops[seat], colour) - 1)
    return total


@part
def put_seat(o: Any, f: Any, r: Any, slots: int, shifts: int, seat: int, k: int, out: Any) -> None:
    """What is known of one seat, k places left of the observer."""
    put_cards(r, shifts, f.seen[seat], f.seen_spare[seat], out, at.SHOWN + k * at.GRID)
    rest = f.marks[seat]
    while rest != 0:
        out[at.MARKS + k * at.CELLS + place_of_cell(r, f.seat, slots, ctz(rest))] = 1
        rest &= rest - 1
    for colour in range(r.colours):
        i = k * COLOURS + slot_of(slots, colour)
        if f.cannot[seat] & r.suit[colour] & ~o.supers != 0:
            out[at.CANNOT + i] = 1
        top = lane(o.tops[seat], colour)
        if top != 0:
            out[at.PILE + i] = 1
            out[at.TOP + i] = small(top - 1)
    if f.cannot[seat] & o.supers != 0:
        out[at.CANNOT_SUPER + k] = 1
    out[at.TURN + k] = 1 if o.turn == seat else 0
    out[at.DEALER + k] = 1 if o.dealer == seat else 0
    out[at.WITH_ME + k] = 1 if are_together(o, r, f.seat, seat) else 0
    out[at.DOUBLED + k] = 1 if o.doubler == seat else 0
    out[at.IN_HAND + k] = small(f.in_hand[seat])
    out[at.GIVEN + k] = small(f.given[seat])
    out[at.TRICKS + k] = small(lane(o.tricks, seat))
    out[at.LOOT + k] = small(lane(o.loot, seat))
    out[at.EARNED + k] = small(earned(o, r, seat))
    out[at.STANDING + k] = small(standing(o, r, seat) - standing(o, r, f.seat))
    if r.target != 0:
        out[at.TO_TARGET + k] = small(r.target + r.target_exceeded - o.totals[seat])


@rule
def put_table(o: Any, f: Any, r: Any, out: Any) -> None:
    """The match and its setup; from TABLE to WHEN in the order of `PARTS`."""
    out[at.PHASE + o.phase] = 1
    out[at.TODO] = small(o.todo)
    out[at.SIDED] = 1 if o.side != 0 or r.teams != 0 else 0
    out[at.START_SIDE] = (o.side >> f.seat) & 1
    if r.game == NICHTIG:
        out[at.START + (o.start - f.seat) % r.players] = 1
    if r.target == 0:
        out[at.ROUNDS_LEFT] = small(r.rounds - o.finished - 1)
        out[at.LAST_ROUND] = 1 if o.finished + 1 >= r.rounds else 0
    out[at.PLAYERS + r.players - 1] = 1
    out[at.TABLE] = 1 if r.game == NICHTIG else 0
    out[at.TABLE + 1] = r.must_trump
    out[at.TABLE + 2] = r.super_joins_trump
    out[at.TABLE + 3] = r.difference
    out[at.TABLE + 4] = r.doubles
    out[at.TABLE + 5] = r.teams
    out[at.TABLE + 6] = 1 if r.target != 0 else 0
    out[at.TABLE + 7] = r.deal_left_of_start
    out[at.TABLE + 8] = r.first_veto
    out[at.TABLE + 9] = small(f.undealt)
    out[at.TABLE + 10] = small(r.cards)


@part
def encode(o: Any, f: Any, r: Any, out: Any) -> None:
    """Fill the vector from a seat's redacted state and facts."""
    for i in range(at.SIZE):
        out[i] = 0
    fill(o, f, r, slots_of(o, r, f.seat), out)


@part
def fill(o: Any, f: Any, r: Any, slots: int, out: Any) -> None:
    """The same for slots that are known, into a vector of zeros."""
    shifts = shifts_of(r, slots)
    put_own_cards(o, f, r, shifts, out)
    put_unseen(o, f, r, shifts, out)
    put_trick(o, f, r, slots, shifts, out)
    put_order(f, r, shifts, out)
    put_board(o, f, r, slots, out)
    for k in range(r.players):
        put_seat(o, f, r, slots, shifts, (f.seat + k) % r.players, k, out)
    put_table(o, f, r, out)


@part
def encode_hidden(s: Any, r: Any, seat: int, out: Any) -> None:
    """The hands and secret choices of the others, in the seat's own slots: secrets, for critics and belief models in
    training, and for worlds that a seat imagines.
    """
    for i in range(at.HIDDEN_SIZE):
        out[i] = 0
    shifts = shifts_of(r, slots_of(s, r, seat))
    apart = not was_passed(s, r) and (r.game == NJET or s.phase == LAY)
    for k in range(1, r.players):
        other = (seat + k) % r.players
        put_cards(r, shifts, s.hand[other], s.spare[other], out, (k - 1) * at.GRID)
        if apart:
            put_cards(r, shifts, s.gone[other], s.gone_spare[other], out, at.ASIDE + (k - 1) * at.GRID)
