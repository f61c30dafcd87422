"""The playout policy of Njet! before the tricks: which cell to cover, which side to choose, which card to discard."""

from __future__ import annotations

from typing import Any

from atout.rules.bits import ctz, popcount
from atout.rules.cards import copies_of, size
from atout.rules.jit import rule
from atout.rules.layout import COLUMNS, POINTS_ROW, START_ROW, SUPER_ROW, TRUMP_ROW
from atout.rules.rng import below, random_bit
from atout.search.playout.cards import first_of
from atout.search.playout.masks import highest, lowest, top

NOISE = 300
"""Noise in the strength of a side: the start player does not see the other hands."""


@rule
def discard(s: Any, r: Any, options: int, rng: Any) -> int:
    """Discard low cards and small side cards; in a minus round the highest."""
    if s.points < 0:
        return highest(r, options, rng)
    lows = options & r.low & ~s.supers
    if lows != 0 and below(rng, 4) != 0:
        return random_bit(lows, rng)
    return lowest(r, first_of(options & ~s.trumps & ~s.supers, options), rng)


@rule
def hand_strength(s: Any, r: Any, seat: int) -> int:
    """A rough measure of how many tricks the hand wins under the conditions: supertrumps, trumps, high cards."""
    hand = s.hand[seat]
    weight = 30 * popcount(hand & s.supers) + 14 * popcount(hand & s.trumps & ~s.supers)
    rest = hand & ~s.supers
    while rest != 0:
        weight += r.value_of[ctz(rest)]
        rest &= rest - 1
    return weight - 8 * popcount(hand & r.low & ~s.supers)


@rule
def side_of_choice(s: Any, r: Any, options: int, rng: Any) -> int:
    """The side with the strongest hands (in a minus round the weakest), with some noise."""
    best, chosen = -(1 << 40), ctz(options)
    while options != 0:
        side = ctz(options)
        options &= options - 1
        ours, theirs = 0, 0
        for seat in range(r.players):
            if (side >> seat) & 1 != 0:
                ours += hand_strength(s, r, seat)
            else:
                theirs += hand_strength(s, r, seat)
        worth = ours - theirs if s.points > 0 else theirs - ours
        worth += below(rng, NOISE)
        if worth > best:
            best, chosen = worth, side
    return chosen


@rule
def double_of_choice(s: Any, r: Any, options: int) -> int:
    """The seat that gets the ×2 card: the stronger one of the own side, or the weaker one of the other side; the other
    way round when tricks cost points.
    """
    own = (s.side & options) != 0
    wants_strong = own == (s.points > 0)
    best, chosen = 0, -1
    while options != 0:
        seat = ctz(options)
        options &= options - 1
        worth = hand_strength(s, r, seat) if wants_strong else -hand_strength(s, r, seat)
        if chosen < 0 or worth > best:
            best, chosen = worth, seat
    return chosen


@rule
def colour_weight(s: Any, r: Any, seat: int, colour: int) -> int:
    """How strong the seat is in a colour: 40 per card, and up to 100 more for its rank; copies are counted."""
    highest_value = r.value_of[top(r.suit[colour])]
    weight = 0
    held = s.hand[seat] & r.suit[colour]
    while held != 0:
        kind = ctz(held)
        held &= held - 1
        weight += copies_of(r, s.hand[seat], s.spare[seat], kind) * (40 + 100 * r.value_of[kind] // highest_value)
    return weight


@rule
def average_colour(s: Any, r: Any, seat: int) -> int:
    """The mean of `colour_weight` over the colours."""
    usual = 0
    for colour in range(r.colours):
        usual += colour_weight(s, r, seat, colour)
    return usual // r.colours


@rule
def supers_held(s: Any, r: Any, seat: int, colour: int) -> int:
    lows = r.suit[colour] & r.low
    if lows == 0:
        return 0
    return copies_of(r, s.hand[seat], s.spare[seat], ctz(lows))


@rule
def strength(s: Any, r: Any, seat: int) -> int:
    """In hundredths: above 0 for a hand that is better than average with what may still be trump and supertrump."""
    cards = size(s.hand[seat], s.spare[seat])
    length, trumps, supers, chances, height = 0, 0, 0, 0, 0
    for column in range(COLUMNS):
        if (s.free >> (COLUMNS * TRUMP_ROW + column)) & 1 != 0 and r.trump_cells[column] < r.colours:
            held = s.hand[seat] & r.suit[r.trump_cells[column]]
            length += popcount(held)
            trumps += 1
        if (s.free >> (COLUMNS * SUPER_ROW + column)) & 1 != 0 and r.super_cells[column] < r.colours:
            supers += supers_held(s, r, seat, r.super_cells[column])
            chances += 1
    for colour in range(r.colours):
        height += colour_weight(s, r, seat, colour)
    height = (height - 40 * cards) // cards
    result = 4 * (height - 48)
    if trumps > 0:
        result += 100 * r.colours * length // (trumps * cards) - 100
    if chances > 0:
        result += 50 * supers // chances - 35
    return result


@rule
def veto(s: Any, r: Any, options: int, rng: Any) -> int:
    """Cover the cell that would cost the hand most, with some noise."""
    seat = s.turn
    usual, power = average_colour(s, r, seat), strength(s, r, seat)
    best, chosen = -(1 << 40), ctz(options)
    while options != 0:
        cell = ctz(options)
        options &= options - 1
        worth = cell_cost(s, r, seat, cell // COLUMNS, cell % COLUMNS, usual, power) + below(rng, 40)
        if worth > best:
            best, chosen = worth, cell
    return chosen


@rule
def cell_cost(s: Any, r: Any, seat: int, row: int, column: int, usual: int, power: int) -> int:
    """What it would cost the hand if the cell stayed free, in hundredths of a point per card."""
    if row == START_ROW:
        return -200 if column == seat else 30
    if row == TRUMP_ROW:
        if r.trump_cells[column] == r.colours:
            return usual // 2
        return usual - colour_weight(s, r, seat, r.trump_cells[column])
    if row == SUPER_ROW:
        if r.super_cells[column] == r.colours:
            return 60
        return 105 - 150 * supers_held(s, r, seat, r.super_cells[column])
    if row == POINTS_ROW:
        return -power * (2 * r.points_cells[column] - 3) // 2
    return 20 if r.give_count[column] == 0 else 10
