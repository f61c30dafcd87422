"""What a training run is: one TOML file."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from atout.errors import UsageError
from atout.game import Setup


class Place(Struct, frozen=True, forbid_unknown_fields=True):
    """Tables of one kind, and how many of the matches are played there."""

    edition: str
    players: int
    options: dict[str, Any] = {}
    weight: float = 1.0

    @property
    def setup(self) -> Setup:
        return Setup.of(self.edition, self.players, self.options)


class GameConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """One network."""

    places: list[Place]
    share: float = 1.0
    """Of the time of all games."""
    width: int = 768
    blocks: int = 3


class Learning(Struct, frozen=True, forbid_unknown_fields=True):
    """How it learns; names as in the papers on PPO and GAE where they have one."""

    matches: int
    """Stepped at once."""
    steps: int
    """Of each match between two updates."""
    minibatch: int
    epochs: int = 1
    rate: float = 4e-4
    rate_end: float = 1.2e-5
    warm_up: int = 20
    """Updates of the rate's linear start, counted in iterations."""
    entropy: float = 0.003
    entropy_end: float = 0.0005
    decay: float = 0.9
    """λ of the generalised advantage."""
    clip: float = 0.2
    critic: float = 0.5
    """Weight of the critic's loss."""
    forecast: float = 0.1
    """Weight of the player's own forecast of points."""
    win: float = 0.25
    """What winning the match is worth beside its points, in spreads of a round."""
    league: float = 0.2
    """Share of matches with past versions at some seats."""
    habits: float = 0.05
    """Share of matches with players by habit at some seats."""
    searchers: int = 0
    """Matches with `ismcts` at some seats; they wait while it thinks."""
    search_nodes: int = 400
    """Its iterations a decision."""
    search_processes: int = 0
    """Where it thinks; 0: as many as there are cores, less one."""
    snapshot_minutes: float = 0.5
    snapshots: int = 8
    """Past versions kept; when there are more, every other one goes."""

    def __post_init__(self) -> None:
        strangers = int(self.matches * self.league) + int(self.matches * self.habits) + self.searchers
        if min(self.searchers, self.search_processes) < 0 or self.search_nodes < 1 or strangers > self.matches:
            raise ValueError(
                f"searchers, search_nodes, search_processes: {self.searchers}, {self.search_nodes}, "
                f"{self.search_processes} is not allowed; right would be matches that league and habits leave free, "
                "1 or more, 0 or more"
            )


class Measuring(Struct, frozen=True, forbid_unknown_fields=True):
    every_minutes: float = 1.0
    deals: int = 1000
    """At every table, each played twice with seats exchanged."""


class Config(Struct, frozen=True, forbid_unknown_fields=True):
    seed: int
    device: Literal["cpu", "cuda"]
    total_minutes: float
    """Over which rates fall; may be spent in slices."""
    games: dict[Literal["njet", "nichtig"], GameConfig]
    learning: Learning
    measuring: Measuring = Measuring()


def read(path: Path) -> Config:
    """The configuration in a file; an error names the line or field that is wrong."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Config)
    except FileNotFoundError:
        raise UsageError(f"config: there is no file {path}; train/cpu.toml is one to start from") from None
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise UsageError(f"config: {path}: {error}") from None
