"""Labels: sizes, certainty and luck; a spread for every table that a network has learned."""

from __future__ import annotations

import pytest

from atout.bots.learned import network_of
from atout.errors import UsageError
from atout.game import Setup
from atout.nets.spreads import _spreads, spread_of
from atout.study.effort import EFFORTS, effort_of
from atout.study.labels import is_only_move, label_of, luck_of


def test_nothing_is_called_wrong_within_two_standard_errors() -> None:
    assert label_of(3.9, 2.0, 5.8) == "cannot-tell"
    assert label_of(1.3, 0.66, 5.8) == "fine"
    assert label_of(1.3, 0.6, 5.8) == "inaccuracy"
    assert label_of(9.0, 2.0, 5.8) == "blunder"


def test_only_moves_and_luck() -> None:
    assert is_only_move(2.0, 0.5, 5.8)
    assert not is_only_move(2.0, 1.1, 5.8)
    assert luck_of("fine", -2.0, 1.0, 5.8) == "unlucky"
    assert luck_of("mistake", 1.0, 1.0, 5.8) == "lucky-escape"
    assert luck_of("mistake", 0.5, 1.0, 5.8) == ""


def test_every_learned_table_has_a_spread() -> None:
    for game in ("njet", "nichtig"):
        network = network_of(game)
        assert network is not None
        for table in network.header.tables:
            name = f"{table.edition} {table.players} {table.scoring}" + (" teams" if table.teams else "")
            assert _spreads()[name] > 1
    assert 5 < spread_of(Setup.of("niet-2015", 4)) < 8


def test_a_time_is_the_same_work_everywhere() -> None:
    assert [effort_of(effort.seconds) for effort in EFFORTS] == list(EFFORTS)
    with pytest.raises(UsageError, match="seconds from 0"):
        effort_of(float("nan"))
