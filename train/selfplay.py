"""Self-play: matches are played on and on, a segment of steps at a time, and every decision gets its advantage.

Rounds are the episodes. A segment begins and ends in the middle of some; the critic estimates what a cut-off round will
bring. Rewards are gains (`rules/scoring.py`) in units of a scale: their root mean square when the playout policy
plays at that setup, so that setups with 4 points per trick and the ×2 card count no more than others.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch

from atout.knowledge.features import BLOCK, BLOCKS, HIDDEN_SIZE, SIZE, VETO_BLOCK
from atout.rules.layout import SEATS
from train.config import Learning, Place
from train.matches import Matches, distribute
from train.measure import by_random
from train.net import Net, Parameters, forecasts, legal_places, logits_of, sampled
from train.searchers import WAITS, Searchers
from train.unusual_starts import UnusualStarts

POLICY_STEPS, RANDOM_STEPS = 160, 80
"""Steps before learning begins, in which matches get out of step with each other."""
CHUNK = 1 << 16
"""Rows per evaluation when there is nothing to learn from them."""


class SetupStatistics(NamedTuple):
    """What occurs at the setups."""

    inputs: Any
    """Numbers of the observation, and then of the hidden hands, that are not always 0."""
    outputs: Any
    """Actions that are legal at some time."""
    scales: Any
    """The root mean square of rewards at each setup."""


class Experience(NamedTuple):
    """Decisions as rows; `rows` are those of the learner, which it learns from.

    All but `rows` have the same addresses in every segment, because a CUDA graph reads them.
    """

    rows: Any
    seen: Any
    mask: Any
    block: Any
    place: Any
    log_chance: Any
    """The log-probability of the place."""
    advantage: Any
    gains: Any
    """The gain of every seat, counted from the one in turn: the target of the critic."""
    points: Any
    """The points of every seat, likewise: the target of the player's forecast."""
    players: Any


class SelfPlay:
    """The matches of one game's training."""

    def __init__(self, places: list[Place], learning: Learning, device: str, seed: int) -> None:
        self.learning, self.device = learning, device
        which = np.random.default_rng(seed).permutation(distribute(places, learning.matches))
        self.matches = Matches(places, which, device)
        self.matches.reset(seed)
        self.setups = len(places)
        self.searchers: Searchers | None = None
        if count := learning.searchers:
            setups, own = [place.setup for place in places], which[-count:].tolist()
            self.searchers = Searchers(setups, own, learning.search_nodes, learning.search_processes, seed)

    def close(self) -> None:
        if self.searchers:
            self.searchers.close()

    def measure_setups(self) -> SetupStatistics:
        """Play by the playout policy to measure the scale of rewards, then at random to see what occurs."""
        matches = self.matches
        count, squares = (torch.zeros(self.setups, device=self.device) for _ in range(2))
        inputs = torch.zeros(SIZE + HIDDEN_SIZE, dtype=torch.bool, device=self.device)
        legal = torch.zeros((BLOCKS, BLOCK), dtype=torch.int64, device=self.device)
        for step in range(POLICY_STEPS + RANDOM_STEPS):
            matches.observe()
            inputs[:SIZE] |= (matches.observation != 0).any(0)
            inputs[SIZE:] |= (matches.hidden != 0).any(0)
            legal.index_add_(0, matches.block, legal_places(matches.mask))
            matches.step(matches.policy_places() if step < POLICY_STEPS else by_random(matches))
            if step < POLICY_STEPS:
                ended = matches.ended.float()
                count += torch.bincount(matches.which, ended * matches.players, self.setups).float()
                squares += torch.bincount(matches.which, matches.reward.square().sum(1) * ended, self.setups).float()
        scales = (squares / count.clamp_min(1)).sqrt().clamp_min(1.0)
        return SetupStatistics(inputs.nonzero()[:, 0], (legal > 0).view(-1).nonzero()[:, 0], scales)

    def allocate(self, found: SetupStatistics) -> None:
        """Allocate a segment of decisions, with the inputs that occur."""
        self.scales = found.scales
        self._starts = UnusualStarts(self.matches, self.learning, found.scales)
        boards = torch.rand(self.matches.size, device=self.device)
        self._random_board = boards < self.learning.boards / 2
        self._policy_board = (boards >= self.learning.boards / 2) & (boards < self.learning.boards)
        self._own = found.inputs[found.inputs < SIZE]
        self._secret = found.inputs[found.inputs >= SIZE] - SIZE
        steps, size, room = self.learning.steps, self.learning.matches, {"device": self.device}
        self._seen = torch.zeros((steps, size, len(found.inputs)), dtype=torch.int8, **room)
        self._mask, self._block, self._turn, self._place = (
            torch.zeros((steps, size), dtype=torch.int64, **room) for _ in range(4)
        )
        self._log_chance, self._value, self._advantage, self._better = (
            torch.zeros((steps, size), **room) for _ in range(4)
        )
        self._players = self.matches.players.repeat(steps)
        self._mine, self._ended = (torch.zeros((steps, size), dtype=torch.bool, **room) for _ in range(2))
        self._reward, self._points, self._gains, self._forecast = (
            torch.zeros((steps, size, SEATS), **room) for _ in range(4)
        )

    def _observe(self) -> tuple[Any, Any]:
        """The observations of the seats in turn, and what is hidden from them."""
        self.matches.observe()
        return self.matches.observation[:, self._own], self.matches.hidden[:, self._secret]

    def _others(self) -> tuple[int, int, Any]:
        """How many of the last matches have past versions at some seats, how many the playout policy; learners' seats.

        The very last have searchers, always at the same seats, because a search may take longer than a segment.
        """
        size = self.matches.size
        past, policy = int(size * self.learning.league), int(size * self.learning.policy_share)
        mine = torch.ones((size, SEATS), dtype=torch.bool, device=self.device)
        end = size - self.learning.searchers
        if past + policy:
            mine[end - past - policy : end] = torch.rand((past + policy, SEATS), device=self.device) < 0.5
        if self.searchers:
            mine[end:] = torch.as_tensor(~self.searchers.seats, device=self.device)
        return past, policy, mine

    @torch.no_grad()
    def collect(self, player: Net, critic: Net, rival: Parameters | None) -> Experience:
        """Play one segment; `rival` is a past version."""
        matches, now = self.matches, player.copy()
        scales = self.scales[matches.which][:, None]
        past, policy, seats_mine = self._others()
        others = past + policy + self.learning.searchers
        for t in range(self.learning.steps):
            own, secret = self._observe()
            self._update_searchers()
            self._seen[t, :, : len(self._own)] = own
            self._seen[t, :, len(self._own) :] = secret
            logits = logits_of(player(own, now), matches.mask, matches.block)
            place = sampled(logits)
            self._log_chance[t] = torch.log_softmax(logits, 1).gather(1, place[:, None])[:, 0]
            mine = seats_mine.gather(1, matches.turn[:, None])[:, 0]
            if others:
                theirs = self._opponents(player, own, rival or now, past, policy)
                place[-others:] = torch.where(mine[-others:], place[-others:], theirs)
            if self.learning.boards > 0:
                place, mine = self._veto_for_others(place, mine)
            self._mask[t], self._block[t], self._turn[t] = matches.mask, matches.block, matches.turn
            self._place[t], self._mine[t] = place, mine
            matches.step(place)
            self._starts.apply()
            self._ended[t] = matches.ended
            self._reward[t] = matches.reward / scales + self.learning.win * matches.won
            self._points[t] = matches.points / scales
        self._value_all(critic)
        return self._compute_advantages(player, critic, now)

    def _opponents(self, player: Net, own: Any, rival: Parameters, past: int, policy: int) -> Any:
        """The places chosen at seats that are not the learner's, in the last matches."""
        matches = self.matches
        end = matches.size - self.learning.searchers
        rows = slice(end - past - policy, end - policy)
        theirs = [sampled(logits_of(player(own[rows], rival), matches.mask[rows], matches.block[rows]))]
        if policy:
            theirs.append(matches.policy_places()[end - policy : end])
        if self.searchers:
            theirs.append(torch.as_tensor(self.searchers.places(), device=self.device))
        return torch.cat(theirs)

    def _veto_for_others(self, place: Any, mine: Any) -> tuple[Any, Any]:
        """Vetoes at random or by the playout policy, in the matches with such boards; they are not learned from."""
        matches = self.matches
        can = (matches.block == VETO_BLOCK) & (place != WAITS)
        by_chance, by_policy = can & self._random_board, can & self._policy_board
        place = torch.where(by_chance, by_random(matches), place)
        place = torch.where(by_policy, matches.policy_places(), place)
        return place, mine & ~by_chance & ~by_policy

    def _update_searchers(self) -> None:
        """Exchange decisions with the searchers before the networks are evaluated."""
        if self.searchers:
            matches, count = self.matches, self.learning.searchers
            turn = matches.turn[-count:].cpu().numpy()
            self.searchers.update(turn, matches.lengths(count), lambda: matches.rows(count))

    def _value_all(self, critic: Net) -> None:
        now, flat, value = critic.copy(), self._seen.view(-1, self._seen.shape[2]), self._value.view(-1)
        for first in range(0, len(flat), CHUNK):
            value[first : first + CHUNK] = critic(flat[first : first + CHUNK], now)[:, 0].float()

    def _compute_advantages(self, player: Net, critic: Net, now: Parameters) -> Experience:
        """From the last step to the first: returns, and generalised advantages (GAE) over each seat's own decisions."""
        own, secret = self._observe()
        seats = self.matches.seats()
        ahead = critic(torch.cat([own, secret], 1)).float()
        gains = torch.zeros_like(ahead).scatter_(1, seats, ahead)
        forecast = torch.zeros_like(ahead).scatter_(1, seats, forecasts(player(own, now)))
        following, advantage = gains.clone(), torch.zeros_like(gains)
        for t in reversed(range(self.learning.steps)):
            ended = self._ended[t][:, None]
            gains = torch.where(ended, self._reward[t], gains)
            forecast = torch.where(ended, self._points[t], forecast)
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
            self._forecast[t] = forecast.gather(1, around)
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
            log_chance=self._log_chance.view(-1),
            advantage=better,
            gains=self._gains.view(-1, SEATS),
            points=self._forecast.view(-1, SEATS),
            players=self._players,
        )
