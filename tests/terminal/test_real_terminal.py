"""A real terminal (tmux): a round is played by keys, the window is resized in the middle, the process is killed."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from atout.game import Game

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is the terminal"),
]
PATIENCE = 120.0


class Tmux:
    """A session of a tmux server of its own."""

    def __init__(self, folder: Path) -> None:
        self.socket = str(folder / "tmux.sock")

    def run(self, *words: str) -> str:
        command = ["tmux", "-S", self.socket, *words]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    def screen(self) -> str:
        return self.run("capture-pane", "-p")

    def wait(self, what: str, check: Callable[[str], bool]) -> str:
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            shown = self.screen()
            if check(shown):
                return shown
            time.sleep(0.05)
        raise AssertionError(f"never seen: {what}\n{self.screen()}")


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    terminal = Tmux(tmp_path)
    yield terminal
    terminal.run("kill-server")


def start(tmux: Tmux, folder: Path, *more: str) -> None:
    words = [
        sys.executable,
        "-m",
        "atout",
        "play",
        *["-e", "nichtig", "-n", "3", "--bots", "random", "--seed", "3"],
        *more,
    ]
    path = shlex.quote(os.environ.get("PYTHONPATH", ""))
    line = f"PYTHONPATH={path} ATOUT_LANGUAGE=en {shlex.join(words)}; sleep 600"
    tmux.run("new-session", "-d", "-x", "80", "-y", "24", "-c", str(folder), line)


def choose(tmux: Tmux, save: Path, before: bytes) -> None:
    """Press Enter until a choice is on disk: a key between two turns does nothing."""
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        tmux.run("send-keys", "Enter")
        for _ in range(40):
            if save.exists() and save.read_bytes() != before:
                return
            time.sleep(0.05)
    raise AssertionError(f"no choice was made\n{tmux.screen()}")


def test_a_round_in_a_terminal_that_is_resized_and_killed(tmux: Tmux, tmp_path: Path) -> None:
    start(tmux, tmp_path)
    tmux.wait("the table", lambda shown: "Lay out your first piles" in shown)
    save = tmp_path / "atout-game.json"
    for turn in range(5):
        before = save.read_bytes() if save.exists() else b""
        choose(tmux, save, before)
        if turn == 2:
            tmux.run("resize-window", "-x", "120", "-y", "40")
            tmux.wait("the larger table", lambda shown: len(shown.splitlines()) >= 39)
    pid = tmux.run("list-panes", "-F", "#{pane_pid}").strip()
    children = subprocess.run(["pgrep", "-P", pid], capture_output=True, text=True, check=False).stdout.split()
    assert children
    for child in children:
        os.kill(int(child), 9)
    record = json.loads(save.read_text())
    kept = Game.from_record(record, auto_deal=False)
    assert sum(action.seat == 0 for action in kept.actions) >= 5
    tmux.run("kill-session")
    start(tmux, tmp_path, "--resume", str(save))
    tmux.wait("the table again", lambda shown: "Your turn" in shown and "Null & nichtig" in shown)
