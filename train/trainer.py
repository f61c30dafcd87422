"""The training of one game's network: play, learn, measure, save. It can be stopped at any time and continued."""

from __future__ import annotations

import pickle
import platform
import random
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import torch

from atout.errors import UsageError
from atout.knowledge.features import VERSION
from atout.nets.weights import Network
from train.config import Config
from train.export import export, trained
from train.folders import stored_file
from train.frozen import frozen, load_weights
from train.learn import Learner
from train.measure import Actor, by_network, by_policy, by_random, duel
from train.net import Net, Parameters, make_critic, make_player
from train.selfplay import SelfPlay, SetupStatistics


class Trainer:
    """Trains one game. `out` gets the weights, the networks to continue from and the log; `work` the checkpoint."""

    def __init__(self, config: Config, game: Any, out: Path, work: Path) -> None:
        self.config, self.game, self.out, self.work = config, game, out, work
        self.own, device = config.games[game], config.device
        self.device = device
        self.seconds, self.iteration, self.decisions = 0.0, 0, 0
        self.past: list[Parameters] = []
        self._random = random.Random(config.seed)  # noqa: S311
        self._snapped = self._measured = self._last_iteration = 0.0
        self._at_end = ExitStack()
        self.start: tuple[Network, Net] | None = None
        """The network that training starts from, which it is measured against."""

    def begin(self, resume: Path | None, start: Path | None = None) -> None:
        """Set up matches and networks: those of an earlier slice, if there is one; else a player of the package's
        weights in the folder `start`, if it is given.
        """
        path = stored_file(self.game, self.out, self.work, resume)
        stored = self._load(path) if path else None
        seed = self.config.seed + (1000 * stored["iteration"] if stored else 0)
        torch.manual_seed(seed)
        self.selfplay = SelfPlay(self.own.places, self.config.learning, self.device, seed)
        self._at_end.callback(self.selfplay.close)
        found = self.selfplay.measure_setups()
        self.statistics = SetupStatistics(*stored["around"]) if stored else found
        if start:
            self.start = frozen(start / f"{self.game}.weights", self.device)
            self.statistics = with_inputs_of(self.statistics, self.start[0])
        self.selfplay.allocate(self.statistics)
        self.player = make_player(self.statistics.inputs, self.own.width, self.own.blocks)
        self.critic = make_critic(self.statistics.inputs, self.own.width, self.own.blocks)
        self.learner = Learner(self.player, self.critic, self.config.learning, self.device)
        if stored:
            self._restore(stored)
        elif start:
            load_weights(self.player, start / f"{self.game}.weights")

    def train(self, deadline: float) -> None:
        """Train until the deadline by `time.monotonic`."""
        measuring, learning = self.config.measuring, self.config.learning
        last = time.monotonic()
        while last + self._last_iteration < deadline:
            line = self.iterate()
            now = time.monotonic()
            self.seconds += now - last
            line["seconds"] = round(self.seconds, 1)
            if self.seconds - self._snapped >= 60 * learning.snapshot_minutes:
                self._snapped = self.seconds
                self._snapshot()
            if self.seconds - self._measured >= 60 * measuring.every_minutes:
                self._measured = self.seconds
                line["against"] = self.measure(measuring.deals)
                self.save()
            self.log(line)
            last = time.monotonic()

    def iterate(self) -> dict[str, Any]:
        """Play a segment and learn from it. Returns a line for the log."""
        started = time.monotonic()
        total = 60 * self.config.total_minutes * self.own.share / sum(one.share for one in self.config.games.values())
        rate = self.learner.schedule(self.seconds / total, self.iteration)
        rival = self._random.choice(self.past) if self.past else None
        experience = self.selfplay.collect(self.player, self.critic, rival)
        if not self.selfplay.matches.is_sound:
            raise ArithmeticError(
                f"{self.game}: the network diverged; continue from the last checkpoint with a lower rate"
            )
        if self.device == "cuda":
            torch.cuda.synchronize()
        collected = time.monotonic()
        losses = self.learner.learn(experience)
        ended = time.monotonic()
        self._last_iteration = ended - started
        self.iteration += 1
        self.decisions += len(experience.rows)
        return {
            "game": self.game,
            "iteration": self.iteration,
            "decisions": self.decisions,
            "per_second": round(len(experience.rows) / self._last_iteration),
            "collect": round(collected - started, 3),
            "learn": round(ended - collected, 3),
            "searched": self.selfplay.searchers.answered if self.selfplay.searchers else 0,
            "rate": rate,
            **{name: round(value, 5) for name, value in losses.items()},
        }

    def _snapshot(self) -> None:
        self.past.append(self.player.copy())
        if len(self.past) > self.config.learning.snapshots:
            self.past = self.past[::2]

    def measure(self, deals: int) -> dict[str, dict[str, list[float]]]:
        """The mean gain against each opponent at every setup, with the half-width of its interval."""
        rivals: dict[str, Actor] = {"policy": by_policy, "random": by_random}
        if self.past:
            rivals["past"] = by_network(self.player, self.past[len(self.past) // 2])
        if self.start:
            rivals["start"] = by_network(self.start[1], self.start[1].copy())
        places = [place for place in self.own.places if "length" not in place.options]
        me = by_network(self.player, self.player.copy())
        against: dict[str, dict[str, list[float]]] = {}
        for name, rival in rivals.items():
            results = duel(places, deals, me, rival, self.device, self.config.seed)
            against[name] = {
                " ".join([place.edition, str(place.players), *place.options]): [round(x, 3) for x in result]
                for place, result in zip(places, results, strict=True)
            }
        return against

    def finish(self) -> None:
        """Measure and save at the end of a slice."""
        line = {"game": self.game, "seconds": round(self.seconds, 1), "decisions": self.decisions}
        self.log(line | {"against": self.measure(self.config.measuring.deals)})
        self.save()

    def close(self) -> None:
        """End the search processes."""
        self._at_end.close()

    def log(self, line: dict[str, Any]) -> None:
        text = msgspec.json.encode(line)
        with (self.out / "log.jsonl").open("ab") as file:
            file.write(text + b"\n")
        if "against" in line or self.iteration % 10 == 1:
            print(text.decode(), flush=True)  # noqa: T201

    # ------------------------------------------------------------------ files

    def save(self) -> None:
        """Write the checkpoint, the small file of networks, and the weights for the package."""
        notes = {
            "seed": self.config.seed,
            "decisions": self.decisions,
            "minutes": round(self.seconds / 60, 2),
            "torch": str(torch.__version__),
            "python": platform.python_version(),
        }
        small = {
            "observation": VERSION,
            "width": self.own.width,
            "blocks": self.own.blocks,
            "player": {name: value.half() for name, value in self.player.parameters.items()},
            "critic": {name: value.half() for name, value in self.critic.parameters.items()},
            "seconds": self.seconds,
            "iteration": self.iteration,
            "decisions": self.decisions,
            "around": tuple(self.statistics),
            "places": len(self.own.places),
            "notes": notes,
        }
        whole = small | {
            "player": self.player.parameters,
            "critic": self.critic.parameters,
            "optimiser": self.learner.optimiser.state_dict(),
            "past": self.past,
        }
        _save(small, self.out / f"{self.game}.networks")
        _save(whole, self.work / f"{self.game}.checkpoint")
        setups = trained(self.own.places, self.statistics.scales.tolist())
        outputs = self.statistics.outputs.tolist()
        export(self.out / f"{self.game}.weights", self.player, self.game, setups, outputs, notes)

    def _load(self, path: Path) -> dict[str, Any]:
        """What an earlier slice wrote, if it fits the configuration."""
        try:
            stored: dict[str, Any] = torch.load(path, map_location=self.device, weights_only=True)
        except (OSError, EOFError, RuntimeError, pickle.UnpicklingError):
            raise UsageError(f"resume: {path} cannot be read; expected a file that an earlier slice wrote") from None
        right = {"observation": VERSION, "width": self.own.width, "blocks": self.own.blocks}
        for name, value in (right | {"places": len(self.own.places)}).items():
            if stored[name] != value:
                raise UsageError(f"resume: {path} has {name} {stored[name]}; the configuration has {value}")
        return stored

    def _restore(self, stored: dict[str, Any]) -> None:
        self.player.load(stored["player"])
        self.critic.load(stored["critic"])
        if "optimiser" in stored:
            self.learner.optimiser.load_state_dict(stored["optimiser"])
        self.past = stored.get("past", [])
        self.seconds, self.iteration, self.decisions = (stored[x] for x in ("seconds", "iteration", "decisions"))
        self._snapped = self._measured = self.seconds


def with_inputs_of(found: SetupStatistics, network: Network) -> SetupStatistics:
    """What occurs at the setups, and what a network to start from reads and chooses besides."""
    both = [
        torch.unique(torch.cat([torch.as_tensor(theirs, device=ours.device), ours]))
        for theirs, ours in ((network.header.inputs, found.inputs), (network.header.outputs, found.outputs))
    ]
    return SetupStatistics(both[0], both[1], found.scales)


def _save(what: dict[str, Any], path: Path) -> None:
    """Write the file atomically, because a slice may end at any time."""
    draft = path.with_suffix(path.suffix + ".new")
    torch.save(what, draft)
    draft.replace(path)
