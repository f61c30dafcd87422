"""The search: does the first frame reach its target?

Alpha-beta with a zero window (scout search), card by card on a stack of frames: frame i + 1 is frame i after one more
card. A frame with `played` 0 is between two tricks; there the rest is bounded (`bounds.py`) and looked up in a
transposition table of patterns (`patterns.py`). Values are fail-soft: at least `value` when the target is reached, at
most `value` when it is not.

With every value goes the set of ranked cards it depends on (`ranks`, always all of a suit down to some kind):

- a trick depends on the rank of its winner if another ranked card of that suit was in it;
- a move that settles a frame passes on what it depends on;
- a frame where every move failed depends on what any of them depends on. Only the strongest of twins is searched: if
  some of them matter, all do (`with_twins`). A move that failed whatever its rank stands for all moves of the suit
  whose rank did not matter either (`skip_alike`).
"""

from __future__ import annotations

from typing import Any

from atout.rules.bits import ctz, popcount
from atout.rules.jit import rule
from atout.rules.layout import SEATS
from atout.rules.trick import legal_play
from atout.search.solver.bounds import is_decided
from atout.search.solver.move_order import list_moves, next_stronger
from atout.search.solver.patterns import look_up, store
from atout.search.solver.problem import SUITS, maximizes, next_seat

EXTREME = 400
"""Larger than every value."""
CARD = 63
"""Mask of the card in a move."""


@rule
def play(p: Any, f: Any, g: Any, card: int) -> None:
    """Make frame g the position of frame f after the card."""
    seat = f.turn
    for i in range(SEATS):
        g.hand[i] = f.hand[i]
    g.hand[seat] = f.hand[seat] ^ 1 << card
    for i in range(SUITS):
        g.words[i] = f.words[i]
    g.live = f.live ^ 1 << card
    g.key = f.key - p.code[8 * p.class_of[card] + seat]
    if p.verbatim != 0:
        g.words[seat] = g.hand[seat]
    elif (p.ranked >> card) & 1 != 0:
        suit = p.suit_of[card]
        above = popcount(g.live & p.ranks[suit] & ((1 << card) - 1))
        g.words[suit] = without(f.words[suit], 4 * above)
    g.low_seats = f.low_seats | ((p.lows >> card) & 1) << seat
    g.played = f.played + 1
    if f.played == 0 or (f.beating >> card) & 1 != 0:
        g.beating = p.loses_to[card]
        g.best = seat
        g.winner = card
    else:
        g.beating = f.beating
        g.best = f.best
        g.winner = f.winner
    if g.played == p.players:
        end_trick(p, f, g)
    else:
        g.follow = f.follow if f.played != 0 else p.follow[card]
        g.turn = next_seat(p, seat)
        g.left = f.left
        g.alive = f.alive
        g.target = f.target


@rule
def without(word: int, at: int) -> int:
    """The owners without the one at this place. Two neighbours are equal then if both equalled the removed card."""
    rest = word >> at
    return (word & ((1 << at) - 1)) | (((rest >> 4) & (rest | ~1)) << at)


@rule
def end_trick(p: Any, f: Any, g: Any) -> None:
    g.haul = 1 + popcount(g.low_seats & p.foes[g.best])
    g.got = p.trick_value[g.best] * g.haul
    g.got_ranks = ranks_of_win(p, f.alive ^ g.live, g.winner)
    g.target = f.target - g.got
    g.turn = g.best
    g.left = f.left - 1
    g.alive = g.live
    g.played = 0
    g.low_seats = 0


@rule
def ranks_of_win(p: Any, trick: int, winner: int) -> int:
    """The ranks a trick depends on: the winner's, if another ranked card of its suit is in the trick."""
    rivals = trick & p.ranks[p.suit_of[winner]]
    if rivals & (rivals - 1) == 0:
        return 0
    return p.down_to[winner]


@rule
def play_last(p: Any, f: Any) -> None:
    """Play the last trick, where no seat has a choice."""
    seat, best, winner, beating, lows = f.turn, f.turn, 0, f.live, 0
    for _ in range(p.players):
        card = ctz(f.hand[seat])
        lows |= ((p.lows >> card) & 1) << seat
        if (beating >> card) & 1 != 0:
            best, winner, beating = seat, card, p.loses_to[card]
        seat = next_seat(p, seat)
    f.value = p.trick_value[best] * (1 + popcount(lows & p.foes[best]))
    f.ranks = ranks_of_win(p, f.live, winner)


@rule
def is_settled(p: Any, f: Any, t: Any) -> bool:
    """Whether the value is known well enough without searching the moves. If so, value and ranks are set."""
    if f.played != 0:
        return False
    if f.left > 1:
        return is_decided(p, f) or look_up(p, f, t)
    if f.left == 1:
        play_last(p, f)
    else:
        f.value = 0
        f.ranks = 0
    return True


@rule
def open_frame(p: Any, f: Any) -> None:
    f.ranks = 0
    f.value = -EXTREME if maximizes(p, f.turn) else EXTREME
    list_moves(p, f, legal_play(f, p))


@rule
def with_twins(p: Any, f: Any, ranks: int) -> int:
    """The ranks, extended by the twins of cards among them."""
    twins = f.twins & p.ranked & ~ranks
    if ranks == 0:
        return 0
    while twins != 0:
        card = ctz(twins)
        twins &= twins - 1
        if (ranks >> next_stronger(f.hand[f.turn], card)) & 1 != 0:
            ranks |= p.down_to[card]
    return ranks


@rule
def skip_alike(p: Any, f: Any, ranks: int) -> None:
    """Remove the moves that differ from the last one only by ranks that did not matter."""
    card = f.moves[f.next - 1] & CARD
    if p.verbatim != 0 or ((ranks | ~p.ranked) >> card) & 1 != 0:
        return
    kept = f.next
    for i in range(f.next, f.count):
        other = f.moves[i] & CARD
        if p.class_of[other] != p.class_of[card] or (ranks >> other) & 1 != 0:
            f.moves[kept] = f.moves[i]
            kept += 1
    f.count = kept


@rule
def update(p: Any, f: Any, value: int, ranks: int) -> bool:
    """Update the frame with the value of the last move. Returns whether the frame is settled."""
    upward = maximizes(p, f.turn)
    if (value >= f.target) == upward:
        f.value = value
        f.ranks = ranks
        f.choice = f.moves[f.next - 1] & CARD
        return True
    f.value = max(f.value, value) if upward else min(f.value, value)
    f.ranks |= ranks
    if f.next < f.count:
        skip_alike(p, f, ranks)
    if f.next < f.count:
        return False
    f.ranks = with_twins(p, f, f.ranks)
    return True


@rule
def search(p: Any, frames: Any, t: Any, budget: int) -> bool:
    """Continue the search until the first frame is settled (True) or `budget` nodes are used up."""
    ply, last = p.ply, p.nodes + budget
    while p.nodes < last:
        f, g = frames[ply], frames[ply + 1]
        play(p, f, g, f.moves[f.next] & CARD)
        f.next += 1
        p.nodes += 1
        ply += 1
        if not is_settled(p, g, t):
            open_frame(p, g)
            continue
        settled = True
        while settled:
            value, ranks = g.value, g.ranks
            if g.played == 0:
                value += g.got
                ranks |= g.got_ranks
            ply -= 1
            g = frames[ply]
            settled = update(p, g, value, ranks)
            if settled:
                if ply == 0:
                    p.ply = 0
                    return True
                if g.played == 0:
                    store(p, g, t)
    p.ply = ply
    return False
