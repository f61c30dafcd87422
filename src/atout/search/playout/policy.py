"""The playout policy: rules of thumb for every phase of both games, fast enough for playouts.

A search plays a round to its end by this policy. It looks at the seat's own hand and at what is on the table, so that
a playout does not know more than its players would (team choices are the exception: they compare all hands, with
noise). A little randomness makes playouts differ.
"""

from __future__ import annotations

from typing import Any

from atout.rules.bits import ctz
from atout.rules.jit import part
from atout.rules.layout import DISCARD, DOUBLE, LAY, NJET, PASS, PLAY, TEAM, VETO
from atout.rules.step import legal
from atout.search.playout.board import discard, double_of_choice, side_of_choice, veto
from atout.search.playout.cards import njet_card
from atout.search.playout.piles import lay_out, nichtig_card


@part
def playout_policy(s: Any, r: Any, rng: Any) -> int:
    """The action of the seat in turn by rules of thumb."""
    options = legal(s, r)
    if options & (options - 1) == 0:
        return ctz(options)
    if s.phase == PLAY:
        if r.game == NJET:
            return njet_card(s, r, options, rng)
        return nichtig_card(s, r, options, rng)
    if s.phase == VETO:
        return veto(s, r, options, rng)
    if s.phase == DISCARD or s.phase == PASS:
        return discard(s, r, options, rng)
    if s.phase == LAY:
        return lay_out(s, r, options, rng)
    if s.phase == TEAM:
        return side_of_choice(s, r, options, rng)
    if s.phase == DOUBLE:
        return double_of_choice(s, r, options)
    return ctz(options)
