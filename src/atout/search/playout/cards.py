"""The playout policy for the tricks of Njet!: win cheaply, feed the partner, keep low cards from opponents; in a minus
round, duck.
"""

from __future__ import annotations

from typing import Any

from atout.rules.bits import ctz, popcount
from atout.rules.jit import rule
from atout.rules.rng import below, random_bit
from atout.search.playout.masks import highest, lowest


@rule
def on_same_side(s: Any, a: int, b: int) -> bool:
    return ((s.side >> a) ^ (s.side >> b)) & 1 == 0


@rule
def first_of(preferred: int, otherwise: int) -> int:
    """The preferred kinds if there are any."""
    return preferred if preferred != 0 else otherwise


@rule
def elsewhere(s: Any, r: Any, seat: int) -> int:
    """Kinds in other hands: what a player who counts cards knows to be out, without knowing where."""
    kinds = 0
    for other in range(r.players):
        if other != seat:
            kinds |= s.hand[other]
    return kinds


@rule
def threats(s: Any, r: Any, kind: int) -> int:
    """Kinds that beat it in its own suit; ruffs are ignored."""
    if (s.supers >> kind) & 1 != 0:
        return s.supers
    if (s.trumps >> kind) & 1 != 0:
        return (r.beats[kind] & s.trumps) | s.supers
    return r.beats[kind] & ~s.supers & ~s.trumps


@rule
def unbeaten(s: Any, r: Any, kinds: int, out: int) -> int:
    """Those of the kinds that no kind in `out` beats."""
    result = 0
    while kinds != 0:
        kind = ctz(kinds)
        kinds &= kinds - 1
        if threats(s, r, kind) & out == 0:
            result |= 1 << kind
    return result


@rule
def opponents_behind(s: Any, r: Any) -> int:
    """How many seats of the other side have yet to play to the trick."""
    count, other = 0, s.turn
    for _ in range(r.players - 1 - s.played):
        other += 1
        if other == r.players:
            other = 0
        if not on_same_side(s, other, s.turn):
            count += 1
    return count


@rule
def lead(s: Any, r: Any, options: int, rng: Any) -> int:
    """Lead a sure winner; draw trumps with many of them; otherwise a small card. Low cards last: they are loot."""
    loot = r.low & ~s.supers
    if s.points < 0:
        return lowest(r, options, rng)
    if below(rng, 10) == 0:
        return random_bit(options, rng)
    out = elsewhere(s, r, s.turn)
    sure = unbeaten(s, r, options & ~loot, out)
    own_trumps = options & (s.trumps | s.supers)
    rival_trumps = out & (s.trumps | s.supers)
    if sure & own_trumps != 0 and rival_trumps != 0 and 2 * popcount(own_trumps) >= popcount(rival_trumps):
        return lowest(r, sure & own_trumps, rng)
    if sure & ~own_trumps != 0:
        return highest(r, sure & ~own_trumps, rng)
    rest = first_of(options & ~loot & ~own_trumps, first_of(options & ~loot, options))
    return lowest(r, rest, rng)


@rule
def follow_wanting(s: Any, r: Any, options: int, rng: Any) -> int:
    """In a plus round: win cheaply from opponents, feed the partner, give no low card away."""
    seat = s.turn
    takes = options & s.beating
    loot = r.low & ~s.supers
    behind = opponents_behind(s, r)
    out = elsewhere(s, r, seat)
    if on_same_side(s, s.best, seat):
        rest = first_of(options & ~takes, options)
        if behind == 0 or (s.beating & out == 0 and below(rng, 8) != 0):
            rest = first_of(rest & loot, rest)
        else:
            sure = unbeaten(s, r, takes & ~s.trumps & ~s.supers, out)
            if sure != 0 and below(rng, 2) == 0:
                return lowest(r, sure, rng)
            rest = first_of(rest & ~loot, rest)
        return lowest(r, first_of(rest & ~s.trumps & ~s.supers, rest), rng)
    if takes != 0:
        cheap = first_of(takes & ~s.trumps & ~s.supers, first_of(takes & ~s.supers, takes))
        if behind == 0:
            return lowest(r, cheap, rng)
        sure = unbeaten(s, r, takes, out)
        sure = first_of(sure & ~s.trumps & ~s.supers, first_of(sure & ~s.supers, sure))
        if sure != 0 and below(rng, 8) != 0:
            return lowest(r, sure, rng)
        if below(rng, 3) != 0:
            return highest(r, first_of(cheap & ~loot, cheap), rng)
    rest = first_of(options & ~loot, options)
    return lowest(r, first_of(rest & ~s.trumps & ~s.supers, rest), rng)


@rule
def follow_avoiding(s: Any, r: Any, options: int, rng: Any) -> int:
    """In a minus round: duck, and give low cards to opponents."""
    ducks = options & ~s.beating
    if ducks == 0:
        if s.played == r.players - 1:
            return highest(r, options, rng)
        return lowest(r, options, rng)
    if on_same_side(s, s.best, s.turn):
        return highest(r, first_of(ducks & ~r.low, ducks), rng)
    return highest(r, first_of(ducks & r.low & ~s.supers, ducks), rng)


@rule
def njet_card(s: Any, r: Any, options: int, rng: Any) -> int:
    if s.played == 0:
        return lead(s, r, options, rng)
    if s.points < 0:
        return follow_avoiding(s, r, options, rng)
    return follow_wanting(s, r, options, rng)
