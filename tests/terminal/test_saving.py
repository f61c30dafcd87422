"""A match that cannot be saved, and one that two programs save: what is told is true, and nothing is overwritten."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from atout.bots import make_bot
from atout.bots.random import RandomBot
from atout.game import Game
from atout.sheet import new_sheet, write_sheet
from atout.terminal.saves import game_of, saved
from atout.terminal.seats import Seating
from tests.depth import first

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals", allow_module_level=True)

from .pseudo import ATOUT, PseudoTerminal

IN_USE = "is open in another program of Atout, which saves there"
CHOICE = "Your choice, 1 to "


FAILING = """
from atout.bots.random import RandomBot

class Failing(RandomBot):
    name = "failing"
    def choose(self, *given):
        raise RuntimeError("out of ideas")
"""


def no_room() -> None:
    """In a new process: every file is full, as on a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))


def begun(path: Path) -> bytes:
    """A saved match in which seat 0 has to play a card."""
    game, rng = Game.new("nichtig", 3, 5), random.Random(1)
    while not (game.phase == "play" and game.turn == 0 and len(game.legal()) > 5):
        game.play(rng.choice(game.legal()))
    seating = Seating(3, {0}, {1: make_bot("random"), 2: make_bot("random")})
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(saved(game, seating)) + "\n", encoding="utf-8")
    return path.read_bytes()


def own_choices(path: Path) -> int:
    game = game_of(json.loads(path.read_text(encoding="utf-8")))
    return sum(action.seat == 0 for action in game.actions)


def is_asked(screen: str) -> bool:
    return flat(screen).endswith("(? for help):")


def flat(text: str) -> str:
    """Without the folds of long lines and the frames of messages."""
    return " ".join(text.replace("│", " ").split())


def says(words: str) -> Callable[[str], bool]:
    return lambda screen: words in flat(screen)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


# -------------------------------------------------------------------- it cannot be saved


def test_on_the_whole_screen_another_file_is_named(tmp_path: Path) -> None:
    """The folder vanishes. The first name that is typed is no better; the second one is."""
    begun(tmp_path / "gone" / "match.json")
    made = own_choices(tmp_path / "gone" / "match.json")
    with PseudoTerminal(["play", "--resume", "gone/match.json"], tmp_path) as terminal:
        terminal.wait("the table", "Your turn")
        shutil.rmtree(tmp_path / "gone")
        terminal.press("right", "enter")
        told = "Not saved: gone/match.json: cannot be written: its folder does not exist."
        terminal.wait("the note", says(f"{told} Press s to name another file."))
        terminal.press("s")
        terminal.wait("the question", says("Save in another file:"))
        terminal.type("gone/too.json")
        terminal.wait("the answer", says("Not saved: gone/too.json: cannot be written"))
        terminal.type("other.json")
        terminal.wait("the other file", says("The match is saved in other.json."))
        assert "Not saved" not in terminal.screen
        assert own_choices(tmp_path / "other.json") == made + 1
        terminal.press_until("q", "the end", says("atout play --resume other.json"))
        assert terminal.wait_for_end() == 0
    assert names(tmp_path) == {"other.json"}, "nothing is left beside it"


def test_whoever_leaves_the_whole_screen_is_asked_for_a_file(tmp_path: Path) -> None:
    begun(tmp_path / "gone" / "match.json")
    with PseudoTerminal(["play", "--resume", "gone/match.json"], tmp_path) as terminal:
        terminal.wait("the table", "Your turn")
        shutil.rmtree(tmp_path / "gone")
        terminal.press("right", "enter")
        terminal.wait("the note", says("Not saved: "))
        terminal.press("q")
        terminal.wait("the question", says("Save in another file:"))
        terminal.type("other.json")
        assert terminal.wait_for_end() == 0
        assert "The match is saved in other.json." in terminal.lines
    assert own_choices(tmp_path / "other.json") > 0


def test_on_a_full_disk_the_whole_screen_says_what_is_lost(tmp_path: Path) -> None:
    """The old file stays as it was, byte for byte, and the exit code says that nothing was saved."""
    save = tmp_path / "match.json"
    before = begun(save)
    with PseudoTerminal(["play", "--resume", save.name], tmp_path, before=no_room) as terminal:
        terminal.wait("the table", "Your turn")
        terminal.press("right", "enter")
        terminal.wait("the note", says("Not saved: match.json: cannot be written: File too large."))
        terminal.press("ctrl+c")
        terminal.wait("the question", says("Ctrl-C leaves without saving."))
        terminal.press("ctrl+c")
        assert terminal.wait_for_end() == 2
        told = flat(terminal.lines[terminal.lines.rindex("Not saved: match.json: cannot be written") :])
        assert told.endswith("match.json still holds the match as it was saved before.")
        assert "is saved in" not in flat(terminal.lines)
    assert save.read_bytes() == before
    assert names(tmp_path) == {save.name}


def lines(
    folder: Path, *words: str, typed: str, before: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[str]:
    command = [*ATOUT, *words]
    return subprocess.run(
        command, input=typed, capture_output=True, text=True, cwd=folder, preexec_fn=before, check=False
    )


@pytest.mark.parametrize("typed", first(["1\nquit\nquit\n", "1\n"]))
def test_line_by_line_on_a_full_disk(typed: str, tmp_path: Path) -> None:
    save = tmp_path / "match.json"
    before = begun(save)
    done = lines(tmp_path, "play", "--plain", "--resume", save.name, typed=typed, before=no_room)
    assert (done.returncode, done.stderr) == (2, "")
    told = flat(done.stdout)
    assert "Not saved: match.json: cannot be written: File too large. match.json still holds the match" in told
    assert "Type save FILE to save elsewhere." in told, "at once, before the next choice"
    assert "is saved in" not in told
    assert save.read_bytes() == before
    assert names(tmp_path) == {save.name}


def test_line_by_line_another_file_is_named(tmp_path: Path) -> None:
    begun(tmp_path / "gone" / "match.json")
    with PseudoTerminal(["play", "--plain", "--resume", "gone/match.json"], tmp_path) as terminal:
        terminal.wait("the question", is_asked)
        shutil.rmtree(tmp_path / "gone")
        terminal.type("1")
        terminal.wait("the failure", says("Type save FILE to save elsewhere."))
        terminal.wait("the question", is_asked)
        terminal.type("save other.json")
        terminal.wait("the other file", says("The match is saved in other.json."))
        terminal.type("quit")
        assert terminal.wait_for_end() == 0
    assert own_choices(tmp_path / "other.json") > 0


def test_what_no_file_can_be_called(tmp_path: Path) -> None:
    """Ctrl+Space types a NUL: it is said that this is no name, and the next one is taken."""
    begun(tmp_path / "match.json")
    typed = f"1\nsave a\0b\nsave {'x' * 300}\nsave other.json\nquit\n"
    done = lines(tmp_path, "play", "--plain", "--resume", "match.json", typed=typed)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Not saved: a\0b is not a file name: embedded null byte." in flat(done.stdout)
    assert "is not a file name: File name too long." in flat(done.stdout)
    assert own_choices(tmp_path / "other.json") > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("fr", "Non enregistré\u00a0: match.json\u00a0: écriture impossible\u00a0: le fichier est trop grand."),
        ("de", "Nicht gespeichert: match.json: nicht beschreibbar: die Datei ist zu groß."),
    ],
    ids=["fr", "de"],
)
def test_what_is_not_saved_in_other_languages(language: str, said: str, tmp_path: Path) -> None:
    begun(tmp_path / "match.json")
    words = ("play", "--plain", "--resume", "match.json", "--language", language)
    done = lines(tmp_path, *words, typed="1\n", before=no_room)
    assert done.returncode == 2
    assert flat(said) in flat(done.stdout), done.stdout


def test_enter_takes_the_name_that_is_shown(tmp_path: Path) -> None:
    """In the home folder, with a number where there is such a file."""
    begun(tmp_path / "match.json")
    home = tmp_path / "home"
    home.mkdir()
    (home / "atout-game.json").write_text("precious\n")
    with PseudoTerminal(["play", "--resume", "match.json"], tmp_path, environment={"HOME": str(home)}) as terminal:
        terminal.wait("the table", "Your turn")
        (tmp_path / "match.json").write_text("precious\n")
        terminal.press("s")
        terminal.wait("the name", lambda screen: "~/atout-game-2.json" in screen and "Enter: save" in screen)
        terminal.press("enter")
        terminal.wait("the other file", says("The match is saved in"))
    assert names(home) >= {"atout-game.json", "atout-game-2.json"}
    assert (home / "atout-game.json").read_text() == "precious\n"
    json.loads((home / "atout-game-2.json").read_text())


@pytest.mark.parametrize("words", [["play"], ["score"]])
def test_ctrl_c_leaves_where_text_is_selected(words: list[str], tmp_path: Path) -> None:
    """A name in the field is selected; it is not copied instead."""
    begun(tmp_path / "match.json")
    if words == ["score"]:
        with PseudoTerminal(["score", "sheet.json", "--names", "A,B,C", "-e", "nichtig"], tmp_path) as terminal:
            terminal.wait("the sheet", "Esc")
            terminal.type("add scores=1")
            terminal.wait("the mistake", says("scores"))
            terminal.press("ctrl+c")
            assert terminal.wait_for_end() == 0
        return
    with PseudoTerminal(["play", "--resume", "match.json"], tmp_path) as terminal:
        terminal.wait("the table", "Your turn")
        (tmp_path / "match.json").write_text("precious\n")
        terminal.press("s")
        terminal.wait("the question", says("Save in another file:"))
        terminal.type("match.json")
        terminal.wait("the answer", says("changed by another program"))
        terminal.press("ctrl+c")
        assert terminal.wait_for_end() == 2


def test_the_command_to_resume_keeps_the_lines(tmp_path: Path) -> None:
    begun(tmp_path / "match.json")
    done = lines(tmp_path, "play", "--plain", "--resume", "match.json", typed="quit\n")
    assert done.stdout.endswith("play --resume match.json --plain\n")


@pytest.mark.parametrize("door", ["on the whole screen", "line by line", "of a match that is open"])
def test_another_saved_match_is_not_overwritten(door: str, tmp_path: Path) -> None:
    """A file that is there is refused wherever another file is named; a new name is taken."""
    begun(tmp_path / "match.json")
    theirs = begun(tmp_path / "theirs.json")
    words, told = ["play", "--resume", "match.json"], "theirs.json exists already; choose another name"
    if door == "of a match that is open":
        with PseudoTerminal(words, tmp_path) as first_one:
            first_one.wait("the table", "Your turn")
            with PseudoTerminal(words, tmp_path) as terminal:
                terminal.wait("the question", says("Save in another file (Enter alone: leave):"))
                terminal.type("theirs.json")
                terminal.wait("the answer", says(told))
                terminal.type("")
                assert terminal.wait_for_end() == 2
    elif door == "line by line":
        done = lines(tmp_path, *words, typed="save theirs.json\nsave new.json\nsave new.json\nquit\n")
        assert done.returncode == 0
        assert flat(done.stdout).count(told) == 1
        assert flat(done.stdout).count("The match is saved in new.json.") == 3, "the session's own file is replaced"
    else:
        with PseudoTerminal(words, tmp_path) as terminal:
            terminal.wait("the table", "Your turn")
            (tmp_path / "match.json").write_text("precious\n")
            terminal.press("s")
            terminal.wait("the question", says("Save in another file:"))
            terminal.type("theirs.json")
            terminal.wait("the answer", says(told))
            terminal.type("new.json")
            terminal.wait("the other file", says("The match is saved in new.json."))
    assert (tmp_path / "theirs.json").read_bytes() == theirs


# -------------------------------------------------------------------- two programs


@pytest.mark.parametrize("plain", first([["--plain"], []]))
def test_a_match_that_is_open_already(plain: list[str], tmp_path: Path) -> None:
    """The second program is told, without and with somebody who can name another file. A killed one stops nobody."""
    save, other = tmp_path / "match.json", tmp_path / "other.json"
    before = begun(save)
    words = ["play", *plain, "--resume", save.name]
    with PseudoTerminal(words, tmp_path) as terminal:
        terminal.wait("the table", "1. " if plain else "Your turn")
        refused = lines(tmp_path, *words, typed="1\n")
        assert (refused.returncode, refused.stdout) == (2, "")
        assert refused.stderr == f"atout: match.json {IN_USE}\n", "show would tell all cards"
        assert save.read_bytes() == before
        if not plain:
            with PseudoTerminal(words, tmp_path) as second:
                second.wait("the question", says("Save in another file (Enter alone: leave):"))
                second.type("")
                assert second.wait_for_end() == 2
        with PseudoTerminal(words, tmp_path) as second:
            second.wait("the question", says("Save in another file (Enter alone: leave):"))
            second.type(other.name)
            second.wait("the table", "1. " if plain else "Your turn")
            second.press(*(["1", "enter"] if plain else ["right", "enter"]))
            second.wait("the choice", lambda _: other.exists())
            assert save.read_bytes() == before, "the first program's file is its own"
        terminal.kill()
    assert lines(tmp_path, "play", "--plain", "--resume", save.name, typed="1\n").returncode == 0
    assert own_choices(save) == own_choices(other)
    assert ".match.json.lock" not in names(tmp_path)


@pytest.mark.parametrize("plain", first([[], ["--plain"]]))
def test_a_file_that_somebody_else_has_changed(plain: list[str], tmp_path: Path) -> None:
    save, told = tmp_path / "match.json", "match.json was changed by another program in the meantime"
    begun(save)
    with PseudoTerminal(["play", *plain, "--resume", save.name], tmp_path) as terminal:
        terminal.wait("the table", is_asked if plain else "Your turn")
        save.write_text("precious\n")
        terminal.press(*(["1", "enter"] if plain else ["right", "enter"]))
        terminal.wait("the failure", says(f"Not saved: {told}, and is not overwritten."))
        if plain:
            terminal.wait("the question", is_asked)
            terminal.type("save other.json")
            terminal.wait("the other file", says("The match is saved in other.json."))
            terminal.type("quit")
        else:
            terminal.press("q")
            terminal.wait("the question", says("Save in another file:"))
            terminal.type("other.json")
        assert terminal.wait_for_end() == 0
    assert save.read_text() == "precious\n"
    assert own_choices(tmp_path / "other.json") > 0


@pytest.mark.parametrize("plain", first([["--plain"], []]))
def test_a_pipe_is_no_saved_match(plain: list[str], tmp_path: Path) -> None:
    """Nobody could save there: refused before anything is played."""
    os.mkfifo(tmp_path / "pipe")
    with PseudoTerminal(["play", *plain, "--resume", "pipe"], tmp_path) as terminal:
        assert terminal.wait_for_end() == 2
        assert flat(terminal.lines) == "atout: pipe is no regular file; expected another file"


@pytest.mark.parametrize("words", [["play", "--resume", "match.json"], ["score", "sheet.json"], ["show", "match.json"]])
def test_a_program_that_is_ended_gives_the_terminal_back(words: list[str], tmp_path: Path) -> None:
    """As after leaving: no alternate screen, no mouse reports, a cursor; and no hand is left on it."""
    begun(tmp_path / "match.json")
    write_sheet(tmp_path / "sheet.json", [new_sheet("nichtig", ["Ann", "Bo", "Cy"])])
    with PseudoTerminal(words, tmp_path) as terminal:
        terminal.wait("the screen", {"play": "Your turn", "score": "Ann", "show": "q"}[words[0]])
        terminal.end()
        assert terminal.wait_for_end() == 0
        assert {"1049", "1000", "1003"}.isdisjoint(terminal.modes)
        assert "25" in terminal.modes
        if words[0] == "play":
            assert "The match is saved in match.json." in terminal.lines


def test_a_bot_that_fails_on_the_whole_screen(tmp_path: Path) -> None:
    """One sentence and an exit code, no traceback; what was chosen is saved."""
    (tmp_path / "failing.py").write_text(FAILING)
    game, rng = Game.new("nichtig", 3, 5), random.Random(1)
    while not (game.phase == "play" and game.turn == 0):
        game.play(rng.choice(game.legal()))
    failing = RandomBot()
    failing.name = "failing"
    (tmp_path / "match.json").write_text(json.dumps(saved(game, Seating(3, {0}, {1: failing, 2: failing}))) + "\n")
    with PseudoTerminal(["play", "--resume", "match.json", "--bots", "failing:Failing"], tmp_path) as terminal:
        terminal.wait("the table", "Your turn")
        terminal.press("right", "enter")
        assert terminal.wait_for_end() == 2
        assert "out of ideas" in flat(terminal.lines)
        assert "The match is saved in match.json." in flat(terminal.lines)
        assert "Traceback" not in terminal.lines
    assert own_choices(tmp_path / "match.json") > 0
