"""Self-play as a data set: Parquet files with one row per decision, verified, sharded and resumable.

Matches are played by the network of `learned`, its actions drawn from its policy. Match n of a seed is always the same,
so a shard is either complete or not there: a run that was stopped goes on with the shards that are missing. Every match
is checked as a record before its rows are written.

    record        seed and number of the match: `7/123`
    edition, players, round (from 0), decision (from 0 in the match), seat
    observation   1432 bytes, numbers of 8 bits (`docs/observation.md`)
    legal         the legal actions of the flat space, ascending: the mask
    policy        the probability of each of them, to 1/256
    action        the one that was played
    values        the points of the round that the network expected, by seat, to 0.1
    result        the points of the round in the end, by seat
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from atout.batch import step
from atout.batch.match import PHASE, POINTS, Match
from atout.bots.learned import network_of
from atout.editions import PUBLISHED, published
from atout.envs import MissingPackage
from atout.errors import UsageError
from atout.game import Setup
from atout.knowledge.features import BLOCK, SIZE, VERSION
from atout.records import Verifier
from atout.rules.layout import VETO

MATCHES_PER_SHARD = 500


def play_match(setup: Setup, seed: int, number: int) -> list[dict[str, Any]]:
    """The rows of one match, which has been verified."""
    network = network_of(setup.edition.game)
    edition = setup.edition
    is_published = edition.id in PUBLISHED and edition == published(edition.id)
    trained = network.trained_at(setup) if network is not None and is_published else None
    if network is None or trained is None:
        raise UsageError(f"dataset: no network was trained for {setup.name}")
    match, rng = Match(setup), random.Random(f"{seed}/{number}")  # noqa: S311
    match.reset(seed, stream=number)
    rows: list[dict[str, Any]] = []
    first, round = 0, 0
    while not match.is_over:
        seat, block = match.turn, match.words.item(PHASE) - VETO
        observation, mask = match.observe(seat)
        legal = mask.nonzero()[0]
        bits = sum(1 << int(place) for place in legal - BLOCK * block)
        policy, forecast = network(observation, bits, block)
        chances = policy[legal - BLOCK * block]
        action = int(rng.choices(legal.tolist(), chances.tolist())[0])
        values = np.roll(forecast[: setup.players], seat) * trained.spread
        rows.append(
            {
                "record": f"{seed}/{number}", "edition": setup.edition.id, "players": setup.players, "round": round,
                "decision": len(rows), "seat": seat, "observation": observation, "legal": legal.astype(np.int16),
                "policy": (np.round(chances * 256) / 256).astype(np.float16), "action": action,
                "values": np.round(values, 1).astype(np.float16),
            }
        )  # fmt: skip
        if match.step(action) != step.GOES_ON:
            result = match.results[POINTS, : setup.players].astype(np.int16)
            for row in rows[first:]:
                row["result"] = result
            first, round = len(rows), round + 1
    Verifier(None).check(msgspec.json.encode(match.game().record()))
    return rows


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


def write_shard(setup: Setup, seed: int, numbers: range, path: Path) -> tuple[int, int]:
    """Play the matches and write their rows; returns the numbers of rounds and rows. The file appears when whole."""
    arrow = _arrow()
    from pyarrow import parquet

    rows = [row for number in numbers for row in play_match(setup, seed, number)]
    columns = {}
    for field in schema():
        told = [row[field.name] for row in rows]
        if field.name == "observation":
            told = [one.tobytes() for one in told]
        columns[field.name] = arrow.array(told, field.type)
    part = path.with_suffix(".part")
    table = arrow.table(columns, schema())
    # Large pages: the rows of a match are alike, and zstd finds that only within a page.
    pages = {"compression": "zstd", "compression_level": 19, "data_page_size": 64 << 20}
    parquet.write_table(table, part, use_dictionary=["record", "edition"], **pages)
    part.replace(path)
    return len({(row["record"], row["round"]) for row in rows}), len(rows)


def shards(folder: Path, matches: int, per_shard: int) -> Iterator[tuple[Path, range]]:
    for number, first in enumerate(range(0, matches, per_shard)):
        yield folder / f"shard-{number:05d}.parquet", range(first, min(matches, first + per_shard))


def write_dataset(
    setup: Setup, folder: Path, matches: int, seed: int, workers: int, per_shard: int = MATCHES_PER_SHARD
) -> Iterator[int]:
    """Write the shards that are missing; yields how many matches each finished one has. Then write the data card."""
    _arrow()
    folder.mkdir(parents=True, exist_ok=True)
    plan = {
        "edition": setup.edition.id, "players": setup.players, "seed": seed, "matches": matches,
        "per_shard": per_shard, "features": VERSION, "options": setup.options.written(setup.edition, setup.players),
    }  # fmt: skip
    settings = folder / "settings.json"
    if settings.exists() and json.loads(settings.read_text()) != plan:
        raise UsageError(f"dataset: {folder} was begun with other settings; allowed: the same ones, or a new folder")
    settings.write_text(json.dumps(plan, indent=1) + "\n")
    missing = [(path, numbers) for path, numbers in shards(folder, matches, per_shard) if not path.exists()]
    with ProcessPoolExecutor(max(1, workers)) as pool:
        todo = {pool.submit(write_shard, setup, seed, numbers, path): numbers for path, numbers in missing}
        for done in as_completed(todo):
            done.result()
            yield len(todo[done])
    (folder / "README.md").write_text(card(folder, plan), encoding="utf-8")


def card(folder: Path, plan: dict[str, Any]) -> str:
    """The data card: what is in it, how it was made, what it is good for."""
    from pyarrow import parquet

    files = sorted(folder.glob("shard-*.parquet"))
    count = sum(parquet.ParquetFile(file).metadata.num_rows for file in files)
    rounds = 0
    for file in files:
        table = parquet.read_table(file, columns=["record", "round"])
        rounds += table.group_by(["record", "round"]).aggregate([]).num_rows
    size = sum(file.stat().st_size for file in files) / 1e6
    table = [f"- {key}: {value}" for key, value in plan.items()]
    return "\n".join(
        [
            f"# Self-play: {plan['edition']}, {plan['players']} players", "",
            f"{plan['matches']} matches, {rounds} rounds, {count} decisions in {len(files)} files, {size:.1f} MB.", "",
            "## How it was made", "", *table, "",
            "The network of Atout's level `learned` played all seats and drew its actions from its policy. Forced",
            "actions are no decisions. Every match was verified against the rules before its rows were written. The",
            "same settings give the same rows; `record` names a match by seed and number.", "",
            "## Columns", "", "```", *(__doc__ or "").strip().split("\n\n    ")[1].splitlines(), "```", "",
            "## Limits", "",
            "One level of play, one setup, and no people: strategies that this network does not know are not in it.",
            "`observation` has no secrets; hands of others are not in the file.", "",
            "## Reading", "", "```python", "import numpy as np", "import polars as pl", "",
            'decisions = pl.scan_parquet("shard-*.parquet")',
            'print(decisions.group_by("seat").agg(pl.len(), pl.col("action").n_unique()).collect())',
            'batch = decisions.select("observation", "action").head(1000).collect()',
            'x = np.frombuffer(b"".join(batch["observation"]), np.int8).reshape(len(batch), -1)',
            'y = batch["action"].to_numpy()', "```", "",
        ]
    )  # fmt: skip
