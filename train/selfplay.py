"""Experience: matches played on and on, a stretch at a time, and what every decision turned out to be worth.

Rounds are the episodes. A stretch begins and ends in the middle of some; what a cut-off round will bring is the
critic's word. Rewards are in spreads: points less the mean of the others', divided by how far that spreads at the
table when players follow habits, so that tables with 4 points a trick and the ×2 card count no more than others.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch

from atout.knowledge.features import BLOCK, BLOCKS, HIDDEN_SIZE, SIZE
from atout.rules.layout import SEATS
from train.config import Learning, Place
from train.matches import Matches, spread
from train.measure import by_chance
from train.net import Net, Parameters, drawn, forecasts, legal_places, scores
from train.searchers import Searchers

HABIT_STEPS, CHANCE_STEPS = 160, 80
"""Before anything is learned; matches get out of step on the way."""
CHUNK = 1 << 16
"""Rows a network is asked about at once when nothing is learned from them."""


class Surroundings(NamedTuple):
    """What is found at the tables."""

    inputs: Any
    """Numbers of the observation, and of the hidden hands after it, that are ever other than 0."""
    outputs: Any
    """Actions that are ever legal."""
    spreads: Any
    """Of rewards, for each table."""


class Experience(NamedTuple):
    """Decisions as rows; `rows` are those of the learner, the only ones to learn from.

    All but `rows` lie where those of the last stretch lay: a recorded step reads them there.
    """

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
        self.tables = len(places)
        self.searchers: Searchers | None = None
        if count := learning.searchers:
            tables, own = [place.setup for place in places], which[-count:].tolist()
            self.searchers = Searchers(tables, own, learning.search_nodes, learning.search_processes, seed)

    def close(self) -> None:
        if self.searchers:
            self.searchers.close()

    def look_around(self) -> Surroundings:
        """Play by habit to see how far rewards spread at each table, then by chance as well to see what occurs."""
        matches = self.matches
        count, squares = (torch.zeros(self.tables, device=self.device) for _ in range(2))
        inputs = torch.zeros(SIZE + HIDDEN_SIZE, dtype=torch.bool, device=self.device)
        legal = torch.zeros((BLOCKS, BLOCK), dtype=torch.int64, device=self.device)
        for step in range(HABIT_STEPS + CHANCE_STEPS):
            matches.observe()
            inputs[:SIZE] |= (matches.observation != 0).any(0)
            inputs[SIZE:] |= (matches.hidden != 0).any(0)
            legal.index_add_(0, matches.block, legal_places(matches.mask))
            matches.step(matches.habits() if step < HABIT_STEPS else by_chance(matches))
            if step < HABIT_STEPS:
                ended = matches.ended.float()
                count += torch.bincount(matches.which, ended * matches.players, self.tables).float()
                squares += torch.bincount(matches.which, matches.reward.square().sum(1) * ended, self.tables).float()
        spreads = (squares / count.clamp_min(1)).sqrt().clamp_min(1.0)
        return Surroundings(inputs.nonzero()[:, 0], (legal > 0).view(-1).nonzero()[:, 0], spreads)

    def make_room(self, around: Surroundings) -> None:
        """For a stretch of decisions, as wide as what occurs."""
        self.spreads = around.spreads
        self._own = around.inputs[around.inputs < SIZE]
        self._secret = around.inputs[around.inputs >= SIZE] - SIZE
        steps, size, room = self.learning.steps, self.learning.matches, {"device": self.device}
        self._seen = torch.zeros((steps, size, len(around.inputs)), dtype=torch.int8, **room)
        self._mask, self._block, self._turn, self._place = (
            torch.zeros((steps, size), dtype=torch.int64, **room) for _ in range(4)
        )
        self._chance, self._value, self._advantage, self._better = (
            torch.zeros((steps, size), **room) for _ in range(4)
        )
        self._players = self.matches.players.repeat(steps)
        self._mine, self._ended = (torch.zeros((steps, size), dtype=torch.bool, **room) for _ in range(2))
        self._reward, self._points, self._gains, self._told = (
            torch.zeros((steps, size, SEATS), **room) for _ in range(4)
        )

    def _look(self) -> tuple[Any, Any]:
        """What the seats in turn see of their matches, and what they do not see."""
        self.matches.observe()
        return self.matches.observation[:, self._own], self.matches.hidden[:, self._secret]

    def _others(self) -> tuple[int, int, Any]:
        """How many of the last matches have past versions at some seats, how many habits; who is the learner's.

        The very last have searchers, always at the same seats: a search may outlast a stretch.
        """
        size = self.matches.size
        past, habits = int(size * self.learning.league), int(size * self.learning.habits)
        mine = torch.ones((size, SEATS), dtype=torch.bool, device=self.device)
        end = size - self.learning.searchers
        if past + habits:
            mine[end - past - habits : end] = torch.rand((past + habits, SEATS), device=self.device) < 0.5
        if self.searchers:
            mine[end:] = torch.as_tensor(~self.searchers.seats, device=self.device)
        return past, habits, mine

    @torch.no_grad()
    def collect(self, player: Net, critic: Net, rival: Parameters | None) -> Experience:
        """Play on for a stretch; `rival` is a past version."""
        matches, now = self.matches, player.copy()
        spreads = self.spreads[matches.which][:, None]
        past, habits, seats_mine = self._others()
        strangers = past + habits + self.learning.searchers
        for t in range(self.learning.steps):
            own, secret = self._look()
            self._listen()
            self._seen[t, :, : len(self._own)] = own
            self._seen[t, :, len(self._own) :] = secret
            ratings = scores(player(own, now), matches.mask, matches.block)
            place = drawn(ratings)
            self._chance[t] = torch.log_softmax(ratings, 1).gather(1, place[:, None])[:, 0]
            mine = seats_mine.gather(1, matches.turn[:, None])[:, 0]
            if strangers:
                theirs = self._strangers(player, own, rival or now, past, habits)
                place[-strangers:] = torch.where(mine[-strangers:], place[-strangers:], theirs)
            self._mask[t], self._block[t], self._turn[t] = matches.mask, matches.block, matches.turn
            self._place[t], self._mine[t] = place, mine
            matches.step(place)
            self._ended[t] = matches.ended
            self._reward[t] = matches.reward / spreads + self.learning.win * matches.won
            self._points[t] = matches.points / spreads
        self._value_all(critic)
        return self._look_back(player, critic, now)

    def _strangers(self, player: Net, own: Any, rival: Parameters, past: int, habits: int) -> Any:
        """What players at seats that are not the learner's do, in the last matches."""
        matches = self.matches
        end = matches.size - self.learning.searchers
        rows = slice(end - past - habits, end - habits)
        theirs = [drawn(scores(player(own[rows], rival), matches.mask[rows], matches.block[rows]))]
        if habits:
            theirs.append(matches.habits()[end - habits : end])
        if self.searchers:
            theirs.append(torch.as_tensor(self.searchers.places(), device=self.device))
        return torch.cat(theirs)

    def _listen(self) -> None:
        """To the searchers, before the networks are asked: what they need is then at hand, and nobody waits for it."""
        if self.searchers:
            matches, count = self.matches, self.learning.searchers
            turn = matches.turn[-count:].cpu().numpy()
            self.searchers.listen(turn, matches.lengths(count), lambda: matches.rows(count))

    def _value_all(self, critic: Net) -> None:
        now, flat, value = critic.copy(), self._seen.view(-1, self._seen.shape[2]), self._value.view(-1)
        for first in range(0, len(flat), CHUNK):
            value[first : first + CHUNK] = critic(flat[first : first + CHUNK], now)[:, 0].float()

    def _look_back(self, player: Net, critic: Net, now: Parameters) -> Experience:
        """From the last step to the first: returns, and generalised advantages over each seat's own decisions."""
        own, secret = self._look()
        seats = self.matches.seats()
        ahead = critic(torch.cat([own, secret], 1)).float()
        gains = torch.zeros_like(ahead).scatter_(1, seats, ahead)
        told = torch.zeros_like(ahead).scatter_(1, seats, forecasts(player(own, now)))
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
        better = self._better.view(-1)
        better.copy_((advantage - good.mean()) / (good.std() + 1e-6))
        return Experience(
            rows=rows,
            seen=self._seen.view(-1, self._seen.shape[2]),
            mask=self._mask.view(-1),
            block=self._block.view(-1),
            place=self._place.view(-1),
            chance=self._chance.view(-1),
            advantage=better,
            gains=self._gains.view(-1, SEATS),
            points=self._told.view(-1, SEATS),
            players=self._players,
        )
