"""The open-card critic: what a position is worth to every seat when all cards are seen and the network plays on.

It reads what the seat in turn knows, and what is hidden from that seat (`HIDDEN_PARTS` of `knowledge/features.py`).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from atout.nets.weights import FOLDER, Floats, Network, load


class Critic(Network):
    """An open-card critic that can be evaluated."""

    def gains(self, positions: npt.NDArray[np.int8], players: int) -> Floats:
        """For every position the gain of each seat, counted from the one in turn, in units of the setup's scale.

        The gains of all seats add up to 0, as those of a finished round do.
        """
        gains = self.evaluate_all(positions)[:, :players]
        balanced: Floats = gains - gains.mean(1, keepdims=True)
        return balanced


def read(path: Path) -> Critic:
    """The critic of a file; anything else raises `WeightsError`."""
    return Critic(*load(path, "critic"))


@cache
def critic_of(game: str, folder: Path = FOLDER) -> Critic | None:
    """The critic of a game, read once; None if there is no file."""
    path = folder / f"{game}.critic"
    return read(path) if path.exists() else None
