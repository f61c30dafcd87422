"""The data set: its rows are the match, a stopped run goes on, and the sample in the repository can be read."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from atout.batch.match import Match
from atout.envs.dataset import card, checksums, play, write_dataset, write_shard
from atout.errors import UsageError
from atout.game import Setup
from tests.envs.tables import NEEDS, house_rules

SAMPLE = Path(__file__).parents[2] / "docs" / "data" / "nichtig-sample"
SETUP = Setup.of("nichtig", 3)


def test_rows_are_the_match() -> None:
    columns = play(SETUP, 3, [5])
    ends = columns["choices"].cumsum()
    match = Match(SETUP)
    match.reset(3, stream=5)
    for row, (end, count) in enumerate(zip(ends, columns["choices"], strict=True)):
        observation, mask = match.observe(match.turn)
        legal, policy = columns["legal"][end - count : end], columns["policy"][end - count : end]
        assert (columns["seat"][row], columns["round"][row]) == (match.turn, len(match.finished))
        assert columns["decision"][row] == row
        assert (columns["observation"][row] == observation).all()
        assert (legal == mask.nonzero()[0]).all()
        assert float(policy.sum()) == pytest.approx(1, abs=0.05)
        assert columns["action"][row] in legal
        match.step(int(columns["action"][row]))
    assert match.is_over
    scores = [past["scores"] for past in match.game().past()]
    results = zip(columns["round"], columns["result"].tolist(), strict=True)
    assert all(result == scores[round] for round, result in results)


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1]])
def test_a_match_does_not_depend_on_the_others_in_step(order: list[int]) -> None:
    together, alone = play(SETUP, 1, order), [play(SETUP, 1, [number]) for number in range(3)]
    for name, column in together.items():
        assert (np.concatenate([one[name] for one in alone]) == np.asarray(column)).all(), name


def test_the_rows_of_the_sample_are_still_written(tmp_path: Path) -> None:
    """The same seed gives the same rows: those of the file that an earlier version of the program wrote."""
    parquet = pytest.importorskip("pyarrow.parquet", reason=NEEDS.format("pyarrow"))
    write_shard(SETUP, 1, range(4), tmp_path / "shard.parquet")
    written, stored = (
        parquet.read_table(path) for path in (tmp_path / "shard.parquet", SAMPLE / "shard-00000.parquet")
    )
    assert len(written) > 400
    assert written.to_pylist() == stored.slice(0, len(written)).to_pylist()


def test_a_stopped_run_goes_on(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason=NEEDS.format("pyarrow"))
    assert sum(write_dataset(SETUP, tmp_path, 3, 1, 1, per_shard=1)) == 3
    files = sorted(tmp_path.glob("*.parquet"))
    before = files[1].read_bytes()
    files[1].unlink()
    assert list(write_dataset(SETUP, tmp_path, 3, 1, 1, per_shard=1)) == [2, 1]
    assert files[1].read_bytes() == before
    assert "3 matches, 9 rounds" in (tmp_path / "README.md").read_text()
    assert (tmp_path / "SHA256SUMS").read_text().splitlines()[1] == f"{sha256(before).hexdigest()}  {files[1].name}"
    with pytest.raises(UsageError, match="begun with other settings"):
        list(write_dataset(SETUP, tmp_path, 3, 2, 1))


def test_the_network_and_the_version_are_kept(tmp_path: Path) -> None:
    """A folder that another version began goes on and keeps its name; one that another network began does not."""
    pytest.importorskip("pyarrow", reason=NEEDS.format("pyarrow"))
    settings = tmp_path / "settings.json"
    list(write_dataset(SETUP, tmp_path, 1, 1, 1, per_shard=1))
    plan = json.loads(settings.read_text())
    assert f"- network: {plan['network']}, the beginning of the SHA-256" in (tmp_path / "README.md").read_text()
    before = {key: value for key, value in plan.items() if key not in ("atout", "network")}
    settings.write_text(json.dumps(before))
    assert list(write_dataset(SETUP, tmp_path, 1, 1, 1, per_shard=1)) == [1]
    settings.write_text(json.dumps({**plan, "atout": "0.0.9"}))
    assert list(write_dataset(SETUP, tmp_path, 1, 1, 1, per_shard=1)) == [1]
    assert "- atout: 0.0.9" in (tmp_path / "README.md").read_text()
    settings.write_text(json.dumps({**plan, "network": "000000000000"}))
    with pytest.raises(UsageError, match="begun with other settings"):
        list(write_dataset(SETUP, tmp_path, 1, 1, 1, per_shard=1))


def processes(*which: str) -> list[int]:
    """Those that `ps` finds, without the ones that have ended and were not asked for their result."""
    found = subprocess.run(["ps", "-o", "pid=,stat=", *which], capture_output=True, text=True, check=False)
    rows = [line.split() for line in found.stdout.splitlines()]
    return [int(pid) for pid, state in rows if not state.startswith("Z")]


@pytest.mark.skipif(sys.platform == "win32" or shutil.which("ps") is None, reason="needs signals, and ps")
def test_ctrl_c_stops_the_command_and_its_processes(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason=NEEDS.format("pyarrow"))
    # Python leaves Ctrl-C ignored where a shell started the tests in the background.
    program = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\nfrom atout.cli import main; main()"
    )
    command = [sys.executable, "-c", program, "dataset", str(tmp_path / "rows")]
    command += ["-e", "nichtig", "-n", "3", "--matches", "400", "--shard", "2", "--workers", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as running:
        while len(list(tmp_path.glob("rows/*.parquet"))) < 2:
            assert running.poll() is None
            time.sleep(0.02)
        workers = processes("--ppid", str(running.pid))
        assert len(workers) >= 2
        begun = time.monotonic()
        os.killpg(running.pid, signal.SIGINT)
        _, said = running.communicate(timeout=60)
        assert time.monotonic() - begun < 10
    assert running.returncode == 130
    count = 2 * len(list(tmp_path.glob("rows/*.parquet")))
    last = said.splitlines()[-1]
    assert re.fullmatch(rf"stopped; \d+ of 400 matches are in {tmp_path}/rows, and the same command goes on", last)
    assert count - 8 <= int(last.split()[1]) <= count < 400
    assert "Traceback" not in said
    assert not list(tmp_path.glob("rows/*.part"))
    deadline = time.monotonic() + 5
    while left := processes("-p", ",".join(map(str, workers))):
        assert time.monotonic() < deadline, left


def test_the_card_of_the_sample_is_up_to_date() -> None:
    pytest.importorskip("pyarrow", reason=NEEDS.format("pyarrow"))
    assert (SAMPLE / "README.md").read_text() == card(SAMPLE, json.loads((SAMPLE / "settings.json").read_text()))
    assert (SAMPLE / "SHA256SUMS").read_text() == checksums(SAMPLE)


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
        play(Setup.of(house_rules(tmp_path), 3), 1, [1])
