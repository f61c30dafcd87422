"""The gain by literal rows, for every kind of table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from atout.game import Setup
from atout.search.gain import gain, means, partners

ROWS: list[tuple[str, int, dict[str, Any], list[float], list[float]]] = [
    # edition, players, options, points of the round, gain of every seat
    ("niet-2015", 2, {}, [12, 4], [8, -8]),
    ("njet-1997", 3, {}, [28, 16, 16], [12, -6, -6]),
    ("niet-2015", 4, {}, [9, 9, 3, 3], [4, 4, -4, -4]),
    ("niet-2015", 4, {"scoring": "difference"}, [0, 6, 0, 6], [-4, 4, -4, 4]),
    ("njet-2007", 5, {}, [8, 8, 0, 0, 0], [6, 6, -4, -4, -4]),
    ("njet-2007", 5, {}, [8, 8, 8, 0, 0], [4, 4, 4, -6, -6]),
    ("nichtig", 3, {}, [30, 20, 10], [15, 0, -15]),
    ("nichtig", 4, {}, [30, 20, 10, 20], [40 / 3, 0, -40 / 3, 0]),
    ("nichtig", 5, {}, [10, 0, 0, 0, 0], [10, -2.5, -2.5, -2.5, -2.5]),
    ("nichtig", 6, {}, [30, 0, 0, 0, 0, 0], [30, -6, -6, -6, -6, -6]),
    ("nichtig", 4, {"teams": True}, [30, 20, 10, 20], [0, 0, 0, 0]),
    ("nichtig", 4, {"teams": True}, [30, 1, 0, 9], [10, -10, 10, -10]),
    ("nichtig", 6, {"teams": True}, [30, 0, 3, 0, 0, 6], [9, -9, 9, -9, 9, -9]),
]


@pytest.mark.parametrize(("edition", "players", "options", "points", "expected"), ROWS)
def test_literal_rows(
    edition: str, players: int, options: dict[str, Any], points: list[float], expected: list[float]
) -> None:
    setup = Setup.of(edition, players, options)
    assert [gain(points, setup, seat) for seat in range(players)] == pytest.approx(expected)


@pytest.mark.parametrize(("players", "teams"), [(4, True), (6, True), (4, False)])
def test_a_partners_point_is_worth_as_much_as_ones_own(players: int, teams: bool) -> None:
    setup = Setup.of("nichtig", players, {"teams": teams} if teams else {})
    for seat in range(players):
        for other in range(players):
            one = gain([float(it == other) for it in range(players)], setup, seat)
            own = gain([float(it == seat) for it in range(players)], setup, seat)
            assert (one == own) == (one > 0) == (other in partners(setup, seat))
    assert partners(setup, 1) == (list(range(1, players, 2)) if teams else [1])


def test_many_rows_at_once() -> None:
    setup = Setup.of("nichtig", 4, {"teams": True})
    rows = np.array([[30.0, 1.0, 0.0, 9.0], [4.0, 0.0, 0.0, 0.0]])
    assert means(rows, setup, 2).tolist() == [[15.0, 5.0], [2.0, 0.0]]
