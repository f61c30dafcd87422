"""Train networks: `python -m train --config FILE --minutes N [--out FOLDER] [--work FOLDER] [--resume FOLDER]`.

A slice of `--minutes`, set-up included, is divided among the games of the configuration. `--out` gets `GAME.weights`
(which the package reads), `GAME.networks` (small, to continue from), `log.jsonl` and `curves.svg`; `--work` gets the
whole checkpoints. A later slice with the same folders continues where the last one was saved.

`--start FOLDER` begins with the players in that folder's `GAME.weights`, and measures against them.

`--exploit FOLDER` trains a player against those in that folder, and prints what it gains (`exploit.py`).

`--beliefs FOLDER` trains a belief model and an open-card critic for every game instead, on the play of the networks in
that folder. `--out` gets `GAME.beliefs` and `GAME.critic`. A check of some seconds comes first. With `--start FOLDER`
they begin with those in that folder.

`--distil FOLDER` trains the networks in that folder on what the lookahead of `expert` finds (`distil.py`). With
`--distil-step` it only collects rows, into the folder `--rows`, or only learns from those there.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from atout.errors import AtoutError, UsageError
from train.config import Config, Distil, read

RESERVE = 8.0
"""Seconds reserved for measuring and saving at the end of a game's time."""


def main(words: list[str] | None = None) -> int:
    started = time.monotonic()
    parser = argparse.ArgumentParser(prog="python -m train", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--config", type=Path, required=True)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--out", type=Path, default=Path("train/out"))
    parser.add_argument("--work", type=Path)
    parser.add_argument("--resume", type=Path, help="a folder with GAME.networks of an earlier slice")
    parser.add_argument("--start", type=Path, help="a folder with GAME.weights: the players to begin with")
    parser.add_argument("--beliefs", type=Path, help="a folder with GAME.weights, whose play is learned from")
    parser.add_argument("--exploit", type=Path, help="a folder with GAME.weights, whose players are exploited")
    parser.add_argument("--exploiter", choices=("copy", "scratch", "vetoes", "pair"), default="copy")
    parser.add_argument("--distil", type=Path, help="a folder with GAME.weights, to be improved by lookahead")
    parser.add_argument("--distil-step", choices=("collect", "learn", "both"), default="both")
    parser.add_argument("--rows", type=Path, help="the folder for collected rows; OUT/rows unless it is given")
    parser.add_argument("--processes", type=int, help="processes that collect, instead of what the configuration says")
    arguments = parser.parse_args(words)
    try:
        config = read(arguments.config)
        if not (arguments.distil and arguments.distil_step == "collect"):
            check_torch(config)
        if arguments.distil:
            return distil(config, started + 60 * arguments.minutes, arguments)
        if arguments.beliefs:
            deadline = started + 60 * arguments.minutes
            return train_beliefs(config, deadline, arguments.out, arguments.beliefs, arguments.start)
        if arguments.exploit:
            return exploit(config, started + 60 * arguments.minutes, arguments.exploit, arguments.exploiter)
        folders = (arguments.out, arguments.work or arguments.out, arguments.resume, arguments.start)
        return train(config, started + 60 * arguments.minutes, *folders)
    except AtoutError as error:
        print(f"train: {error}", file=sys.stderr)  # noqa: T201
        return 2


def check_torch(config: Config) -> None:
    try:
        import torch
    except ImportError:
        raise UsageError("training needs PyTorch: pip install atout[train]") from None
    if config.device == "cuda" and not torch.cuda.is_available():
        raise UsageError("device: there is no CUDA device here; train/cpu.toml is for machines without one")


def train(config: Config, deadline: float, out: Path, work: Path, resume: Path | None, start: Path | None) -> int:
    from train.curves import draw
    from train.trainer import Trainer

    out.mkdir(parents=True, exist_ok=True)
    work.mkdir(parents=True, exist_ok=True)
    failed, shares = 0, sum(one.share for one in config.games.values())
    for game, own in config.games.items():
        trainer = Trainer(config, game, out, work)
        try:
            trainer.begin(resume, start)
            print(f"{game}: ready, {len(own.places)} setups, {deadline - time.monotonic():.0f} s left", flush=True)  # noqa: T201
            end = time.monotonic() + (deadline - time.monotonic()) * own.share / shares
            trainer.train(end - RESERVE)
            trainer.finish()
            draw(out / "log.jsonl", out / "curves.svg")
        except AtoutError:
            raise
        except Exception:  # the other game is trained nevertheless
            traceback.print_exc()
            failed = 1
        finally:
            trainer.close()
        shares -= own.share
    return failed


def train_beliefs(config: Config, deadline: float, out: Path, weights: Path, start: Path | None) -> int:
    """Belief models and critics. All games are checked before the first is trained."""
    from train.belief_trainer import BeliefTrainer

    out.mkdir(parents=True, exist_ok=True)
    shares = sum(one.share for one in config.games.values())
    trainers = {game: BeliefTrainer(config, game, weights, out, start) for game in config.games}
    for trainer in trainers.values():
        trainer.check()
    for game, trainer in trainers.items():
        left = deadline - time.monotonic()
        print(f"{game}: {left:.0f} s left", flush=True)  # noqa: T201
        end = time.monotonic() + left * config.games[game].share / shares
        trainer.begin()
        trainer.train(end - RESERVE - time.monotonic())
        trainer.save()
        trainer.close()
        shares -= config.games[game].share
    return 0


def exploit(config: Config, deadline: float, weights: Path, kind: Any) -> int:
    """An exploiter for the first setup of every game that has what it decides; what it gains is printed."""
    from train.exploit import FINAL_DEALS, Exploiter

    games = {game: own for game, own in config.games.items() if kind != "vetoes" or game == "njet"}
    shares = sum(one.share for one in games.values())
    for game, own in games.items():
        place, left = own.places[0], deadline - time.monotonic()
        exploiter = Exploiter(config, game, place, weights, kind)
        end = time.monotonic() + left * own.share / shares
        name = f"{place.edition}, {place.players} players, {kind}"
        exploiter.train(end - RESERVE - time.monotonic(), lambda line, name=name: print(f"{name}: {line}", flush=True))  # noqa: T201
        gain = exploiter.gain(FINAL_DEALS if config.device == "cuda" else 256, 79)
        print(f"{name}: gains {gain.mean:+.3f} ± {gain.within:.3f} points per round", flush=True)  # noqa: T201
        shares -= own.share
    return 0


def distil(config: Config, deadline: float, arguments: argparse.Namespace) -> int:
    """Collect what the lookahead finds, then learn it; either step can be run alone."""
    from train.collect import collect

    if config.distil is None:
        raise UsageError("config: has no [distil]; train/distil.toml has")
    settings = config.distil
    if arguments.processes is not None:
        settings = replace(settings, processes=arguments.processes)
    rows: Path = arguments.rows or arguments.out / "rows"
    if arguments.distil_step in ("collect", "both"):
        left = deadline - time.monotonic()
        share = settings.collecting if arguments.distil_step == "both" else 1.0
        collect(config, settings, time.monotonic() + left * share, arguments.distil, rows)
    if arguments.distil_step != "collect":
        learn(config, settings, deadline, arguments.distil, rows, arguments.out)
    return 0


def learn(config: Config, settings: Distil, deadline: float, weights: Path, rows: Path, out: Path) -> None:
    """Learn from collected rows, and measure what came of it."""
    from train.collect import load
    from train.distil import Distiller

    out.mkdir(parents=True, exist_ok=True)
    results: dict[str, Any] = {}
    found = {game: load(rows, game) for game in config.games}
    distillers = {game: Distiller(config, settings, game, weights) for game in config.games}
    shares = sum(own.share for own in config.games.values())
    for game, distiller in distillers.items():
        end = time.monotonic() + (deadline - time.monotonic()) * config.games[game].share / shares - RESERVE
        report = partial(_report, game)
        distiller.learn(found[game], end, report)
        distiller.save(out)
        results[game] = distiller.notes | {"against_old": distiller.measure()}
        text = msgspec.json.format(msgspec.json.encode(results), indent=1)
        (out / "distil.json").write_bytes(text + b"\n")
        report(msgspec.json.encode(results[game]).decode())
        shares -= config.games[game].share


def _report(game: str, line: str) -> None:
    print(f"{game}: {line}", flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
