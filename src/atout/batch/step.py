"""One match of a batch: the functions that CPU threads and GPU threads both call.

A match of a batch always waits for a choice: forced actions are played, hands dealt and new matches begun on the way.
Actions are places in a block (`knowledge/features.py`), as the seat in turn sees them.

    progress    length of the round's log; how the last step ended
    points      at the end of a round, for every seat: its score
    reward      at the end of a round, for every seat: its gain (`rules/scoring.py`)
    won         at the end of a match, for every seat: its share of the win less 1 / players

`step_one` goes on for ever and is what training calls. Environments (`atout.envs`) play *episodes*, a match or one
round, in the one flat action space of all phases: `step_episode` and `observe_flat`.
"""

from __future__ import annotations

from typing import Any

from atout.knowledge.encode import (
    action_at,
    encode,
    encode_hidden,
    fill,
    legal_places,
    place_of_action,
    places_of,
    slots_of,
)
from atout.knowledge.features import ACTIONS, BLOCK, SIZE
from atout.knowledge.redact import redact
from atout.rules.autoplay import LENGTH, act, is_round_over, to_choice
from atout.rules.bits import ctz, popcount
from atout.rules.deal import deal
from atout.rules.jit import part, rule
from atout.rules.layout import NOBODY, OVER, SEATS, VETO
from atout.rules.match import begin_match
from atout.rules.rng import below, seed_rng
from atout.rules.scoring import gain, winners
from atout.rules.step import legal
from atout.search.playout.policy import playout_policy

ENDED = 1
"""The column of `progress` beside LENGTH (`rules/autoplay.py`)."""
GOES_ON, ROUND_OVER, MATCH_OVER, REFUSED = range(4)
"""How a step ended. REFUSED: the place was not legal, and nothing changed."""
NEVER, AT_MATCH_END, AT_ROUND_END = range(3)
"""Where a match stops and waits for a reset."""
REPLACE, MANUAL, NONE = range(3)
"""What happens at the end of an episode. REPLACE: the next one begins in the same step. MANUAL: it waits for a reset,
and a step is refused. NONE: it stays over; further steps change nothing and give no reward.
"""


@rule
def settle(s: Any, r: Any, points: Any, reward: Any, won: Any) -> None:
    """Add the result of a finished round, and of a finished match."""
    for seat in range(r.players):
        points[seat] += s.scores[seat]
        reward[seat] += gain(s.scores, r, seat)
    if s.phase == OVER:
        best = winners(s, r)
        for seat in range(r.players):
            won[seat] += ((best >> seat) & 1) / popcount(best) - 1 / r.players


@part
def next_round(s: Any, r: Any, rng: Any, log: Any, progress: Any) -> None:
    deal(s, r, rng)
    progress[LENGTH] = 0
    to_choice(s, r, log, progress)


@part
def reset_one(s: Any, r: Any, rng: Any, log: Any, progress: Any, seed: int, stream: int) -> None:
    """A new match from (seed, stream). The stream also sets the first dealer."""
    seed_rng(rng, seed, stream)
    begin_match(s, r, stream % r.players)
    progress[ENDED] = GOES_ON
    next_round(s, r, rng, log, progress)


@rule
def clear(points: Any, reward: Any, won: Any) -> None:
    for seat in range(SEATS):
        points[seat] = 0.0
        reward[seat] = 0.0
        won[seat] = 0.0


@part
def step_one(
    s: Any, r: Any, rng: Any, log: Any, progress: Any, place: int, points: Any, reward: Any, won: Any, stop: int
) -> None:
    """One action, and all that follows until the next choice, or until the end where the match is to stop."""
    clear(points, reward, won)
    action = action_at(s, r, legal(s, r), place)
    if action == NOBODY:
        progress[ENDED] = REFUSED
        return
    progress[ENDED] = GOES_ON
    act(s, r, log, progress, action)
    to_choice(s, r, log, progress)
    while is_round_over(s):
        settle(s, r, points, reward, won)
        progress[ENDED] = max(progress[ENDED], MATCH_OVER if s.phase == OVER else ROUND_OVER)
        if stop == AT_ROUND_END or (stop == AT_MATCH_END and s.phase == OVER):
            return
        if s.phase == OVER:
            begin_match(s, r, below(rng, r.players))
        next_round(s, r, rng, log, progress)


@part
def renew(s: Any, r: Any, rng: Any, log: Any, progress: Any) -> None:
    """The next match of the same generator."""
    begin_match(s, r, below(rng, r.players))
    next_round(s, r, rng, log, progress)


@part
def step_episode(
    s: Any, r: Any, rng: Any, log: Any, progress: Any, action: int, points: Any, reward: Any, won: Any, stop: int,
    mode: int,
) -> bool:  # fmt: skip
    """One action of the flat space; returns whether the episode is over."""
    if is_round_over(s):
        clear(points, reward, won)
        progress[ENDED] = REFUSED if mode == MANUAL else GOES_ON
        return True
    place = action - BLOCK * block_of(s)
    if place < 0 or place >= BLOCK:
        place = NOBODY
    step_one(s, r, rng, log, progress, place, points, reward, won, stop)
    if not is_round_over(s):
        return False
    if mode == REPLACE:
        renew(s, r, rng, log, progress)
    return True


@part
def observe_flat(
    s: Any, r: Any, log: Any, progress: Any, seat: int, o: Any, f: Any, seen_log: Any, observation: Any, mask: Any
) -> None:
    """Fill the observation of any seat, through `redact`, and its legal actions in the flat space: none unless it is
    in turn.
    """
    for i in range(SIZE):
        observation[i] = 0
    for i in range(ACTIONS):
        mask[i] = 0
    observe_into_zeros(s, r, log, progress, seat, o, f, seen_log, observation, mask)


@part
def observe_into_zeros(
    s: Any, r: Any, log: Any, progress: Any, seat: int, o: Any, f: Any, seen_log: Any, observation: Any, mask: Any
) -> None:
    """`observe_flat` for arrays that are already 0: on a GPU clearing them is faster all at once."""
    redact(s, r, log, progress[LENGTH], seat, o, f, seen_log)
    slots = slots_of(o, r, seat)
    fill(o, f, r, slots, observation)
    if s.turn == seat:
        first = BLOCK * block_of(s)
        places = places_of(o, r, slots, legal(o, r))
        while places != 0:
            mask[first + ctz(places)] = 1
            places &= places - 1


@part
def observe_one(
    s: Any, r: Any, log: Any, progress: Any, o: Any, f: Any, seen_log: Any, observation: Any, hidden: Any
) -> int:
    """Fill the observation of the seat in turn, which goes through `redact`, and the hidden cards for a critic.
    Returns the legal places.
    """
    redact(s, r, log, progress[LENGTH], s.turn, o, f, seen_log)
    encode(o, f, r, observation)
    encode_hidden(s, r, s.turn, hidden)
    return legal_places(o, r, legal(o, r))


@rule
def block_of(s: Any) -> int:
    """The block of actions of the phase."""
    return s.phase - VETO


@part
def policy_place(s: Any, r: Any, rng: Any) -> int:
    """The place of the playout policy's action."""
    action = playout_policy(s, r, rng)
    return place_of_action(r, s.turn, slots_of(s, r, s.turn), s.phase, action)
