"""Strength on duplicate deals: two players at alternate seats, and the same deals with seats exchanged."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import torch

from atout.batch.step import ENDED, MATCH_OVER, ROUND_OVER
from atout.rules.layout import SEATS
from train.config import Place
from train.matches import Matches
from train.net import Net, Parameters, legal_places, logits_of

Actor = Callable[[Matches], Any]
"""A player: chooses places for all matches."""
Decider = Callable[[Matches], Any]
"""Says in which matches a player acts now."""


class Result(NamedTuple):
    """A mean with the half-width of its 95 % interval."""

    mean: float
    within: float

    @classmethod
    def of(cls, values: Any) -> Result:
        """The mean of independent values."""
        values = values.double().cpu()
        return cls(float(values.mean()), float(1.96 * values.std() / len(values) ** 0.5))


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
    matches, ours = _seated(places, deals, device, seed)
    gains = play(matches, partial(in_turn, ours), one, other, ROUND_OVER, matches.reward)
    return _results(mean_at(ours, gains), len(places), deals)


@torch.no_grad()
def match_duel(places: list[Place], deals: int, one: Actor, other: Actor, device: str, seed: int) -> list[Result]:
    """The first player's share of whole matches above the fair share, in `deals` matches, each played twice."""
    matches, ours = _seated(places, deals, device, seed)
    won = play(matches, partial(in_turn, ours), one, other, MATCH_OVER, matches.won)
    return _results((won * ours).sum(1), len(places), deals)


def _seated(places: list[Place], deals: int, device: str, seed: int) -> tuple[Matches, Any]:
    """Every deal twice, and the seats of the first player: every other one, then the rest."""
    which, rest = np.divmod(np.arange(len(places) * deals * 2), deals * 2)
    matches = Matches(places, which, device)
    matches.reset(seed, rest // 2)
    seats = torch.arange(SEATS, device=device)
    ours = (seats % 2)[None, :] == torch.as_tensor(rest % 2, device=device)[:, None]
    return matches, ours & (seats < matches.players[:, None])


def mean_at(seats: Any, gains: Any) -> Any:
    """The mean gain of the given seats of each match; `seats` has a row of booleans per match."""
    return (gains * seats).sum(1) / seats.sum(1)


def in_turn(seats: Any, matches: Matches) -> Any:
    """Where one of the given seats is in turn; `seats` has a row of booleans per match."""
    return seats.gather(1, matches.turn[:, None])[:, 0]


def play(matches: Matches, decides: Decider, one: Actor, other: Actor, until: int, outcome: Any) -> Any:
    """Play every match until its first round or the match is over; returns the outcome of every seat at that moment.

    `one` acts where `decides` says so, `other` elsewhere. `outcome` is an array of `matches` that every step overwrites
    in place, such as `matches.reward`: its row is copied when its match ends.
    """
    found = torch.zeros_like(outcome)
    open_ = torch.ones(matches.size, dtype=torch.bool, device=matches.device)
    while bool(open_.any()):
        matches.observe()
        matches.step(torch.where(decides(matches), one(matches), other(matches)))
        if not matches.is_sound:
            raise ArithmeticError("a player chose an illegal action: its network's numbers are not finite")
        first = open_ & (matches.progress[:, ENDED] >= until)
        found = torch.where(first[:, None], outcome, found)
        open_ &= ~first
    return found


def _results(ahead: Any, places: int, deals: int) -> list[Result]:
    return [Result.of(row) for row in ahead.view(places, deals, 2).mean(2)]
