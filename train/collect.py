"""Collect what the lookahead of `expert` finds, as rows to learn from: the first step of distillation (`distil.py`).

Processes play matches with actions drawn from the network. At some of the decisions the lookahead is asked as `expert`
asks it, with the same budget and no clock, and a row is written if it compared actions beyond the seat's next turn.

    observation    features of the seat that decides, from its redacted knowledge and nothing else
    mask, block    its legal places, and their block
    setup          the number of the setup in the configuration
    round          a number for the round, so that rows of one round stay together
    policy         the network's probability of each place
    tried          places that were compared, the network's choice first; −1 where there are fewer
    leads, errors  by how much each of them is ahead of the network's choice, with its standard error: in units of the
                   setup, or where the match decides in matches
    late           whether the match decides
    choice         the place that `expert` takes

A process writes a file of rows twice a minute. At the end they are packed into a few files `GAME-rows-NN.npz`. No
PyTorch is needed here.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from atout import warm
from atout.batch import Batch
from atout.batch.starts import start_all
from atout.batch.step import ENDED, GOES_ON, MATCH_OVER
from atout.bots import Budget, expert
from atout.bots.learned import Prediction
from atout.errors import BotError, UsageError
from atout.game import Knowledge
from atout.game.notation import bits_of
from atout.knowledge import entries as knowledge_entries
from atout.knowledge.features import BLOCK, SIZE, VETO_BLOCK
from atout.nets.weights import Network, read
from atout.rules.autoplay import LENGTH
from train.config import Config, Distil, GameConfig, Learning
from train.folders import trained_for
from train.searchers import WAITS, free_cores

COMPILED = ("table", "sampling", "beliefs", "lookahead", "batch", "training")
"""What is compiled before the processes start (`atout/warm.py`)."""
SCATTER = 80
"""The most steps that a match is played before rows are collected: about a round."""
SHARD_SECONDS = 30.0
"""Seconds between two files of a process."""
PACKED_ROWS = 20_000
"""Rows of a packed file, at most."""
TRIED = expert.CANDIDATES + 1

Arrays = dict[str, npt.NDArray[Any]]
FIELDS: dict[str, tuple[tuple[int, ...], Any]] = {
    "observation": ((SIZE,), np.int8),
    "mask": ((), np.int64),
    "block": ((), np.int8),
    "setup": ((), np.int8),
    "round": ((), np.int64),
    "policy": ((BLOCK,), np.float16),
    "tried": ((TRIED,), np.int8),
    "leads": ((TRIED,), np.float32),
    "errors": ((TRIED,), np.float32),
    "late": ((), np.bool_),
    "choice": ((), np.int8),
}
"""Shape and type of every part of a row."""


def look_ahead(prediction: Prediction, seed: int) -> dict[str, Any] | None:
    """What `expert` finds at a decision, as part of a row; None if it compares none."""
    knowledge, scale = prediction.knowledge, prediction.trained.scale
    if expert.is_left_to_the_network(prediction):
        return None
    lookahead = expert.lookahead_of(prediction, seed)
    evaluations = expert.EVALUATIONS * (expert.LAST_FACTOR if expert.is_last(prediction) else 1)
    allowance = expert.EvaluationBudget(evaluations, Budget(), expert.ExpertBot.pace)
    best = expert.look_ahead(lookahead, prediction, allowance)
    compared = lookahead.compared
    if len(compared) < 2:
        return None
    observation, mask = knowledge.encode()
    rules, redacted = knowledge.setup.rules, knowledge.redacted
    place_of = {knowledge_entries.action_at(redacted, rules, place): place for place in bits_of(mask)}
    policy, tried = np.zeros(BLOCK), np.full(TRIED, -1)
    leads, errors = np.zeros(TRIED), np.zeros(TRIED)
    for action, place in place_of.items():
        policy[place] = prediction.policy[action]
    unit = 1.0 if lookahead.is_for_the_match else scale
    for i, action in enumerate(compared):
        lead, error = lookahead.lead(action, prediction.best)
        tried[i], leads[i], errors[i] = place_of[action], lead / unit, error / unit
    return {
        "observation": observation,
        "mask": mask,
        "policy": policy,
        "tried": tried,
        "leads": leads,
        "errors": errors,
        "late": lookahead.is_for_the_match,
        "choice": place_of[best],
    }


class CollectedPlay:
    """Matches of one game in one process: the network plays them, and the lookahead is asked now and then."""

    def __init__(self, game: Any, own: GameConfig, network: Network, config: Config, process: int) -> None:
        assert config.distil is not None
        self.game, self.network, self.settings, self.learning = game, network, config.distil, config.learning
        self.setups = [place.setup for place in own.places]
        self._trained = trained_for(network, own.places)
        self._rng = np.random.default_rng([config.seed, process])
        size = self.settings.matches
        weights = np.array([place.weight for place in own.places])
        which = self._rng.choice(len(own.places), size, p=weights / weights.sum())
        self.batch = Batch(self.setups, which, threads=1)
        self.batch.reset(config.seed, np.arange(size) + process * size)
        self._rounds = (np.arange(size) + process * size) << 16
        self._starts = self._marks(self.learning)
        self.batch.progress[:, ENDED] = MATCH_OVER
        self._start_unusually()
        boards = self._rng.random(size)
        self._random_board = boards < self.learning.boards / 2
        self._policy_board = (boards >= self.learning.boards / 2) & (boards < self.learning.boards)
        self._scatter()
        self.rows: list[dict[str, Any]] = []
        self.asked = 0
        """How often the lookahead was asked."""
        self.seconds = 0.0

    def _marks(self, learning: Learning) -> tuple[npt.NDArray[np.int64], ...]:
        late, extreme = (self._rng.random(self.batch.size) < share for share in (learning.late, learning.extreme))
        deviations = np.array([max(1, round(one.scale)) for one in self._trained])
        return late.astype(np.int64), extreme.astype(np.int64), deviations

    def _start_unusually(self) -> None:
        b = self.batch
        start_all(b.states, b.rules, b.which, b.rngs, b.logs, b.progress, *self._starts)

    def _scatter(self) -> None:
        """Play each match a random number of steps, so that rows are of all phases from the first."""
        ahead = self._rng.integers(SCATTER, size=self.batch.size)
        for step in range(SCATTER):
            self._step(self._log_policies(), ahead > step)

    def _log_policies(self) -> npt.NDArray[np.float32]:
        batch = self.batch
        batch.observe()
        return self.network.log_policies(self.network.evaluate_all(batch.observation), batch.mask, batch.block)

    def _step(self, logs: npt.NDArray[np.float32], which: npt.NDArray[np.bool_]) -> None:
        """Draw an action in each of these matches; the others wait, because for the batch WAITS is an illegal place."""
        chance = self._rng.random(logs.shape).clip(1e-9, 1 - 1e-7)
        places = np.where(which, self._boards((logs - np.log(-np.log(chance))).argmax(1)), WAITS)
        if which.all():
            self.batch.step(places)
        else:
            with suppress(UsageError):  # raised after all matches have been stepped
                self.batch.step(places)
        self._rounds += which & (self.batch.ended > GOES_ON)
        self._start_unusually()

    def play(self, deadline: float) -> None:
        """One step of every match; rows are added until the deadline by `time.monotonic`."""
        batch, began = self.batch, time.monotonic()
        logs = self._log_policies()
        sure = logs.max(1) >= np.log(self.settings.sure)
        share = self.settings.asked * np.where(sure, self.settings.sure_asked, 1.0)
        for match in np.flatnonzero(self._rng.random(batch.size) < share).tolist():
            if time.monotonic() >= deadline:
                break
            self._ask(match)
        self._step(logs, np.ones(batch.size, np.bool_))
        self.seconds += time.monotonic() - began

    def _ask(self, match: int) -> None:
        batch, setup = self.batch, int(self.batch.which[match])
        log = batch.logs[match, : batch.progress[match, LENGTH]]
        knowledge = Knowledge.of(self.setups[setup], int(batch.turn[match]), batch.states[match], log)
        self.asked += 1
        found = look_ahead(Prediction(self.network, self._trained[setup], knowledge), int(self._rng.integers(1 << 62)))
        if found:
            own = {"block": batch.block[match], "setup": setup, "round": self._rounds[match]}
            self.rows.append(found | own)

    def _boards(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The places, with vetoes at random or by the playout policy in the matches with such boards."""
        batch = self.batch
        can = batch.block == VETO_BLOCK
        for match in np.flatnonzero(can & self._random_board).tolist():
            places[match] = self._rng.choice(bits_of(int(batch.mask[match])))
        return np.where(can & self._policy_board, batch.policy_places(), places)

    def take_rows(self) -> Arrays:
        """The rows since the last call, as arrays."""
        found = as_arrays(self.rows)
        self.rows = []
        return found


def as_arrays(rows: Sequence[dict[str, Any]]) -> Arrays:
    return {
        name: np.array([row[name] for row in rows], kind).reshape(len(rows), *shape)
        for name, (shape, kind) in FIELDS.items()
    }


class Progress(NamedTuple):
    """What a process tells when it has written a file."""

    game: str
    rows: int
    asked: int


def work(process: int, config: Config, weights: Path, out: Path, end: float, reports: Any) -> None:
    """What a process runs: until `end` by the clock it plays the games by their shares of time, and writes rows."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process ends it
    warm.end_with(os.getppid())
    deadline, number = time.monotonic() + end - time.time(), 0
    plays = [
        CollectedPlay(game, own, read(weights / f"{game}.weights"), config, process)
        for game, own in config.games.items()
    ]
    while time.monotonic() < deadline:
        pause = min(deadline, time.monotonic() + SHARD_SECONDS)
        while time.monotonic() < pause:
            min(plays, key=lambda one: one.seconds / config.games[one.game].share).play(deadline)
        for play in plays:
            reports.put(Progress(play.game, len(play.rows), play.asked))
            play.asked = 0
            if play.rows:
                save(play.take_rows(), out / f"{play.game}-shard-{process:03}-{number:04}.npz")
        number += 1


def save(rows: Arrays, path: Path) -> None:
    """Write the whole file, then give it its name: a file with the name is complete."""
    draft = path.with_suffix(".new")
    with draft.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **rows)
    draft.replace(path)


def load(folder: Path, game: str) -> Arrays:
    """All rows of a game in a folder."""
    found = [dict(np.load(path)) for path in sorted(folder.glob(f"{game}-*.npz"))]
    if not found:
        raise UsageError(f"rows: there are none of {game} in {folder}; --distil-step collect writes them")
    return {name: np.concatenate([one[name] for one in found]) for name in FIELDS}


def pack(folder: Path, game: str) -> list[Path]:
    """Put the rows of a game into few files, and delete those of the processes."""
    shards = sorted(folder.glob(f"{game}-shard-*.npz"))
    if not shards:
        return []
    rows = load(folder, game)
    before = sorted(folder.glob(f"{game}-rows-*.npz"))
    packed = [folder / f"{game}-rows-{i:02}.npz" for i in range(-(-len(rows["mask"]) // PACKED_ROWS))]
    for i, path in enumerate(packed):
        save({name: value[i * PACKED_ROWS : (i + 1) * PACKED_ROWS] for name, value in rows.items()}, path)
    for path in {*shards, *before} - {*packed}:
        path.unlink()
    return packed


def collect(config: Config, settings: Distil, deadline: float, weights: Path, folder: Path) -> None:
    """Compile what is needed, collect until the deadline by `time.monotonic`, and pack the rows."""
    folder.mkdir(parents=True, exist_ok=True)
    for game, own in config.games.items():
        trained_for(read(weights / f"{game}.weights"), own.places)
    if lacking := warm.missing(*COMPILED):
        warm.run(lacking)
    context = multiprocessing.get_context("spawn")
    reports = context.Queue()
    began = time.monotonic()
    end = time.time() + deadline - began
    started = [
        context.Process(target=work, args=(i, config, weights, folder, end, reports))
        for i in range(settings.processes or free_cores())
    ]
    for one in started:
        one.start()
    _follow(started, reports, began)
    failed = [one.exitcode for one in started if one.exitcode]
    if len(failed) == len(started):
        raise BotError(f"distil: all processes failed, with exit codes {failed}; their output is above")
    if failed:
        print(f"{len(failed)} processes failed, with exit codes {failed}; the rows of the others are kept")  # noqa: T201
    for game in config.games:
        packed = pack(folder, game)
        if not packed:
            raise UsageError(f"minutes: no rows of {game} were collected; compiling and starting took too long")
        for path in packed:
            print(f"{path}: {len(np.load(path)['mask'])} rows, {path.stat().st_size / 2**20:.1f} MiB", flush=True)  # noqa: T201


def _follow(started: Sequence[Any], reports: Any, began: float) -> None:
    """Print how many rows there are, until the processes end."""
    rows: dict[str, int] = {}
    asked, said = 0, began
    while True:
        alive = any(one.is_alive() for one in started)
        try:
            while True:
                progress = reports.get(timeout=0.5)
                rows[progress.game] = rows.get(progress.game, 0) + progress.rows
                asked += progress.asked
        except queue.Empty:
            pass
        passed = time.monotonic() - began
        if rows and (not alive or time.monotonic() - said >= SHARD_SECONDS):
            said = time.monotonic()
            pace = sum(rows.values()) / passed
            each = ", ".join(f"{game} {count}" for game, count in rows.items())
            print(f"{passed:.0f} s: rows {each}; {pace:.1f} per second; asked {asked}", flush=True)  # noqa: T201
        if not alive:
            return
