"""Checks of the folders that a command names, before its time is spent. None of them needs PyTorch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from atout.errors import UsageError
from atout.nets.weights import Header, Kind, Network, Trained, load, read
from train.config import Config, Place


def make_folder(option: str, folder: Path) -> None:
    """Create the folder of an option, if it does not exist."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--{option}: {folder} cannot be created: {error.strerror}") from None


def stored_file(game: str, out: Path, work: Path, resume: Path | None) -> Path | None:
    """The file that a slice continues from; none if it is the first one."""
    checkpoint, networks = work / f"{game}.checkpoint", (resume or out) / f"{game}.networks"
    found = next((path for path in (checkpoint, networks) if path.exists()), None)
    if found is None and resume:
        raise UsageError(f"--resume: there is no file {networks}; expected a folder with those of an earlier slice")
    return found


def check_start(config: Config, start: Path, games: Iterable[str], kind: Kind = "player") -> None:
    """Whether the weights in a folder have the sizes of the configuration, for these games."""
    for game in games:
        own, path = config.games[game], start / f"{game}.{'weights' if kind == 'player' else kind}"  # type: ignore[index]
        header: Header = load(path, kind)[0]
        sizes = [("width", header.width, own.width), ("blocks", header.blocks, own.blocks)]
        if kind == "beliefs" and config.beliefs:
            sizes.append(("head", header.head, config.beliefs.head))
        for name, theirs, ours in sizes:
            if theirs != ours:
                raise UsageError(f"--start: {path} has {name} {theirs}; the configuration has {ours}")


def check_trained(folder: Path, games: dict[str, Sequence[Place]]) -> None:
    """Whether the networks in a folder were trained for all places of these games."""
    for game, places in games.items():
        trained_for(read(folder / f"{game}.weights"), places)


def trained_for(network: Network, places: Sequence[Place]) -> list[Trained]:
    """What the network was trained for at these places."""
    found = [network.trained_at(place.setup) for place in places]
    if None in found:
        words = places[found.index(None)].words
        raise UsageError(f"{network.header.game}: the network was not trained for {words}")
    return [one for one in found if one]
