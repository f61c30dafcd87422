"""Tree search with a sense of what is sensible: the same tree as `tree.py`, grown where good players would go.

Below the root a node first gets the actions that the habit proposes in the worlds at hand; of the others one more
joins whenever the node was visited `widen` times the square of those it has. So with few iterations everyone
plays by habit, and with many each seat finds out what is better. Play-outs are by habit.

Worlds come from outside (`belief.imagine`), each perhaps several times.
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
    NONE,
    PATH,
    VISITS,
    add_child,
    best_child,
    book,
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
def descend(w: Any, r: Any, nodes: Any, sums: Any, used: int, path: Any, widen: int, explore: float, rng: Any) -> int:
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
            action = next_to_try(w, r, nodes[parent, VISITS], options, untried, parent == 0, widen, rng)
            if action != NONE:
                add_child(nodes, sums, parent, used, action, actor)
                apply(w, r, action)
                path[length] = used
                return length + 1
        parent = best_child(nodes, sums, parent, options, r, explore)
        apply(w, r, nodes[parent, ACTION])
        path[length] = parent
        length += 1
    return length


@entry
def grow_guided(
    states: Any, picks: Any, rules: Any, rng: Any, world: Any, nodes: Any, sums: Any, path: Any, used: int,
    widen: int, explore: float,
) -> int:  # fmt: skip
    """An iteration for every pick of a world, on a tree that may have grown before; how many nodes it has now."""
    r, w = as_rules(rules), as_state(world)
    if used == 0:
        new_node(nodes, sums, 0, NONE, NONE)
        used = 1
    for k in range(picks.shape[0]):
        start = states[picks[k]]
        for i in range(world.shape[0]):
            world[i] = start[i]
        length = descend(w, r, nodes, sums, used, path, widen, explore, rng)
        if path[length - 1] == used:
            used += 1
        while not is_round_over(w):
            apply(w, r, playout_policy(w, r, rng))
        book(w, r, nodes, sums, path, length)
    return used
