"""Rollouts of many decisions at once: the same comparison of actions as in the lookahead, in one world instead of many.

A group is a match in several copies. They are played alike, with actions drawn from the network, up to a random
decision. There each copy takes another action, the likeliest ones, and the network plays the round out with its best
actions in all of them. Their results are compared in the world that the cards are really in. This is one draw from the
worlds that the seat may be in: much less certain than a lookahead, and much cheaper, and nobody has to guess how likely
a world is. What a row shows of it is the seat's observation and the result.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch

from atout.batch.step import ENDED, MATCH_OVER
from atout.rules.layout import LOG
from train.collect import SCATTER, TRIED, VETO_BLOCK
from train.config import Config, Distil, GameConfig
from train.matches import Matches, spread
from train.measure import by_random
from train.net import Net, logits_of, sampled
from train.searchers import WAITS
from train.unusual_starts import UnusualStarts

LIKELY = 0.005
"""The probability from which an action is tried."""


class RolledOut(NamedTuple):
    """Decisions, one per row, with the results of the actions that were tried (`collect.py` has the same names)."""

    observation: Any
    mask: Any
    block: Any
    policy: Any
    tried: Any
    leads: Any
    """In spreads of the setup, and shares of a match for what they are worth."""


class Rollouts:
    """Groups of matches of one game."""

    def __init__(self, config: Config, settings: Distil, own: GameConfig, net: Net, spreads: Any) -> None:
        self._net, self._settings, self._learning = net, settings, config.learning
        self._groups, self._seed, self._segment = settings.rollouts, config.seed, 0
        which = np.random.default_rng(config.seed).permutation(spread(own.places, self._groups))
        self.matches = Matches(own.places, np.repeat(which, TRIED), config.device)
        self._starts = UnusualStarts(self.matches, config.learning, spreads, TRIED)
        self._spreads = spreads[self.matches.which]
        boards = torch.rand(self._groups, device=config.device).repeat_interleave(TRIED)
        self._random_board = boards < config.learning.boards / 2
        self._habit_board = (boards >= config.learning.boards / 2) & (boards < config.learning.boards)

    @torch.no_grad()
    def next(self) -> RolledOut:
        """A decision of every group, on deals that were not dealt before."""
        self._begin()
        matches, first = self.matches, slice(None, None, TRIED)
        matches.observe()
        seen = matches.observation[first].clone()
        mask, block = matches.mask[first].clone(), matches.block[first].clone()
        policy = torch.softmax(logits_of(self._net(seen[:, self._net.inputs]), mask, block), 1)
        chances, places = policy.topk(TRIED, 1)
        there = chances >= LIKELY
        there[:, 0] = True
        compared = there & (there.sum(1, keepdim=True) > 1)
        worth = self._play_out(torch.where(compared, places, WAITS).reshape(-1)).view(-1, TRIED)
        leads = torch.where(there, worth - worth[:, :1], 0.0)
        return RolledOut(seen, mask, block, policy, torch.where(there, places, -1), leads)

    def _begin(self) -> None:
        """New matches, each played up to a random decision; the copies of a group alike."""
        matches = self.matches
        streams = np.repeat(np.arange(self._groups) + self._segment * self._groups, TRIED)
        matches.reset(self._seed, streams)
        self._segment += 1
        matches.progress[:, ENDED] = MATCH_OVER
        self._starts.apply()
        ahead = torch.randint(SCATTER, (self._groups,), device=matches.device).repeat_interleave(TRIED)
        for step in range(SCATTER):
            matches.observe()
            seen, mask, block = (one[::TRIED] for one in (matches.observation, matches.mask, matches.block))
            place = _for_copies(sampled(logits_of(self._net(seen[:, self._net.inputs]), mask, block)))
            if self._learning.boards > 0:
                vetoes = matches.block == VETO_BLOCK
                place = torch.where(vetoes & self._random_board, _for_copies(by_random(matches)[::TRIED]), place)
                place = torch.where(vetoes & self._habit_board, matches.policy_places(), place)
            matches.step(torch.where(ahead > step, place, WAITS))
            self._starts.apply()

    def _play_out(self, place: Any) -> Any:
        """Take these places, then the network's best ones to the end of the round. Returns what each copy's seat gets;
        0 for copies that wait from the first.
        """
        matches, seat = self.matches, self.matches.turn.clone()[:, None]
        worth = torch.zeros(matches.size, device=matches.device)
        rows = (place != WAITS).nonzero()[:, 0]
        for _ in range(LOG):
            matches.step(place)
            gain = matches.reward.gather(1, seat)[:, 0] / self._spreads
            gain += self._settings.match * matches.won.gather(1, seat)[:, 0]
            ended = matches.ended[rows]
            worth[rows[ended]] = gain[rows[ended]]
            rows = rows[~ended]
            if len(rows) == 0:
                break
            matches.observe()
            out = self._net(matches.observation[rows][:, self._net.inputs])
            place = torch.full_like(place, WAITS)
            place[rows] = logits_of(out, matches.mask[rows], matches.block[rows]).argmax(1)
        return worth


def _for_copies(places: Any) -> Any:
    return places.repeat_interleave(TRIED)
