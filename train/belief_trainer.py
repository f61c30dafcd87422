"""The training of one game's belief model and open-card critic, on the play of a frozen network.

`python -m train --config train/beliefs.toml --minutes 9 --beliefs src/atout/nets/data`
"""

from __future__ import annotations

import math
import platform
import time
from pathlib import Path
from typing import Any

import msgspec
import torch
from msgspec.structs import replace

from atout.errors import UsageError
from atout.nets import beliefs as belief_files
from atout.nets import critic as critic_files
from atout.nets.weights import load
from atout.rules.arrays import plain
from atout.rules.layout import RULES, SEATS
from train.beliefs import log_chances, make_beliefs, true_cards
from train.config import Config, Learning
from train.drawn_play import Decisions, DrawnPlay, values
from train.export import export_other
from train.frozen import load_other
from train.net import make_critic

LOSSES = ("belief", "uniform", "critic", "explained")
CHECK = {"matches": 384, "steps": 6, "minibatch": 256}
"""The sizes of the check before the training."""


class BeliefTrainer:
    """Trains the two networks of one game. `out` gets `GAME.beliefs`, `GAME.critic` and the log."""

    def __init__(self, config: Config, game: Any, weights: Path, out: Path, start: Path | None = None) -> None:
        if config.beliefs is None:
            raise UsageError("config: has no [beliefs]; train/beliefs.toml has")
        self.config, self.game, self.out, self.settings = config, game, out, config.beliefs
        self.own, self.device = config.games[game], config.device
        self.weights, self.start = weights / f"{game}.weights", start
        self.seconds, self.iteration, self.decisions = 0.0, 0, 0

    def begin(self, learning: Learning | None = None) -> None:
        """Set up matches and networks."""
        self.learning = learning or self.config.learning
        torch.manual_seed(self.config.seed)
        places, seed = self.own.places, self.config.seed
        self.play = DrawnPlay(places, self.weights, self.settings, self.learning, self.device, seed)
        inputs = self._inputs()
        rules = [plain(place.setup.rules, RULES) for place in places]
        self.colours, self.copies = rules[0].colours, max(max(one.copies) for one in rules)
        self.longest = max(one.cards - one.hand_size for one in rules)
        self.believer = make_beliefs(inputs, self.own.width, self.own.blocks, self.settings.head)
        self.critic = make_critic(inputs, self.own.width, self.own.blocks)
        if self.start:
            load_other(self.believer, self.start / f"{self.game}.beliefs", "beliefs")
            load_other(self.critic, self.start / f"{self.game}.critic", "critic")
        self._all = [*self.believer.parameters.values(), *self.critic.parameters.values()]
        on_gpu = {"fused": True} if self.device == "cuda" else {}
        self.optimiser = torch.optim.Adam(self._all, lr=self.learning.rate, eps=1e-6, betas=(0.9, 0.99), **on_gpu)

    def _inputs(self) -> Any:
        """The numbers that occur at the setups, and those that the networks to begin with read."""
        inputs = self.play.occurring()
        if not self.start:
            return inputs
        files = (load(self.start / f"{self.game}.{kind}", kind) for kind in ("beliefs", "critic"))
        return torch.unique(torch.cat([inputs, *(inputs.new_tensor(header.inputs) for header, _ in files)]))

    def train(self, seconds: float) -> None:
        """Train for some seconds; the rate falls to its end over them."""
        started = last = time.monotonic()
        longest = 0.0
        while last + longest < started + seconds:
            done = (last - started) / seconds
            line = self.iterate(done)
            now = time.monotonic()
            longest, last = max(longest, now - last) if self.iteration > 1 else 0.0, now
            self.seconds = now - started
            self.log(line | {"seconds": round(self.seconds, 1)})

    def iterate(self, done: float) -> dict[str, Any]:
        """Play a segment and learn from it. Returns a line for the log."""
        learning, started = self.learning, time.monotonic()
        rate = learning.rate_end + (learning.rate - learning.rate_end) * 0.5 * (1 + math.cos(math.pi * min(1.0, done)))
        rate *= min(1.0, (self.iteration + 1) / learning.warm_up)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        decisions = self.play.collect(self.critic)
        if not self.play.matches.is_sound:
            raise ArithmeticError(f"{self.game}: an action was refused; the weights of the player are damaged")
        collected = time.monotonic()
        losses = self._learn(decisions)
        ended = time.monotonic()
        self.iteration += 1
        self.decisions += len(decisions.fits)
        return {
            "game": self.game,
            "iteration": self.iteration,
            "decisions": self.decisions,
            "per_second": round(len(decisions.fits) / (ended - started)),
            "collect": round(collected - started, 3),
            "learn": round(ended - collected, 3),
            "rate": rate,
            **{name: round(value, 5) for name, value in zip(LOSSES, losses, strict=True)},
        }

    def _learn(self, decisions: Decisions) -> list[float]:
        """One pass over the segment in random order. Returns means: the log-probability of the true worlds by the model
        and by the uniform sampler, the critic's loss, and the share of the targets' variance that it explains.
        """
        size, count = self.learning.minibatch, 0
        sums = torch.zeros(len(LOSSES), device=self.device)
        order = torch.randperm(len(decisions.fits), device=self.device)
        for first in range(0, max(1, len(order) - size + 1), size):
            sums += self._step(decisions, order[first : first + size])
            count += 1
        means: list[float] = (sums / count).tolist()
        return means

    def _step(self, decisions: Decisions, rows: Any) -> Any:
        observation, hidden = decisions.observation[rows], decisions.hidden[rows]
        cards = true_cards(observation, hidden, self.colours, self.copies, self.longest)
        mine, plain_chance = log_chances(self.believer, observation, cards)
        belief = -mine.sum() / cards.there.sum()
        players, gains = decisions.players[rows], decisions.gains[rows]
        there = (torch.arange(SEATS, device=self.device) < players[:, None]) & decisions.fits[rows][:, None]
        gaps = (values(self.critic, observation, hidden, players) - gains) * there
        critic = gaps.square().sum() / there.sum()
        self.optimiser.zero_grad(set_to_none=True)
        (belief + critic).backward()
        for net in (self.believer, self.critic):
            torch.nn.utils.clip_grad_norm_(list(net.parameters.values()), 1.0)
        self.optimiser.step()
        with torch.no_grad():
            spread = (gains * there).square().sum() / there.sum()
            return torch.stack([mine.sum(1).mean(), plain_chance.sum(1).mean(), critic, 1 - critic / spread])

    def log(self, line: dict[str, Any]) -> None:
        text = msgspec.json.encode(line)
        with (self.out / "log.jsonl").open("ab") as file:
            file.write(text + b"\n")
        if self.iteration % 10 == 1:
            print(text.decode(), flush=True)  # noqa: T201

    def save(self) -> None:
        """Write both files, and read them again."""
        notes = {
            "seed": self.config.seed,
            "decisions": self.decisions,
            "minutes": round(self.seconds / 60, 2),
            "odd": self.settings.odd,
            "boards": self.settings.boards,
            "torch": str(torch.__version__),
            "python": platform.python_version(),
        }
        tables = self.play.network.header.tables
        beliefs, critic = self.out / f"{self.game}.beliefs", self.out / f"{self.game}.critic"
        export_other(beliefs, self.believer, self.game, "beliefs", tables, notes, self.settings.head)
        export_other(critic, self.critic, self.game, "critic", tables, notes)
        belief_files.read(beliefs)
        critic_files.read(critic)

    def close(self) -> None:
        """Free the memory of the play."""
        del self.play
        if self.device == "cuda":
            torch.cuda.empty_cache()

    def check(self) -> None:
        """All that the training does, in seconds: what is wrong is found before the time is spent."""
        small = {name: min(value, getattr(self.config.learning, name)) for name, value in CHECK.items()}
        self.begin(replace(self.config.learning, **small, league=0.0, policy_share=0.0, searchers=0))
        before = self.iterate(0.0)
        for _ in range(3):
            after = self.iterate(0.0)
        if not math.isfinite(after["belief"]) or not math.isfinite(after["critic"]):
            raise ArithmeticError(f"{self.game}: the losses are not numbers: {after}")
        self.save()
        print(f"{self.game}: checked, {before['belief']} to {after['belief']}", flush=True)  # noqa: T201
        self.iteration = self.decisions = 0
