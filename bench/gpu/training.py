"""Decisions per second of the complete training, compared with Pgx on the same GPU and reports about DouZero.

    python -m bench.gpu.training [--config FILE] [--seconds N] [--pgx-seconds N] --out FILE     where the GPU is
    python -m bench.gpu.training --write FILE                                                   where the results are

Ours: playing and learning as `python -m train` does it, median of the iterations after a warm-up. Pgx (needs the
packages pgx and jax with CUDA): `bench/gpu/pgx_play.py` in a process of its own; after `--pgx-seconds` it is stopped,
and what it has told by then counts.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from bench.report import markdown_table, write_section

WARM_UP = 3
"""Iterations that do not count; there are more if the searchers are not ready by then."""
DOUZERO = (
    "DouZero ([paper](https://arxiv.org/abs/2106.06135), [code](https://github.com/kwai/DouZero)) was trained on "
    "one server with four GPUs; the example for four GPUs in its README has 45 actor processes on three of them and "
    "the learner on the fourth. The abstract mentions days of training and gives no rate. The program logs frames per "
    "second, a frame being a decision, and users have reported: "
    "[2,300 on four GPUs](https://github.com/kwai/DouZero/issues/49), "
    "[about 2,000 on five A100](https://github.com/kwai/DouZero/issues/74), "
    "[4,000 on hardware not named](https://github.com/kwai/DouZero/issues/71), "
    "[4,500 to 5,000 on five RTX 3070](https://github.com/EdwardPooh/douzero-resnet-2.0/issues/2). These are reports "
    "by others, not measured here, and its network differs from ours in kind and size."
)


def ours(config_path: Path, seconds: float) -> list[dict[str, Any]]:
    """Every game of a configuration."""
    from train.config import read
    from train.trainer import Trainer

    config, found = read(config_path), []
    for game, own in config.games.items():
        with tempfile.TemporaryDirectory() as folder:
            trainer = Trainer(config, game, Path(folder), Path(folder))
            try:
                trainer.begin(None)
                last, warm = trainer.iterate(), 1
                while warm < WARM_UP or (config.learning.searchers and not last["searched"]):
                    last, warm = trainer.iterate(), warm + 1
                counted: list[dict[str, Any]] = []
                end = time.monotonic() + seconds
                while time.monotonic() < end or not counted:
                    counted.append(trainer.iterate())
            finally:
                trainer.close()
        line = {"game": game, "tables": len(own.places), "width": own.width, "blocks": own.blocks}
        line |= {"matches": config.learning.matches, "iterations": len(counted)}
        line |= {name: statistics.median(one[name] for one in counted) for name in ("per_second", "collect", "learn")}
        line["searched"] = counted[-1]["searched"] - last["searched"]
        print(json.dumps(line), flush=True)
        found.append(line)
    return found


def pgx(seconds: float) -> list[dict[str, Any]]:
    """What `pgx_play` reports within the time; its errors go to our standard error."""
    environment = os.environ | {"XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
    command = [sys.executable, "-m", "bench.gpu.pgx_play"]
    found = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        stop = threading.Timer(seconds, process.kill)
        stop.start()
        assert process.stdout is not None
        for text in process.stdout:
            print(text, end="", flush=True)
            if text.startswith("{"):
                found.append(json.loads(text))
        stop.cancel()
    if not found:
        raise SystemExit("bench.gpu.pgx_play has told nothing; why is above. What was measured of ours is in the file")
    return found


def card() -> str:
    import torch

    return str(torch.cuda.get_device_name()) if torch.cuda.is_available() else "CPU"


def write(results: dict[str, Any]) -> None:
    """The section of bench/results.md."""
    rows = [
        [
            f"Atout, {line['game']}: self-play and learning",
            f"{line['tables']} setups, {line['width']} wide, {line['blocks']} blocks",
            f"{line['matches']:,}",
            f"{line['per_second']:,.0f}",
        ]
        for line in results["ours"]
    ]
    about, *lines = results["pgx"] or [{}]
    kinds = {"random": "random actions", "network": "self-play", "learning": "self-play and learning"}
    best: dict[tuple[str, str], dict[str, Any]] = {}
    for line in lines:
        key = line["game"], line["kind"]
        if key not in best or best[key]["per_second"] < line["per_second"]:
            best[key] = line
    for (game, kind), line in best.items():
        network = "none" if kind == "random" else "768 wide, 3 blocks"
        rows.append([f"Pgx, {game}: {kinds[kind]}", network, f"{line['size']:,}", f"{line['per_second']:,}"])
    body = [
        "Decisions per second on one GPU. Ours is the complete training with `train/gpu.toml`: feature vectors, policy "
        "and critic networks, steps of the rules, learning, and search opponents. Median of "
        + " and ".join(str(line["iterations"]) for line in results["ours"])
        + " iterations. Only decisions of the learner count, not the "
        + " and ".join(f"{line['searched']:,}" for line in results["ours"])
        + " decisions of search opponents.",
        "",
        markdown_table(["program", "network", "matches at once", "decisions/s"], rows),
        "",
    ]
    if lines:
        body += [
            f"Pgx {about['pgx']} on JAX {about['jax']}, {about['device']}, the best of the batch sizes tried: "
            "`lax.scan` with automatic restarts. Its network has the shape of ours, without the critic that sees all "
            "hands, and learns in one pass of proximal policy optimisation (`bench/gpu/pgx_play.py`). Bridge bidding "
            "is only the auction; Leduc hold'em has six cards.",
            "",
        ]
    body += [results["note"], ""] if "note" in results else []
    body.append(DOUZERO)
    command = "python -m bench.gpu.training"
    write_section("training", "Training throughput", command, "\n".join(body), where=results["device"])


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", type=Path, default=Path("train/gpu.toml"))
    parser.add_argument("--seconds", type=float, default=40.0, help="of training, for each game")
    parser.add_argument("--pgx-seconds", type=float, default=300.0, help="0: without Pgx")
    parser.add_argument("--out", type=Path, help="a file for the results")
    parser.add_argument("--write", type=Path, help="such a file, to be put into bench/results.md")
    chosen = parser.parse_args(words)
    if chosen.write:
        write(json.loads(chosen.write.read_text(encoding="utf-8")))
        return 0
    if not chosen.out:
        parser.error("--out FILE or --write FILE is needed")
    results: dict[str, Any] = {"device": card(), "ours": ours(chosen.config, chosen.seconds), "pgx": []}
    chosen.out.write_text(json.dumps(results, indent=1), encoding="utf-8")
    if chosen.pgx_seconds > 0:
        results["pgx"] = pgx(chosen.pgx_seconds)
        chosen.out.write_text(json.dumps(results, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
