"""The benchmark for bots: the same result twice, and a page of results."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import pytest

from atout.envs import benchmark
from atout.errors import UsageError


def test_results_repeat_and_make_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "TABLES", (("nichtig", 3),))
    monkeypatch.setattr(benchmark, "OPPONENTS", ("novice",))
    monkeypatch.setitem(sys.modules, "openskill", None)  # the extra `research` does not install it
    one, again = (benchmark.run("random", deals=3) for _ in range(2))
    assert one == again
    assert one.score < 0
    assert one.meetings[0].forfeits == 0
    path = tmp_path / "one.json"
    path.write_bytes(msgspec.json.encode(one))
    better = tmp_path / "two.json"
    better.write_bytes(msgspec.json.encode(msgspec.structs.replace(one, bot="mine", score=9.0)))
    page = benchmark.leaderboard([path, better])
    assert page.index("| mine | +9.00") < page.index("| random |")
    assert all(f"{meeting.margin:+.2f} ± {meeting.error:.2f}" in page for meeting in one.meetings)
    fewer = [msgspec.structs.replace(meeting, deals=1) for meeting in one.meetings]
    better.write_bytes(msgspec.json.encode(msgspec.structs.replace(one, meetings=fewer)))
    with pytest.raises(UsageError, match="are of 1, 3 deals; expected the same number"):
        benchmark.leaderboard([path, better])
    path.write_text("{}")
    with pytest.raises(UsageError, match="is no file of results"):
        benchmark.leaderboard([path])


def test_an_opponent_cannot_enter() -> None:
    with pytest.raises(UsageError, match="'novice' is an opponent of the benchmark"):
        benchmark.run("novice")
