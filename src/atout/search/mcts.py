"""Search over sampled worlds: single-observer information-set Monte Carlo tree search.

Each iteration draws a world the seat may be in, walks down the tree by the actions legal in that world,
adds one node, plays the round out at random, and books the scores on the way back. All seats share one
tree from the observer's point of view; an action is weighed by how often it was available.

    nodes[i]   action   child   sibling   visits   available   actor
    sums[i]    scores of every seat, added up over the visits
"""

from __future__ import annotations

import math
from typing import Any

from atout.knowledge import sample
from atout.rules.arrays import as_facts, as_plan, as_rules, as_state
from atout.rules.autoplay import is_round_over
from atout.rules.jit import entry, rule
from atout.rules.layout import SEATS
from atout.rules.rng import random_bit
from atout.rules.scoring import gain
from atout.rules.step import apply, legal

ACTION, CHILD, SIBLING, VISITS, AVAILABLE, ACTOR = range(6)
NODE_WORDS = 6
NONE = -1
PATH = 160
"""No round is longer."""


@rule
def new_node(nodes: Any, sums: Any, at: int, action: int, actor: int) -> None:
    nodes[at, ACTION] = action
    nodes[at, CHILD] = NONE
    nodes[at, SIBLING] = NONE
    nodes[at, VISITS] = 0
    nodes[at, AVAILABLE] = 0
    nodes[at, ACTOR] = actor
    for seat in range(SEATS):
        sums[at, seat] = 0.0


@rule
def playout(w: Any, r: Any, rng: Any) -> None:
    """To the end of the round, at random."""
    while not is_round_over(w):
        apply(w, r, random_bit(legal(w, r), rng))


@rule
def mark_available(nodes: Any, parent: int, options: int) -> int:
    """Count the children that are legal here; which options have no child yet."""
    child = nodes[parent, CHILD]
    while child != NONE:
        if (options >> nodes[child, ACTION]) & 1 != 0:
            nodes[child, AVAILABLE] += 1
            options &= ~(1 << nodes[child, ACTION])
        child = nodes[child, SIBLING]
    return options


@rule
def best_child(nodes: Any, sums: Any, parent: int, options: int, r: Any, explore: float) -> int:
    """The legal child with the best upper confidence bound."""
    best, chosen = -1.0e300, NONE
    child = nodes[parent, CHILD]
    while child != NONE:
        if (options >> nodes[child, ACTION]) & 1 != 0:
            visits = nodes[child, VISITS]
            mean = gain(sums[child], r, nodes[child, ACTOR]) / visits
            bound = mean + explore * math.sqrt(math.log(nodes[child, AVAILABLE] + 1.0) / visits)
            if bound > best:
                best, chosen = bound, child
        child = nodes[child, SIBLING]
    return chosen


@rule
def add_child(nodes: Any, sums: Any, parent: int, at: int, action: int, actor: int) -> None:
    new_node(nodes, sums, at, action, actor)
    nodes[at, AVAILABLE] = 1
    nodes[at, SIBLING] = nodes[parent, CHILD]
    nodes[parent, CHILD] = at


@rule
def descend(w: Any, r: Any, nodes: Any, sums: Any, used: int, path: Any, explore: float, rng: Any) -> int:
    """Walk to a new node or the end of the tree; how many nodes the path has."""
    length, parent = 1, 0
    path[0] = 0
    while length < PATH and not is_round_over(w):
        options = legal(w, r)
        actor = w.turn
        untried = mark_available(nodes, parent, options)
        if untried != 0:
            if used >= nodes.shape[0]:
                break
            action = random_bit(untried, rng)
            add_child(nodes, sums, parent, used, action, actor)
            apply(w, r, action)
            path[length] = used
            return length + 1
        parent = best_child(nodes, sums, parent, options, r, explore)
        apply(w, r, nodes[parent, ACTION])
        path[length] = parent
        length += 1
    return length


@rule
def book(w: Any, r: Any, nodes: Any, sums: Any, path: Any, length: int) -> None:
    for i in range(length):
        nodes[path[i], VISITS] += 1
        for seat in range(r.players):
            sums[path[i], seat] += w.scores[seat]


@entry
def grow(
    seen: Any, facts: Any, rules: Any, plan: Any, ways: Any, chances: Any, rng: Any, world: Any, log: Any,
    scratch: Any, nodes: Any, sums: Any, path: Any, used: int, count: int, explore: float,
) -> int:  # fmt: skip
    """`count` iterations from a seat's knowledge on a tree that may have grown before; how many nodes it has now."""
    o, f, r, p, w = as_state(seen), as_facts(facts), as_rules(rules), as_plan(plan), as_state(world)
    if used == 0:
        new_node(nodes, sums, 0, NONE, NONE)
        used = 1
    for _ in range(count):
        for i in range(seen.shape[0]):
            world[i] = seen[i]
        for i in range(log.shape[0]):
            scratch[i] = log[i]
        sample.draw(o, f, r, p, ways, chances, rng, w, scratch, log.shape[0])
        length = descend(w, r, nodes, sums, used, path, explore, rng)
        if path[length - 1] == used:
            used += 1
        playout(w, r, rng)
        book(w, r, nodes, sums, path, length)
    return used
