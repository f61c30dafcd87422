"""`atout score`: a sheet that cannot be saved, and one that two programs keep."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from atout.sheet import new_sheet, read_sheets, write_sheet

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals", allow_module_level=True)

from tests.depth import first
from tests.terminal.pseudo import PseudoTerminal
from tests.terminal.test_saving import begun as begun_match
from tests.terminal.test_saving import flat, lines, names, no_room, says

ADD = "add scores=12,5,9"


def begun(path: Path) -> bytes:
    path.parent.mkdir(exist_ok=True)
    write_sheet(path, [new_sheet("nichtig", ["Ann", "Bo", "Cy"])])
    return path.read_bytes()


def rounds(path: Path) -> int:
    return len(read_sheets(path)[0].rounds)


@pytest.mark.parametrize("plain", first([[], ["--plain"]], 2))
def test_another_file_is_named(plain: list[str], tmp_path: Path) -> None:
    """The folder vanishes: said at once, and once more before somebody leaves; what was written down is not lost."""
    begun(tmp_path / "gone" / "sheet.json")
    with PseudoTerminal(["score", "gone/sheet.json", *plain], tmp_path, (160, 40)) as terminal:
        terminal.wait("the sheet", says("Ann"))
        shutil.rmtree(tmp_path / "gone")
        terminal.type(ADD)
        told = "Not saved: gone/sheet.json: cannot be written: its folder does not exist."
        terminal.wait("the failure", says(f"{told} Type save FILE to save elsewhere."))
        if not plain:
            terminal.press("enter")
            terminal.settles(lambda _: False, 0.3)
            terminal.press("zz")
            terminal.wait("what was typed after an empty line", "zz")
            assert says(f"{told} Type save FILE to save elsewhere.")(terminal.screen), "as long as it is so"
            terminal.press("escape")
            terminal.wait("an empty line", lambda screen: "zz" not in screen)
        terminal.type("quit")
        terminal.wait("the warning", says("or quit again to leave without saving."))
        terminal.type("save gone/too.json")
        terminal.wait("the answer", says("Not saved: gone/too.json: cannot be written"))
        terminal.type("save other.json")
        terminal.wait("the other file", says("The sheet is saved in other.json."))
        terminal.type(ADD)
        terminal.wait("the second round", says("Round 3 of 3"))
        terminal.type("quit")
        assert terminal.wait_for_end() == 0
    assert rounds(tmp_path / "other.json") == 2
    assert names(tmp_path) == {"other.json"}


@pytest.mark.parametrize("keys", first(["ctrl+c", "escape"]))
def test_whoever_leaves_all_the_same(keys: str, tmp_path: Path) -> None:
    before = begun(tmp_path / "sheet.json")
    with PseudoTerminal(["score", "sheet.json"], tmp_path, before=no_room) as terminal:
        terminal.wait("the sheet", says("Ann"))
        terminal.type(ADD)
        terminal.wait("the failure", says("Not saved: sheet.json: cannot be written: File too large."))
        terminal.press(keys)
        terminal.wait("the warning", says("or quit again to leave without saving."))
        terminal.press(keys)
        assert terminal.wait_for_end() == 2
        assert flat(terminal.lines).endswith("Not saved: sheet.json: cannot be written: File too large.")
    assert (tmp_path / "sheet.json").read_bytes() == before
    assert names(tmp_path) == {"sheet.json"}


def test_line_by_line_on_a_full_disk(tmp_path: Path) -> None:
    before = begun(tmp_path / "sheet.json")
    done = lines(tmp_path, "score", "sheet.json", "--plain", typed=f"{ADD}\n{ADD}\n", before=no_room)
    assert (done.returncode, done.stderr) == (2, "Not saved: sheet.json: cannot be written: File too large.\n")
    assert done.stdout.count("Round 2: scores=12,5,9") == 1, "it is kept in mind"
    assert (tmp_path / "sheet.json").read_bytes() == before
    assert names(tmp_path) == {"sheet.json"}


def test_a_sheet_that_is_open_already(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.json"
    before = begun(sheet)
    with PseudoTerminal(["score", "sheet.json"], tmp_path) as terminal:
        terminal.wait("the sheet", says("Ann"))
        refused = lines(tmp_path, "score", "sheet.json", typed=f"{ADD}\n")
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "sheet.json is open in another program of Atout, which saves there" in refused.stderr
        assert lines(tmp_path, "score", "sheet.json", "--json", typed="").returncode == 0, "it may be read"
        with PseudoTerminal(["score", "sheet.json"], tmp_path) as second:
            second.wait("the question", says("Save in another file (Enter alone: leave):"))
            second.type("other.json")
            second.wait("the sheet", says("Ann"))
            second.type(ADD)
            second.wait("the round", says("Round 2 of 3"))
            assert sheet.read_bytes() == before
            second.type("quit")
            assert second.wait_for_end() == 0
        terminal.kill()
    assert rounds(tmp_path / "other.json") == 1
    assert lines(tmp_path, "score", "sheet.json", typed=f"{ADD}\n").returncode == 0, "a killed program stops nobody"
    assert rounds(sheet) == 1
    assert names(tmp_path) == {"sheet.json", "other.json"}


def test_a_file_that_somebody_else_has_changed(tmp_path: Path) -> None:
    sheet, other = tmp_path / "sheet.json", new_sheet("nichtig", ["Di", "Eve", "Flo"])
    begun(sheet)
    with PseudoTerminal(["score", "sheet.json", "--plain"], tmp_path, (160, 40)) as terminal:
        terminal.wait("the sheet", says("Ann"))
        write_sheet(sheet, [other])
        changed = sheet.read_bytes()
        terminal.type(ADD)
        terminal.wait("the failure", says("Not saved: sheet.json was changed by another program in the meantime"))
        terminal.type("save sheet.json")
        terminal.wait("the failure again", lambda screen: flat(screen).count("in the meantime") == 2)
        terminal.type("save other.json")
        terminal.wait("the other file", says("The sheet is saved in other.json."))
        terminal.type("quit")
        assert terminal.wait_for_end() == 0
    assert sheet.read_bytes() == changed
    assert rounds(tmp_path / "other.json") == 1


def test_a_match_that_is_open_is_no_sheet(tmp_path: Path) -> None:
    """Nothing is said of its scores."""
    begun_match(tmp_path / "match.json")
    with PseudoTerminal(["play", "--plain", "--resume", "match.json"], tmp_path) as terminal:
        terminal.wait("the table", "1. ")
        done = lines(tmp_path, "score", "match.json", typed="")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("atout: match.json is a match; expected a score sheet.")


def test_what_no_file_can_be_called(tmp_path: Path) -> None:
    """Ctrl+Space types a NUL: it is said that this is no name, and the next one is taken."""
    begun(tmp_path / "sheet.json")
    done = lines(tmp_path, "score", "sheet.json", typed=f"{ADD}\nsave a\0b\nsave other.json\nquit\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Not saved: a\0b is not a file name: embedded null byte." in flat(done.stdout)
    assert rounds(tmp_path / "other.json") == 1
