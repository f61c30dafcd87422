"""Belief: how likely a world is, given what the other seats did in it.

Worlds are drawn uniformly from those the observer may be in (`knowledge/sample.py`), and weighted here (importance
weighting). Every observed action of another seat multiplies the weight by the chance that a sensible player with that
hand would have acted so:

    veto      softmax of what each free cell would cost the hand, at a temperature; one eighth is uniform
    the rest  1 where the playout policy does the same, `off_policy_factor` where it does not; a policy that
              randomises is asked once, which is right on average

The observer's own actions carry no weight: it knows its own hand.
"""

from __future__ import annotations

import math
from typing import Any

from atout.knowledge import sample
from atout.knowledge.world_source import draw_world
from atout.rules.arrays import as_facts, as_rules, as_state
from atout.rules.bits import ctz, popcount
from atout.rules.deal import begin_round, clear_round
from atout.rules.jit import entry, rule
from atout.rules.layout import COLUMNS, DISCARD, PASS, PLAY, SEATS, VETO
from atout.rules.log import action_of, phase_of, seat_of
from atout.rules.step import apply, legal
from atout.search.playout.board import average_colour, cell_cost, strength
from atout.search.playout.policy import playout_policy

OFF_POLICY = 0.125
"""The share of vetoes that follow no rule of thumb."""


@rule
def chance_of_veto(s: Any, r: Any, cell: int, temperature: float) -> float:
    """The chance that the seat in turn covers this cell. `temperature` is the cost that makes a factor of e."""
    seat = s.turn
    usual, power = average_colour(s, r, seat), strength(s, r, seat)
    own = cell_cost(s, r, seat, cell // COLUMNS, cell % COLUMNS, usual, power)
    options = legal(s, r)
    count = popcount(options)
    total = 0.0
    while options != 0:
        other = ctz(options)
        options &= options - 1
        total += math.exp((cell_cost(s, r, seat, other // COLUMNS, other % COLUMNS, usual, power) - own) / temperature)
    return OFF_POLICY / count + (1.0 - OFF_POLICY) / total


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
    """Whether actions of the phase say something about a hand. Sides do not: their policy looks at all hands."""
    return phase == PLAY or phase == DISCARD or phase == PASS


@rule
def log_likelihood(
    v: Any, r: Any, log: Any, length: int, observer: int, temperature: float, off_policy_factor: float, rng: Any
) -> float:
    """The log-likelihood of the others' actions of the round, in a world; `v` is turned back and played again."""
    to_the_deal(v, r, log, length)
    total = 0.0
    for i in range(length):
        action = action_of(log[i])
        if seat_of(log[i]) != observer:
            phase = phase_of(log[i])
            if phase == VETO:
                if temperature > 0.0:
                    total += math.log(chance_of_veto(v, r, action, temperature))
            elif off_policy_factor < 1.0 and shows_cards(phase) and playout_policy(v, r, rng) != action:
                total += math.log(off_policy_factor)
        apply(v, r, action)
    return total


@entry
def sample_worlds(
    source: Any, states: Any, weights: Any, count: int, temperature: float, off_policy_factor: float, rng: Any,
    scratch: Any, scratch_log: Any,
) -> None:  # fmt: skip
    """Draw `count` worlds into `states`, and the logarithm of each one's weight into `weights`."""
    f, r, v = as_facts(source.facts), as_rules(source.rules), as_state(scratch)
    for k in range(count):
        world = states[k]
        draw_world(source, rng, world, scratch_log)
        weights[k] = 0.0
        if temperature > 0.0 or off_policy_factor < 1.0:
            for i in range(world.shape[0]):
                scratch[i] = world[i]
            weights[k] = log_likelihood(
                v, r, scratch_log, source.log.shape[0], f.seat, temperature, off_policy_factor, rng
            )
