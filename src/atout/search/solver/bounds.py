"""Bounds without search: tricks that cannot be prevented, and tricks that the leader can win at once.

In both, `ours` are the seats whose tricks raise the value (a trick value above 0), `theirs` the others.
"""

from __future__ import annotations

from typing import Any

from atout.rules.bits import ctz, popcount
from atout.rules.jit import rule
from atout.search.solver.problem import maximizes


@rule
def at_most(p: Any, whose: int, tricks: int, lows: int) -> int:
    """The most that `tricks` can be worth to a side (0 ours, 1 theirs) with `lows` low cards to capture."""
    return p.most[whose] * (tricks + min(lows, tricks * p.seats[1 - whose]))


@rule
def is_decided(p: Any, f: Any) -> bool:
    """Whether the target is certain to be reached, or out of reach. If so, value and ranks are set."""
    ours, theirs = 0, 0
    for seat in range(p.players):
        if p.trick_value[seat] > 0:
            ours |= f.hand[seat]
        else:
            theirs |= f.hand[seat]
    our_lows, their_lows = popcount(ours & p.lows), popcount(theirs & p.lows)
    f.ranks = 0
    f.value = at_most(p, 0, f.left, their_lows)
    if f.value < f.target:
        return True
    f.value = -at_most(p, 1, f.left, our_lows)
    if f.value >= f.target:
        return True
    sure = sure_tricks(p, f, ours, theirs)
    if sure > 0:
        f.value = sure * p.least[0] - at_most(p, 1, f.left - sure, our_lows)
        if f.value >= f.target:
            return True
    elif sure < 0:
        f.value = sure * p.least[1] + at_most(p, 0, f.left + sure, their_lows)
        if f.value < f.target:
            return True
    if p.trick_value[f.turn] > 0:
        if is_swept(p, f, ours, theirs):
            f.value = p.least[0] * (f.left + their_lows)
            if f.value >= f.target:
                return True
    elif is_swept(p, f, theirs, ours):
        f.value = -p.least[1] * (f.left + our_lows)
        if f.value < f.target:
            return True
    return p.eager != 0 and is_cashed(p, f, our_lows, their_lows)


@rule
def is_swept(p: Any, f: Any, mine: int, foes: int) -> bool:
    """Whether the leader's side wins all remaining tricks, whatever is played: the other side has no trumps, and no
    card as strong as the weakest of the leader's side in any suit that can be led. Sets ranks.
    """
    if foes & (p.trumps | p.supers) != 0:
        return False
    ranks = 0
    for suit in range(p.suits):
        own, other = mine & p.suit[suit], foes & p.suit[suit]
        if own != 0 and other != 0:
            if own >= p.kind_from[ctz(other)]:
                return False
            if other & p.ranked != 0:
                ranks |= p.down_to[last_of(own)]
    f.ranks = ranks
    return True


@rule
def sure_tricks(p: Any, f: Any, ours: int, theirs: int) -> int:
    """Tricks that the highest trumps win, whatever is played: a card that only its own side can beat wins a trick for
    its side when it is played. Two of them may fall into one trick, but not two of the same hand.

    Above 0 the tricks are ours, below 0 theirs. Sets ranks.
    """
    supers = f.live & p.supers
    trumps = f.live & p.trumps & ~p.supers
    highest = supers
    if supers == 0:
        highest = trumps & -trumps
    mine, foes, sign = ours, theirs, 1
    if highest & theirs != 0:
        mine, foes, sign = theirs, ours, -1
    if highest == 0 or highest & foes != 0:
        return 0
    run, against = trumps & mine, trumps & foes
    if against != 0:
        run &= p.kind_from[ctz(against)] - 1
    most = 0
    for seat in range(p.players):
        most = max(most, popcount(f.hand[seat] & (run | supers)))
    if run != 0 and against & p.ranked != 0:
        f.ranks = p.down_to[last_of(run)]
    return sign * most


@rule
def last_of(cards: int) -> int:
    """The weakest of some cards of one suit."""
    while cards & (cards - 1) != 0:
        cards &= cards - 1
    return ctz(cards)


@rule
def cashed(p: Any, f: Any, tricks: int, our_lows: int, their_lows: int) -> int:
    """The bound if the leader wins a number of tricks in a row; if that is all of them, with all the loot."""
    value, left = p.trick_value[f.turn], f.left - tricks
    if value > 0:
        loot = their_lows if left == 0 else 0
        return value * (tricks + loot) - at_most(p, 1, left, our_lows)
    loot = our_lows if left == 0 else 0
    return value * (tricks + loot) + at_most(p, 0, left, their_lows)


@rule
def is_cashed(p: Any, f: Any, our_lows: int, their_lows: int) -> bool:
    """Whether the tricks that the leader can win at once decide; counted suit by suit, trumps first."""
    upward = maximizes(p, f.turn)
    if (cashed(p, f, f.left, our_lows, their_lows) >= f.target) != upward:
        return False
    others = f.live & ~f.hand[f.turn]
    tricks, ranks = 0, 0
    ruffs = others & (p.trumps | p.supers)
    for step in range(p.suits):
        suit = suit_at(p, step)
        run = winners(p, f, p.suit[suit], others)
        if run == 0:
            continue
        count = popcount(run)
        if ruffs != 0:
            count = until_ruffed(p, f, p.suit[suit], ruffs, count)
            if suit == p.trump_suit and ruffs & ~p.suit[suit] == 0 and count >= longest(p, f, ruffs):
                ruffs = 0
        if others & p.ranks[suit] != 0:
            ranks |= ranks_down(p, run, count)
        tricks = min(tricks + count, f.left)
        value = cashed(p, f, tricks, our_lows, their_lows)
        if (value >= f.target) == upward:
            f.value = value
            f.ranks = ranks
            return True
    return False


@rule
def suit_at(p: Any, step: int) -> int:
    """Suits in order, the trump suit first."""
    if step > p.trump_suit or p.trump_suit >= p.suits:
        return step
    if step == 0:
        return p.trump_suit
    return step - 1


@rule
def winners(p: Any, f: Any, suit: int, others: int) -> int:
    """The leader's cards of the suit that no other card of it can beat or equal."""
    run = f.hand[f.turn] & suit
    against = others & suit
    if against != 0:
        run &= p.kind_from[ctz(against)] - 1
    return run


@rule
def until_ruffed(p: Any, f: Any, suit: int, ruffs: int, count: int) -> int:
    """How often the suit can be led while every seat that could ruff still follows."""
    for seat in range(p.players):
        if seat != f.turn and f.hand[seat] & ruffs & ~suit != 0:
            count = min(count, popcount(f.hand[seat] & suit))
    return count


@rule
def longest(p: Any, f: Any, ruffs: int) -> int:
    most = 0
    for seat in range(p.players):
        most = max(most, popcount(f.hand[seat] & ruffs))
    return most


@rule
def ranks_down(p: Any, run: int, count: int) -> int:
    """The ranks on which the first `count` winners of a run depend."""
    for _ in range(count - 1):
        run &= run - 1
    if count == 0:
        return 0
    return p.down_to[ctz(run)]
