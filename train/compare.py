"""Compare two folders of weights on duplicate deals: `python -m train.compare NEW OLD --config train/further.toml`.

For every setup of the configuration, what NEW is ahead of OLD with the best action of each: in points per seat and
round, and with `--matches` in the share of whole matches that it wins above the fair share.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from atout.errors import AtoutError, UsageError
from train.config import Config, Place, check_editions, check_torch, read

if TYPE_CHECKING:
    from train.measure import Actor, Result


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m train.compare", description=__doc__.splitlines()[0])
    parser.add_argument("new", type=Path, help="a folder with GAME.weights")
    parser.add_argument("old", type=Path, help="a folder with GAME.weights")
    parser.add_argument("--config", type=Path, required=True, help="whose setups and device are taken")
    parser.add_argument(
        "--deals",
        type=int,
        default=32768,
        help="deals per setup, each played with seats exchanged (default: %(default)s)",
    )
    parser.add_argument("--matches", type=int, default=0, help="whole matches per setup, likewise (default: none)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the deals (default: %(default)s)")
    arguments = parser.parse_args(words)
    try:
        check(arguments)
        config = read(arguments.config)
        check_editions(config)
        check_torch(config)
        compare(config, arguments)
    except AtoutError as error:
        print(f"compare: {error}", file=sys.stderr)  # noqa: T201
        return 2
    return 0


def check(arguments: argparse.Namespace) -> None:
    if arguments.deals < 2:
        raise UsageError(f"--deals: {arguments.deals} is not allowed; expected at least 2, for an interval")
    if arguments.matches < 0 or arguments.matches == 1:
        raise UsageError(f"--matches: {arguments.matches} is not allowed; expected at least 2, or 0 for none")
    if arguments.seed < 0:
        raise UsageError(f"--seed: {arguments.seed} is not allowed; expected 0 or more")


def compare(config: Config, arguments: argparse.Namespace) -> None:
    from train.measure import duel, match_duel

    for game, own in config.games.items():
        one, other = (actor_of(folder / f"{game}.weights", config.device) for folder in (arguments.new, arguments.old))
        for place in own.places:
            rounds = duel([place], arguments.deals, one, other, config.device, arguments.seed)
            text = f"{name_of(place)}: {shown(rounds)} points per round"
            if arguments.matches:
                whole = match_duel([place], arguments.matches, one, other, config.device, arguments.seed)
                text += f", {shown(whole)} of a match"
            print(text, flush=True)  # noqa: T201


def actor_of(path: Path, device: str) -> Actor:
    from train.frozen import frozen
    from train.measure import by_network

    _, net = frozen(path, device)
    return by_network(net, net.copy())


def name_of(place: Place) -> str:
    return " ".join([place.edition, str(place.players), *(f"{key}={value}" for key, value in place.options.items())])


def shown(results: list[Result]) -> str:
    (result,) = results
    return f"{result.mean:+z.3f} ± {result.within:.3f}"


if __name__ == "__main__":
    sys.exit(main())
