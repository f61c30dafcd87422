"""Single-observer information-set Monte Carlo tree search (SO-ISMCTS; Cowling, Powley and Whitehouse 2012).

Each iteration draws a world the seat may be in, walks down the tree by the actions that are legal in that world
(selection by UCB1), adds one node (expansion), plays the round out at random (simulation), and adds the scores to
every node on the path (backpropagation). All seats share one tree from the observer's point of view. An action's bound
counts how often the action was available, not how often its parent was visited.

    nodes[i]   action   first child   next sibling   visits   available   actor
    sums[i]    scores of every seat, summed over the visits
    path       the nodes of the present iteration
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from atout.knowledge.world_source import draw_world
from atout.rules.arrays import as_rules, as_state
from atout.rules.autoplay import is_round_over
from atout.rules.jit import entry, rule
from atout.rules.layout import SEATS
from atout.rules.rng import random_bit
from atout.rules.scoring import gain
from atout.rules.step import apply, legal

ACTION, CHILD, SIBLING, VISITS, AVAILABLE, ACTOR = range(6)
NODE_WORDS = 6
NONE = -1
MAX_PATH = 160
"""Longer than any round."""


class Tree(NamedTuple):
    """The arrays of a search tree."""

    nodes: Any
    sums: Any
    path: Any


def new_tree(size: int, old: Tree | None = None) -> Tree:
    """A tree with room for so many nodes; those of an old tree are kept."""
    nodes, sums = np.zeros((size, NODE_WORDS), np.int64), np.zeros((size, SEATS), np.float64)
    if old is not None:
        kept = min(size, len(old.nodes))
        nodes[:kept], sums[:kept] = old.nodes[:kept], old.sums[:kept]
    return Tree(nodes, sums, np.zeros(MAX_PATH, np.int64))


@rule
def new_node(tree: Any, at: int, action: int, actor: int) -> None:
    node = tree.nodes[at]
    node[ACTION] = action
    node[CHILD] = NONE
    node[SIBLING] = NONE
    node[VISITS] = 0
    node[AVAILABLE] = 0
    node[ACTOR] = actor
    for seat in range(SEATS):
        tree.sums[at, seat] = 0.0


@rule
def random_playout(w: Any, r: Any, rng: Any) -> None:
    """Play to the end of the round at random."""
    while not is_round_over(w):
        apply(w, r, random_bit(legal(w, r), rng))


@rule
def mark_available(nodes: Any, parent: int, options: int) -> int:
    """Count the children that are legal here. Returns the options that have no child yet."""
    child = nodes[parent, CHILD]
    while child != NONE:
        if (options >> nodes[child, ACTION]) & 1 != 0:
            nodes[child, AVAILABLE] += 1
            options &= ~(1 << nodes[child, ACTION])
        child = nodes[child, SIBLING]
    return options


@rule
def best_child(tree: Any, parent: int, options: int, r: Any, explore: float) -> int:
    """The legal child with the highest upper confidence bound of its actor's gain."""
    nodes, sums = tree.nodes, tree.sums
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
def add_child(tree: Any, parent: int, at: int, action: int, actor: int) -> None:
    new_node(tree, at, action, actor)
    tree.nodes[at, AVAILABLE] = 1
    tree.nodes[at, SIBLING] = tree.nodes[parent, CHILD]
    tree.nodes[parent, CHILD] = at


@rule
def descend(w: Any, r: Any, tree: Any, used: int, explore: float, rng: Any) -> int:
    """Selection and expansion: walk to a new node or the end of the tree. Returns the length of the path."""
    nodes, path = tree.nodes, tree.path
    length, parent = 1, 0
    path[0] = 0
    while length < MAX_PATH and not is_round_over(w):
        options = legal(w, r)
        actor = w.turn
        untried = mark_available(nodes, parent, options)
        if untried != 0:
            if used >= nodes.shape[0]:
                break
            action = random_bit(untried, rng)
            add_child(tree, parent, used, action, actor)
            apply(w, r, action)
            path[length] = used
            return length + 1
        parent = best_child(tree, parent, options, r, explore)
        apply(w, r, nodes[parent, ACTION])
        path[length] = parent
        length += 1
    return length


@rule
def backpropagate(w: Any, r: Any, tree: Any, length: int) -> None:
    for i in range(length):
        at = tree.path[i]
        tree.nodes[at, VISITS] += 1
        for seat in range(r.players):
            tree.sums[at, seat] += w.scores[seat]


@entry
def grow(
    source: Any, tree: Any, used: int, count: int, explore: float, rng: Any, world: Any, scratch: Any
) -> int:  # fmt: skip
    """Run `count` iterations on a tree that has `used` nodes. Returns how many nodes it has then."""
    r, w = as_rules(source.rules), as_state(world)
    if used == 0:
        new_node(tree, 0, NONE, NONE)
        used = 1
    for _ in range(count):
        draw_world(source, rng, world, scratch)
        length = descend(w, r, tree, used, explore, rng)
        if tree.path[length - 1] == used:
            used += 1
        random_playout(w, r, rng)
        backpropagate(w, r, tree, length)
    return used
