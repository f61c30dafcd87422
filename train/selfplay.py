"""Experience: matches played on and on, a stretch at a time, and what every decision turned out to be worth.

Rounds are the episodes. A stretch begins and ends in the middle of some; what a cut-off round will bring is the
critic's word. Rewards are in spreads: points less the mean of the others', divided by how far that spreads at the
table when players follow habits, so that tables with 4 points a trick and the ×2 card count no more than others.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch

from atout.kernel.layout import SEATS
from atout.kernel.observation import HIDDEN_SIZE, SIZE
from train.config import Learning, Place
from train.matches import Matches, spread
from train.net import Net, Parameters, drawn, forecasts, scores

HABIT_STEPS = 160
"""By habit before anything is learned: spreads are measured, and matches get out of step."""
CHUNK = 1 << 16
"""Rows a network is asked about at once when nothing is learned from them."""


class Experience(NamedTuple):
    """Decisions as rows; `rows` are those of the learner, the only ones to learn from."""

    rows: Any
    seen: Any
    mask: Any
    block: Any
    place: Any
    chance: Any
    """Logarithm of how likely the place was."""
    advantage: Any
    gains: Any
    """Of every seat, counted from the one in turn: what the critic should have said."""
    points: Any
    """Likewise, in points: what the player should have forecast."""
    players: Any


class SelfPlay:
    """The matches of one game's training."""

    def __init__(self, places: list[Place], learning: Learning, device: str, seed: int) -> None:
        self.learning, self.device = learning, device
        which = np.random.default_rng(seed).permutation(spread(places, learning.matches))
        self.matches = Matches(places, which, device)
        self.matches.reset(seed)
        steps, size = learning.steps, learning.matches
        room = {"device": device}
        self._seen = torch.zeros((steps, size, SIZE + HIDDEN_SIZE), dtype=torch.int8, **room)
        self._mask, self._block, self._turn, self._place = (
            torch.zeros((steps, size), dtype=torch.int64, **room) for _ in range(4)
        )
        self._chance, self._value, self._advantage = (torch.zeros((steps, size), **room) for _ in range(3))
        self._mine, self._ended = (torch.zeros((steps, size), dtype=torch.bool, **room) for _ in range(2))
        self._reward, self._points, self._gains, self._told = (
            torch.zeros((steps, size, SEATS), **room) for _ in range(4)
        )
        self.spreads = torch.ones(len(places), **room)

    def measure_spreads(self) -> None:
        """How far rewards spread at each table under habits; the same for the same seed."""
        matches = self.matches
        tables, count = len(self.spreads), torch.zeros_like(self.spreads)
        squares = torch.zeros_like(self.spreads)
        for _ in range(HABIT_STEPS):
            matches.step(matches.habits())
            ended = matches.ended.float()
            count += torch.bincount(matches.which, ended * matches.players, tables).to(count.dtype)
            squares += torch.bincount(matches.which, matches.reward.square().sum(1) * ended, tables).to(count.dtype)
        self.spreads = (squares / count.clamp_min(1)).sqrt().clamp_min(1.0)

    def _others(self) -> tuple[int, int, Any]:
        """How many of the last matches have past versions at some seats, how many habits; who is the learner's."""
        size = self.matches.size
        past, habits = int(size * self.learning.league), int(size * self.learning.habits)
        mine = torch.ones((size, SEATS), dtype=torch.bool, device=self.device)
        if past + habits:
            mine[size - past - habits :] = torch.rand((past + habits, SEATS), device=self.device) < 0.5
        return past, habits, mine

    @torch.no_grad()
    def collect(self, player: Net, critic: Net, rival: Parameters | None) -> Experience:
        """Play on for a stretch; `rival` is a past version."""
        matches, now = self.matches, player.copy()
        spreads = self.spreads[matches.which][:, None]
        past, habits, seats_mine = self._others()
        strangers = past + habits
        for t in range(self.learning.steps):
            matches.observe()
            self._seen[t, :, :SIZE] = matches.observation
            self._seen[t, :, SIZE:] = matches.hidden
            ratings = scores(player(matches.observation, now), matches.mask, matches.block)
            place = drawn(ratings)
            self._chance[t] = torch.log_softmax(ratings, 1).gather(1, place[:, None])[:, 0]
            mine = seats_mine.gather(1, matches.turn[:, None])[:, 0]
            if strangers:
                theirs = self._strangers(player, rival or now, past, habits)
                place[-strangers:] = torch.where(mine[-strangers:], place[-strangers:], theirs)
            self._mask[t], self._block[t], self._turn[t] = matches.mask, matches.block, matches.turn
            self._place[t], self._mine[t] = place, mine
            matches.step(place)
            self._ended[t] = matches.ended
            self._reward[t] = matches.reward / spreads + self.learning.win * matches.won
            self._points[t] = matches.points / spreads
        matches.observe()
        self._value_all(critic)
        return self._look_back(player, critic, now)

    def _strangers(self, player: Net, rival: Parameters, past: int, habits: int) -> Any:
        """What players at seats that are not the learner's do, in the last matches."""
        matches, last = self.matches, past + habits
        end = matches.size - habits
        rows = slice(matches.size - last, end)
        ratings = scores(player(matches.observation[rows], rival), matches.mask[rows], matches.block[rows])
        theirs = drawn(ratings)
        return torch.cat([theirs, matches.habits()[end:]]) if habits else theirs

    def _value_all(self, critic: Net) -> None:
        now, flat, value = critic.copy(), self._seen.view(-1, SIZE + HIDDEN_SIZE), self._value.view(-1)
        for first in range(0, len(flat), CHUNK):
            value[first : first + CHUNK] = critic(flat[first : first + CHUNK], now)[:, 0]

    def _look_back(self, player: Net, critic: Net, now: Parameters) -> Experience:
        """From the last step to the first: returns, and generalised advantages over each seat's own decisions."""
        matches = self.matches
        seats = matches.seats()
        ahead = critic(torch.cat([matches.observation, matches.hidden], 1))
        gains = torch.zeros_like(ahead).scatter_(1, seats, ahead)
        told = torch.zeros_like(ahead).scatter_(1, seats, forecasts(player(matches.observation, now)))
        following, advantage = gains.clone(), torch.zeros_like(gains)
        for t in reversed(range(self.learning.steps)):
            ended = self._ended[t][:, None]
            gains = torch.where(ended, self._reward[t], gains)
            told = torch.where(ended, self._points[t], told)
            following = torch.where(ended, self._reward[t], following)
            advantage = torch.where(ended, 0.0, advantage)
            seat, mine, value = self._turn[t][:, None], self._mine[t][:, None], self._value[t][:, None]
            before, behind = following.gather(1, seat), advantage.gather(1, seat)
            better = before - value + self.learning.decay * behind
            self._advantage[t] = better[:, 0]
            advantage.scatter_(1, seat, torch.where(mine, better, behind))
            following.scatter_(1, seat, torch.where(mine, value, before))
            around = self._around(t)
            self._gains[t] = gains.gather(1, around)
            self._told[t] = told.gather(1, around)
        return self._experience()

    def _around(self, t: int) -> Any:
        ring = torch.arange(SEATS, device=self.device)
        players = self.matches.players[:, None]
        return torch.where(ring < players, (self._turn[t][:, None] + ring) % players, ring)

    def _experience(self) -> Experience:
        rows = self._mine.view(-1).nonzero()[:, 0]
        advantage = self._advantage.view(-1)
        good = advantage[rows]
        advantage = (advantage - good.mean()) / (good.std() + 1e-6)
        return Experience(
            rows=rows,
            seen=self._seen.view(-1, SIZE + HIDDEN_SIZE),
            mask=self._mask.view(-1),
            block=self._block.view(-1),
            place=self._place.view(-1),
            chance=self._chance.view(-1),
            advantage=advantage,
            gains=self._gains.view(-1, SEATS),
            points=self._told.view(-1, SEATS),
            players=self.matches.players.repeat(self.learning.steps),
        )
