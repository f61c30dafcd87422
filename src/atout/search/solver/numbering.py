"""From a state of the rules to the solver's problem: cards numbered, values in units, the first frame."""

from __future__ import annotations

from typing import Any

from atout.rules.bits import ctz, popcount, wrap
from atout.rules.cards import copies_of
from atout.rules.jit import rule
from atout.rules.layout import SEATS
from atout.rules.rng import mix
from atout.rules.scoring import own_points
from atout.rules.trick import following, opponents, taking_over
from atout.search.solver.problem import FRAMES, LOW, MAX_CARDS, MAX_RANKED, NO_CARD, RANKED, SUITS, SUPER

NOT_SHARED = 0
CODE_BITS = 56
"""Bits of a random number: sums over 60 cards stay below 2 ** 62."""


@rule
def pose(s: Any, r: Any, p: Any, frames: Any) -> bool:
    """Fill the problem and its first frame; False when there are more cards in play than can be numbered."""
    f = frames[0]
    if cards_in_play(s, r) > MAX_CARDS:
        return False
    p.players = r.players
    p.must_trump = r.must_trump
    p.side = s.side
    number_cards(s, r, p, f)
    classify(p)
    relate(s, r, p)
    value_seats(s, r, p)
    p.verbatim = 0 if is_regular(p) else 1
    code_cards(p)
    set_table(s, r, p, f)
    set_words(p, f)
    p.conditions = conditions(s, r, p)
    for i in range(FRAMES):
        frames[i].trumps = p.trumps
        frames[i].supers = p.supers
    return True


@rule
def trick_seats(s: Any, r: Any) -> int:
    """Seats with a card in the trick on the table."""
    seats = 0
    for i in range(1, s.played + 1):
        seats |= 1 << ((s.turn - i) % r.players)
    return seats


@rule
def cards_in_play(s: Any, r: Any) -> int:
    count = s.played
    for seat in range(r.players):
        count += popcount(s.hand[seat]) + popcount(s.spare[seat])
    return count


@rule
def strongest_kind(s: Any, r: Any, kinds: int, suit: int) -> int:
    """The kind that is beaten by the fewest kinds of its suit."""
    strongest, fewest = 0, SUITS * MAX_CARDS
    while kinds != 0:
        kind = ctz(kinds)
        kinds &= kinds - 1
        over = popcount(taking_over(s, r, kind) & suit)
        if over < fewest:
            strongest, fewest = kind, over
    return strongest


@rule
def number_cards(s: Any, r: Any, p: Any, f: Any) -> None:
    """Number all kinds of the deck suit by suit, so that equal conditions give equal suits whatever is in play."""
    for seat in range(SEATS):
        f.hand[seat] = 0
    f.winner = NO_CARD
    p.cards = 0
    p.suits = 0
    p.trumps = 0
    p.supers = 0
    p.lows = 0
    in_trick = trick_seats(s, r)
    rest = r.kinds
    while rest != 0:
        suit = following(s, r, ctz(rest)) & r.kinds
        rest &= ~suit
        p.suit[p.suits] = 0
        kinds = suit
        while kinds != 0:
            kind = strongest_kind(s, r, kinds, suit)
            kinds ^= 1 << kind
            number_kind(s, r, p, f, kind, in_trick)
        p.suits += 1


@rule
def number_kind(s: Any, r: Any, p: Any, f: Any, kind: int, in_trick: int) -> None:
    begin = p.cards
    for seat in range(r.players):
        for _ in range(copies_of(r, s.hand[seat], s.spare[seat], kind)):
            f.hand[seat] |= 1 << p.cards
            p.cards += 1
        if (in_trick >> seat) & 1 != 0 and s.trick[seat] == kind:
            if seat == s.best:
                f.winner = p.cards
            p.cards += 1
    mask = (1 << p.cards) - (1 << begin)
    p.suit[p.suits] |= mask
    p.trumps |= mask * ((s.trumps >> kind) & 1)
    p.supers |= mask * ((s.supers >> kind) & 1)
    p.lows |= mask * ((r.low >> kind) & 1)
    for card in range(begin, p.cards):
        p.kind_of[card] = kind
        p.suit_of[card] = p.suits
        p.kind_from[card] = 1 << begin
        p.kind_past[card] = 1 << p.cards


@rule
def classify(p: Any) -> None:
    p.ranked = ((1 << p.cards) - 1) & ~p.supers & ~p.lows
    p.equals = 0
    p.starts = 0
    for suit in range(p.suits):
        p.ranks[suit] = p.suit[suit] & p.ranked
    for card in range(p.cards):
        kind = RANKED
        if (p.supers >> card) & 1 != 0:
            kind = SUPER
        elif (p.lows >> card) & 1 != 0:
            kind = LOW
        p.class_of[card] = 3 * p.suit_of[card] + kind
        if card == 0 or p.class_of[card] != p.class_of[card - 1]:
            p.starts |= 1 << card
        if kind == RANKED and p.kind_past[card] != 2 * p.kind_from[card]:
            p.equals |= 1 << card
    p.trump_suit = SUITS
    if p.trumps != 0:
        p.trump_suit = p.suit_of[ctz(p.trumps)]


@rule
def cards_of(p: Any, kinds: int) -> int:
    mask = 0
    for card in range(p.cards):
        mask |= ((kinds >> p.kind_of[card]) & 1) << card
    return mask


@rule
def relate(s: Any, r: Any, p: Any) -> None:
    """Which cards follow, beat and outrank which: the answers of the rules for kinds, applied to cards."""
    for card in range(p.cards):
        kind, suit = p.kind_of[card], p.suit_of[card]
        p.follow[card] = cards_of(p, following(s, r, kind))
        p.loses_to[card] = cards_of(p, taking_over(s, r, kind))
        p.weaker[card] = popcount(p.suit[suit] & ~((2 << card) - 1))
        p.down_to[card] = 0
        if (p.ranked >> card) & 1 != 0:
            p.down_to[card] = p.ranks[suit] & (p.kind_past[card] - 1)


@rule
def value_seats(s: Any, r: Any, p: Any) -> None:
    """What one trick scores for each seat, by `own_points` of the rules; if tricks score nothing, the unit is 1."""
    p.points = s.points
    p.doubler = s.doubler
    p.loot = 0
    p.unit = 0
    for seat in range(r.players):
        p.tricks = 1 << (8 * seat)
        p.worth[seat] = own_points(p, seat)
        p.foes[seat] = opponents(s, r, seat)
        if p.unit == 0 or abs(p.worth[seat]) < p.unit:
            p.unit = abs(p.worth[seat])
    p.unit = max(p.unit, 1)
    p.eager = 1 if s.points > 0 else 0
    for i in range(2):
        p.most[i], p.least[i] = 0, MAX_CARDS
    for seat in range(r.players):
        p.trick_value[seat] = p.worth[seat] // p.unit
        if (s.side >> seat) & 1 == 0:
            p.trick_value[seat] = -p.trick_value[seat]
        i = 0 if p.trick_value[seat] > 0 else 1
        p.most[i] = max(p.most[i], abs(p.trick_value[seat]))
        p.least[i] = min(p.least[i], abs(p.trick_value[seat]))


@rule
def is_regular(p: Any) -> bool:
    """In every suit supertrumps, then at most 15 ranked cards, then low cards."""
    for suit in range(p.suits):
        if popcount(p.ranks[suit]) > MAX_RANKED:
            return False
    for card in range(1, p.cards):
        if p.suit_of[card] == p.suit_of[card - 1] and p.class_of[card] > p.class_of[card - 1]:
            return False
    return True


@rule
def code_cards(p: Any) -> None:
    most = (1 << CODE_BITS) - 1
    for i in range(SUITS * 3 * 8):
        p.code[i] = mix(i + 1) & most
    for seat in range(SEATS):
        p.lead_code[seat] = mix(-1 - seat) & most


@rule
def set_table(s: Any, r: Any, p: Any, f: Any) -> None:
    """Copy the trick on the table."""
    f.turn = s.turn
    f.played = s.played
    f.best = s.best
    f.low_seats = s.lows
    f.follow = 0
    f.beating = 0
    if s.played > 0:
        f.follow = cards_of(p, s.follow)
        f.beating = cards_of(p, s.beating)
    f.alive = (1 << p.cards) - 1
    f.live = 0
    for seat in range(r.players):
        f.live |= f.hand[seat]
    f.left = popcount(f.hand[s.turn])
    f.haul = 0
    f.got = 0
    f.got_ranks = 0


@rule
def owner_of(p: Any, f: Any, card: int) -> int:
    for seat in range(p.players):
        if (f.hand[seat] >> card) & 1 != 0:
            return seat
    return 0


@rule
def set_words(p: Any, f: Any) -> None:
    f.key = 0
    for i in range(SUITS):
        f.words[i] = 0
    place, suit, kind = 0, SUITS, -1
    live = f.live
    while live != 0:
        card = ctz(live)
        live &= live - 1
        owner = owner_of(p, f, card)
        f.key += p.code[8 * p.class_of[card] + owner]
        if p.verbatim == 0 and (p.ranked >> card) & 1 != 0:
            if p.suit_of[card] != suit:
                place, suit = 0, p.suit_of[card]
            equal = 1 if p.kind_of[card] == kind else 0
            kind = p.kind_of[card]
            f.words[suit] |= (2 * owner + equal) << (4 * place)
            place += 1
    p.words = p.suits
    if p.verbatim != 0:
        p.words = p.players
        for seat in range(SEATS):
            f.words[seat] = f.hand[seat]


@rule
def conditions(s: Any, r: Any, p: Any) -> int:
    """A hash of everything but the cards in play; NOT_SHARED where results hold for no other problem."""
    if p.verbatim != 0:
        return NOT_SHARED
    x = mix(p.players + 8 * p.must_trump + 16 * r.last_wins_ties + 32 * p.side)
    x = mix(wrap(x + r.kinds * 3 + r.low * 5))
    x = mix(wrap(x + s.trumps * 3 + s.supers * 5))
    for seat in range(p.players):
        x = mix(wrap(x + p.trick_value[seat]))
    return x
