"""Score sheets: scored as the rules score, changed line by line, in the page's file format."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from atout.cli.paper import keep_in_lines
from atout.errors import AtoutError, UsageError
from atout.i18n import LANGUAGES, Texts, speak
from atout.sheet import (
    Keeper,
    Sheet,
    SheetEditor,
    is_over,
    new_sheet,
    read_sheets,
    score_rounds,
    winners_of,
    write_sheet,
)
from atout.sheet.model import NjetRound, check

SCORED = Path(__file__).parents[2] / "web" / "tests" / "generated" / "scores.json"
"""Matches that the rules have scored; the page's sheet is tested against the same."""


def sheet_of(match: dict[str, Any]) -> Sheet:
    sheet = new_sheet(match["edition"], [""] * match["players"], match["options"])
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


NEEDS = (
    "A round needs points=, discard=, side= and tricks=, and loot= if there is any. "
    "For example: add points=4 discard=no card side=Ann"
)
MISTAKES = [
    (
        "add discard=one points=3 side=1,3 tricks=5,4,3,3 loot=0,0,0,0",
        "The tricks add up to 15; with the discard “1 card” there must be 14. Nothing was changed.",
    ),
    ("add discard=none points=9 side=1,3 tricks=5,4,3,3", "points: '9' is not allowed; allowed: 1, 2, 3, 4, −2"),
    ("add discard=none points=3 side=1 tricks=5,4,3,3 loot=0,0,0,0", "2 : 2"),
    ("add points=3 side=1,3 tricks=5,4,3,3", "Still missing: discard=. Nothing was changed. For example: points=4"),
    ("add discard=none side=1,3 tricks=5,4,3,3", "Still missing: points=."),
    ("add points=3 discard=none", "Still missing: side=, tricks=."),
    ("add tricks=1,2", "tricks: expected 4 numbers, one for each player (Ann, Bo, Cy, Di), not 2"),
    ("add side=1,1", "side: Ann is named twice"),
    ("add side=ann,A", "side: Ann is named twice"),
    ("add side=0,1", "'0' is not allowed; expected 1 to 4 or a name (Ann, Bo, Cy, Di)"),
    ("add x2=1 points=3 discard=none side=1,3 tricks=5,4,3,3", "Nobody has the ×2 card when the sides are equal"),
    ("add points=3 points=4", "points= is there twice"),
    ("add points=3 scores=1,2,3,4", "scores= stands alone"),
    ("add tops=1,2,3,4", "'tops' is not a field; allowed: points, discard, side, x2, tricks, loot"),
    ("add discard=three cards", "allowed: no card; 1 card; 2 cards; 1 card, not a 1; pass 1 card left"),
    ("add d=1", "'d' is ambiguous; it can mean: discard, x2"),
    ("tr=1,2,3,4", "'tr' is ambiguous; it can mean: tricks, trump"),
    ("add discard=1", "'discard=1' is ambiguous; it can mean: 1 card; 1 card, not a 1"),
    ("undo", "there is no change to take back"),
    ("edit 4 points=3", "there is no round yet"),
    ("sing", "'sing' is not understood; allowed: add, edit"),
    ("add", NEEDS),
    ("add nonsense", NEEDS),
    ("5,4,3,3", NEEDS),
    ("add scores=a,b,c,d", "expected numbers"),
    ("name", "expected a number and a name, such as name 1 Ann"),
    ("name 2", "expected a number and a name"),
]


@pytest.mark.parametrize(("line", "said"), MISTAKES)
def test_a_mistake_is_explained_and_changes_nothing(line: str, said: str) -> None:
    editor = SheetEditor(new_sheet("niet-2015", ["Ann", "Bo", "Cy", "Di"]), Texts())
    assert said in editor.do(line)
    assert not editor.sheet.rounds
    assert editor.sheet.names == ["Ann", "Bo", "Cy", "Di"]


@pytest.mark.parametrize(("edition", "players"), [("njet-1997", 3), ("njet-2007", 2), ("niet-2015", 5), ("nichtig", 6)])
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_round_needs_is_said_with_an_example_that_is_accepted(language: str, edition: str, players: int) -> None:
    editor = SheetEditor(new_sheet(edition, ["Ann", "Bo", "Cy", "Di", "Eve", "Flo"][:players]), Texts(language))
    words = editor.words
    said = editor.do(words.verb("add"))
    examples = re.findall(rf"{words.verb('add')} (.+?)\. ", said)
    assert len(examples) == 2
    assert (f"{words.field('double')}=" in said) == (players == 5)
    for example in examples:
        assert editor.do(f"{words.verb('add')} {example}") == ""
        assert editor.do(example) == "", "the command may be left out"
    assert re.search(rf"1 .+ 4.*: {words.verb('show')} 4", editor.do(words.verb("show")))
    said = editor.do(f"{words.verb('edit')} 1")
    assert examples[0] in said, "as it is now"
    assert len(editor.sheet.rounds) == 4


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "add points=3 points discard=1 card, not a 1 side=Ann,Cy tricks=5,4,3,2 trump=green supertrump=red 1s"),
        ("en", "add points=3 discard=one-not-1 side=1,3 tricks=5,4,3,2 trump=green super=red"),
        ("en", "poi=3 dis=1 card (not a 1) si=1,3 tri=5,4,3,2 tru=g sup=r"),
        ("fr", "ajouter points=3 défausse=1 carte, sauf les 1 équipe=1,3 plis=5,4,3,2 atout=vert superatout=1 rouges"),
        ("fr", "Ajouter points=3 defausse=1 carte sauf les 1 equipe=1,3 plis=5,4,3,2 atout=VERT super=rouge"),
        ("de", "neu punkte=3 ablegen=1 Karte, aber keine 1 team=1,3 stiche=5,4,3,2 trumpf=Grün supertrumpf=1er in Rot"),
        ("de", "add points=3 discard=one-not-1 side=1,3 tricks=5,4,3,2 trump=green super=red"),
    ],
)
def test_conditions_in_the_words_of_the_reader_or_of_a_record(language: str, line: str) -> None:
    editor = SheetEditor(new_sheet("niet-2015", ["Ann", "Bo", "Cy", "Di"]), Texts(language))
    assert editor.do(line) == ""
    one = editor.sheet.rounds[0]
    assert isinstance(one, NjetRound)
    assert (one.points, one.discard, one.side, one.trump, one.super) == (3, "one-not-1", [0, 2], "green", "red")
    again = SheetEditor(new_sheet("niet-2015", ["Ann", "Bo", "Cy", "Di"]), Texts(language))
    assert again.do(editor.details(0).partition(":")[2].strip()) == ""
    assert again.sheet.rounds == editor.sheet.rounds


def test_the_lone_player_holds_the_double_card_without_saying_so() -> None:
    editor = SheetEditor(new_sheet("niet-2015", ["Ann", "Bo", "Cy"]), Texts())
    assert editor.do("points=2 discard=no card side=Bo tricks=8,8,0") == ""
    assert editor.sheet.rounds[0].double == 1  # type: ignore[union-attr]
    assert editor.do("edit 1 side=1,2") == ""
    assert editor.sheet.rounds[0].double == 2  # type: ignore[union-attr]
    five = SheetEditor(new_sheet("niet-2015", ["Ann", "Bo", "Cy", "Di", "Eve"]), Texts())
    said = five.do("points=2 discard=no card side=Bo,Di tricks=4,4,4,0,0")
    assert said == "Say who on the smaller side holds the ×2 card: x2= Bo, Di. Nothing was changed."
    assert five.do("points=2 discard=no card side=Bo,Di ×2=di tricks=4,4,4,0,0") == ""


def test_a_french_colon_has_a_space_before_it() -> None:
    editor = SheetEditor(new_sheet("niet-2015", ["Anne", "Bo", "Cy", "Di"]), Texts("fr"))
    for line in ("ajouter points=9", "ajouter équipe=1,1", "ajouter atout=rose", "ajouter plis=1", "voir 3", "chanter"):
        assert not re.search(r"[^\u00a0]:(?!/)", editor.do(line)), line
    assert editor.do("scores=1,2,3,4") == ""
    assert editor.details(0) == "Manche 1\u00a0: scores=1,2,3,4"
    speak("fr")
    try:
        with pytest.raises(UsageError, match="feuille\u00a0: names\u00a0: pas permis"):
            check(Sheet(**{**msgspec.structs.asdict(editor.sheet), "names": ["x" * 50, "b", "c", "d"]}), "feuille")
    finally:
        speak("en")


def test_the_status_says_how_far_the_match_is() -> None:
    assert SheetEditor(new_sheet("niet-2015", ["Ann", "Bo", "Cy", "Di"]), Texts()).status() == "Round 1 of 8"
    short = {"length": {"target": 20}}
    target = SheetEditor(new_sheet("niet-2015", ["Ann", "Bo", "Cy", "Di"], short), Texts())
    assert target.status() == "Round 1 · to 20"
    teams = SheetEditor(new_sheet("nichtig", ["Ann", "Bo", "Cy", "Di"], {"teams": True}), Texts())
    assert teams.do("scores=10,4,7,2") == ""
    assert teams.status() == "Round 2 of 4 · team 1 (Ann and Cy): 17 · team 2 (Bo and Di): 6"


def test_rounds_after_the_end_are_accepted_and_told_once() -> None:
    editor = SheetEditor(new_sheet("nichtig", ["Ann", "Bo", "Cy"]), Texts())
    notes = []
    for _ in range(5):
        assert editor.do("scores=1,2,3") == ""
        notes.append(editor.note)
    assert [bool(note) for note in notes] == [False, False, False, True, False]
    assert "over after round 3" in notes[3]
    assert len(editor.sheet.rounds) == 5


def test_a_sheet_of_house_rules_carries_them(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text(
        'id = "niet-no-trump"\nbase = "niet-2015"\nname = "No trump"\n'
        '[board]\ntrump = ["red", "yellow", "blue", "green", "none"]\n[players.4]\nrounds = 2\n'
    )
    editor = SheetEditor(new_sheet(str(house), ["Ann", "Bo", "Cy", "Di"]), Texts())
    assert editor.do("points=3 discard=no card side=Ann,Cy tricks=5,4,3,3 trump=none") == ""
    path = tmp_path / "sheet.json"
    write_sheet(path, [editor.sheet])
    house.unlink()
    [read] = read_sheets(path)
    assert read == editor.sheet
    assert SheetEditor(read, Texts()).status() == "Round 2 of 2"
    path.write_text(path.read_text().replace('"niet-no-trump"', '"other"', 1))
    with pytest.raises(UsageError, match="edition: not allowed; allowed: niet-no-trump"):
        read_sheets(path)


def test_a_sheet_of_a_published_edition_is_what_the_page_reads(tmp_path: Path) -> None:
    path = tmp_path / "sheet.json"
    write_sheet(path, [new_sheet("nichtig", ["Ann", "Bo", "Cy"])])
    assert "rules" not in json.loads(path.read_text())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"teams": "yes"}, "allowed: true, false"),
        ([1], "an object"),
        ({"colour": 1}, "allowed: length, teams"),
        ({"length": {"rounds": 2}}, 'allowed: "full", "short", {"target": 30}'),
    ],
)
def test_options_that_a_sheet_cannot_have(options: Any, said: str) -> None:
    with pytest.raises(AtoutError) as refused:
        new_sheet("nichtig", ["Ann", "Bo", "Cy", "Di"], options)
    assert said in str(refused.value)


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
    assert "points=3 discard=no card side=Bo,4 tricks=5,4,3,3 loot=1,0,2,0" in editor.do("show 1")
    assert "or a name" in editor.do("edit 1 side=Zoe,Bo")


def test_line_by_line_only_what_changed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "sheet.json"
    editor = SheetEditor(new_sheet("nichtig", ["Anna", "Bo", "Cy"]), Texts("de"))
    monkeypatch.setattr("sys.stdin", io.StringIO("oben=9 7, 3, 1\n\nwertung=1\nzeigen\nende\nneu wertung=1,1,1\n"))
    keep_in_lines(editor, Keeper(editor, lambda: write_sheet(path, [editor.sheet])))
    told = capsys.readouterr().out
    assert "Runde 1: oben=9 7, 3, 1\nRunde 1: Anna 16, Bo 3, Cy 1\nGesamt: Anna 16, Bo 3, Cy 1\nRunde 2 von 3\n" in told
    assert "wertung: erwartet: 3 Zahlen" in told
    assert told.count("Anna  Bo  Cy") == 2, "at first, and when it is asked for"
    assert len(read_sheets(path)[0].rounds) == 1
