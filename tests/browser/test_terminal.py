"""The page and the terminal: two people at one table, and a score sheet that travels there and back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.conftest import Visits
from tests.browser.player import Player
from tests.browser.test_multiplayer import open_table
from tests.server.background import Background

pytestmark = pytest.mark.slow


def test_a_person_on_the_page_and_one_in_the_terminal(visits: Visits, site: Background, tmp_path: Path) -> None:
    ann = visits()
    path = open_table(ann)
    command = [sys.executable, "-m", "atout", "play", "--plain", "--language", "en", "--name", "Bob"]
    with subprocess.Popen(
        [*command, "--join", f"{site.url}{path}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "ATOUT_STATE": str(tmp_path)},
    ) as bob:
        assert bob.stdin is not None
        assert bob.stdout is not None
        bob.stdin.write("1\n" * 60)
        bob.stdin.flush()
        try:
            assert Player(ann.page).play_until(lambda phase: phase == "round-end") == "round-end"
            assert ann.page.get_by_text("Bob").filter(visible=True).count() > 0
        finally:
            bob.terminate()  # he waits for Ann, and would notice the end of his input only at his own turn
        told = bob.stdout.read()
    assert "Round 1" in told
    assert "You win the trick" in told or "wins the trick" in told


def test_a_score_sheet_travels_from_the_page_to_the_terminal_and_back(visits: Visits, tmp_path: Path) -> None:
    ann = visits()
    page = ann.go("/sheet")
    ann.pick("Players", "2")
    page.get_by_label("Name of player 1").fill("Ann")
    page.get_by_label("Name of player 2").fill("Bo")
    page.get_by_role("button", name="Start").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").first.click()
    file = tmp_path / "sheet.json"
    download.value.save_as(file)
    before = json.loads(file.read_text())

    command = [sys.executable, "-m", "atout", "score", str(file), "--plain", "--language", "en"]
    done = subprocess.run(command, input="quit\n", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(file.read_text()) == before, "only looked at: unchanged"
    line = "add discard=none points=3 tricks=9,6 loot=1,0\nquit\n"
    done = subprocess.run(command, input=line, capture_output=True, text=True)
    assert "30" in done.stdout, done.stdout

    page = ann.go("/sheet")
    page.locator("input[type=file]").first.set_input_files(str(file))
    page.get_by_text("1 match read.").wait_for()
    page.get_by_role("link", name="Ann").first.click()
    page.get_by_role("button", name="Change round 1").wait_for()
    assert "30" in page.locator("tfoot").inner_text()
