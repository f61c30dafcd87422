"""Wrong arguments of the measurements of beliefs, of the lookahead and of last rounds are named in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench import beliefs, last_rounds, lookahead, report


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--matches", "0"], "--matches: 0 is not allowed; expected 1 or more"),
        (["--worlds", "0"], "--worlds: 0 is not allowed; expected 1 or more"),
        (["--folder", "nowhere"], "--folder: there is no folder nowhere"),
        (["--folder", "tests", "--write"], "--write: not with the networks of another folder"),
    ],
)
def test_beliefs(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert beliefs.main(words) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"bench.beliefs: {message}")
    assert error.count("\n") == 1


def test_beliefs_are_published_on_demand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without `--write` the published section stays as it is."""
    results = tmp_path / "results.md"
    results.write_text("# Results\n", encoding="utf-8")
    monkeypatch.setattr(report, "RESULTS", results)
    monkeypatch.setattr(beliefs, "SETUPS", ())
    assert beliefs.main(["--matches", "2"]) == 0
    assert "log-likelihood of the worlds" in capsys.readouterr().out
    assert results.read_text(encoding="utf-8") == "# Results\n"
    assert beliefs.main(["--matches", "2", "--write"]) == 0
    assert "## Beliefs and values" in results.read_text(encoding="utf-8")
    assert "--matches 2 --worlds 128 --seed 20261116 --write`" in results.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["collect", "FILE", "--at", "foo"], "--at: 'foo' is not known; known: nichtig 3 total, "),
        (["collect", "FILE", "--jobs", "0"], "--jobs: 0 is not allowed; expected 1 or more"),
        (["collect", "FILE", "--seconds", "nan"], "--seconds: nan is not allowed; expected a number above 0"),
        (["collect", "FILE", "other"], "collect: 2 files are not allowed; expected one"),
        (["report", "nofile"], "report: there is no file nofile; collect writes one"),
        (["report", __file__], f"report: {__file__} cannot be read; expected a file that collect wrote"),
    ],
)
def test_lookahead(words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "decisions"
    assert lookahead.main([str(file) if word == "FILE" else word for word in words]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"bench.lookahead: {message}")
    assert error.count("\n") == 1
    assert not file.exists()


def test_a_file_that_cannot_be_written_is_found_before_the_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert lookahead.main(["collect", str(tmp_path / "nowhere" / "decisions")]) == 2
    assert "cannot be written: No such file or directory" in capsys.readouterr().err


def test_last_rounds(capsys: pytest.CaptureFixture[str]) -> None:
    assert last_rounds.main(["--jobs", "0"]) == 2
    assert capsys.readouterr().err == "bench.last_rounds: --jobs: 0 is not allowed; expected 1 or more\n"
