"""Train networks: `python -m train --config FILE --minutes N [--out FOLDER] [--work FOLDER] [--resume FOLDER]`.

A slice of `--minutes`, set-up included, is divided among the games of the configuration. `--out` gets `GAME.weights`
(which the package reads), `GAME.networks` (small, to continue from), `log.jsonl` and `curves.svg`; `--work` gets the
whole checkpoints. A later slice with the same folders continues where the last one was saved.

`--start FOLDER` begins with the players in that folder's `GAME.weights`, and measures against them.

`--exploit FOLDER` trains a player against those in that folder, and prints what it gains (`exploit.py`). Nothing is
stored.

`--beliefs FOLDER` trains a belief model and an open-card critic for every game instead, on the play of the networks in
that folder. `--out` gets `GAME.beliefs` and `GAME.critic`. A check of some seconds comes first. With `--start FOLDER`
they begin with those in that folder.

`--distil FOLDER` trains the networks in that folder on what the lookahead of `expert` finds (`distil.py`). With
`--distil-step` it only collects rows, into the folder `--rows`, or only learns from those there.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
import traceback
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from atout.errors import AtoutError, UsageError
from train.config import Config, Distil, GameConfig, Place, check_editions, check_torch, read
from train.folders import check_start, check_trained, make_folder, stored_file

RESERVE = 8.0
"""Seconds reserved for measuring and saving at the end of a game's time."""
MODES = ("beliefs", "exploit", "distil")
"""Options that choose what is done instead of self-play."""
OPTION_MODES = {
    "resume": ("",),
    "work": ("",),
    "start": ("", "beliefs"),
    "exploiter": ("exploit",),
    "distil_step": ("distil",),
    "rows": ("distil",),
    "processes": ("distil",),
}
"""The modes in which other options mean something; the empty one is self-play."""


def main(words: list[str] | None = None) -> int:
    started = time.monotonic()
    parser = argparse.ArgumentParser(prog="python -m train", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--config", type=Path, required=True, help="a TOML file, such as train/cpu.toml")
    parser.add_argument("--minutes", type=float, required=True, help="the time of this slice, set-up included")
    parser.add_argument(
        "--out", type=Path, default=Path("train/out"), help="the folder for results (default: %(default)s)"
    )
    parser.add_argument("--work", type=Path, help="the folder for whole checkpoints (default: OUT)")
    parser.add_argument("--resume", type=Path, help="a folder with GAME.networks of an earlier slice")
    parser.add_argument("--start", type=Path, help="a folder with GAME.weights: the players to begin with")
    parser.add_argument("--beliefs", type=Path, help="a folder with GAME.weights, whose play is learned from")
    parser.add_argument(
        "--exploit",
        type=Path,
        help="a folder with GAME.weights: train an exploiter against its players, and print what it gains in points "
        "per round, once a minute and at the end; nothing is stored",
    )
    parser.add_argument(
        "--exploiter",
        choices=("copy", "scratch", "vetoes", "pair"),
        help="a copy of the player, an untrained one, a copy that makes only the vetoes, or copies at two seats "
        "(default: copy)",
    )
    parser.add_argument("--distil", type=Path, help="a folder with GAME.weights, to be improved by lookahead")
    parser.add_argument(
        "--distil-step", choices=("collect", "learn", "both"), help="what of the distillation is done (default: both)"
    )
    parser.add_argument("--rows", type=Path, help="the folder for collected rows (default: OUT/rows)")
    parser.add_argument(
        "--processes", type=int, help="processes that collect (default: what the configuration says); 0: by the cores"
    )
    arguments = parser.parse_args(words)
    try:
        check_arguments(arguments)
        config = read(arguments.config)
        check_folders(config, arguments)
        check_editions(config)
        if arguments.distil_step != "collect":
            check_torch(config)
        if not arguments.exploit:
            make_folder("out", arguments.out)
        if arguments.distil:
            return distil(config, started + 60 * arguments.minutes, arguments)
        if arguments.beliefs:
            deadline = started + 60 * arguments.minutes
            return train_beliefs(config, deadline, arguments.out, arguments.beliefs, arguments.start)
        if arguments.exploit:
            return exploit(config, started + 60 * arguments.minutes, arguments.exploit, arguments.exploiter or "copy")
        folders = (arguments.out, arguments.work or arguments.out, arguments.resume, arguments.start)
        return train(config, started + 60 * arguments.minutes, *folders)
    except AtoutError as error:
        print(f"train: {error}", file=sys.stderr)  # noqa: T201
        return 2


def check_arguments(arguments: argparse.Namespace) -> None:
    """Whether the options fit together."""
    if not 0 < arguments.minutes < math.inf:
        raise UsageError(f"--minutes: {arguments.minutes:g} is not allowed; expected a number above 0")
    modes = [name for name in MODES if getattr(arguments, name)]
    if len(modes) > 1:
        raise UsageError(f"--{' and --'.join(modes)} are not allowed together; expected one of them")
    for name, allowed in OPTION_MODES.items():
        option = f"--{name.replace('_', '-')}"
        if getattr(arguments, name) is None or (modes or [""])[0] in allowed:
            continue
        if "" in allowed:
            raise UsageError(f"{option}: is not allowed with --{modes[0]}")
        raise UsageError(f"{option}: is only allowed with --{allowed[0]} FOLDER")
    if (arguments.processes or 0) < 0:
        raise UsageError(f"--processes: {arguments.processes} is not allowed; expected 0 or more")


def check_folders(config: Config, arguments: argparse.Namespace) -> None:
    """Whether the networks in the folders fit the configuration."""
    places: dict[str, Sequence[Place]] = {game: own.places for game, own in config.games.items()}
    start = arguments.start
    if arguments.exploit:
        exploited = exploited_games(config, arguments.exploiter)
        check_trained(arguments.exploit, {game: own.places[:1] for game, own in exploited.items()})
    elif arguments.distil or arguments.beliefs:
        check_trained(arguments.distil or arguments.beliefs, places)
        if start:
            check_start(config, start, places, "beliefs")
            check_start(config, start, places, "critic")
    else:
        out, resume = arguments.out, arguments.resume
        new = [game for game in places if stored_file(game, out, arguments.work or out, resume) is None]
        if start:
            check_start(config, start, new)


def exploited_games(config: Config, kind: str | None) -> dict[str, GameConfig]:
    """The games that have what the exploiter decides."""
    games: dict[str, GameConfig] = {
        game: own for game, own in config.games.items() if kind != "vetoes" or game == "njet"
    }
    if not games:
        raise UsageError("--exploiter vetoes: Null & nichtig has no vetoes; expected a configuration with njet")
    return games


def train(config: Config, deadline: float, out: Path, work: Path, resume: Path | None, start: Path | None) -> int:
    from train.curves import draw
    from train.trainer import Trainer

    make_folder("work", work)
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

    games = exploited_games(config, kind)
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
    if arguments.distil_step != "learn":
        make_folder("rows", rows)
        left = deadline - time.monotonic()
        share = 1.0 if arguments.distil_step == "collect" else settings.collecting
        collect(config, settings, time.monotonic() + left * share, arguments.distil, rows)
    if arguments.distil_step != "collect":
        learn(config, settings, deadline, arguments.distil, rows, arguments.out)
    return 0


def learn(config: Config, settings: Distil, deadline: float, weights: Path, rows: Path, out: Path) -> None:
    """Learn from collected rows, and measure what came of it."""
    from train.collect import load
    from train.distil import Distiller

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
