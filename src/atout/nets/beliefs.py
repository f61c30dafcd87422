"""The belief model: where the unseen cards are, given what a seat has seen.

One evaluation of the trunk per decision gives a *base* for every card and place, and a *context*. Cards are then placed
one after the other (`search/believed.py`), and a small head sees where the earlier ones went:

    h        = relu(context + card[this card] + Σ over cards placed so far: placed[that card, its place])
    logit    = log(room left in the place) + base[this card, place] + place[place] · h

With all weights 0 that is the uniform sampler. Places (`weights.WHERE`) are counted from the seat: the hands of the
others, what they put aside, and the cards that were not dealt.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from atout.knowledge.features import GRID
from atout.nets.weights import FOLDER, WHERE, Floats, Header, Network, load


class BeliefNetwork(Network):
    """A belief model that can be evaluated."""

    def __init__(self, header: Header, arrays: dict[str, npt.NDArray[Any]]) -> None:
        super().__init__(header, arrays)
        self.card, self.placed, self.place = (
            np.ascontiguousarray(arrays[name].reshape(shape), np.float32) for name, shape in header.head_shapes
        )

    def ask(self, observation: npt.NDArray[np.int8]) -> tuple[Floats, Floats]:
        """The base, one number for each card (a place on the grid) and where it may be, and the context."""
        answer = self.evaluate(observation)
        return answer[: GRID * WHERE].reshape(GRID, WHERE), answer[GRID * WHERE :]


def read(path: Path) -> BeliefNetwork:
    """The belief model of a file; anything else raises `WeightsError`."""
    return BeliefNetwork(*load(path, "beliefs"))


@cache
def beliefs_of(game: str, folder: Path = FOLDER) -> BeliefNetwork | None:
    """The belief model of a game, read once; None if there is no file."""
    path = folder / f"{game}.beliefs"
    return read(path) if path.exists() else None
