"""The configuration of a training run: one TOML file."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from atout.errors import UsageError
from atout.game import Setup


class Place(Struct, frozen=True, forbid_unknown_fields=True):
    """A setup, and its weight among the matches."""

    edition: str
    players: int
    options: dict[str, Any] = {}
    weight: float = 1.0

    @property
    def setup(self) -> Setup:
        return Setup.of(self.edition, self.players, self.options)

    @property
    def words(self) -> str:
        """The setup for a sentence.

        >>> Place("nichtig", 4, {"teams": True}).words
        'nichtig with 4 players and teams=True'
        """
        options = (f" and {name}={value}" for name, value in self.options.items())
        return f"{self.edition} with {self.players} players{''.join(options)}"


class GameConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The network of one game."""

    places: list[Place]
    share: float = 1.0
    """Share of the time of all games."""
    width: int = 768
    blocks: int = 3

    def __post_init__(self) -> None:
        if not self.places:
            raise ValueError("places: [] is not allowed; expected at least one setup")
        if self.share <= 0 or not all(place.weight > 0 for place in self.places):
            raise ValueError("share, weight: expected numbers above 0")
        if self.width < 1 or self.blocks < 0:
            raise ValueError(
                f"width, blocks: {self.width}, {self.blocks} is not allowed; expected 1 or more, 0 or more"
            )


class Learning(Struct, frozen=True, forbid_unknown_fields=True):
    """Hyperparameters, named as in the papers on PPO and GAE where they have a name there."""

    matches: int
    """Matches that are stepped in parallel."""
    steps: int
    """Steps of each match between two updates."""
    minibatch: int
    epochs: int = 1
    rate: float = 4e-4
    rate_end: float = 1.2e-5
    warm_up: int = 20
    """Iterations of the linear warm-up of the learning rate."""
    entropy: float = 0.003
    entropy_end: float = 0.0005
    decay: float = 0.9
    """λ of generalised advantage estimation (GAE)."""
    clip: float = 0.2
    critic: float = 0.5
    """Weight of the critic's loss."""
    forecast: float = 0.1
    """Weight of the loss of the player's forecast of points."""
    win: float = 0.25
    """The reward for winning the match, in units of the setup's scale."""
    league: float = 0.2
    """Share of matches with past versions at some seats."""
    policy_share: float = 0.05
    """Share of matches with the playout policy at some seats."""
    boards: float = 0.0
    """Share of matches in which all vetoes are made at random or by the playout policy."""
    late: float = 0.0
    """Share of matches that begin in a random round with a random standing."""
    extreme: float = 0.0
    """Share of matches in which the most unequal of several deals is taken."""
    critic_first: int = 0
    """Iterations in which only the critic learns: for a player that can play already."""
    searchers: int = 0
    """Matches with `ismcts` at some seats; they wait while it searches."""
    search_nodes: int = 400
    """Iterations of `ismcts` per decision."""
    search_processes: int = 0
    """Processes for `ismcts`; 0: one less than there are cores."""
    snapshot_minutes: float = 0.5
    snapshots: int = 8
    """Past versions kept; when there are more, every other one is dropped."""

    def __post_init__(self) -> None:
        for name in ("matches", "steps", "minibatch", "epochs", "warm_up", "snapshots"):
            if (count := getattr(self, name)) < 1:
                raise ValueError(f"{name}: {count} is not allowed; expected 1 or more")
        for name in ("league", "policy_share", "boards", "late", "extreme"):
            if not 0 <= (share := getattr(self, name)) <= 1:
                raise ValueError(f"{name}: {share} is not allowed; expected a share from 0 to 1")
        others = int(self.matches * self.league) + int(self.matches * self.policy_share) + self.searchers
        if min(self.searchers, self.search_processes) < 0 or self.search_nodes < 1 or others > self.matches:
            raise ValueError(
                f"searchers, search_nodes, search_processes: {self.searchers}, {self.search_nodes}, "
                f"{self.search_processes} is not allowed; expected at most the matches that league and "
                "policy_share leave free, 1 or more, 0 or more"
            )


class Measuring(Struct, frozen=True, forbid_unknown_fields=True):
    """How often strength is measured, and on how many deals."""

    every_minutes: float = 1.0
    deals: int = 1000
    """Deals of every setup, each played twice with seats exchanged."""

    def __post_init__(self) -> None:
        if self.deals < 2:
            raise ValueError(f"deals: {self.deals} is not allowed; expected at least 2, for an interval")


class Beliefs(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of belief models and open-card critics (`--beliefs`)."""

    head: int = 128
    """The width of the belief model's head."""
    odd: float = 0.05
    """The share of actions that are made at random."""
    boards: float = 0.15
    """The share of matches in which all vetoes are made at random or by the playout policy."""
    decay: float = 0.95
    """λ of the critic's returns."""

    def __post_init__(self) -> None:
        if self.head < 1 or not all(0 <= share <= 1 for share in (self.odd, self.boards, self.decay)):
            raise ValueError(
                f"head, odd, boards, decay: {self.head}, {self.odd}, {self.boards}, {self.decay} is not allowed; "
                "expected 1 or more, and shares from 0 to 1"
            )


class Distil(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of distillation (`--distil`): what is asked of the lookahead, and how it is learned."""

    processes: int = 0
    """Processes that collect; 0: one less than there are cores."""
    collecting: float = 0.75
    """The share of the time for collecting, when one run collects and learns."""
    matches: int = 24
    """Matches of each game in every process."""
    asked: float = 0.25
    """The share of decisions that are looked at. The others are only played, so that rows are of many deals."""
    sure: float = 0.98
    """The probability from which the network counts as sure."""
    sure_asked: float = 0.1
    """The share that is kept of decisions in which it is sure."""
    temperature: float = 0.03
    """η, in units of the setup's scale: an advantage of η makes an action e times as likely."""
    usual_lead: float = 0.1
    """The usual size of a lead, in units of the scale: one with this standard error counts half."""
    match: float = 3.0
    """What a match is worth, in units of the scale; late in a match leads are shares of it."""
    keep: float = 0.3
    """Weight of the divergence from the old network in ordinary play; the target holds the policy to it as well."""
    forecast: float = 10.0
    """Weight of the squared change of the forecasts."""
    held_out: int = 10
    """One round of so many is held out."""
    patience: int = 12
    """Looks at the held-out rows without a better one, after which learning stops."""
    measured_seed: int = 4099
    """The seed of the deals for measuring; rows are of other deals."""

    def __post_init__(self) -> None:
        shares = (self.collecting, self.asked, self.sure, self.sure_asked)
        counts = (self.matches, self.held_out - 1, self.patience)
        if min(self.processes, self.match, self.keep, self.forecast) < 0 or min(self.temperature, self.usual_lead) <= 0:
            raise ValueError(
                "processes, match, keep, forecast: expected 0 or more; temperature, usual_lead: more than 0"
            )
        if not all(0 <= share <= 1 for share in shares) or min(counts) < 1:
            raise ValueError(
                "collecting, asked, sure, sure_asked: expected shares from 0 to 1; matches, patience: 1 or more; "
                "held_out: 2 or more"
            )


class Config(Struct, frozen=True, forbid_unknown_fields=True):
    """A training run."""

    seed: int
    device: Literal["cpu", "cuda"]
    total_minutes: float
    """The time over which rates fall; it may be divided into slices."""
    games: dict[Literal["njet", "nichtig"], GameConfig]
    learning: Learning
    measuring: Measuring = Measuring()
    beliefs: Beliefs | None = None
    distil: Distil | None = None

    def __post_init__(self) -> None:
        if not self.games:
            raise ValueError("games: {} is not allowed; expected njet, nichtig or both")
        if not self.total_minutes > 0:
            raise ValueError(f"total_minutes: {self.total_minutes:g} is not allowed; expected a number above 0")
        if self.seed < 0:
            raise ValueError(f"seed: {self.seed} is not allowed; expected 0 or more")


def read(path: Path) -> Config:
    """Read a configuration file; an error names the line or field that is wrong."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Config)
    except FileNotFoundError:
        raise UsageError(f"config: there is no file {path}; train/cpu.toml is one to start from") from None
    except IsADirectoryError:
        raise UsageError(f"config: {path} is a folder; expected a file such as train/cpu.toml") from None
    except OSError as error:
        raise UsageError(f"config: {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"config: {path} is not text in UTF-8; expected a file such as train/cpu.toml") from None
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise UsageError(f"config: {path}: {error}") from None


def check_editions(config: Config) -> None:
    """Whether every setup is one of the game under which it is listed."""
    for game, own in config.games.items():
        for place in own.places:
            if place.setup.edition.is_njet != (game == "njet"):
                raise UsageError(f"config: games.{game}: {place.words} is a setup of the other game")


def check_torch(config: Config) -> None:
    """Whether PyTorch is installed, and finds the device of the configuration."""
    try:
        import torch
    except ImportError:
        raise UsageError("PyTorch is missing: make train installs it, or pip install 'atout[train]'") from None
    if config.device == "cuda" and not torch.cuda.is_available():
        raise UsageError("device: there is no CUDA device here; train/cpu.toml is for machines without one")
