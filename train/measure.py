"""Strength on duplicate deals: two players at alternate seats, and the same deals with seats exchanged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch

from atout.rules.layout import LOG, SEATS
from train.config import Place
from train.matches import Matches
from train.net import Net, Parameters, legal_places, logits_of

Actor = Callable[[Matches], Any]
"""A player: chooses places for all matches."""


class Result(NamedTuple):
    """Mean gain per seat and round, with the half-width of its 95 % interval."""

    mean: float
    within: float


def by_network(player: Net, parameters: Parameters) -> Actor:
    """Always the action with the highest probability."""

    def act(matches: Matches) -> Any:
        return logits_of(player(matches.observation[:, player.inputs], parameters), matches.mask, matches.block).argmax(
            1
        )

    return act


def by_policy(matches: Matches) -> Any:
    return matches.policy_places().clone()


def by_random(matches: Matches) -> Any:
    legal = legal_places(matches.mask)
    return (legal * (torch.rand(legal.shape, device=matches.device) + 0.01)).argmax(1)


@torch.no_grad()
def duel(places: list[Place], deals: int, one: Actor, other: Actor, device: str, seed: int) -> list[Result]:
    """The first player against the second at every setup: the first rounds of `deals` matches, each played twice."""
    size = len(places) * deals * 2
    which, rest = np.divmod(np.arange(size), deals * 2)
    matches = Matches(places, which, device)
    matches.reset(seed, rest // 2)
    seats = torch.arange(SEATS, device=device)
    swapped = torch.as_tensor(rest % 2, device=device)
    ours = (seats % 2)[None, :] == swapped[:, None]
    ours &= seats < matches.players[:, None]
    gains = torch.zeros((size, SEATS), device=device)
    open_ = torch.ones(size, dtype=torch.bool, device=device)
    for step in range(LOG):
        matches.observe()
        mine = ours.gather(1, matches.turn[:, None])[:, 0]
        matches.step(torch.where(mine, one(matches), other(matches)))
        first = open_ & matches.ended
        gains = torch.where(first[:, None], matches.reward, gains)
        open_ &= ~first
        if step % 8 == 7 and not bool(open_.any()):
            break
    ahead = ((gains * ours).sum(1) / ours.sum(1)).view(len(places), deals, 2).mean(2).double().cpu()
    return [Result(float(row.mean()), float(1.96 * row.std() / deals**0.5)) for row in ahead]
