"""Proximal policy optimisation (PPO): the player learns from clipped advantages, the critic from the gains."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from atout.rules.layout import SEATS
from train.config import Learning
from train.net import Net, forecasts, logits_of
from train.selfplay import Experience

LOSSES = ("policy", "critic", "forecast", "entropy", "kl", "clipped")


class GraphRecorder:
    """Records work for the GPU as a CUDA graph, and replays it: the same work at the same addresses.

    A step is hundreds of small kernels, and launching each one takes longer than running it.
    """

    WARM_UP = 3
    """Runs before recording, on a stream of their own, so that everything is allocated."""

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
    """Trains the two networks."""

    def __init__(self, player: Net, critic: Net, learning: Learning, device: str) -> None:
        self.player, self.critic, self.learning, self.device = player, critic, learning, device
        self._all = [*player.parameters.values(), *critic.parameters.values()]
        on_gpu = {"fused": True, "capturable": True} if device == "cuda" else {}
        rate = torch.tensor(learning.rate, device=device)
        self.optimiser = torch.optim.Adam(self._all, lr=rate, eps=1e-5, betas=(0.9, 0.99), **on_gpu)
        self._entropy = torch.tensor(learning.entropy, device=device)
        self._policy = torch.tensor(1.0, device=device)
        """The weight of the player's losses: 0 while only the critic learns."""
        self._rows = torch.zeros(learning.minibatch, dtype=torch.int64, device=device)
        self._losses = torch.zeros(len(LOSSES), device=device)
        self._recorder = GraphRecorder() if device == "cuda" else None

    def schedule(self, done: float, iteration: int) -> float:
        """Set the rates for the share of the training that is done. Returns the learning rate."""
        learning, done = self.learning, min(1.0, done)
        falling = 0.5 * (1 + math.cos(math.pi * done))
        rate = learning.rate_end + (learning.rate - learning.rate_end) * falling
        rate *= min(1.0, (iteration + 1) / learning.warm_up)
        for group in self.optimiser.param_groups:
            group["lr"].fill_(rate)
        self._policy.fill_(0.0 if iteration < learning.critic_first else 1.0)
        self._entropy.fill_(learning.entropy + (learning.entropy_end - learning.entropy) * done)
        return rate

    def learn(self, experience: Experience) -> dict[str, float]:
        """One or more passes over the experience in random order. Returns the mean losses."""
        size, count = self.learning.minibatch, 0
        self._losses.zero_()
        for _ in range(self.learning.epochs):
            order = experience.rows[torch.randperm(len(experience.rows), device=self.device)]
            for first in range(0, max(1, len(order) - size + 1), size):
                self._advance(experience, order[first : first + size])
                count += 1
        means: list[float] = (self._losses / count).tolist()
        return dict(zip(LOSSES, means, strict=True))

    def _advance(self, experience: Experience, rows: Any) -> None:
        """One optimiser step; a full-sized one on a GPU is replayed from a recording."""
        if self._recorder is None or len(rows) < len(self._rows):
            self._step(experience, rows)
            return
        self._rows.copy_(rows)
        self._recorder.run(lambda: self._step(experience, self._rows))

    def _step(self, experience: Experience, rows: Any) -> None:
        learning, seen = self.learning, experience.seen[rows]
        out = self.player(seen[:, : len(self.player.inputs)])
        logs = torch.log_softmax(logits_of(out, experience.mask[rows], experience.block[rows]), 1)
        entropy = -(logs.exp() * logs.clamp_min(-30)).sum(1).mean()
        log_chance = logs.gather(1, experience.place[rows][:, None])[:, 0]
        before, advantage = experience.log_chance[rows], experience.advantage[rows]
        ratio = (log_chance - before).exp()
        clipped = ratio.clamp(1 - learning.clip, 1 + learning.clip)
        policy = -torch.min(ratio * advantage, clipped * advantage).mean()
        there = torch.arange(SEATS, device=self.device) < experience.players[rows][:, None]
        critic = ((self.critic(seen).float() - experience.gains[rows]) * there).square().sum() / there.sum()
        forecast = ((forecasts(out) - experience.points[rows]) * there).square().sum() / there.sum()
        of_player = policy - self._entropy * entropy + learning.forecast * forecast
        loss = self._policy * of_player + learning.critic * critic
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._all, 1.0)
        self.optimiser.step()
        with torch.no_grad():
            far = ((ratio - 1).abs() > learning.clip).float().mean()
            self._losses += torch.stack([policy, critic, forecast, entropy, (before - log_chance).mean(), far])
