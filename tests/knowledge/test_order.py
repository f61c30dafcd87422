"""The order of play in the features: in which trick each card was played, and which cards led."""

from __future__ import annotations

import numpy as np
import pytest

from atout import Game
from atout.knowledge import features as at
from atout.rules.layout import PLAY
from atout.rules.log import phase_of
from tests.properties.matches import chance, play_on


@pytest.mark.parametrize(
    ("edition", "players", "steps"), [("niet-2015", 4, 49), ("njet-1997", 3, 40), ("nichtig", 5, 31)]
)
def test_the_order_of_play(edition: str, players: int, steps: int) -> None:
    game = play_on(Game.new(edition, players, seed=11), chance("order"), steps)
    knowledge = game.knowledge(game.turn)
    plays = [entry for entry in knowledge.log if phase_of(entry) == PLAY]
    observation, _ = knowledge.encode()
    when, led = (observation[first : first + at.GRID] for first in (at.WHEN, at.LED))
    shown = observation[at.SHOWN : at.SHOWN + at.GRID * players].reshape(players, at.GRID).sum(0)
    assert plays
    assert when.max() == (len(plays) - 1) // players + 1
    assert led.sum() == (len(plays) - 1) // players + 1
    assert not np.any((led > 0) & (when == 0))
    assert not np.any((when > 0) & (shown == 0))
    if edition != "nichtig":
        assert np.array_equal(when > 0, shown > 0)
