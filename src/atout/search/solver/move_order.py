"""Move ordering: which cards to search, and in which order.

Cards of a hand with no card in play between them are *twins*: only the strongest is searched. The others are rated by
how the trick would end if every later seat won it at once where it can (or ducked, when tricks cost points), and by
what the card is. The weights were fitted to the number of nodes for random positions of all editions and numbers of
players. They change how long a search takes, never its result.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from atout.rules.bits import ctz, popcount
from atout.rules.jit import rule
from atout.search.solver.problem import NO_CARD, maximizes, next_seat

LEAD, TAKE, FOLLOW, DISCARD = range(4)
FEATURES = 12
WEIGHTS = np.array(
    [
        # value   rank of the card   trump        supertrump   low card     own   length   best
        #         won      lost      won    lost  won    lost  won   lost   win   of suit  of suit
        [320, -3, -3, -225, -65, -190, -190, 5, 0, 70, 5, -20],  # tricks wanted: lead
        [200, -10, 10, 0, -60, -220, -60, 0, 0, 40, 0, 20],  # take the trick
        [160, -10, -10, -60, -220, -60, -60, 160, 0, 0, -10, 5],  # follow
        [380, -15, -50, -220, -230, -60, -60, 160, 10, 0, -10, -135],  # discard
        [30, 10, 10, -100, -100, 440, 440, -50, 0, -190, 0, -315],  # tricks feared: lead
        [320, 10, 10, 60, 60, 60, 60, 0, 0, 0, -5, 160],
        [320, 10, 10, 60, 60, 60, 60, -80, 0, 0, -40, -10],
        [320, 10, 10, 60, 60, 60, 60, -80, 0, 0, -40, -10],
    ]
).ravel()
OFFSET = 1 << 20
"""Added to ratings to keep them above 0."""
KNOWN = 1 << 30
"""The rating of the lead that was best before (hash move)."""


@rule
def twins_of(p: Any, f: Any, legal: int) -> int:
    """Legal cards worth the same as the next stronger card of the hand.

    A bit that starts above each held card runs on over the cards that are gone, as the carry of an addition,
    and stops at the next card in play or at the start of a class.
    """
    gone = ~(f.alive | p.starts)
    carry = f.hand[f.turn] << 1
    reached = (((gone + (carry & gone)) ^ gone) | carry) & legal & ~p.starts
    if legal & p.equals == 0:
        return reached
    return apart(p, f, legal, reached)


@rule
def apart(p: Any, f: Any, legal: int, reached: int) -> int:
    """Twins where a kind has several ranked cards: an equal card in another hand separates two kinds."""
    own = f.hand[f.turn]
    others = f.alive & ~own
    twins = 0
    cards = legal & (reached | p.equals)
    while cards != 0:
        card = ctz(cards)
        cards &= cards - 1
        kind = p.kind_past[card] - p.kind_from[card]
        if own & kind & ((1 << card) - 1) != 0:
            twins |= 1 << card
        elif (reached >> card) & 1 != 0:
            above = next_stronger(own, card)
            kind |= p.kind_past[above] - p.kind_from[above]
            if kind & others == 0:
                twins |= 1 << card
    return twins


@rule
def next_stronger(own: int, card: int) -> int:
    """The held card before this one; there must be one."""
    card -= 1
    while (own >> card) & 1 == 0:
        card -= 1
    return card


@rule
def list_moves(p: Any, f: Any, legal: int) -> None:
    """The frame's moves, best first, without twins."""
    f.next = 0
    f.twins = 0
    if legal & (legal - 1) != 0:
        f.twins = twins_of(p, f, legal)
        legal ^= f.twins
    if legal & (legal - 1) == 0:
        f.moves[0] = ctz(legal)
        f.count = 1
        return
    known, otherwise, count = NO_CARD, f.best, 0
    if f.played == 0:
        known = f.choice
    else:
        otherwise = predict_trick(p, f, f.follow, f.beating, f.best)
    while legal != 0:
        card = ctz(legal)
        legal &= legal - 1
        context = context_of(f, card)
        best = otherwise
        if context == LEAD or context == TAKE:
            follow = f.follow if f.played != 0 else p.follow[card]
            best = predict_trick(p, f, follow, p.loses_to[card], f.turn)
        rating = rate(p, f, card, context, best)
        if card == known:
            rating = KNOWN
        insert(f, count, (OFFSET + rating) << 6 | card)
        count += 1
    f.count = count


@rule
def context_of(f: Any, card: int) -> int:
    if f.played == 0:
        return LEAD
    if (f.beating >> card) & 1 != 0:
        return TAKE
    if (f.follow >> card) & 1 != 0:
        return FOLLOW
    return DISCARD


@rule
def insert(f: Any, count: int, move: int) -> None:
    while count > 0 and f.moves[count - 1] < move:
        f.moves[count] = f.moves[count - 1]
        count -= 1
    f.moves[count] = move


@rule
def predict_trick(p: Any, f: Any, follow: int, beating: int, best: int) -> int:
    """The seat that wins the trick if every later seat wins it from the other side where it can, or ducks."""
    seat = f.turn
    for _ in range(p.players - 1 - f.played):
        seat = next_seat(p, seat)
        legal = f.hand[seat] & follow
        if legal == 0:
            legal = f.hand[seat]
        over = legal & beating
        if over != 0 and (legal == over if p.eager == 0 else (p.foes[seat] >> best) & 1 != 0):
            beating = p.loses_to[strongest(p, over)]
            best = seat
    return best


@rule
def strongest(p: Any, cards: int) -> int:
    if cards & p.supers != 0:
        return ctz(cards & p.supers)
    if cards & p.trumps != 0:
        return ctz(cards & p.trumps)
    return ctz(cards)


@rule
def rate(p: Any, f: Any, card: int, context: int, best: int) -> int:
    """The rating of a card if seat `best` wins the trick."""
    seat, suit = f.turn, p.suit[p.suit_of[card]]
    w = FEATURES * (context if p.eager != 0 else context + 4)
    low = (p.lows >> card) & 1
    caught = (f.low_seats | low << seat) & p.foes[best]
    value = p.trick_value[best]
    if caught != 0:
        value *= 1 + popcount(caught)
    if not maximizes(p, seat):
        value = -value
    lost = (p.foes[seat] >> best) & 1
    rating = WEIGHTS[w] * value + WEIGHTS[w + 1 + lost] * p.weaker[card]
    if (p.trumps >> card) & 1 != 0:
        rating += WEIGHTS[w + 3 + lost]
    if (p.supers >> card) & 1 != 0:
        rating += WEIGHTS[w + 5 + lost]
    if low != 0:
        rating += WEIGHTS[w + 7 + lost]
    if best == seat:
        rating += WEIGHTS[w + 9]
    if WEIGHTS[w + 10] != 0:
        rating += WEIGHTS[w + 10] * popcount(f.hand[seat] & suit)
    if p.loses_to[card] & suit & f.alive & ~f.hand[seat] == 0:
        rating += WEIGHTS[w + 11]
    return rating
