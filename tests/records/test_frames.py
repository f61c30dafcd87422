"""Records as tables."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from atout import Game
from atout.errors import UsageError
from atout.records import to_frame
from atout.records.frames import rows
from tests.properties.matches import chance, play_on


def records() -> list[Any]:
    return [play_on(Game.new(edition, 3, seed=1), chance("frames")).record() for edition in ("nichtig", "niet-2015")]


def test_rows_of_every_kind() -> None:
    found = records()
    matches = list(rows(found, "matches"))
    assert [row["totals"] for row in matches] == [record["totals"] for record in found]
    played = list(rows(found, "rounds"))
    assert [row["scores"] for row in played] == [one["scores"] for record in found for one in record["rounds"]]
    decisions = list(rows(found, "decisions"))
    actions = [action for record in found for one in record["rounds"] for action in one["actions"]]
    assert [row["action"] for row in decisions] == actions
    assert all(row["action"] in row["legal"] for row in decisions)
    with pytest.raises(UsageError, match="rows: 'x' is not allowed"):
        list(rows(found, "x"))  # type: ignore[arg-type]


def test_a_frame_of_polars() -> None:
    pytest.importorskip("polars", reason="needs polars: make check-all installs it, or pip install 'atout[research]'")
    frame = to_frame(records(), "rounds")
    assert frame.height == sum(len(record["rounds"]) for record in records())
    assert set(frame["edition"]) == {"nichtig", "niet-2015"}


def test_what_to_install_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("polars", "pandas"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r"pip install 'atout\[research\]'"):
        to_frame([])
