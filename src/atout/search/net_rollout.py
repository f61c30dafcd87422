"""Net rollouts: many worlds stepped in parallel, so that a network can be asked about all of them in one batch.

A world is one row of the arrays. In every row the seat in turn is shown what it may know there (`redact`, `encode`),
and nothing else. `lookahead.py` uses this in two directions:

    replay_step                     from the deal to the present: what each seat knew, and which action it took
    begin_rollouts, fill_queries,   from the present to the end of the round: try an action, then let the network choose
    step_rollouts                   for every seat
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from atout.knowledge.encode import action_at, encode, legal_places, place_of_action, slots_of
from atout.knowledge.features import SIZE
from atout.knowledge.redact import redact
from atout.knowledge.world_source import draw_world
from atout.rules.arrays import as_facts, as_rules, as_state
from atout.rules.autoplay import LENGTH, act, is_round_over, to_choice
from atout.rules.jit import entry, part
from atout.rules.layout import FACTS_WORDS, LOG, SEATS, STATE_WORDS, VETO
from atout.rules.log import action_of, seat_of
from atout.rules.step import apply, legal
from atout.search.belief import to_the_deal


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
    """The place that was chosen (`replay_step`)."""
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
def draw_deals(source: Any, worlds: Any, deals: Any, rng: Any) -> None:
    """Fill `worlds` and their logs; `deals` gets the same worlds, turned back to the moment the cards were dealt."""
    r = as_rules(source.rules)
    length = source.log.shape[0]
    for k in range(worlds.states.shape[0]):
        world, dealt = worlds.states[k], deals[k]
        draw_world(source, rng, world, worlds.logs[k])
        worlds.progress[k, LENGTH] = length
        for i in range(world.shape[0]):
            dealt[i] = world[i]
        to_the_deal(as_state(dealt), r, worlds.logs[k], length)


@entry
def replay_step(states: Any, logs: Any, at: int, observer: int, rules: Any, queries: Any) -> int:
    """Apply entry `at` of every log. Where it was a choice of another seat than the observer, a query tells what that
    seat knew and which place it took. Returns the number of queries.
    """
    r = as_rules(rules)
    count = 0
    for k in range(states.shape[0]):
        s, action = as_state(states[k]), action_of(logs[k, at])
        options = legal(s, r)
        if seat_of(logs[k, at]) != observer and options & (options - 1) != 0:
            ask_about(s, r, logs[k], at, queries, count)
            queries.places[count] = place_of_action(r, s.turn, slots_of(s, r, s.turn), s.phase, action)
            queries.rows[count] = k
            count += 1
        apply(s, r, action)
    return count


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
