"""Bounds without search: how many tricks a side is sure of, and what that many tricks are worth at least.

In all of them `ours` are the cards of the seats whose tricks raise the value (a trick value above 0), `theirs` those of
the others. Three ways to be sure of tricks are counted, each without a look at what is played:

    sure trumps    trumps of one hand, less those that the other side can beat (`has_sure_tricks`)
    a sweep        the leader's side holds the higher cards everywhere (`is_swept`)
    quick tricks   the leader plays winners, one after the other (`is_cashed`)
"""

from __future__ import annotations

from typing import Any

from atout.rules.bits import ctz, popcount
from atout.rules.jit import rule
from atout.search.solver.problem import maximizes


@rule
def at_least(p: Any, f: Any, tricks: int, value: int, loot: int) -> int:
    """The least the rest is worth if we win `tricks` tricks or more, of at least `value` each.

    Loot by the pigeonhole principle: of its low cards a seat can keep one for each of the other tricks, the rest falls
    into ours; and we lose at most one low card of each seat to each of the other tricks.
    """
    rest = f.left - tricks
    won, lost = tricks, rest
    for seat in range(p.players):
        lows = popcount(f.hand[seat] & loot)
        if p.trick_value[seat] > 0:
            lost += min(lows, rest)
        elif lows > rest:
            won += lows - rest
    return value * won - p.most[1] * lost


@rule
def at_most(p: Any, f: Any, tricks: int, value: int, loot: int) -> int:
    """The most the rest is worth if they win `tricks` tricks or more: `at_least` from the other side."""
    rest = f.left - tricks
    won, lost = tricks, rest
    for seat in range(p.players):
        lows = popcount(f.hand[seat] & loot)
        if p.trick_value[seat] <= 0:
            lost += min(lows, rest)
        elif lows > rest:
            won += lows - rest
    return p.most[0] * lost - value * won


@rule
def is_decided(p: Any, f: Any) -> bool:
    """Whether the target is certain to be reached, or out of reach. If so, value and ranks are set."""
    ours, theirs = 0, 0
    for seat in range(p.players):
        if p.trick_value[seat] > 0:
            ours |= f.hand[seat]
        else:
            theirs |= f.hand[seat]
    loot = can_be_captured(p, ours, theirs) | can_be_captured(p, theirs, ours)
    our_lows, their_lows = popcount(ours & loot), popcount(theirs & loot)
    f.ranks = 0
    f.value = p.most[0] * (f.left + their_lows)
    if f.value < f.target:
        return True
    f.value = -p.most[1] * (f.left + our_lows)
    if f.value >= f.target:
        return True
    if are_trumps_enough(p, f, ours, theirs, loot):
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
    return p.eager != 0 and is_cashed(p, f, our_lows, their_lows, loot)


@rule
def can_be_captured(p: Any, own: int, foes: int) -> int:
    """The low cards of a side that the other can capture: supertrumps only by supertrumps."""
    if foes & p.supers != 0:
        return own & p.lows
    return own & p.lows & ~p.supers


@rule
def are_trumps_enough(p: Any, f: Any, ours: int, theirs: int, loot: int) -> bool:
    """Whether the sure trumps of a side decide. As few as will do are asked for, so that few ranks matter."""
    tricks = longest(p, f, ours & (p.trumps | p.supers))
    if tricks > 0 and at_least(p, f, tricks, p.least[0], loot) >= f.target:
        while tricks > 1 and at_least(p, f, tricks - 1, p.least[0], loot) >= f.target:
            tricks -= 1
        if has_sure_tricks(p, f, ours, theirs, tricks):
            f.value = at_least(p, f, tricks, p.least[0], loot)
            return True
    tricks = longest(p, f, theirs & (p.trumps | p.supers))
    if tricks > 0 and at_most(p, f, tricks, p.least[1], loot) < f.target:
        while tricks > 1 and at_most(p, f, tricks - 1, p.least[1], loot) < f.target:
            tricks -= 1
        if has_sure_tricks(p, f, theirs, ours, tricks):
            f.value = at_most(p, f, tricks, p.least[1], loot)
            return True
    return False


@rule
def has_sure_tricks(p: Any, f: Any, mine: int, foes: int, tricks: int) -> bool:
    """Whether a seat of a side wins so many tricks for its side with trumps, whatever is played. Sets ranks.

    Every trump of a seat falls into another trick, and its side wins that trick unless the other side plays a trump as
    strong or stronger into it. So of a seat's strongest n trumps, at most as many lose as the other side has trumps as
    strong as the last of them.
    """
    for seat in range(p.players):
        supers = f.hand[seat] & mine & p.supers
        trumps = f.hand[seat] & mine & p.trumps & ~p.supers
        if popcount(supers | trumps) < tricks:
            continue
        count = 0
        while supers | trumps != 0:
            if supers != 0:
                card = ctz(supers)
                supers &= supers - 1
            else:
                card = ctz(trumps)
                trumps &= trumps - 1
            count += 1
            if count < tricks:
                continue
            as_strong = (p.loses_to[card] | (p.kind_past[card] - p.kind_from[card])) & foes
            if count - popcount(as_strong) >= tricks:
                if foes & p.trumps & p.ranked != 0:
                    f.ranks = p.down_to[card]
                return True
    return False


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
def last_of(cards: int) -> int:
    """The weakest of some cards of one suit."""
    while cards & (cards - 1) != 0:
        cards &= cards - 1
    return ctz(cards)


@rule
def is_cashed(p: Any, f: Any, our_lows: int, their_lows: int, loot: int) -> bool:
    """Whether the quick tricks of the leader decide; counted suit by suit, trumps first."""
    upward, value = maximizes(p, f.turn), p.trick_value[f.turn]
    all_of_it = f.left + (their_lows if value > 0 else our_lows)
    if (value * all_of_it >= f.target) != upward:
        return False
    hand = f.hand[f.turn]
    others = f.live & ~hand
    ruffs = others & (p.trumps | p.supers)
    tricks, ranks = 0, 0
    for step in range(p.suits):
        suit = suit_at(p, step)
        cards = p.suit[suit]
        run = winners(p, f, cards, others)
        if run == 0:
            continue
        high = popcount(run)
        count = until_ruffed(p, f, cards, ruffs, high)
        if others & p.ranks[suit] != 0:
            ranks |= ranks_down(p, run, count)
        if count == high and high >= longest(p, f, others & cards):  # the others run out: all further cards win too
            if suit == p.trump_suit and ruffs & ~cards == 0:
                ruffs = 0
            count = until_ruffed(p, f, cards, ruffs, popcount(hand & cards))
        tricks += count
        bound = at_least(p, f, tricks, value, loot) if value > 0 else at_most(p, f, tricks, -value, loot)
        if (bound >= f.target) == upward:
            f.value = bound
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
    if ruffs != 0:
        for seat in range(p.players):
            if seat != f.turn and f.hand[seat] & ruffs & ~suit != 0:
                count = min(count, popcount(f.hand[seat] & suit))
    return count


@rule
def longest(p: Any, f: Any, cards: int) -> int:
    """The most of these cards in one hand."""
    most = 0
    for seat in range(p.players):
        most = max(most, popcount(f.hand[seat] & cards))
    return most


@rule
def ranks_down(p: Any, run: int, count: int) -> int:
    """The ranks on which the first `count` winners of a run depend."""
    for _ in range(count - 1):
        run &= run - 1
    if count == 0:
        return 0
    return p.down_to[ctz(run)]
