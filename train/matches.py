"""A batch as tensors: the arrays of `atout.batch` on either device, shared with PyTorch without a copy."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from atout.batch import Batch
from atout.batch.step import ENDED, GOES_ON, REFUSED
from atout.errors import UsageError
from atout.rules.autoplay import LENGTH
from atout.rules.layout import SEATS
from train.config import Place
from train.searchers import WAITS

TYPES: dict[Any, Any] = {np.int64: torch.int64, np.int8: torch.int8, np.float32: torch.float32}
SHARED = ("observation", "hidden", "mask", "block", "turn", "progress", "points", "reward", "won")


def distribute(places: list[Place], matches: int) -> Any:
    """The setup of every match, in proportion to the weights."""
    bounds = np.cumsum([place.weight for place in places])
    return np.searchsorted(bounds, (np.arange(matches) + 0.5) / matches * bounds[-1]).clip(0, len(places) - 1)


class Matches:
    """Matches of the given setups, stepped on the device."""

    def __init__(self, places: list[Place], which: Any, device: str) -> None:
        self.size, self.device = len(which), device
        setups = [place.setup for place in places]
        self.batch: Any
        if device == "cuda":
            from atout.batch.device import DeviceBatch

            self.batch = DeviceBatch(setups, which, lambda shape, kind: torch.zeros(shape, dtype=TYPES[kind]).cuda())
            shared = {name: getattr(self.batch, name) for name in SHARED}
        else:
            self.batch = Batch(setups, which)
            shared = {name: torch.from_numpy(getattr(self.batch, name)) for name in SHARED}
        self.observation, self.hidden = shared["observation"], shared["hidden"]
        self.mask, self.block, self.turn = shared["mask"], shared["block"], shared["turn"]
        self.points, self.reward, self.won = shared["points"], shared["reward"], shared["won"]
        self.progress = shared["progress"]
        self.which = torch.as_tensor(np.asarray(which), device=device)
        players = torch.tensor([setup.players for setup in setups], device=device)
        self.players = players[self.which]
        self._ring = torch.arange(SEATS, device=device)
        self._waits = torch.zeros(self.size, dtype=torch.bool, device=device)

    @property
    def ended(self) -> Any:
        """Where the last step ended a round (or a match)."""
        return (self.progress[:, ENDED] > GOES_ON) & (self.progress[:, ENDED] < REFUSED)

    @property
    def is_sound(self) -> bool:
        """Whether no step was refused, except in matches that wait: the outputs of the networks are numbers."""
        return not bool(((self.progress[:, ENDED] == REFUSED) & ~self._waits).any())

    def seats(self) -> Any:
        """Row i: the seat k places left of the one in turn; beyond the number of players, k itself."""
        around = (self.turn[:, None] + self._ring) % self.players[:, None]
        return torch.where(self._ring < self.players[:, None], around, self._ring)

    def reset(self, seed: int, streams: Any = None) -> None:
        self.batch.reset(seed, streams)

    def observe(self) -> None:
        self.batch.observe()

    def step(self, places: Any) -> None:
        """One step. A match whose place is WAITS does not change: for the batch that is an illegal place."""
        self._waits = places == WAITS
        if self.device == "cuda":
            self.batch.step(places)
            return
        try:
            self.batch.step(places.numpy())
        except UsageError:  # raised after all matches have been stepped
            if not self.is_sound:
                raise

    def lengths(self, count: int) -> Any:
        """The lengths of the logs of the last matches, on the host."""
        return self.progress[-count:, LENGTH].cpu().numpy()

    def rows(self, count: int) -> tuple[Any, Any]:
        """States and logs of the last matches, on the host. The caller redacts them before a bot sees them."""
        last = slice(self.size - count, self.size)
        states, logs = self.batch.states[last], self.batch.logs[last]
        if self.device == "cuda":
            states, logs = states.copy_to_host(), logs.copy_to_host()
        return states.view(np.int64).reshape(count, -1), logs

    def policy_places(self) -> Any:
        """The playout policy's action in every match."""
        places = self.batch.policy_places()
        return places if self.device == "cuda" else torch.from_numpy(places)
