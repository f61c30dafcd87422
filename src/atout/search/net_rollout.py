"""Worlds as a network sees them: what it would have made of every decision so far, and how it would go on.

Worlds are *lanes*: rows of states and logs that take their steps together, so that the network can be asked about all
of them at once (`search/lookahead.py`). In every lane the seat in turn sees what it may see there, and nothing else.
"""

from __future__ import annotations

from typing import Any

from atout.knowledge import sample
from atout.knowledge.encode import action_at, encode, legal_places, place_of_action, slots_of
from atout.knowledge.redact import redact
from atout.rules.arrays import as_facts, as_plan, as_rules, as_state
from atout.rules.autoplay import LENGTH, act, is_round_over, to_choice
from atout.rules.jit import entry, part
from atout.rules.layout import SEATS, VETO
from atout.rules.log import action_of, seat_of
from atout.rules.step import apply, legal
from atout.search.belief import to_the_deal


@part
def look(s: Any, r: Any, log: Any, length: int, o: Any, f: Any, seen_log: Any, observation: Any) -> int:
    """What the seat in turn sees; its legal places."""
    redact(s, r, log, length, s.turn, o, f, seen_log)
    encode(o, f, r, observation)
    return legal_places(o, r, legal(o, r))


@entry
def imagine_deals(
    seen: Any, facts: Any, rules: Any, plan: Any, ways: Any, chances: Any, rng: Any, log: Any, worlds: Any,
    world_logs: Any, states: Any,
) -> None:  # fmt: skip
    """Fill `worlds` and their logs; in `states` the same worlds, turned back to the moment the cards were dealt."""
    o, f, r, p = as_state(seen), as_facts(facts), as_rules(rules), as_plan(plan)
    length = log.shape[0]
    for k in range(worlds.shape[0]):
        world, dealt = worlds[k], states[k]
        for i in range(seen.shape[0]):
            world[i] = seen[i]
        for i in range(length):
            world_logs[k, i] = log[i]
        sample.draw(o, f, r, p, ways, chances, rng, as_state(world), world_logs[k], length)
        for i in range(seen.shape[0]):
            dealt[i] = world[i]
        to_the_deal(as_state(dealt), r, world_logs[k], length)


@entry
def look_back(
    states: Any, logs: Any, at: int, observer: int, rules: Any, seen: Any, facts: Any, seen_log: Any,
    observations: Any, masks: Any, blocks: Any, places: Any, lanes: Any,
) -> int:  # fmt: skip
    """Make entry `at` of every log. Lanes where it was a choice of another seat are listed, with what that seat saw
    and the place it took; how many.
    """
    r, o, f = as_rules(rules), as_state(seen), as_facts(facts)
    count = 0
    for k in range(states.shape[0]):
        s, action = as_state(states[k]), action_of(logs[k, at])
        options = legal(s, r)
        if seat_of(logs[k, at]) != observer and options & (options - 1) != 0:
            masks[count] = look(s, r, logs[k], at, o, f, seen_log, observations[count])
            blocks[count] = s.phase - VETO
            places[count] = place_of_action(r, s.turn, slots_of(s, r, s.turn), s.phase, action)
            lanes[count] = k
            count += 1
        apply(s, r, action)
    return count


@entry
def set_out(
    worlds: Any, world_logs: Any, length: int, picks: Any, actions: Any, rules: Any, states: Any, logs: Any,
    progress: Any, lanes: Any,
) -> int:  # fmt: skip
    """A lane for every action in every picked world, the action made; those that go on are listed. How many."""
    r = as_rules(rules)
    lane, count = 0, 0
    for a in range(actions.shape[0]):
        for j in range(picks.shape[0]):
            for i in range(worlds.shape[1]):
                states[lane, i] = worlds[picks[j], i]
            for i in range(length):
                logs[lane, i] = world_logs[picks[j], i]
            progress[lane, LENGTH] = length
            s = as_state(states[lane])
            act(s, r, logs[lane], progress[lane], actions[a])
            to_choice(s, r, logs[lane], progress[lane])
            if not is_round_over(s):
                lanes[count] = lane
                count += 1
            lane += 1
    return count


@entry
def look_ahead(
    states: Any, logs: Any, progress: Any, lanes: Any, rules: Any, seen: Any, facts: Any, seen_log: Any,
    observations: Any, masks: Any, blocks: Any, turns: Any,
) -> None:  # fmt: skip
    """What the seats in turn see in the listed lanes."""
    r, o, f = as_rules(rules), as_state(seen), as_facts(facts)
    for k in range(lanes.shape[0]):
        lane = lanes[k]
        s = as_state(states[lane])
        masks[k] = look(s, r, logs[lane], progress[lane, LENGTH], o, f, seen_log, observations[k])
        blocks[k] = s.phase - VETO
        turns[k] = s.turn


@entry
def go_on(states: Any, logs: Any, progress: Any, lanes: Any, places: Any, rules: Any) -> int:
    """Act in the listed lanes; those that still go on come first in the list. How many."""
    r = as_rules(rules)
    count = 0
    for k in range(lanes.shape[0]):
        lane = lanes[k]
        s = as_state(states[lane])
        act(s, r, logs[lane], progress[lane], action_at(s, r, legal(s, r), places[k]))
        to_choice(s, r, logs[lane], progress[lane])
        if not is_round_over(s):
            lanes[count] = lane
            count += 1
    return count


@entry
def read_scores(states: Any, scores: Any) -> None:
    for k in range(states.shape[0]):
        s = as_state(states[k])
        for seat in range(SEATS):
            scores[k, seat] = s.scores[seat]
