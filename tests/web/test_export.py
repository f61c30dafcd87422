"""What the page was given is what Python says now."""

from __future__ import annotations

from pathlib import Path

import pytest

from atout import IllegalAction
from atout.editions import PUBLISHED, published
from atout.game import Game
from atout.tables import check_fair
from atout.web_export import exports, stale, write
from atout.web_export.__main__ import main
from atout.web_export.editions import editions
from atout.web_export.lessons import lessons
from atout.web_export.scores import scored_matches
from atout.web_export.shuffles import shuffled_matches

ROOT = Path(__file__).parents[2]


def test_nothing_is_stale() -> None:
    assert stale(ROOT) == [], "write the files again: python -m atout.web_export"


@pytest.mark.slow
def test_an_old_file_is_noticed_and_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "rules").symlink_to(ROOT / "docs" / "rules")
    monkeypatch.chdir(tmp_path)
    assert main([]) == 2, "without a folder web nothing is written"
    (tmp_path / "web" / "src").mkdir(parents=True)
    (tmp_path / "web" / "src" / "i18n").symlink_to(ROOT / "web" / "src" / "i18n")
    assert set(write(tmp_path)) == set(exports(ROOT))
    assert main(["--check"]) == 0
    (tmp_path / "web" / "src" / "generated" / "editions.json").write_text("[]")
    assert main(["--check"]) == 1
    assert "stale: web/src/generated/editions.json" in capsys.readouterr().err
    assert main(["--chekc"]) == 2
    assert main([]) == 0
    assert stale(tmp_path) == []


def test_editions_are_complete() -> None:
    found = {edition["id"]: edition for edition in editions()}
    assert set(found) == set(PUBLISHED)
    for name, edition in found.items():
        assert [seats["players"] for seats in edition["players"]] == list(published(name).counts)


def test_sides_and_doubles_follow_the_rules() -> None:
    """§4.2, §4.3: 1 against 2 and the lone player doubles; 2 against 2; 3 against 2 and one of the pair doubles."""
    [niet] = [edition for edition in editions() if edition["id"] == "niet-2015"]
    assert [seats["splits"] for seats in niet["players"]] == [
        [],
        [{"sizes": [1, 2], "double": 1}],
        [{"sizes": [2, 2], "double": None}],
        [{"sizes": [2, 3], "double": 2}],
    ]
    assert niet["players"][3]["tricks"] == {"none": 12, "one": 11, "two": 10, "one-not-1": 11, "pass-one": 12}


def test_scored_matches_are_several_hundred_rounds() -> None:
    assert sum(len(match["rounds"]) for match in scored_matches()) > 300


def test_the_shuffled_matches_are_fair() -> None:
    """The page's test vectors, by the verifier of `atout verify --fair`."""
    for match in shuffled_matches():
        assert check_fair(match) == len(match["rounds"]), match["fair"]["table"]


def test_a_lesson_refuses_as_the_game_does() -> None:
    [discard] = [stop for stop in lessons()["niet"]["stops"] if stop["name"] == "discard"]
    refused = {option["action"]: option["refused"] for option in discard["options"] if "refused" in option}
    assert refused == {"0 discard R1": "low-barred", "0 discard B1": "low-barred"}
    game = Game.new("niet-2015", 4, seed=1)
    with pytest.raises(IllegalAction):
        game.check(f"{game.turn} play R1")
