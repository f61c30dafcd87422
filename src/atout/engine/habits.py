"""Sensible play at the speed of a play-out: rules of thumb for every phase of both games.

These are habits, not rules: what a seat does quickly when a search asks how a round might go on. They
look at the seat's own hand and at what lies on the table, so that a play-out does not know more than
its players would. A little chance keeps play-outs apart.
"""

from __future__ import annotations

from typing import Any

from atout.engine.masks import highest, lowest, top
from atout.kernel.bits import ctz, popcount
from atout.kernel.cards import copies_of, size
from atout.kernel.jit import rule
from atout.kernel.layout import (
    COLUMNS,
    DISCARD,
    DOUBLE,
    LAY,
    NJET,
    PASS,
    PLAY,
    POINTS_ROW,
    START_ROW,
    SUPER_ROW,
    TEAM,
    TRUMP_ROW,
    VETO,
)
from atout.kernel.luck import below, random_bit
from atout.kernel.scoring import lane
from atout.kernel.step import legal
from atout.kernel.trick import collected_from

# ------------------------------------------------------------------ tricks of Njet!


@rule
def on_same_side(s: Any, a: int, b: int) -> bool:
    return ((s.side >> a) ^ (s.side >> b)) & 1 == 0


@rule
def first_of(preferred: int, otherwise: int) -> int:
    """The preferred kinds if there are any."""
    return preferred if preferred != 0 else otherwise


@rule
def lead(s: Any, r: Any, options: int, luck: Any) -> int:
    """Lead a card that cannot be beaten in its suit, else a small one; keep low cards away from the enemy."""
    plain_lows = r.low & ~s.supers
    if s.points < 0:
        return lowest(r, options, luck)
    if below(luck, 8) == 0:
        return random_bit(options, luck)
    bold = highest(r, first_of(options & ~s.trumps & ~plain_lows, options), luck)
    if r.beats[bold] & ~(1 << bold) & ~s.hand[s.turn] == 0 or below(luck, 3) == 0:
        return bold
    return lowest(r, first_of(options & ~plain_lows & ~s.trumps, first_of(options & ~plain_lows, options)), luck)


@rule
def follow_wanting(s: Any, r: Any, options: int, luck: Any) -> int:
    """In a round worth winning: take from the enemy cheaply, feed the partner, give no low card away."""
    seat = s.turn
    takes = options & s.beating
    plain_lows = r.low & ~s.supers
    is_last = s.played == r.players - 1
    if on_same_side(s, s.best, seat):
        rest = first_of(options & ~takes, options)
        if is_last or below(luck, 2) == 0:
            rest = first_of(rest & plain_lows, rest)
        return lowest(r, first_of(rest & ~s.trumps, rest), luck)
    if takes != 0:
        cheap = first_of(takes & ~s.trumps & ~s.supers, first_of(takes & ~s.supers, takes))
        if is_last or below(luck, 3) == 0:
            return lowest(r, cheap, luck)
        return highest(r, cheap, luck)
    rest = first_of(options & ~r.low, options)
    return lowest(r, first_of(rest & ~s.trumps, rest), luck)


@rule
def follow_avoiding(s: Any, r: Any, options: int, luck: Any) -> int:
    """In a round of minus points: stay under, and load low cards onto the enemy."""
    ducks = options & ~s.beating
    if ducks == 0:
        if s.played == r.players - 1:
            return highest(r, options, luck)
        return lowest(r, options, luck)
    if on_same_side(s, s.best, s.turn):
        return highest(r, first_of(ducks & ~r.low, ducks), luck)
    return highest(r, first_of(ducks & r.low & ~s.supers, ducks), luck)


@rule
def njet_card(s: Any, r: Any, options: int, luck: Any) -> int:
    if s.played == 0:
        return lead(s, r, options, luck)
    if s.points < 0:
        return follow_avoiding(s, r, options, luck)
    return follow_wanting(s, r, options, luck)


# ------------------------------------------------------------------ before the tricks of Njet!


@rule
def discard(s: Any, r: Any, options: int, luck: Any) -> int:
    """Rid the hand of low cards and small side cards; in a minus round of the highest."""
    if s.points < 0:
        return highest(r, options, luck)
    lows = options & r.low & ~s.supers
    if lows != 0 and below(luck, 4) != 0:
        return random_bit(lows, luck)
    return lowest(r, first_of(options & ~s.trumps & ~s.supers, options), luck)


@rule
def promise(s: Any, r: Any, seat: int) -> int:
    """A rough measure of how many tricks the hand takes under the conditions: supertrumps, trumps, high cards."""
    hand = s.hand[seat]
    weight = 30 * popcount(hand & s.supers) + 14 * popcount(hand & s.trumps & ~s.supers)
    rest = hand & ~s.supers
    while rest != 0:
        weight += r.value_of[ctz(rest)]
        rest &= rest - 1
    return weight - 8 * popcount(hand & r.low & ~s.supers)


@rule
def side_of_choice(s: Any, r: Any, options: int, luck: Any) -> int:
    """The side whose hands promise most (in a minus round least), with a little doubt."""
    best, chosen = -(1 << 40), ctz(options)
    while options != 0:
        side = ctz(options)
        options &= options - 1
        ours, theirs = 0, 0
        for seat in range(r.players):
            if (side >> seat) & 1 != 0:
                ours += promise(s, r, seat)
            else:
                theirs += promise(s, r, seat)
        worth = ours - theirs if s.points > 0 else theirs - ours
        worth += below(luck, 60)
        if worth > best:
            best, chosen = worth, side
    return chosen


@rule
def double_of_choice(s: Any, r: Any, options: int) -> int:
    """The ×2 card: for the stronger of one's own side, the weaker of the other; upside down when points are lost."""
    own = (s.side & options) != 0
    wants_strong = own == (s.points > 0)
    best, chosen = 0, -1
    while options != 0:
        seat = ctz(options)
        options &= options - 1
        worth = promise(s, r, seat) if wants_strong else -promise(s, r, seat)
        if chosen < 0 or worth > best:
            best, chosen = worth, seat
    return chosen


@rule
def colour_weight(s: Any, r: Any, seat: int, colour: int) -> int:
    """How well the seat holds a colour: 40 a card, and up to 100 more for its height; copies counted."""
    highest_value = r.value_of[top(r.suit[colour])]
    weight = 0
    held = s.hand[seat] & r.suit[colour]
    while held != 0:
        kind = ctz(held)
        held &= held - 1
        weight += copies_of(r, s.hand[seat], s.spare[seat], kind) * (40 + 100 * r.value_of[kind] // highest_value)
    return weight


@rule
def supers_held(s: Any, r: Any, seat: int, colour: int) -> int:
    lows = r.suit[colour] & r.low
    if lows == 0:
        return 0
    return copies_of(r, s.hand[seat], s.spare[seat], ctz(lows))


@rule
def strength(s: Any, r: Any, seat: int) -> int:
    """In hundredths, above 0 for more than an average hand on what may still be trump and supertrump."""
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
def veto(s: Any, r: Any, options: int, luck: Any) -> int:
    """Cover the cell that would hurt the hand most, with a little doubt."""
    seat = s.turn
    usual = 0
    for colour in range(r.colours):
        usual += colour_weight(s, r, seat, colour)
    usual //= r.colours
    power = strength(s, r, seat)
    best, chosen = -(1 << 40), ctz(options)
    while options != 0:
        cell = ctz(options)
        options &= options - 1
        worth = hurt(s, r, seat, cell // COLUMNS, cell % COLUMNS, usual, power) + below(luck, 40)
        if worth > best:
            best, chosen = worth, cell
    return chosen


@rule
def hurt(s: Any, r: Any, seat: int, row: int, column: int, usual: int, power: int) -> int:
    """How much the seat would mind if the cell stayed free, in hundredths of a point a card."""
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


# ------------------------------------------------------------------ Null & nichtig


@rule
def tops_after(s: Any, r: Any, seat: int, kind: int) -> int:
    """What the seat's tops would add up to if it took the trick as it lies, its own card first."""
    tops = s.tops[seat]
    lane_at = 8 * r.colour_of[kind]
    tops = (tops & ~(255 << lane_at)) | ((r.value_of[kind] + 1) << lane_at)
    for i in range(1, r.players):
        other = collected_from(r, seat, i)
        if has_played(s, r, other):
            card = s.trick[other]
            lane_at = 8 * r.colour_of[card]
            tops = (tops & ~(255 << lane_at)) | ((r.value_of[card] + 1) << lane_at)
    return sum_of_tops(r, tops)


@rule
def has_played(s: Any, r: Any, seat: int) -> bool:
    before = s.turn - seat
    if before < 0:
        before += r.players
    return 0 < before <= s.played


@rule
def sum_of_tops(r: Any, tops: int) -> int:
    total = 0
    for colour in range(r.colours):
        shown = lane(tops, colour)
        if shown > 0:
            total += shown - 1
    return total


@rule
def nichtig_card(s: Any, r: Any, options: int, luck: Any) -> int:
    """Take the trick when it adds to the tops; else throw what hurts least to lose, or spoils the taker most."""
    if s.played == 0:
        if below(luck, 3) == 0:
            return highest(r, options, luck)
        return random_bit(options, luck)
    seat = s.turn
    now = sum_of_tops(r, s.tops[seat])
    best, chosen = -(1 << 40), ctz(options)
    waiting = r.players - 1 - s.played
    while options != 0:
        kind = ctz(options)
        options &= options - 1
        worth = below(luck, 8) - r.value_of[kind] // 2
        if (s.beating >> kind) & 1 != 0:
            worth += 4 * (tops_after(s, r, seat, kind) - now) // (1 + waiting)
        else:
            worth -= spoil(s, r, kind)
        if worth > best:
            best, chosen = worth, kind
    return chosen


@rule
def spoil(s: Any, r: Any, kind: int) -> int:
    """What the card does to the one who holds the trick: new top less old one."""
    old = lane(s.tops[s.best], r.colour_of[kind])
    return r.value_of[kind] - max(old - 1, 0)


@rule
def lay_out(s: Any, r: Any, options: int, luck: Any) -> int:
    """High cards in colours not laid yet."""
    seat = s.turn
    fresh = 0
    for colour in range(r.colours):
        if lane(s.tops[seat], colour) == 0:
            fresh |= r.suit[colour]
    if below(luck, 4) == 0:
        return random_bit(options, luck)
    return highest(r, first_of(options & fresh, options), luck)


# ------------------------------------------------------------------ all phases


@rule
def habit(s: Any, r: Any, luck: Any) -> int:
    """The action a sensible player of the seat in turn would take without thinking."""
    options = legal(s, r)
    if options & (options - 1) == 0:
        return ctz(options)
    if s.phase == PLAY:
        if r.game == NJET:
            return njet_card(s, r, options, luck)
        return nichtig_card(s, r, options, luck)
    if s.phase == VETO:
        return veto(s, r, options, luck)
    if s.phase == DISCARD or s.phase == PASS:
        return discard(s, r, options, luck)
    if s.phase == LAY:
        return lay_out(s, r, options, luck)
    if s.phase == TEAM:
        return side_of_choice(s, r, options, luck)
    if s.phase == DOUBLE:
        return double_of_choice(s, r, options)
    return ctz(options)
