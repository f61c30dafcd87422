"""The benchmark for bots: the same result twice, and a page of results."""

from __future__ import annotations

import random
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from atout.bots import Budget, Choice
from atout.envs import benchmark
from atout.errors import UsageError
from atout.game import View


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


class Broken:
    """Raises, or answers with something illegal, or of another type; and plays the rest."""

    name = "broken"
    plays = False

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Any:
        if self.plays and len(legal) % 2:
            return Choice(legal[0])
        if len(legal) % 3 == 0:
            return Choice("nonsense")
        if len(legal) % 3 == 1:
            return 7
        raise ValueError("no idea")


class HalfBroken(Broken):
    plays = True


class Hanging(Broken):
    """The alarm of the watchdog rings at once."""

    number = "SIGALRM"

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Any:
        signal.raise_signal(getattr(signal, self.number))


class Stopped(Hanging):
    """The user presses Ctrl-C while it thinks."""

    number = "SIGINT"


def test_the_first_error_of_a_bot_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "TABLES", (("nichtig", 3),))
    monkeypatch.setattr(benchmark, "OPPONENTS", ("novice",))
    entry = benchmark.run(f"{__name__}:HalfBroken", deals=2)
    assert "ValueError: no idea" in entry.first_error or "is not legal" in entry.first_error
    assert entry.forfeits > 0
    path = tmp_path / "one.json"
    path.write_bytes(msgspec.json.encode(entry))
    assert f"± {entry.error:.2f} | {entry.forfeits} | {entry.date} |" in benchmark.leaderboard([path])
    old = msgspec.to_builtins(entry)
    del old["first_error"]
    path.write_bytes(msgspec.json.encode(old))
    assert "| bot | score | forfeits |" in benchmark.leaderboard([path])
    with pytest.raises(UsageError, match=r":Broken was a forfeit; the first error: \S"):
        benchmark.run(f"{__name__}:Broken", deals=2)


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="needs alarms: not on Windows")
def test_no_answer_is_a_forfeit_and_ctrl_c_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "TABLES", (("nichtig", 3),))
    monkeypatch.setattr(benchmark, "OPPONENTS", ("novice",))
    with pytest.raises(UsageError, match="was a forfeit; the first error: no answer within 10 seconds"):
        benchmark.run(f"{__name__}:Hanging", deals=2)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # processes of the tests may ignore it
    try:
        with pytest.raises(KeyboardInterrupt):
            benchmark.run(f"{__name__}:Stopped", deals=2)
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_opponent_cannot_enter() -> None:
    with pytest.raises(UsageError, match="'novice' is an opponent of the benchmark"):
        benchmark.run("novice")
