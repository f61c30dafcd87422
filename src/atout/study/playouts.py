"""Actions tried in worlds, played on by the network, and valued: by the result of the round, or earlier by the critic.

The network's choices are drawn, not always the likeliest: every world has random numbers for every point of its log,
the same for all actions. So two actions meet the same luck in the same world, and their difference is less noisy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from atout.knowledge.features import BLOCK
from atout.rules.arrays import Int64Array
from atout.rules.autoplay import LENGTH
from atout.rules.layout import LOG, SEATS, STATE
from atout.search import net_rollout
from atout.search.gain import Float64Array, gains
from atout.search.net_rollout import Worlds, new_queries, new_worlds
from atout.study.networks import BATCH, Networks

TRICKS = STATE.fields["tricks"][1] // 8  # type: ignore[index]
TO_THE_END = 99
"""A horizon that no round reaches."""


class Playouts(NamedTuple):
    """Some actions in the same worlds."""

    values: Float64Array
    """The gain of the seat, by action and world."""
    states: Int64Array
    """Where each play-out stopped, by action and world."""
    logs: Int64Array


def gumbel(worlds: int, seed: int) -> Float64Array:
    """Random numbers for every world and every point of its log, which make a choice of the likeliest a drawn one."""
    return np.random.default_rng(seed).gumbel(size=(worlds, LOG, BLOCK)).astype(np.float32)


def tricks_of(states: Int64Array, players: int) -> Int64Array:
    """How many tricks have been played, for every row."""
    return np.asarray(sum((states[:, TRICKS] >> (8 * seat)) & 255 for seat in range(players)), np.int64)


def play_out(
    nets: Networks, worlds: Worlds, actions: Sequence[int], seat: int, horizon: int, noise: Float64Array
) -> Playouts:
    """Try each action in each world. After `horizon` more tricks the critic says what the rest is worth."""
    count = len(worlds.states)
    several = max(1, BATCH // count)
    parts = [
        _play_out(nets, worlds, actions[first : first + several], seat, horizon, noise)
        for first in range(0, len(actions), several)
    ]
    return Playouts(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def _play_out(
    nets: Networks, worlds: Worlds, actions: Sequence[int], seat: int, horizon: int, noise: Float64Array
) -> Playouts:
    count, rules, players = len(worlds.states), nets.setup.rules, nets.setup.players
    lanes = len(actions) * count
    rollouts, queries = new_worlds(lanes), new_queries(lanes)
    rows = queries.rows
    last = tricks_of(worlds.states[:1], players)[0] + horizon
    going = net_rollout.begin_rollouts(worlds, np.arange(count), np.array(actions, np.int64), rules, rollouts, rows)
    stopped = np.zeros(lanes, bool)
    while going:
        now = rows[:going]
        is_far = tricks_of(rollouts.states[now], players) >= last
        stopped[now[is_far]] = True
        going = len(rest := now[~is_far])
        if not going:
            break
        rows[:going] = rest
        net_rollout.fill_queries(rollouts, going, rules, queries)
        outputs = nets.player.evaluate_all(queries.features[:going])
        ratings = nets.player.log_policies(outputs, queries.masks[:going], queries.blocks[:going])
        now = rows[:going]
        ratings = ratings + noise[now % count, rollouts.progress[now, LENGTH]]
        going = net_rollout.step_rollouts(rollouts, now, ratings.argmax(1), rules)
    scores = np.zeros((lanes, SEATS))
    net_rollout.read_scores(rollouts.states, scores)
    values = gains(scores[:, :players], nets.setup, seat)
    if stopped.any():
        values[stopped] = nets.critic_gains(Worlds(*(array[stopped] for array in rollouts)))[:, seat]
    shape = (len(actions), count)
    return Playouts(values.reshape(shape), rollouts.states.reshape(*shape, -1), rollouts.logs.reshape(*shape, -1))
