"""Proximal policy optimisation on experience: the player by clipped advantages, the critic by what came of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from atout.rules.layout import SEATS
from train.config import Learning
from train.net import Net, forecasts, scores
from train.selfplay import Experience

LOSSES = ("policy", "critic", "forecast", "entropy", "kl", "clipped")


class Recorder:
    """Work for a GPU that is always the same, at the same places in memory: handed over once, then only repeated.

    A step is hundreds of small jobs, and telling a GPU of each takes longer than the jobs do.
    """

    WARM_UP = 3
    """Times that it is done as ever, on a stream of its own: what is made once is made then."""

    def __init__(self) -> None:
        self._graph: Any = None
        self._done = 0

    def run(self, work: Callable[[], None]) -> None:
        if self._graph is None and self._done < self.WARM_UP:
            stream = torch.cuda.Stream()
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream):
                work()
            torch.cuda.current_stream().wait_stream(stream)
            self._done += 1
            return
        if self._graph is None:
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph):
                work()
        self._graph.replay()


class Learner:
    """Two networks and how they are improved."""

    def __init__(self, player: Net, critic: Net, learning: Learning, device: str) -> None:
        self.player, self.critic, self.learning, self.device = player, critic, learning, device
        self._all = [*player.parameters.values(), *critic.parameters.values()]
        on_gpu = {"fused": True, "capturable": True} if device == "cuda" else {}
        rate = torch.tensor(learning.rate, device=device)
        self.optimiser = torch.optim.Adam(self._all, lr=rate, eps=1e-5, betas=(0.9, 0.99), **on_gpu)
        self._entropy = torch.tensor(learning.entropy, device=device)
        self._rows = torch.zeros(learning.minibatch, dtype=torch.int64, device=device)
        self._told = torch.zeros(len(LOSSES), device=device)
        self._recorder = Recorder() if device == "cuda" else None

    def schedule(self, done: float, iteration: int) -> float:
        """Rates for the share of the whole training that is done; the learning rate."""
        learning, done = self.learning, min(1.0, done)
        falling = 0.5 * (1 + math.cos(math.pi * done))
        rate = learning.rate_end + (learning.rate - learning.rate_end) * falling
        rate *= min(1.0, (iteration + 1) / learning.warm_up)
        for group in self.optimiser.param_groups:
            group["lr"].fill_(rate)
        self._entropy.fill_(learning.entropy + (learning.entropy_end - learning.entropy) * done)
        return rate

    def learn(self, experience: Experience) -> dict[str, float]:
        """One or more passes over the experience in random order; the mean losses."""
        size, count = self.learning.minibatch, 0
        self._told.zero_()
        for _ in range(self.learning.epochs):
            order = experience.rows[torch.randperm(len(experience.rows), device=self.device)]
            for first in range(0, max(1, len(order) - size + 1), size):
                self._advance(experience, order[first : first + size])
                count += 1
        means: list[float] = (self._told / count).tolist()
        return dict(zip(LOSSES, means, strict=True))

    def _advance(self, experience: Experience, rows: Any) -> None:
        """A step; on a GPU as a recording, where it is one of full size."""
        if self._recorder is None or len(rows) < len(self._rows):
            self._step(experience, rows)
            return
        self._rows.copy_(rows)
        self._recorder.run(lambda: self._step(experience, self._rows))

    def _step(self, experience: Experience, rows: Any) -> None:
        learning, seen = self.learning, experience.seen[rows]
        out = self.player(seen[:, : len(self.player.inputs)])
        logs = torch.log_softmax(scores(out, experience.mask[rows], experience.block[rows]), 1)
        entropy = -(logs.exp() * logs.clamp_min(-30)).sum(1).mean()
        chance = logs.gather(1, experience.place[rows][:, None])[:, 0]
        before, advantage = experience.chance[rows], experience.advantage[rows]
        ratio = (chance - before).exp()
        clipped = ratio.clamp(1 - learning.clip, 1 + learning.clip)
        policy = -torch.min(ratio * advantage, clipped * advantage).mean()
        there = torch.arange(SEATS, device=self.device) < experience.players[rows][:, None]
        critic = ((self.critic(seen).float() - experience.gains[rows]) * there).square().sum() / there.sum()
        forecast = ((forecasts(out) - experience.points[rows]) * there).square().sum() / there.sum()
        loss = policy - self._entropy * entropy + learning.critic * critic + learning.forecast * forecast
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._all, 1.0)
        self.optimiser.step()
        with torch.no_grad():
            far = ((ratio - 1).abs() > learning.clip).float().mean()
            self._told += torch.stack([policy, critic, forecast, entropy, (before - chance).mean(), far])
