"""Files that commands write: a full disk is said in a sentence, the old file stays, and two programs do not mix."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from atout.files import Lock
from tests.cli.test_cli import Atout, atout, simulate
from tests.cli.test_inputs import everything, folder
from tests.depth import first

if sys.platform == "win32":
    pytest.skip("a full disk is made with limits of Unix", allow_module_level=True)

from tests.terminal.pseudo import ATOUT, PseudoTerminal
from tests.terminal.test_saving import flat, lines, no_room, says

__all__ = ["atout", "folder"]
TABLE = "-e nichtig -n 3"
WRITING = {
    f"simulate {TABLE} -g 1 -b random -o old": "--out: old cannot be written: File too large",
    "print sheet --out old": "--out: old: cannot be written: File too large",
    "leaderboard one.json --out old": "--out: old cannot be written: File too large",
    "puzzles pack made.jsonl --sure --output old": "--output: old cannot be written: File too large",
    f"arena {TABLE} -d 1 -b random,novice --out old -w 1": "cannot be written: File too large",
    "puzzles make --count 1 --jobs 1 --output new": "--output: new cannot be written: File too large",
    "review games.jsonl --time 1s --html /dev/full": "--html: /dev/full: cannot be written: No space left on device",
    f"simulate {TABLE} -g 1 -b random -o /dev/full": "--out: /dev/full cannot be written: No space left on device",
}
"""Commands and what they say on a full disk."""


@pytest.mark.parametrize("command", first(WRITING, 5))
def test_a_full_disk(command: str, folder: Path) -> None:
    """One line without a traceback; the old file is whole, and nothing is called written."""
    (folder / "old").write_bytes(b"precious\n")
    before = everything(folder)
    done = lines(folder, *command.split(), typed="", before=None if "/dev/full" in command else no_room)
    assert done.returncode == 2
    assert WRITING[command] in done.stderr
    assert "Traceback" not in done.stderr
    assert "written to" not in done.stdout + done.stderr
    after = everything(folder)
    assert {name: body for name, body in after.items() if body} == before


@pytest.mark.parametrize(
    "command",
    ["show games.jsonl --plain", "review games.jsonl --time 1s", "verify games.jsonl", "editions", "play --help"],
)
def test_a_full_disk_behind_the_output(command: str, folder: Path) -> None:
    with Path("/dev/full").open("w") as full:
        words = [*ATOUT, *command.split()]
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, cwd=folder, check=False)
    told = "atout: standard output: cannot be written: No space left on device"
    assert (done.returncode, done.stderr.splitlines()[-1]) == (2, told)
    assert "Traceback" not in done.stderr
    assert "ignored" not in done.stderr


@pytest.mark.parametrize(
    ("command", "closed", "code", "said"),
    [
        ("play --plain -e nichtig -n 3", "<&-", 0, "You have made no choice yet"),
        ("show games.jsonl", "<&-", 0, ""),
        ("play --help", ">&-", 2, "atout: standard output: cannot be written: it is closed\n"),
        (f"simulate {TABLE} -g 1 -b random -w 1 -o -", ">&-", 2, "atout: standard output: cannot be written: it is"),
        (f"simulate {TABLE} -g 1 -b random -w 1 -o new", ">&-", 0, "1 match written to new\n"),
        ("show nowhere", "2>&-", 2, ""),
    ],
)
def test_closed_streams(command: str, closed: str, code: int, said: str, folder: Path) -> None:
    words = ["sh", "-c", f'"$@" {closed}', "sh", *ATOUT, *command.split()]
    done = subprocess.run(words, capture_output=True, text=True, cwd=folder, check=False)
    assert done.returncode == code, done.stderr
    assert said in (done.stdout if closed == "<&-" else done.stderr)
    assert "Traceback" not in done.stderr
    assert "ignored" not in done.stderr


def little_memory() -> None:
    """In a new process: whoever reads without end fails before the machine is full."""
    resource.setrlimit(resource.RLIMIT_DATA, (2 << 30, 2 << 30))


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("score /dev/full", ""),
        ("score /dev/full --json", ""),
        ("print sheet --filled /dev/full --out x", ""),
        ("puzzles make -o /dev/full", "--output: "),
    ],
)
def test_a_device_without_an_end_is_not_read(command: str, option: str, tmp_path: Path) -> None:
    done = lines(tmp_path, *command.split(), typed="", before=little_memory)
    told = f"atout: {option}/dev/full is no regular file; expected another file\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", told)


@pytest.mark.parametrize(
    ("command", "output"),
    [
        (f"simulate {TABLE} -g 1 -b random -o x", "x"),
        (f"arena {TABLE} -d 1 -b random,novice --out x -w 1", "x"),
        ("leaderboard one.json --out x", "x"),
        ("puzzles make --count 1 --jobs 1 --output x", "x"),
    ],
)
def test_two_programs_do_not_write_one_file(command: str, output: str, atout: Atout, folder: Path) -> None:
    before = everything(folder)
    lock = Lock.on(folder / output)
    assert lock is not None
    done = atout(*command.split())
    assert (done.code, done.out) == (2, "")
    assert f"{output} is open in another program of Atout, which saves there" in done.err
    lock.release()
    assert everything(folder) == before


def test_two_programs_that_note_puzzles(tmp_path: Path) -> None:
    """Both begin with the same state, and what the first one notes meanwhile is not forgotten by the second one."""
    state = tmp_path / "state" / "puzzles.json"
    environment = {"ATOUT_STATE": str(state.parent)}
    with PseudoTerminal(["puzzle"], tmp_path, environment=environment) as terminal:
        terminal.wait("the puzzle", says("? for help"))
        for _ in range(2):
            with PseudoTerminal(["puzzle"], tmp_path, environment=environment) as other:
                other.wait("the puzzle", says("? for help"))
                other.type("1")
                other.wait("the end", says("quit: stop."))
                other.type("quit")
                assert other.wait_for_end() == 0
        tried = json.loads(state.read_bytes())["solved"]
        assert len(tried) == 2
        terminal.type("1")
        terminal.wait("the end", says("2 puzzles solved."))
        terminal.type("quit")
        assert terminal.wait_for_end() == 0
    assert json.loads(state.read_bytes())["solved"] == tried


def test_a_puzzle_that_cannot_be_noted(tmp_path: Path) -> None:
    """The answer is told all the same, and the exit code says that nothing was saved."""
    environment = {"ATOUT_STATE": str(tmp_path / "state")}
    with PseudoTerminal(["puzzle"], tmp_path, environment=environment, before=no_room) as terminal:
        terminal.wait("the puzzle", says("? for help"))
        terminal.type("1")
        terminal.wait("the end", says("quit: stop."))
        assert f"Not saved: {tmp_path}/state/puzzles.json: cannot be written: File too large." in flat(terminal.lines)
        assert "1 puzzles solved." in flat(terminal.lines)
        terminal.type("quit")
        assert terminal.wait_for_end() == 2


def test_a_simulation_that_is_killed_stops_nobody(atout: Atout, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    words = ["simulate", *TABLE.split(), "-g", "100000000", "-b", "random", "-o", str(path), "-w", "1"]
    running = subprocess.Popen([*ATOUT, *words], stderr=subprocess.DEVNULL)
    try:
        while not path.with_name("x.jsonl.part").exists():
            assert running.poll() is None
        refused = simulate(atout, path)
    finally:
        running.kill()
        running.wait()
    assert refused.code == 2
    assert "is open in another program" in refused.err
    assert simulate(atout, path).code == 0
    assert len(path.read_bytes().splitlines()) == 3
