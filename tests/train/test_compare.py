"""Weights against weights: rounds and whole matches.

Needs the extra `train` (PyTorch), which `make check-all` installs.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from atout.nets.weights import FOLDER
from train.config import Place

pytestmark = pytest.mark.slow

CONFIG = """
seed = 1
device = "cpu"
total_minutes = 1.0
[games.nichtig]
places = [{ edition = "nichtig", players = 4 }, { edition = "nichtig", players = 4, options = { teams = true } }]
[learning]
matches = 8
steps = 8
minibatch = 64
"""


def test_whole_matches_are_won_by_the_better_player() -> None:
    """In shares above the fair one."""
    from train.measure import by_policy, by_random, match_duel

    places = [Place("nichtig", 3), Place("niet-2015", 4, {"length": {"rounds": 3}})]
    for result in match_duel(places, 40, by_policy, by_random, "cpu", 5):
        assert 0.1 < result.mean - result.within < result.mean < 0.5


def test_folders_are_compared_at_every_setup(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A network is exactly as good as itself."""
    from train.compare import main

    config = tmp_path / "some.toml"
    config.write_text(CONFIG)
    words = ["--config", str(config), "--deals", "4", "--matches", "2"]
    assert main([str(FOLDER), str(FOLDER), *words]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["nichtig 4", "nichtig 4 teams=True"]
    assert all(line.endswith("+0.000 ± 0.000 points per round, +0.000 ± 0.000 of a match") for line in lines)
    assert main([str(FOLDER), str(tmp_path), *words]) == 2
    assert "nichtig.weights: cannot be read" in capsys.readouterr().err
