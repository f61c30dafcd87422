"""Distillation: what the lookahead of `expert` finds goes back into the network of `learned`.

`collect.py` writes rows: decisions, and by how much actions that were played out lead over the network's choice. Here
the network learns from them. The target is its policy times exp(advantage / η): the advantage is the lead less the mean
of the leads, as the policy weights them, and 0 for actions that were not played out. Leads are about as large as their
standard errors. So uncertain ones are reduced, and the loss is the divergence of the policy from the target, in which
advantages are linear: over many rows their noise cancels out, which it would not the other way round.

In ordinary play the network is to stay what it was, so its divergence from the old one there is part of the loss; so is
any change of its forecasts.

    python -m train --config train/distil.toml --minutes 9 --distil FOLDER --out OUT

`FOLDER` has the `GAME.weights` to begin with. `OUT` gets the new ones, and `distil.json` with the results: the new
network against the old on fresh duplicate deals, and what both choose in the rows that were held out.
"""

from __future__ import annotations

import copy
import math
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from atout.errors import UsageError
from atout.knowledge.features import VETO_BLOCK
from train.collect import Arrays
from train.config import Config, Distil, GameConfig
from train.export import export
from train.folders import trained_for
from train.frozen import frozen, load_weights
from train.matches import Matches, distribute
from train.measure import by_network, by_random, duel
from train.net import Net, forecasts, legal_places, logits_of, make_player, sampled
from train.unusual_starts import UnusualStarts

SCATTER = 60
"""Steps before learning begins, in which matches get out of step with each other."""
CHUNK = 1 << 14
"""Rows per evaluation when there is nothing to learn from them."""
LEAST = 1e-6
"""The least probability that is distinguished."""
LOOKS = 4
"""How often per pass over the rows the held-out ones are looked at."""
LOSSES = ("target", "keep", "forecast")
Report = Callable[[str], None]


class Rows(NamedTuple):
    """Collected rows on the device (`collect.py`), with the target of each."""

    observation: Any
    mask: Any
    block: Any
    policy: Any
    tried: Any
    leads: Any
    choice: Any
    target: Any
    """Log-probabilities."""

    def part(self, rows: Any) -> Rows:
        return Rows(*(value[rows] for value in self))


def targets(policy: Any, tried: Any, leads: Any, errors: Any, settings: Distil) -> Any:
    """The log-probability of each place that is to be learned; leads and errors in units of the scale.

    A lead is reduced to what is expected of it, given its error, if leads have the usual size around 0.
    """
    there, places = tried >= 0, tried.clamp_min(0)
    expected = leads / (1 + (errors / settings.usual_lead).square())
    weights = policy.gather(1, places) * there
    mean = (weights * expected).sum(1, keepdim=True) / weights.sum(1, keepdim=True).clamp_min(LEAST)
    advantages = torch.zeros_like(policy).scatter_add(1, places, torch.where(there, expected - mean, 0.0))
    logits = policy.clamp_min(LEAST).log() + advantages / settings.temperature
    return torch.log_softmax(logits.masked_fill(policy <= 0, -1e4), 1)


def rows_of(arrays: Arrays, settings: Distil, device: str) -> Rows:
    """The rows of files as tensors, with their targets."""
    put: dict[str, Any] = {name: torch.from_numpy(value).to(device) for name, value in arrays.items()}
    mask, tried = put["mask"], put["tried"].long()
    policy = put["policy"].float().clamp_min(LEAST) * legal_places(mask)
    policy /= policy.sum(1, keepdim=True)
    unit = torch.where(put["late"][:, None], settings.match, 1.0)
    leads, errors = put["leads"] * unit, put["errors"] * unit
    target = targets(policy, tried, leads, errors, settings)
    return Rows(put["observation"], mask, put["block"].long(), policy, tried, leads, put["choice"].long(), target)


def log_policy(out: Any, mask: Any, block: Any) -> Any:
    """Log-probabilities of the places; those that are not legal are very low, and finite."""
    return torch.log_softmax(logits_of(out, mask, block), 1).clamp_min(-1e4)


def divergence(logs: Any, others: Any) -> Any:
    """The Kullback–Leibler divergence of one policy from another in every row, in nats."""
    return (logs.exp() * (logs - others)).sum(1)


class OrdinaryPlay:
    """Matches drawn from the old network: what the new one is held to there."""

    def __init__(self, config: Config, own: GameConfig, old: Net, scales: Any) -> None:
        self._old, self._learning, device = old, config.learning, config.device
        which = np.random.default_rng(config.seed).permutation(distribute(own.places, config.learning.matches))
        self.matches = Matches(own.places, which, device)
        self.matches.reset(config.seed)
        self._starts = UnusualStarts(self.matches, config.learning, scales)
        boards = torch.rand(self.matches.size, device=device)
        self._random_board = boards < config.learning.boards / 2
        self._policy_board = (boards >= config.learning.boards / 2) & (boards < config.learning.boards)
        for _ in range(SCATTER):
            self.step()

    @torch.no_grad()
    def step(self) -> tuple[Any, Any, Any, Any]:
        """One step. Returns observation, mask and block of every match before it, and the old network's outputs."""
        matches = self.matches
        matches.observe()
        seen = matches.observation.clone(), matches.mask.clone(), matches.block.clone()
        out = self._old(seen[0][:, self._old.inputs])
        place = sampled(logits_of(out, seen[1], seen[2]))
        vetoes = seen[2] == VETO_BLOCK
        if self._learning.boards > 0:
            place = torch.where(vetoes & self._random_board, by_random(matches), place)
            place = torch.where(vetoes & self._policy_board, matches.policy_places(), place)
        matches.step(place)
        self._starts.apply()
        return *seen, out


class Watch:
    """Looks at held-out rows from time to time, and keeps the player with the lowest loss."""

    def __init__(self, distiller: Distiller, held_out: Rows, deadline: float, report: Report) -> None:
        self._distiller, self.held_out, self._report = distiller, held_out, report
        self._began = time.monotonic()
        self._seconds = max(1.0, deadline - self._began)
        self.best, self._kept = distiller.loss(held_out), copy.deepcopy(distiller.player.parameters)
        self.since = 0
        """Looks since the best one."""
        distiller.notes = {"before": self.best}
        report(f"held-out loss before {self.best:.5f}")

    @property
    def done(self) -> float:
        """The share of the time that is over."""
        return (time.monotonic() - self._began) / self._seconds

    def look(self, at: str, losses: Any) -> None:
        loss = self._distiller.loss(self.held_out)
        self.since += 1
        line = ", ".join(f"{name} {value:.4f}" for name, value in zip(LOSSES, losses.tolist(), strict=True))
        self._report(f"{at}: held-out loss {loss:.5f}; {line}")
        if loss < self.best:
            self.best, self._kept, self.since = loss, copy.deepcopy(self._distiller.player.parameters), 0

    def finish(self) -> None:
        """Give the player back what was best."""
        self._distiller.player.load(self._kept)
        self._distiller.notes |= {"after": self.best, "held_out": len(self.held_out.mask)}


class Distiller:
    """Trains the network of one game."""

    def __init__(self, config: Config, settings: Distil, game: Any, weights: Path) -> None:
        self.config, self.settings, self.game = config, settings, game
        self.own, self.device, learning = config.games[game], config.device, config.learning
        torch.manual_seed(config.seed)
        torch.set_float32_matmul_precision("high")
        path = weights / f"{game}.weights"
        self.network, self.old = frozen(path, self.device)
        header = self.network.header
        inputs = torch.tensor(header.inputs, device=self.device)
        self.player = make_player(inputs, header.width, header.blocks)
        load_weights(self.player, path)
        self.player.kind = self.old.kind = torch.float32  # differences between the two are small
        scales = [one.scale for one in trained_for(self.network, self.own.places)]
        self.scales = torch.tensor(scales, device=self.device)
        self.play = OrdinaryPlay(config, self.own, self.old, self.scales)
        on_gpu = {"fused": True} if self.device == "cuda" else {}
        self.optimiser = torch.optim.Adam(
            list(self.player.parameters.values()), lr=learning.rate, eps=1e-6, betas=(0.9, 0.99), **on_gpu
        )
        self.notes: dict[str, Any] = {}

    def learn(self, arrays: Arrays, deadline: float, report: Report) -> None:
        """Learn collected rows until the deadline by `time.monotonic`, or until those held out get no better."""
        rows, held_out = self.divided(arrays)
        learning, count = self.config.learning, len(rows.mask)
        size = min(learning.minibatch, count)
        per_pass = count // size
        total, watch = learning.epochs * per_pass, Watch(self, held_out, deadline, report)
        self.notes["rows"] = count
        every = max(1, per_pass // LOOKS)
        order = torch.randperm(count, device=self.device)
        for step in range(total):
            done = max(step / total, watch.done)
            if done >= 1 or watch.since >= self.settings.patience:
                break
            if step % per_pass == 0:
                order = torch.randperm(count, device=self.device)
            first = step % per_pass * size
            losses = self._advance(rows.part(order[first : first + size]), done, step)
            if (step + 1) % every == 0 or step + 1 == total:
                watch.look(f"pass {(step + 1) / per_pass:.2f}", losses)
        watch.finish()
        self.notes["choices"] = self.choices(held_out)

    def divided(self, arrays: Arrays) -> tuple[Rows, Rows]:
        """The rows to learn from, and those held out."""
        rows = rows_of(arrays, self.settings, self.device)
        is_held_out = torch.from_numpy(arrays["round"] % self.settings.held_out == 0).to(self.device)
        own, held_out = (rows.part(which.nonzero()[:, 0]) for which in (~is_held_out, is_held_out))
        if not (len(own.mask) and len(held_out.mask)):
            raise UsageError(f"rows: {len(rows.mask)} of {self.game} are too few; none can be held out")
        return own, held_out

    def _advance(self, rows: Rows, done: float, step: int) -> Any:
        """One optimiser step on some rows and one step of ordinary play. Returns the LOSSES."""
        learning, settings = self.config.learning, self.settings
        falling = 0.5 * (1 + math.cos(math.pi * done))
        rate = learning.rate_end + (learning.rate - learning.rate_end) * falling
        rate *= min(1.0, (step + 1) / learning.warm_up)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        seen, mask, block, before = self.play.step()
        out = self.player(torch.cat([rows.observation, seen])[:, self.player.inputs])
        own, ordinary = out[: len(rows.mask)], out[len(rows.mask) :]
        target = divergence(log_policy(own, rows.mask, rows.block), rows.target).mean()
        kept = divergence(log_policy(before, mask, block), log_policy(ordinary, mask, block)).mean()
        moved = (forecasts(ordinary) - forecasts(before)).square().mean()
        loss = target + settings.keep * kept + settings.forecast * moved
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(self.player.parameters.values()), 1.0)
        self.optimiser.step()
        return torch.stack([target, kept, moved]).detach()

    @torch.no_grad()
    def logs(self, net: Net, rows: Rows) -> Any:
        """The log-probabilities of a network in some rows."""
        parts = []
        for first in range(0, len(rows.mask), CHUNK):
            some = slice(first, first + CHUNK)
            out = net(rows.observation[some][:, net.inputs])
            parts.append(log_policy(out, rows.mask[some], rows.block[some]))
        return torch.cat(parts)

    def loss(self, rows: Rows) -> float:
        """The divergence of the player from the targets of some rows."""
        return float(divergence(self.logs(self.player, rows), rows.target).mean())

    def choices(self, rows: Rows) -> dict[str, Any]:
        """What the old and the new network choose in rows that were not learned from, beside the choice of `expert`."""
        overruled = rows.choice != rows.policy.argmax(1)
        found: dict[str, Any] = {"rows": len(rows.mask), "overruled": int(overruled.sum())}
        for name, net in (("old", self.old), ("new", self.player)):
            same = self.logs(net, rows).argmax(1) == rows.choice
            found[name] = {
                "as_expert": _share(same),
                "as_expert_where_overruled": _share(same[overruled]),
                "as_expert_where_confirmed": _share(same[~overruled]),
                "lead": self.lead(net, rows),
            }
        return found

    def lead(self, net: Net, rows: Rows) -> list[float]:
        """By how much a network's choice leads over the old one's where it was tried: the mean and the half-width of
        its 95 % interval, in units of the scale.
        """
        at = rows.tried == self.logs(net, rows).argmax(1)[:, None]
        lead = (rows.leads * at).sum(1)[at.any(1)]
        return [round(float(lead.mean()), 5), round(float(1.96 * lead.std() / max(1, len(lead)) ** 0.5), 5)]

    @torch.no_grad()
    def measure(self) -> dict[str, list[float]]:
        """The new network against the old at every setup: the gain per round and the half-width of its interval."""
        me, rival = (by_network(net, net.parameters) for net in (self.player, self.old))
        deals, seed = self.config.measuring.deals, self.settings.measured_seed
        results = duel(self.own.places, deals, me, rival, self.device, seed)
        return {
            " ".join([place.edition, str(place.players), *place.options]): [round(x, 3) for x in result]
            for place, result in zip(self.own.places, results, strict=True)
        }

    def save(self, out: Path) -> None:
        """Write the weights for the package, for the same setups and actions as those it began with."""
        header = self.network.header
        notes = {
            "seed": self.config.seed,
            "distilled": {name: self.notes[name] for name in ("rows", "before", "after")},
            "torch": str(torch.__version__),
            "python": platform.python_version(),
            "before": header.notes,
        }
        export(out / f"{self.game}.weights", self.player, self.game, header.tables, header.outputs, notes)


def _share(which: Any) -> float:
    return round(float(which.float().mean()), 4) if len(which) else math.nan
