"""Actions tried in worlds, played on by the network, and valued: by the result of the round, or earlier by the critic.

The network's choices are drawn, not always the likeliest: every world has random numbers for every point of its log,
the same for all actions. So two actions meet the same luck in the same world, and their difference is less noisy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from atout.knowledge.features import BLOCK
from atout.rules.arrays import Int64Array
from atout.rules.autoplay import LENGTH
from atout.rules.layout import LOG, SEATS
from atout.search import net_rollout
from atout.search.gain import Float64Array, gains
from atout.search.net_rollout import Queries, Worlds, new_queries, new_worlds, tricks_of
from atout.study.networks import BATCH, Networks


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
    last = np.full(lanes, tricks_of(worlds.states[:1], players)[0] + horizon)
    going = net_rollout.begin_rollouts(worlds, np.arange(count), np.array(actions, np.int64), rules, rollouts, rows)
    stopped = _play_on(nets, rollouts, queries, going, last, noise, count)
    scores = np.zeros((lanes, SEATS))
    net_rollout.read_scores(rollouts.states, scores)
    values = gains(scores[:, :players], nets.setup, seat)
    if stopped.any():
        values[stopped] = nets.critic_gains(Worlds(*(array[stopped] for array in rollouts)))[:, seat]
    shape = (len(actions), count)
    return Playouts(values.reshape(shape), rollouts.states.reshape(*shape, -1), rollouts.logs.reshape(*shape, -1))


def play_on(nets: Networks, worlds: Worlds, horizon: int, noise: Float64Array) -> Float64Array:
    """The gain of every seat in every world, played on from a choice; lane k has row k of the random numbers,
    counted round and round.
    """
    count, players = len(worlds.states), nets.setup.players
    rollouts, queries = Worlds(*(array.copy() for array in worlds)), new_queries(count)
    queries.rows[:] = np.arange(count)
    last = tricks_of(rollouts.states, players) + horizon
    stopped = _play_on(nets, rollouts, queries, count, last, noise, len(noise))
    scores = np.zeros((count, SEATS))
    net_rollout.read_scores(rollouts.states, scores)
    values = np.stack([gains(scores[:, :players], nets.setup, seat) for seat in range(players)], 1)
    if stopped.any():
        values[stopped] = nets.critic_gains(Worlds(*(array[stopped] for array in rollouts)))
    return values


def _play_on(
    nets: Networks, rollouts: Worlds, queries: Queries, going: int, last: Int64Array, noise: Float64Array, cycle: int
) -> npt.NDArray[np.bool_]:
    """Let the network play the listed lanes until `last` tricks are done. Returns which lanes were stopped there."""
    rules, players, rows = nets.setup.rules, nets.setup.players, queries.rows
    stopped = np.zeros(len(rollouts.states), bool)
    while going:
        now = rows[:going]
        is_far = tricks_of(rollouts.states[now], players) >= last[now]
        stopped[now[is_far]] = True
        going = len(rest := now[~is_far])
        if not going:
            break
        rows[:going] = rest
        net_rollout.fill_queries(rollouts, going, rules, queries)
        outputs = nets.player.evaluate_all(queries.features[:going])
        ratings = nets.player.log_policies(outputs, queries.masks[:going], queries.blocks[:going])
        now = rows[:going]
        ratings = ratings + noise[now % cycle, rollouts.progress[now, LENGTH]]
        going = net_rollout.step_rollouts(rollouts, now, ratings.argmax(1), rules)
    return stopped
