"""Self-play as a data set: Parquet files with one row per decision, verified, sharded and resumable.

Matches are played by the network of `learned`, its actions drawn from its policy. Match n of a seed is always the same,
so a shard is either complete or not there: a run that was stopped continues with the missing shards. Every match
is checked as a record before its rows are written.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import random
import signal
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import active_children
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import msgspec
import numpy as np

from atout import __version__
from atout.batch import step
from atout.batch.match import PHASE, POINTS, Match
from atout.bots.learned import network_of
from atout.editions import PUBLISHED, published
from atout.envs import MissingPackage
from atout.errors import UsageError
from atout.game import Setup
from atout.game.notation import PHASES
from atout.knowledge.features import BLOCK, BLOCKS, SIZE, VERSION
from atout.nets.weights import FOLDER, MAGIC, Network
from atout.records import Verifier
from atout.rules.layout import VETO

COLUMNS = """
    record        seed and number of the match: `7/123`
    edition, players, round (from 0), decision (from 0 in the match), seat
    observation   1432 bytes, numbers of 8 bits (`docs/observation.md`)
    legal         the legal actions of the flat space, ascending: the mask
    policy        the probability of each of them, rounded to 1/256: an action that was played may have 0
    action        the one that was played
    values        the points that the network expected of the round, for each seat from seat 0 on, to 0.1
    result        the points that the round brought, for each seat from seat 0 on
"""
"""What the columns of a row are, for the data card."""
MEANINGS = {
    "features": "the version of the observation (`docs/observation.md`)",
    "atout": "the version of the program",
    "network": "the beginning of the SHA-256 in the file of weights of the network that played",
}
"""What settings are whose names do not tell it."""
MATCHES_PER_SHARD = 500
IN_STEP = 64
"""Matches that are played in step by one process."""
COMPRESSION = 9
"""The level of zstd. Level 19 makes files a quarter smaller, but takes longer than playing the matches; the sample in
the repository was written with it."""


@dataclass(slots=True)
class _Table:
    """One of the matches that are played in step, and what was noted of it."""

    match: Match
    number: int
    rng: random.Random
    observations: list[Any] = field(default_factory=list)
    forecasts: list[Any] = field(default_factory=list)
    seats: list[int] = field(default_factory=list)
    legal: list[list[int]] = field(default_factory=list)
    chances: list[list[float]] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    """How many decisions there were by the end of each round."""
    results: list[Any] = field(default_factory=list)

    def play(self, legal: list[int], chances: list[float]) -> None:
        """Draw an action and play it."""
        match = self.match
        self.seats.append(match.turn)
        self.legal.append(legal)
        self.chances.append(chances)
        self.actions.append(self.rng.choices(legal, chances)[0])
        if match.step(self.actions[-1]) != step.GOES_ON:
            self.ends.append(len(self.actions))
            self.results.append(match.results[POINTS, : match.setup.players].astype(np.int16))


def play(setup: Setup, seed: int, numbers: Iterable[int]) -> dict[str, Any]:
    """The columns of these matches, which have been verified; `legal` and `policy` are the lists of all rows one after
    the other, and `choices` the length of each.

    Several matches are played in step, so that the network is asked for all of them at once. What it answers for one
    does not depend on the others.
    """
    network = network_of(setup.edition.game)
    edition = setup.edition
    is_published = edition.id in PUBLISHED and edition == published(edition.id)
    trained = network.trained_at(setup) if network is not None and is_published else None
    if network is None or trained is None:
        raise UsageError(f"dataset: no network was trained for {setup.name}")
    verifier, waiting = Verifier(None), iter(numbers)
    group = [_begin(setup, seed, number) for number in islice(waiting, IN_STEP)]
    finished: list[_Table] = []
    while group:
        _play_one_decision(network, group)
        over = [one for one in group if one.match.is_over]
        if over:
            for one in over:
                verifier.check(msgspec.json.encode(one.match.game().record()))
            finished += over
            group = [one for one in group if not one.match.is_over]
            group += [_begin(setup, seed, number) for number in islice(waiting, IN_STEP - len(group))]
    finished.sort(key=attrgetter("number"))
    return _columns(setup, seed, trained.scale, finished)


def _begin(setup: Setup, seed: int, number: int) -> _Table:
    match = Match(setup)
    match.reset(seed, stream=number)
    return _Table(match, number, random.Random(f"{seed}/{number}"))  # noqa: S311


def _play_one_decision(network: Network, group: list[_Table]) -> None:
    """One decision in every match of the group."""
    seen = [one.match.observe(one.match.turn) for one in group]
    observations = np.stack([observation for observation, _ in seen])
    blocks = np.array([one.match.words.item(PHASE) - VETO for one in group])
    masks = np.stack([mask for _, mask in seen]).reshape(len(group), -1, BLOCK)
    legal = masks[np.arange(len(group)), blocks] == 1
    policies, forecasts = network.ask_many(observations, legal, blocks)
    rows, places = legal.nonzero()
    actions, chances = (places + BLOCK * blocks[rows]).tolist(), policies[rows, places].tolist()
    start = 0
    for n, (one, count) in enumerate(zip(group, legal.sum(1).tolist(), strict=True)):
        one.observations.append(observations[n])
        one.forecasts.append(forecasts[n])
        one.play(actions[start : start + count], chances[start : start + count])
        start += count


def _columns(setup: Setup, seed: int, scale: float, matches: list[_Table]) -> dict[str, Any]:
    """What the matches noted, as arrays of the types of the file."""
    lengths = [np.diff(one.ends, prepend=0) for one in matches]
    seats = np.array([seat for one in matches for seat in one.seats])
    chances = np.array([chance for one in matches for row in one.chances for chance in row], np.float32)
    # A forecast counts seats from the one in turn.
    order = (np.arange(setup.players) - seats[:, None]) % setup.players
    values = np.take_along_axis(np.array([row for one in matches for row in one.forecasts]), order, 1) * scale
    legal = [row for one in matches for row in one.legal]
    return {
        "record": [f"{seed}/{one.number}" for one in matches for _ in one.seats],
        "edition": [setup.edition.id] * len(seats),
        "players": np.full(len(seats), setup.players, np.int8),
        "round": np.concatenate([np.repeat(np.arange(len(each)), each) for each in lengths]).astype(np.int8),
        "decision": np.concatenate([np.arange(len(one.seats)) for one in matches]).astype(np.int16),
        "seat": seats.astype(np.int8),
        "observation": np.stack([row for one in matches for row in one.observations]),
        "choices": np.array([len(row) for row in legal]),
        "legal": np.array([action for row in legal for action in row], np.int16),
        "policy": (np.round(chances * 256) / 256).astype(np.float16),
        "action": np.array([action for one in matches for action in one.actions], np.int16),
        "values": np.round(values, 1).astype(np.float16),
        "result": np.concatenate(
            [np.repeat(one.results, each, 0) for one, each in zip(matches, lengths, strict=True)]
        ),
    }  # fmt: skip


def schema() -> Any:
    arrow = _arrow()
    return arrow.schema(
        [
            ("record", arrow.string()), ("edition", arrow.dictionary(arrow.int8(), arrow.string())),
            ("players", arrow.int8()), ("round", arrow.int8()), ("decision", arrow.int16()), ("seat", arrow.int8()),
            ("observation", arrow.binary(SIZE)), ("legal", arrow.list_(arrow.int16())),
            ("policy", arrow.list_(arrow.float16())), ("action", arrow.int16()),
            ("values", arrow.list_(arrow.float16())), ("result", arrow.list_(arrow.int16())),
        ]
    )  # fmt: skip


def _arrow() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise MissingPackage("pyarrow") from error
    return pyarrow


def check_arrow() -> None:
    """Raise if the package that writes Parquet is not installed, before anything is played."""
    _arrow()


def write_shard(setup: Setup, seed: int, numbers: range, path: Path) -> tuple[int, int]:
    """Play the matches and write their rows; returns the numbers of rounds and rows. The file appears when whole."""
    arrow = _arrow()
    from pyarrow import parquet

    columns = play(setup, seed, numbers)
    lengths = {"legal": columns["choices"], "policy": columns["choices"]}
    arrays = {}
    for one in schema():
        column = columns[one.name]
        if one.name == "observation":
            arrays[one.name] = arrow.FixedSizeBinaryArray.from_buffers(
                one.type, len(column), [None, arrow.py_buffer(column)]
            )
        elif arrow.types.is_list(one.type):
            each = lengths.get(one.name, np.full(len(columns["seat"]), setup.players))
            offsets = np.concatenate([[0], np.cumsum(each)]).astype(np.int32)
            arrays[one.name] = arrow.ListArray.from_arrays(offsets, arrow.array(column.ravel(), one.type.value_type))
        else:
            arrays[one.name] = arrow.array(column, one.type)
    part = _part(path)
    table = arrow.table(arrays, schema())
    # Large pages: the rows of a match are alike, and zstd finds that only within a page.
    pages = {"compression": "zstd", "compression_level": COMPRESSION, "data_page_size": 64 << 20}
    parquet.write_table(table, part, use_dictionary=["record", "edition"], **pages)
    part.replace(path)
    rounds = len(set(zip(columns["record"], columns["round"].tolist(), strict=True)))
    return rounds, len(table)


def shards(folder: Path, matches: int, per_shard: int) -> Iterator[tuple[Path, range]]:
    for number, first in enumerate(range(0, matches, per_shard)):
        yield folder / f"shard-{number:05d}.parquet", range(first, min(matches, first + per_shard))


def make_folder(folder: Path) -> None:
    """Make the folder of a data set if it is not there; raise if that cannot be, or nothing can be written to it."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"dataset: {folder} is a file; expected a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise UsageError(f"dataset: {folder} cannot be written: {error.strerror}") from None


def write_dataset(
    setup: Setup, folder: Path, matches: int, seed: int, workers: int, per_shard: int = MATCHES_PER_SHARD
) -> Generator[int, None, None]:
    """Write the shards that are missing, then the data card. Yields numbers of matches: those that are there already,
    if any, then those of each finished shard. Where this is stopped, complete shards stay and nothing else is left.
    """
    check_arrow()
    make_folder(folder)
    plan = {
        "edition": setup.edition.id, "players": setup.players, "seed": seed, "matches": matches,
        "per_shard": per_shard, "features": VERSION, "options": setup.options.written(setup.edition, setup.players),
        "atout": __version__, "network": network_version(setup.edition.game),
    }  # fmt: skip
    settings = folder / "settings.json"
    if settings.exists():
        plan = _continued(json.loads(settings.read_text()), plan, folder)
    settings.write_text(json.dumps(plan, indent=1) + "\n")
    missing = [(path, numbers) for path, numbers in shards(folder, matches, per_shard) if not path.exists()]
    there = matches - sum(len(numbers) for _, numbers in missing)
    if there:
        yield there
    if missing:
        yield from _write_shards(setup, seed, missing, min(max(1, workers), len(missing)))
    (folder / "SHA256SUMS").write_text(checksums(folder), encoding="utf-8")
    (folder / "README.md").write_text(card(folder, plan), encoding="utf-8")


def _continued(begun: Any, plan: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The settings of a data set that goes on. Another version of the program may continue it, not another network."""
    if not isinstance(begun, dict) or {**plan, **begun, "atout": plan["atout"]} != plan:
        raise UsageError(f"dataset: {folder} was begun with other settings; allowed: the same ones, or a new folder")
    return {**plan, **begun}


def network_version(game: str) -> str:
    """The beginning of the checksum in the file of a game's network."""
    path = FOLDER / f"{game}.weights"
    return path.read_bytes()[len(MAGIC) :][:6].hex() if path.exists() else ""


def _write_shards(setup: Setup, seed: int, missing: list[tuple[Path, range]], workers: int) -> Iterator[int]:
    """Write shards in as many processes, one at a time in each; they end when this is stopped."""
    waiting, others = iter(missing), set(active_children())
    with ProcessPoolExecutor(workers, initializer=_leave_signals_to_the_parent) as pool:
        try:
            running = {_submit(pool, setup, seed, one): one for one in islice(waiting, workers)}
            while running:
                done = wait(running, return_when=FIRST_COMPLETED).done
                finished = [(future, running.pop(future)) for future in done]
                running |= {_submit(pool, setup, seed, one): one for one in islice(waiting, len(finished))}
                for future, (_, numbers) in finished:
                    future.result()
                    yield len(numbers)
        except BaseException:
            workers_now = set(active_children()) - others
            for process in workers_now:
                process.kill()
            for process in workers_now:
                process.join()
            for path, _ in missing:
                _part(path).unlink(missing_ok=True)
            raise


def _submit(pool: ProcessPoolExecutor, setup: Setup, seed: int, shard: tuple[Path, range]) -> Future[tuple[int, int]]:
    path, numbers = shard
    return pool.submit(write_shard, setup, seed, numbers, path)


def _leave_signals_to_the_parent() -> None:
    """Ctrl-C reaches all processes of a terminal; the parent ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _part(path: Path) -> Path:
    """A shard while it is written."""
    return path.with_suffix(".part")


def card(folder: Path, plan: dict[str, Any]) -> str:
    """The data card: what is in it, how it was made, what it is good for."""
    from pyarrow import parquet

    files = sorted(folder.glob("shard-*.parquet"))
    found = _Summary()
    for file in files:
        found.add(parquet.read_table(file, columns=["record", "round", "action", "legal", "result"]))
    size = sum(file.stat().st_size for file in files) / 1e6
    in_files = "1 file" if len(files) == 1 else f"{len(files)} files"
    table = [f"- {key}: {value}" + (f", {MEANINGS[key]}" if key in MEANINGS else "") for key, value in plan.items()]
    return "\n".join(
        [
            f"# Self-play: {plan['edition']}, {plan['players']} players", "",
            f"{plan['matches']} matches, {found.rounds} rounds, {found.rows} decisions in {in_files}, "
            f"{size:.1f} MB. `sha256sum -c SHA256SUMS` checks the files.", "",
            "## How it was made", "", *table, "",
            "The network of Atout's level `learned` played all seats and drew its actions from its policy. Forced",
            "actions are no decisions. Every match was verified against the rules before its rows were written. The",
            "same settings give the same rows; `record` names a match by seed and number.", "",
            "## What is in it", "", *found.lines(plan["players"]), "",
            "## Columns", "", "```", *inspect.cleandoc(COLUMNS).splitlines(), "```", "",
            "`seat`, `values` and `result` count seats absolutely: the first number is that of seat 0. `observation`",
            "counts them from the seat that decides.", "",
            "## Limits", "",
            "One level of play, one setup, and no people: strategies that this network does not know are not in it.",
            "`observation` has no secrets; hands of others are not in the file.", "",
            "## Licence", "", "MIT, that of Atout, whose network played (`LICENSE`).", "",
            "## Reading", "", "```python", "import numpy as np", "import polars as pl", "",
            'decisions = pl.scan_parquet("shard-*.parquet")',
            'print(decisions.group_by("seat").agg(pl.len(), pl.col("action").n_unique()).collect())',
            'batch = decisions.select("observation", "action").head(1000).collect()',
            'x = np.frombuffer(b"".join(batch["observation"]), np.int8).reshape(len(batch), -1)',
            'y = batch["action"].to_numpy()', "```", "",
        ]
    )  # fmt: skip


@dataclass(slots=True)
class _Summary:
    """Figures of a data set, added up shard by shard."""

    rows: int = 0
    choices: int = 0
    phases: Any = field(default_factory=lambda: np.zeros(BLOCKS, np.int64))
    results: list[Any] = field(default_factory=list)
    """The points of every seat, one row per round."""

    def add(self, table: Any) -> None:
        self.rows += len(table)
        self.choices += len(table["legal"].combine_chunks().flatten())
        self.phases += np.bincount(table["action"].to_numpy() // BLOCK, minlength=BLOCKS)
        records = table["record"].combine_chunks().dictionary_encode().indices.to_numpy()
        rounds = table["round"].to_numpy()
        is_first = np.ones(len(table), bool)
        is_first[1:] = (records[1:] != records[:-1]) | (rounds[1:] != rounds[:-1])
        points = table["result"].combine_chunks().flatten().to_numpy().reshape(len(table), -1)
        self.results.append(points[is_first])

    @property
    def rounds(self) -> int:
        return sum(map(len, self.results))

    def lines(self, players: int) -> list[str]:
        points = np.concatenate(self.results)
        named = zip(PHASES[VETO:], self.phases.tolist(), strict=False)
        return [
            f"- decisions by phase: {', '.join(f'{name} {count}' for name, count in named if count)}",
            f"- decisions of a round: {self.rows / self.rounds:.1f} on average",
            f"- legal actions of a decision: {self.choices / self.rows:.1f} on average",
            f"- points of a seat in a round: {points.mean():.2f} on average, standard deviation {points.std():.2f}, "
            f"{points.min()} to {points.max()}",
            "- points by seat, on average: "
            + ", ".join(f"{points[:, seat].mean():.2f}" for seat in range(players)),
        ]  # fmt: skip


def checksums(folder: Path) -> str:
    """The checksum of every shard, as `sha256sum` writes them."""
    files = sorted(folder.glob("shard-*.parquet"))
    return "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
