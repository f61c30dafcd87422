"""A batch as tensors: the arrays of `atout.batch`, on whichever device, seen by PyTorch without a copy."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from atout.batch import Batch
from atout.batch.one import ENDED, REFUSED
from atout.kernel.layout import SEATS
from train.config import Place

TYPES: dict[Any, Any] = {np.int64: torch.int64, np.int8: torch.int8, np.float32: torch.float32}
SHARED = ("observation", "hidden", "mask", "block", "turn", "progress", "points", "reward", "won")


def spread(places: list[Place], matches: int) -> Any:
    """The table of every match, in proportion to the weights."""
    bounds = np.cumsum([place.weight for place in places])
    return np.searchsorted(bounds, (np.arange(matches) + 0.5) / matches * bounds[-1]).clip(0, len(places) - 1)


class Matches:
    """Matches at the given places, stepped on the device."""

    def __init__(self, places: list[Place], which: Any, device: str) -> None:
        self.size, self.device = len(which), device
        tables = [place.table for place in places]
        self.batch: Any
        if device == "cuda":
            from atout.batch.device import DeviceBatch

            self.batch = DeviceBatch(tables, which, lambda shape, kind: torch.zeros(shape, dtype=TYPES[kind]).cuda())
            shared = {name: getattr(self.batch, name) for name in SHARED}
        else:
            self.batch = Batch(tables, which)
            shared = {name: torch.from_numpy(getattr(self.batch, name)) for name in SHARED}
        self.observation, self.hidden = shared["observation"], shared["hidden"]
        self.mask, self.block, self.turn = shared["mask"], shared["block"], shared["turn"]
        self.points, self.reward, self.won = shared["points"], shared["reward"], shared["won"]
        self._progress = shared["progress"]
        self.which = torch.as_tensor(np.asarray(which), device=device)
        players = torch.tensor([table.players for table in tables], device=device)
        self.players = players[self.which]
        self._ring = torch.arange(SEATS, device=device)

    @property
    def ended(self) -> Any:
        """Where the last step ended a round (or a match)."""
        return self._progress[:, ENDED] > 0

    @property
    def is_sound(self) -> bool:
        """No step was refused: what the networks say is a number."""
        return not bool((self._progress[:, ENDED] == REFUSED).any())

    def seats(self) -> Any:
        """Row i: which seat is k places left of the one in turn; beyond the players, k itself."""
        around = (self.turn[:, None] + self._ring) % self.players[:, None]
        return torch.where(self._ring < self.players[:, None], around, self._ring)

    def reset(self, seed: int, streams: Any = None) -> None:
        self.batch.reset(seed, streams)

    def observe(self) -> None:
        self.batch.observe()

    def step(self, places: Any) -> None:
        self.batch.step(places if self.device == "cuda" else places.numpy())

    def habits(self) -> Any:
        places = self.batch.habits()
        return places if self.device == "cuda" else torch.from_numpy(places)
