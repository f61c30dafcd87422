"""The file of spreads fits the networks: every table is there, and a few rounds of each give about the same spread."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from bench.study import GAMES, first_rounds, setup_of, tables

from atout.bots.learned import network_of
from atout.envs.dataset import network_version
from atout.nets.spreads import FILE, table_name
from tests.depth import first

ROUNDS = 64
MOST_OFF = 0.35
"""The difference that is allowed, as a share: the standard error with so few rounds is about a tenth."""
STALE = "measure again: python -m bench.study spreads --rounds 2048 --seed 11"


def content() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text())
    return found


def test_every_table_that_was_learned_has_a_spread() -> None:
    assert set(content()["spreads"]) == {table_name(setup_of(trained)) for _, trained in tables()}, STALE


def test_the_file_names_the_networks_that_it_was_measured_with() -> None:
    assert content()["networks"] == {game: network_version(game) for game in GAMES}, STALE


@pytest.mark.parametrize("name", first(sorted(content()["spreads"], key=lambda name: name != "nichtig 3 total")))
def test_a_spread_is_that_of_the_present_networks(name: str) -> None:
    ((game, trained),) = [(game, one) for game, one in tables() if table_name(setup_of(one)) == name]
    network = network_of(game)
    assert network is not None
    found = float(np.sqrt((first_rounds(setup_of(trained), network, ROUNDS, 5) ** 2).mean()))
    assert found == pytest.approx(content()["spreads"][name], rel=MOST_OFF), STALE
