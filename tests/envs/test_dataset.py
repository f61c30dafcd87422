"""The data set: its rows are the match, a stopped run goes on, and the sample in the repository can be read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from atout.batch.match import Match
from atout.envs.dataset import play_match, write_dataset
from atout.errors import UsageError
from atout.game import Setup
from tests.envs.tables import NEEDS, house_rules

SAMPLE = Path(__file__).parents[2] / "docs" / "data" / "nichtig-sample"
SETUP = Setup.of("nichtig", 3)


def test_rows_are_the_match() -> None:
    rows = play_match(SETUP, 3, 5)
    match = Match(SETUP)
    match.reset(3, stream=5)
    for row in rows:
        observation, mask = match.observe(match.turn)
        assert (row["seat"], row["round"]) == (match.turn, len(match.finished))
        assert (row["observation"] == observation).all()
        assert (row["legal"] == mask.nonzero()[0]).all()
        assert float(row["policy"].sum()) == pytest.approx(1, abs=0.05)
        assert row["action"] in row["legal"]
        match.step(row["action"])
    assert match.is_over
    scores = [past["scores"] for past in match.game().past()]
    assert all(row["result"].tolist() == scores[row["round"]] for row in rows)


def test_a_stopped_run_goes_on(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason=NEEDS.format("pyarrow"))
    assert sum(write_dataset(SETUP, tmp_path, 3, 1, 1, per_shard=1)) == 3
    files = sorted(tmp_path.glob("*.parquet"))
    before = files[1].read_bytes()
    files[1].unlink()
    assert list(write_dataset(SETUP, tmp_path, 3, 1, 1, per_shard=1)) == [1]
    assert files[1].read_bytes() == before
    assert "3 matches, 9 rounds" in (tmp_path / "README.md").read_text()
    with pytest.raises(UsageError, match="begun with other settings"):
        list(write_dataset(SETUP, tmp_path, 3, 2, 1))


def test_the_sample_can_be_read() -> None:
    """As its card shows it."""
    pl = pytest.importorskip("polars", reason=NEEDS.format("polars"))
    files = list(SAMPLE.glob("*.parquet"))
    assert sum(file.stat().st_size for file in files) <= 2_000_000
    decisions = pl.scan_parquet(SAMPLE / "shard-*.parquet")
    assert decisions.select("record", "round").unique().collect().height >= 1000
    batch = decisions.select("observation", "action", "legal").head(1000).collect()
    x = np.frombuffer(b"".join(batch["observation"]), np.int8).reshape(len(batch), -1)
    assert x.shape == (1000, 1432)
    assert all(action in legal for action, legal in zip(batch["action"], batch["legal"], strict=True))


def test_a_setup_without_a_network_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no network was trained for house, 3 players"):
        play_match(Setup.of(house_rules(tmp_path), 3), 1, 1)
