"""Guided MCTS: the tree of `mcts.py`, expanded where the playout policy would go first (progressive widening).

Below the root a node first gets the actions that the playout policy proposes in the worlds that reach it. Another
action is added when the node has been visited `widen` times the square of the number of its children. So with few
iterations every seat plays by the policy, and with many the search finds what is better. Playouts follow the policy.

Worlds come from the caller (`belief.sample_worlds`); the same world may be used several times.
"""

from __future__ import annotations

from typing import Any

from atout.rules.arrays import as_rules, as_state
from atout.rules.autoplay import is_round_over
from atout.rules.bits import popcount
from atout.rules.jit import entry, rule
from atout.rules.rng import random_bit
from atout.rules.step import apply, legal
from atout.search.mcts import (
    ACTION,
    MAX_PATH,
    NONE,
    VISITS,
    add_child,
    backpropagate,
    best_child,
    mark_available,
    new_node,
)
from atout.search.playout.policy import playout_policy


@rule
def next_to_try(w: Any, r: Any, visits: int, options: int, untried: int, is_root: bool, widen: int, rng: Any) -> int:
    """An action without a node that should get one now, or NONE."""
    if is_root:
        return random_bit(untried, rng)
    proposed = playout_policy(w, r, rng)
    if (untried >> proposed) & 1 != 0:
        return proposed
    tried = popcount(options & ~untried)
    if widen * tried * tried <= visits:
        return random_bit(untried, rng)
    return NONE


@rule
def descend(w: Any, r: Any, tree: Any, used: int, widen: int, explore: float, rng: Any) -> int:
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
            action = next_to_try(w, r, nodes[parent, VISITS], options, untried, parent == 0, widen, rng)
            if action != NONE:
                add_child(tree, parent, used, action, actor)
                apply(w, r, action)
                path[length] = used
                return length + 1
        parent = best_child(tree, parent, options, r, explore)
        apply(w, r, nodes[parent, ACTION])
        path[length] = parent
        length += 1
    return length


@entry
def grow_guided(
    states: Any, picks: Any, rules: Any, tree: Any, used: int, widen: int, explore: float, rng: Any, world: Any
) -> int:
    """Run one iteration per picked world on a tree that has `used` nodes. Returns how many nodes it has then."""
    r, w = as_rules(rules), as_state(world)
    if used == 0:
        new_node(tree, 0, NONE, NONE)
        used = 1
    for k in range(picks.shape[0]):
        start = states[picks[k]]
        for i in range(world.shape[0]):
            world[i] = start[i]
        length = descend(w, r, tree, used, widen, explore, rng)
        if tree.path[length - 1] == used:
            used += 1
        while not is_round_over(w):
            apply(w, r, playout_policy(w, r, rng))
        backpropagate(w, r, tree, length)
    return used
