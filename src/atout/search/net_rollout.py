"""Net rollouts: many worlds stepped in parallel, so that a network can be asked about all of them in one batch.

A world is one row of the arrays. In every row the seat in turn is shown what it may know there (`redact`, `encode`),
and nothing else. `lookahead.py` uses this in two directions:

    replay_steps                    from the deal to the present: what each seat knew, and which action it took
    begin_rollouts, fill_queries,   from the present to the end of the round: try an action, then let the network choose
    step_rollouts                   for every seat
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from atout.knowledge.encode import action_at, encode, legal_places, place_of_action, slots_of
from atout.knowledge.features import SIZE
from atout.knowledge.redact import redact
from atout.rules.arrays import Int64Array, as_facts, as_rules, as_state
from atout.rules.autoplay import LENGTH, act, is_round_over, to_choice
from atout.rules.jit import entry, part
from atout.rules.layout import FACTS_WORDS, LOG, SEATS, STATE, STATE_WORDS, VETO
from atout.rules.log import action_of, seat_of
from atout.rules.step import apply, legal

TO_THE_END = 99
"""A horizon in tricks that no round reaches."""
TRICKS = STATE.fields["tricks"][1] // 8  # type: ignore[index]
BATCH = 512
"""Queries of a replay that are asked together, at most."""


class Worlds(NamedTuple):
    """One world per row."""

    states: Any
    logs: Any
    progress: Any
    """The length of each log (`rules/autoplay.py`)."""


class Queries(NamedTuple):
    """What the network is asked, one query per row, in the first rows of the arrays."""

    features: Any
    masks: Any
    """Legal places."""
    blocks: Any
    """The block of actions of the phase."""
    places: Any
    """The place that was chosen (`replay_steps`)."""
    turns: Any
    """The seat in turn (`fill_queries`)."""
    rows: Any
    """The world each query is about."""
    seen: Any
    """Scratch for `redact`: state, facts and log as one seat knows them."""
    facts: Any
    seen_log: Any


def new_worlds(count: int) -> Worlds:
    return Worlds(*(np.zeros((count, width), np.int64) for width in (STATE_WORDS, LOG, 1)))


def new_queries(count: int) -> Queries:
    numbers = (np.zeros(count, np.int64) for _ in range(5))
    scratch = (np.zeros(width, np.int64) for width in (STATE_WORDS, FACTS_WORDS, LOG))
    return Queries(np.zeros((count, SIZE), np.int8), *numbers, *scratch)


def tricks_of(states: Int64Array, players: int) -> Int64Array:
    """How many tricks have been played, for every row."""
    return np.asarray(sum((states[:, TRICKS] >> (8 * seat)) & 255 for seat in range(players)), np.int64)


@part
def ask_about(s: Any, r: Any, log: Any, length: int, queries: Any, k: int) -> None:
    """Query `k`: what the seat in turn knows, and its legal places."""
    o, f = as_state(queries.seen), as_facts(queries.facts)
    redact(s, r, log, length, s.turn, o, f, queries.seen_log)
    encode(o, f, r, queries.features[k])
    queries.masks[k] = legal_places(o, r, legal(o, r))
    queries.blocks[k] = s.phase - VETO
    queries.turns[k] = s.turn


@entry
def replay_steps(states: Any, logs: Any, first: int, end: int, observer: int, rules: Any, queries: Any) -> int:
    """Apply the entries from `first` up to `end` of every log. Where one was a choice of another seat than the
    observer, a query tells what that seat knew and which place it took. Returns the number of queries.

    What was done is known, so many steps can be asked about together: a network is several times quicker per position
    with a large batch.
    """
    r = as_rules(rules)
    count = 0
    for k in range(states.shape[0]):
        s = as_state(states[k])
        for at in range(first, end):
            action, options = action_of(logs[k, at]), legal(s, r)
            if seat_of(logs[k, at]) != observer and options & (options - 1) != 0:
                ask_about(s, r, logs[k], at, queries, count)
                queries.places[count] = place_of_action(r, s.turn, slots_of(s, r, s.turn), s.phase, action)
                queries.rows[count] = k
                count += 1
            apply(s, r, action)
    return count


def replay(deals: Any, logs: Any, first: int, end: int, observer: int, rules: Any) -> Iterator[tuple[Any, int]]:
    """Play the entries from `first` up to `end` in every world, some steps at a time: queries, and their number."""
    steps = max(1, BATCH // max(1, len(deals)))
    queries = new_queries(len(deals) * min(steps, end - first))
    for at in range(first, end, steps):
        count = replay_steps(deals, logs, at, min(at + steps, end), observer, rules, queries)
        if count:
            yield queries, count


@entry
def begin_rollouts(worlds: Any, picks: Any, actions: Any, rules: Any, rollouts: Any, rows: Any) -> int:
    """Start one rollout for every action in every picked world, with the action applied. Lists those that are not over
    in `rows`, and returns how many they are.
    """
    r = as_rules(rules)
    row, count = 0, 0
    for a in range(actions.shape[0]):
        for j in range(picks.shape[0]):
            for i in range(worlds.states.shape[1]):
                rollouts.states[row, i] = worlds.states[picks[j], i]
            length = worlds.progress[picks[j], LENGTH]
            for i in range(length):
                rollouts.logs[row, i] = worlds.logs[picks[j], i]
            rollouts.progress[row, LENGTH] = length
            s = as_state(rollouts.states[row])
            act(s, r, rollouts.logs[row], rollouts.progress[row], actions[a])
            to_choice(s, r, rollouts.logs[row], rollouts.progress[row])
            if not is_round_over(s):
                rows[count] = row
                count += 1
            row += 1
    return count


@entry
def fill_queries(rollouts: Any, count: int, rules: Any, queries: Any) -> None:
    """Fill the queries for the first `count` listed rollouts."""
    r = as_rules(rules)
    for k in range(count):
        row = queries.rows[k]
        s = as_state(rollouts.states[row])
        ask_about(s, r, rollouts.logs[row], rollouts.progress[row, LENGTH], queries, k)


@entry
def step_rollouts(rollouts: Any, rows: Any, places: Any, rules: Any) -> int:
    """Apply one place in every listed rollout. Those that are not over move to the front of the list; returns how many
    they are.
    """
    r = as_rules(rules)
    count = 0
    for k in range(rows.shape[0]):
        row = rows[k]
        s = as_state(rollouts.states[row])
        act(s, r, rollouts.logs[row], rollouts.progress[row], action_at(s, r, legal(s, r), places[k]))
        to_choice(s, r, rollouts.logs[row], rollouts.progress[row])
        if not is_round_over(s):
            rows[count] = row
            count += 1
    return count


@entry
def read_scores(states: Any, scores: Any) -> None:
    """The points of every seat in every row."""
    for k in range(states.shape[0]):
        s = as_state(states[k])
        for seat in range(SEATS):
            scores[k, seat] = s.scores[seat]
