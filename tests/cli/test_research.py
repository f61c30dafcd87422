"""The commands for research: what is wrong is said in one line, before anything is played."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from atout.cli import main
from atout.envs import benchmark
from tests.envs.tables import NEEDS


def refused(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], *arguments: object) -> str:
    monkeypatch.setattr(sys, "argv", ["atout", *map(str, arguments)])
    with pytest.raises(SystemExit) as exit:
        main()
    out, err = capfd.readouterr()
    assert (exit.value.code, out, err.count("\n")) == (2, "", 1)
    return err


def results() -> bytes:
    meetings = [benchmark.Meeting("nichtig", 3, "novice", 2, 1.0, 0.5, 3)]
    return msgspec.json.encode(benchmark.Entry(benchmark.VERSION, "mine", "2026-11-17", 1.0, 0.5, meetings, "no idea"))


@pytest.fixture
def nothing_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("atout.cli.research.prepare", lambda *_: pytest.fail("it began to work"))


@pytest.mark.usefixtures("nothing_is_played")
def test_a_file_that_cannot_be_written_is_named_first(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    one = tmp_path / "one.json"
    one.write_bytes(results())
    said = refused(monkeypatch, capfd, "bench-bot", "random", "--out", "/nope/x.json")
    assert said == "atout: --out: /nope/x.json cannot be written: No such file or directory\n"
    said = refused(monkeypatch, capfd, "leaderboard", one, "--out", "/nope/x.md")
    assert said == "atout: --out: /nope/x.md cannot be written: No such file or directory\n"
    said = refused(monkeypatch, capfd, "leaderboard", tmp_path / "none.json", "--out", tmp_path / "x.md")
    assert said == f"atout: leaderboard: {tmp_path}/none.json cannot be read: No such file or directory\n"
    assert [file.name for file in tmp_path.iterdir()] == ["one.json"]


@pytest.mark.usefixtures("nothing_is_played")
def test_a_folder_that_cannot_be_made_is_named_first(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pytest.importorskip("pyarrow", reason=NEEDS.format("pyarrow"))
    file = tmp_path / "file"
    file.touch()
    table = "-e", "nichtig", "-n", 3, "--matches", 1
    said = refused(monkeypatch, capfd, "dataset", file, *table)
    assert said == f"atout: dataset: {file} is a file; expected a folder\n"
    said = refused(monkeypatch, capfd, "dataset", file / "rows", *table)
    assert said == f"atout: dataset: {file}/rows cannot be written: Not a directory\n"


def test_the_page_of_one_result(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    one, page = tmp_path / "one.json", tmp_path / "page.md"
    one.write_bytes(results())
    monkeypatch.setattr(sys, "argv", ["atout", "leaderboard", str(one), "--out", str(page)])
    with suppress(SystemExit):
        main()
    assert capfd.readouterr().out == f"1 result, written to {page}\n"
    assert "| mine | +1.00 ± 0.50 | 3 | 2026-11-17 |" in page.read_text(encoding="utf-8")
