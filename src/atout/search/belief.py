"""How likely a world is, judged by what its players did: a hand that would not have vetoed so is an unlikely hand.

Worlds are drawn uniformly from those the observer may be in (`knowledge/sample.py`), and weighed here. Every
action of another seat that was seen multiplies the weight by the chance that a sensible player with that
hand would have acted so:

    veto      softmax of how much each free cell would hurt the hand, one part in eight by chance
    the rest  1 where the habit does the same, `miss` where it does not; a habit that draws lots is asked
              once, which is right on average

The observer's own actions say nothing it does not know.
"""

from __future__ import annotations

import math
from typing import Any

from atout.knowledge import sample
from atout.rules.arrays import as_facts, as_plan, as_rules, as_state
from atout.rules.bits import ctz, popcount
from atout.rules.deal import begin_round, clear_round
from atout.rules.jit import entry, rule
from atout.rules.layout import COLUMNS, DISCARD, PASS, PLAY, SEATS, VETO
from atout.rules.log import action_of, phase_of, seat_of
from atout.rules.step import apply, legal
from atout.search.playout.board import average_colour, hurt, strength
from atout.search.playout.policy import playout_policy

WHIM = 0.125
"""The part of vetoes that follows no rule of thumb."""


@rule
def chance_of_veto(s: Any, r: Any, cell: int, warmth: float) -> float:
    """That the seat in turn covers this cell; `warmth` is how many hundredths of hurt one e-fold is worth."""
    seat = s.turn
    usual, power = average_colour(s, r, seat), strength(s, r, seat)
    own = hurt(s, r, seat, cell // COLUMNS, cell % COLUMNS, usual, power)
    options = legal(s, r)
    count = popcount(options)
    total = 0.0
    while options != 0:
        other = ctz(options)
        options &= options - 1
        total += math.exp((hurt(s, r, seat, other // COLUMNS, other % COLUMNS, usual, power) - own) / warmth)
    return WHIM / count + (1.0 - WHIM) / total


@rule
def to_the_deal(v: Any, r: Any, log: Any, length: int) -> None:
    """Turn a world back to the moment its cards were dealt."""
    sample.rewind(v, r, log, length)
    hands = (v.hand[0], v.hand[1], v.hand[2], v.hand[3], v.hand[4], v.hand[5])
    spares = (v.spare[0], v.spare[1], v.spare[2], v.spare[3], v.spare[4], v.spare[5])
    start = v.start
    clear_round(v)
    for seat in range(SEATS):
        v.hand[seat] = hands[seat]
        v.spare[seat] = spares[seat]
    v.start = start
    begin_round(v, r)


@rule
def shows_cards(phase: int) -> bool:
    """Sides are left out: the habit for them looks at all hands."""
    return phase == PLAY or phase == DISCARD or phase == PASS


@rule
def log_likelihood(v: Any, r: Any, log: Any, length: int, observer: int, warmth: float, miss: float, rng: Any) -> float:
    """Of all that others did in the round, in a world; `v` is turned back and played on."""
    to_the_deal(v, r, log, length)
    total = 0.0
    for i in range(length):
        action = action_of(log[i])
        if seat_of(log[i]) != observer:
            phase = phase_of(log[i])
            if phase == VETO:
                if warmth > 0.0:
                    total += math.log(chance_of_veto(v, r, action, warmth))
            elif miss < 1.0 and shows_cards(phase) and playout_policy(v, r, rng) != action:
                total += math.log(miss)
        apply(v, r, action)
    return total


@entry
def imagine(
    seen: Any, facts: Any, rules: Any, plan: Any, ways: Any, chances: Any, rng: Any, log: Any, scratch: Any,
    draft: Any, states: Any, weights: Any, count: int, warmth: float, miss: float,
) -> None:  # fmt: skip
    """Draw `count` worlds into `states`, the logarithm of each one's weight into `weights`."""
    o, f, r, p, v = as_state(seen), as_facts(facts), as_rules(rules), as_plan(plan), as_state(draft)
    length = log.shape[0]
    for k in range(count):
        world = states[k]
        for i in range(seen.shape[0]):
            world[i] = seen[i]
        for i in range(length):
            scratch[i] = log[i]
        sample.draw(o, f, r, p, ways, chances, rng, as_state(world), scratch, length)
        weights[k] = 0.0
        if warmth > 0.0 or miss < 1.0:
            for i in range(seen.shape[0]):
                draft[i] = world[i]
            weights[k] = log_likelihood(v, r, scratch, length, f.seat, warmth, miss, rng)
