"""The playout policy of Null & nichtig: high tops on many piles, and tricks only when they leave better tops."""

from __future__ import annotations

from typing import Any

from atout.rules.bits import ctz
from atout.rules.cards import size
from atout.rules.jit import rule
from atout.rules.rng import below, random_bit
from atout.rules.scoring import lane, plays_with
from atout.rules.trick import collected_from
from atout.search.playout.cards import first_of
from atout.search.playout.masks import highest, top

# The weights are the best of several that played against each other; `bots/novice_nichtig.py` uses them, too.
LATER_CARD_COST = 3.0
"""Share of the mean top that each card still to come into a won trick costs."""
WIN_COST = 1.5
"""Points that winning a trick costs per card still in hand: the winner must lead, and may win again."""
HOLDER_PILES_WEIGHT = 0.15
"""Weight of how the piles of the trick's holder change, for a card that does not take the trick: against an opponent,
for a partner in a team."""
SHED_WEIGHT = 0.3
"""Share of a card's value, for getting rid of it without winning the trick."""


@rule
def put_on_top(r: Any, tops: int, kind: int) -> int:
    lane_at = 8 * r.colour_of[kind]
    return (tops & ~(255 << lane_at)) | ((r.value_of[kind] + 1) << lane_at)


@rule
def pile_change(s: Any, r: Any, taker: int, kind: int) -> int:
    """How the sum of the taker's tops changes if it wins the trick as it is, with this card of the seat in turn."""
    tops = s.tops[taker]
    for i in range(r.players):
        other = collected_from(r, taker, i)
        if other == s.turn:
            tops = put_on_top(r, tops, kind)
        elif has_played(s, r, other):
            tops = put_on_top(r, tops, s.trick[other])
    return sum_of_tops(r, tops) - sum_of_tops(r, s.tops[taker])


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
def nichtig_card(s: Any, r: Any, options: int, rng: Any) -> int:
    """Win only what leaves better tops than before, allowing for the cards still to come. Otherwise spoil the winner's
    piles, or improve them where it is a partner (teams, §6.4).
    """
    seat = s.turn
    behind = r.players - 1 - s.played
    later = LATER_CARD_COST * behind * sum_of_tops(r, s.tops[seat]) / r.colours
    cost = later + WIN_COST * size(s.hand[seat], s.spare[seat])
    best, chosen = -1.0e300, ctz(options)
    while options != 0:
        kind = ctz(options)
        options &= options - 1
        chance = 0.0
        if s.played == 0 or (s.beating >> kind) & 1 != 0:
            chance = chance_to_hold(r, kind, behind)
        left = SHED_WEIGHT * r.value_of[kind]
        if s.played > 0:
            given = HOLDER_PILES_WEIGHT * pile_change(s, r, s.best, kind)
            left += given if plays_with(r, seat, s.best) else -given
        worth = chance * (pile_change(s, r, seat, kind) - cost) + (1.0 - chance) * left + below(rng, 16) / 16.0
        if worth > best:
            best, chosen = worth, kind
    return chosen


@rule
def chance_to_hold(r: Any, kind: int, behind: int) -> float:
    """The chance that no later seat plays higher, as if their cards were random."""
    height = r.value_of[kind] / r.value_of[top(r.suit[0])]
    chance = 1.0
    for _ in range(behind):
        chance *= height
    return chance


@rule
def lay_out(s: Any, r: Any, options: int, rng: Any) -> int:
    """Lay out high cards, each of another colour as long as there is one."""
    seat = s.turn
    fresh = 0
    for colour in range(r.colours):
        if s.gone[seat] & r.suit[colour] == 0:
            fresh |= r.suit[colour]
    if below(rng, 16) == 0:
        return random_bit(options, rng)
    return highest(r, first_of(options & fresh, options), rng)
