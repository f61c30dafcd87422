"""Play to learn from without changing the player: actions are drawn from a frozen network, on boards of all kinds.

Some actions are *odd*: a few per cent of all are legal ones at random, and in some matches all vetoes are made at
random, or by the playout policy. An odd action says nothing about what the position before it is worth, but what
follows it does about the position after it. So returns are cut there, and the critic's value is taken.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from atout.knowledge.features import HIDDEN_SIZE, SIZE, VETO_BLOCK
from atout.rules.layout import SEATS
from train.config import Beliefs, Learning, Place
from train.folders import trained_for
from train.frozen import frozen
from train.matches import Matches, distribute
from train.measure import by_random
from train.net import Net, logits_of, sampled

CHUNK = 1 << 16
"""Rows per evaluation when there is nothing to learn from them."""
SCATTER = 60
"""Steps before learning begins, in which matches get out of step with each other."""


class Decisions(NamedTuple):
    """A segment of play, one row per decision."""

    observation: Any
    hidden: Any
    gains: Any
    """The gain of every seat, counted from the one in turn: the target of the critic."""
    fits: Any
    """Whether the target is one: the action was not odd."""
    players: Any


class DrawnPlay:
    """The matches of one game, played by the frozen network."""

    def __init__(self, places: list[Place], path: Path, settings: Beliefs, learning: Learning, device: str, seed: int):
        self.learning, self.settings, self.device = learning, settings, device
        self.network, self._player = frozen(path, device)
        self._now = self._player.copy()
        which = np.random.default_rng(seed).permutation(distribute(places, learning.matches))
        self.matches = Matches(places, which, device)
        self.matches.reset(seed)
        scales = torch.tensor([one.scale for one in trained_for(self.network, places)], device=device)
        self._scales = scales[self.matches.which][:, None]
        steps, size, room = learning.steps, learning.matches, {"device": device}
        boards = torch.rand(size, **room)
        self._random_board = boards < settings.boards / 2
        self._policy_board = (boards >= settings.boards / 2) & (boards < settings.boards)
        self._observation = torch.zeros((steps, size, SIZE), dtype=torch.int8, **room)
        self._hidden = torch.zeros((steps, size, HIDDEN_SIZE), dtype=torch.int8, **room)
        self._turn = torch.zeros((steps, size), dtype=torch.int64, **room)
        self._ended, self._odd = (torch.zeros((steps, size), dtype=torch.bool, **room) for _ in range(2))
        self._reward, self._gains = (torch.zeros((steps, size, SEATS), **room) for _ in range(2))
        self._ring = torch.arange(SEATS, **room)

    @torch.no_grad()
    def occurring(self) -> Any:
        """The numbers of the observation, and then of what is hidden, that are not always 0."""
        inputs = torch.zeros(SIZE + HIDDEN_SIZE, dtype=torch.bool, device=self.device)
        for step in range(2 * SCATTER):
            self.matches.observe()
            inputs[:SIZE] |= (self.matches.observation != 0).any(0)
            inputs[SIZE:] |= (self.matches.hidden != 0).any(0)
            self.matches.step(by_random(self.matches) if step % 2 else self._draw()[0])
        return inputs.nonzero()[:, 0]

    def _draw(self) -> tuple[Any, Any]:
        """An action for every match, and whether it is odd."""
        matches = self.matches
        own = matches.observation[:, self._player.inputs]
        place = sampled(logits_of(self._player(own, self._now), matches.mask, matches.block))
        vetoes = matches.block == VETO_BLOCK
        at_random = torch.rand(matches.size, device=self.device) < self.settings.odd
        at_random |= vetoes & self._random_board
        by_policy = vetoes & self._policy_board & ~at_random
        place = torch.where(at_random, by_random(matches), place)
        if self.settings.boards > 0:
            place = torch.where(by_policy, matches.policy_places(), place)
        return place, at_random | by_policy

    @torch.no_grad()
    def collect(self, critic: Net) -> Decisions:
        """Play one segment."""
        matches = self.matches
        for t in range(self.learning.steps):
            matches.observe()
            self._observation[t], self._hidden[t], self._turn[t] = matches.observation, matches.hidden, matches.turn
            place, self._odd[t] = self._draw()
            matches.step(place)
            self._ended[t] = matches.ended
            self._reward[t] = matches.reward / self._scales
        matches.observe()
        following = self._by_seat(values(critic, matches.observation, matches.hidden, matches.players), matches.turn)
        for t in reversed(range(self.learning.steps)):
            following = torch.where(self._ended[t][:, None], self._reward[t], following)
            self._gains[t] = following.gather(1, self._around(self._turn[t]))
            value = values(critic, self._observation[t], self._hidden[t], matches.players)
            value = self._by_seat(value, self._turn[t])
            kept = torch.where(self._odd[t], 0.0, self.settings.decay)[:, None]
            following = kept * following + (1 - kept) * value
        return Decisions(
            self._observation.view(-1, SIZE),
            self._hidden.view(-1, HIDDEN_SIZE),
            self._gains.view(-1, SEATS),
            ~self._odd.view(-1),
            matches.players.repeat(self.learning.steps),
        )

    def _around(self, turn: Any) -> Any:
        """Row i: the seat k places left of the one in turn; beyond the number of players, k itself."""
        players = self.matches.players[:, None]
        return torch.where(self._ring < players, (turn[:, None] + self._ring) % players, self._ring)

    def _by_seat(self, gains: Any, turn: Any) -> Any:
        return torch.zeros_like(gains).scatter_(1, self._around(turn), gains)


def values(critic: Net, observation: Any, hidden: Any, players: Any) -> Any:
    """The gain of every seat, counted from the one in turn. Those of all seats add up to 0."""
    own, secret = critic.inputs[critic.inputs < SIZE], critic.inputs[critic.inputs >= SIZE] - SIZE
    chunks = [
        critic(torch.cat([observation[i : i + CHUNK, own], hidden[i : i + CHUNK, secret]], 1)).float()
        for i in range(0, len(observation), CHUNK)
    ]
    gains = torch.cat(chunks)
    there = torch.arange(SEATS, device=gains.device) < players[:, None]
    gains = gains * there
    return (gains - gains.sum(1, keepdim=True) / players[:, None]) * there
