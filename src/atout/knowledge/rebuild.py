"""From a redacted log back to the redacted state: how a bot turns the view it was sent into knowledge.

The log is replayed by the rules themselves. During the replay the seats whose cards are unknown hold every
kind, so that none of them runs out of cards; afterwards their hands are empty.
"""

from __future__ import annotations

from typing import Any

from atout.rules.deal import begin_round, clear_round
from atout.rules.discard import count_discard
from atout.rules.jit import rule
from atout.rules.lay import count_lay
from atout.rules.layout import LAY, SEATS
from atout.rules.log import HIDDEN, action_of, phase_of
from atout.rules.step import apply


@rule
def rebuild(o: Any, r: Any, log: Any, length: int, seat: int, hand: int, spare: int) -> None:
    """`o` holds the match so far (round, dealer, leader, totals, scores); `hand` is what the seat was dealt."""
    clear_round(o)
    for other in range(r.players):
        o.hand[other] = hand if other == seat else r.kinds
        o.spare[other] = spare if other == seat else 0
    begin_round(o, r)
    for i in range(length):
        if action_of(log[i]) != HIDDEN:
            apply(o, r, action_of(log[i]))
        elif phase_of(log[i]) == LAY:
            count_lay(o, r)
        else:
            count_discard(o, r)
        for other in range(r.players):
            if other != seat:
                o.hand[other] = r.kinds
    for other in range(SEATS):
        if other != seat:
            o.hand[other] = 0
            o.spare[other] = 0
            o.gone[other] = 0
            o.gone_spare[other] = 0
