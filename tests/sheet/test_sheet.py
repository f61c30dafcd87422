"""Score sheets: scored as the rules score, changed line by line, in the page's file format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from atout.errors import UsageError
from atout.i18n import Texts
from atout.sheet import Sheet, SheetEditor, is_over, new_sheet, read_sheets, score_rounds, winners_of, write_sheet

SCORED = Path(__file__).parents[2] / "web" / "tests" / "generated" / "scores.json"
"""Matches that the rules have scored; the page's sheet is tested against the same."""


def sheet_of(match: dict[str, Any]) -> Sheet:
    options = {"length": "full", "scoring": "total", "teams": False} | match["options"]
    sheet = new_sheet(match["edition"], [""] * match["players"], options)
    rounds: list[dict[str, Any]] = []
    for told in match["rounds"]:
        if "tops" in told:
            rounds.append({"kind": "tops", "tops": told["tops"]})
        else:
            fields = {name: told[name] for name in ("discard", "points", "double", "tricks", "loot")}
            rounds.append(
                {"kind": "njet", "start": None, "trump": None, "super": None, "side": told["sides"][0], **fields}
            )
    return msgspec.convert({**msgspec.to_builtins(sheet), "rounds": rounds}, Sheet)


def test_scores_totals_and_winners_are_those_of_the_rules() -> None:
    matches = json.loads(SCORED.read_text(encoding="utf-8"))
    assert len(matches) > 40
    for match in matches:
        sheet = sheet_of(match)
        assert score_rounds(sheet) == [told["scores"] for told in match["rounds"]]
        assert winners_of(sheet) == match["winners"]
        assert is_over(sheet)


def test_a_sheet_travels_from_the_page_and_back_unchanged(tmp_path: Path) -> None:
    page = {
        "atoutSheet": 1, "id": "mabc-1x", "edition": "niet-2015", "names": ["Ann", "Bo", "Cy", "Dé"],
        "options": {"length": {"target": 60}, "scoring": "difference", "teams": False},
        "rounds": [
            {"kind": "njet", "start": 2, "discard": "one", "trump": "red", "super": "none", "points": -2,
             "side": [0, 2], "double": None, "tricks": [5, 4, 3, 2], "loot": [1, 0, 2, 0]},
            {"kind": "plain", "scores": [3, 0, 3, 0]},
        ],
        "created": 1763300000000, "changed": 1763300000001,
    }  # fmt: skip
    path = tmp_path / "sheet.json"
    path.write_text(json.dumps(page, indent=1, ensure_ascii=False))
    before = path.read_text()
    write_sheet(path, read_sheets(path))
    assert path.read_text() == before


def test_editing_a_past_round() -> None:
    editor = SheetEditor(new_sheet("niet-2015", ["Ann", "Bo", "Cy", "Di"]), Texts())
    assert editor.do("add discard=one points=3 side=1,3 tricks=5,4,3,2 loot=1,0,2,0") == ""
    assert editor.table()[1] == ["1", "33", "18", "33", "18"]
    assert editor.do("edit 1 points=-2") == ""
    assert editor.table()[1] == ["1", "−22", "−12", "−22", "−12"]
    assert editor.do("undo") == ""
    assert editor.table()[1] == ["1", "33", "18", "33", "18"]
    assert editor.do("name 2 Bob") == ""
    assert editor.table()[0] == ["Round", "Ann", "Bob", "Cy", "Di"]
    assert editor.do("remove 1") == ""
    assert not editor.sheet.rounds


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("add discard=one points=3 side=1,3 tricks=5,4,3,3 loot=0,0,0,0", "15"),
        (
            "add discard=none points=9 side=1,3 tricks=5,4,3,3 loot=0,0,0,0",
            "points: not allowed; allowed: 1, 2, 3, 4, -2",
        ),
        ("add discard=none points=3 side=1 tricks=5,4,3,3 loot=0,0,0,0", "2 : 2"),
        ("add tricks=1,2", "tricks: not allowed; allowed: 4 numbers"),
        ("edit 4 points=3", "there is no round yet"),
        ("sing", "'sing' is not understood; allowed: add, edit"),
        ("add nonsense", "is not understood; expected fields"),
        ("add scores=a,b,c,d", "expected numbers"),
    ],
)
def test_a_mistake_is_explained_and_changes_nothing(line: str, said: str) -> None:
    editor = SheetEditor(new_sheet("niet-2015", ["Ann", "Bo", "Cy", "Di"]), Texts())
    assert said in editor.do(line)
    assert not editor.sheet.rounds


@pytest.mark.parametrize("text", ["", "[1]", '{"atoutSheet": 2}', '{"a": 1}'])
def test_a_file_that_is_no_sheet(text: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(UsageError, match=r"not JSON|no score sheet"):
        read_sheets(path)


@pytest.mark.parametrize(("edition", "players"), [("njet-1997", 3), ("njet-2007", 2), ("niet-2015", 5), ("nichtig", 4)])
def test_the_examples_of_the_help_are_accepted(edition: str, players: int) -> None:
    editor = SheetEditor(new_sheet(edition, ["Ann", "Bo", "Cy", "Di", "Eve"][:players]), Texts())
    lines = [line.strip() for line in editor.do("help").splitlines() if line.startswith("  ") and "=  " not in line]
    assert [line.split()[0] for line in lines] == ["add", "edit", "show", "remove", "name"]
    assert not editor.do(lines[0])
    for line in lines:
        said = editor.do(line)
        assert not said or line.startswith("show"), (line, said)


def test_players_are_called_by_their_names() -> None:
    editor = SheetEditor(new_sheet("niet-2015", ["Ann", "Bo", "Cy", "Di Lee"]), Texts())
    assert not editor.do("add discard=none points=3 side=bo,Di tricks=5,4,3,3 loot=1,0,2,0")
    assert editor.sheet.rounds[0].side == [1, 3]  # type: ignore[union-attr]
    assert "points=3 side=Bo,4 tricks=5,4,3,3 loot=1,0,2,0 discard=none" in editor.do("show 1")
    assert "or a name" in editor.do("edit 1 side=Zoe,Bo")
