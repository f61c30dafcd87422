"""The guide to writing a bot: its bot plays, its tables are complete, its commands exist."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_group

from atout import View
from atout.bots import Budget
from atout.cli import app
from atout.exam import CHECKS, examine
from atout.game.view import Cell, Conditions, LastRound, MadeOf, PastRound, Played, Row, Team
from tests.arena.in_process import run_in_process, settings_of
from tests.docs.test_docs import ROOT, blocks

PAGE = ROOT / "docs" / "guide" / "write-a-bot.md"
NAME = "monte_carlo:MonteCarlo"


def tables(header: str) -> list[list[str]]:
    """The rows of the table with this header, without backquotes."""
    text = PAGE.read_text(encoding="utf-8")
    _, found, rest = text.partition(f"| {header} |\n")
    assert found, header
    rows = rest.partition("\n\n")[0].splitlines()[1:]
    cells = [re.split(r"(?<!\\) \| ", row.strip().removeprefix("| ").removesuffix(" |")) for row in rows]
    return [[cell.replace("\\|", "|").strip("`") for cell in row] for row in cells]


def fields(kind: type) -> list[list[str]]:
    return [[name, hint.__forward_arg__] for name, hint in kind.__annotations__.items()]


def test_the_view_field_by_field() -> None:
    rows = tables("field | type | meaning")
    assert [row[:2] for row in rows] == fields(View)
    assert all(row[2] for row in rows)


def test_the_nested_types_field_by_field() -> None:
    kinds = (Row, Cell, Conditions, Played, PastRound, Team, MadeOf)
    assert [row[:3] for row in tables("in | field | type | meaning")] == [
        [kind.__name__, *field] for kind in kinds for field in fields(kind)
    ]


def test_the_fields_of_the_last_round_are_those_of_a_view() -> None:
    sentence = PAGE.read_text(encoding="utf-8").partition("`LastRound` has fields")[2].partition("\n")[0]
    named = re.findall(r"`(\w+)`", sentence)
    assert named == list(LastRound.__annotations__)
    assert all(View.__annotations__[name] == LastRound.__annotations__[name] for name in named)


def test_the_checks_of_the_exam() -> None:
    rows = tables("check | what is checked")
    assert dict(rows) == CHECKS


@pytest.fixture
def monte_carlo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The bot of the page, saved as a module; its name on the command line."""
    (block,) = (block for block in blocks(PAGE, "python") if "class MonteCarlo" in block)
    (tmp_path / "monte_carlo.py").write_text(block, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert sum(bool(line.strip()) for line in block.splitlines()) <= 30
    return NAME


@pytest.mark.slow
def test_the_bot_of_the_page_passes_its_exam(monte_carlo: str) -> None:
    report = examine(monte_carlo, nodes=20, seconds=None, each=1)
    assert report.failures == []
    made = {it.check: it.made for it in report.checks}
    assert all(made[check] for check in CHECKS if check != "budget")


@pytest.mark.slow
def test_the_bot_of_the_page_beats_random(monte_carlo: str, tmp_path: Path) -> None:
    settings = settings_of("niet-2015", 4, [monte_carlo, "random"], budget=Budget(nodes=60))
    results = run_in_process(tmp_path / "out.json", 2, settings)
    assert results.pairs[0].margin.mean > 0
    assert all(not bot.forfeits for bot in results.bots)


@pytest.mark.slow
def test_a_bot_is_found_in_the_current_folder(monte_carlo: str, tmp_path: Path) -> None:
    """The installed command does not search the current folder by itself, so `-P` switches that off here."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [
        sys.executable,
        "-P",
        "-m",
        "atout",
        "simulate",
        "-b",
        monte_carlo,
        "-e",
        "nichtig",
        "-n",
        "3",
        "-g",
        "1",
    ]
    command += ["--options", '{"length": {"target": 1}}', "-w", "1", "-o", "-"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1


@pytest.mark.parametrize("line", [line for block in blocks(PAGE, "sh") for line in block.splitlines()])
def test_the_commands_of_the_page_exist(line: str) -> None:
    """Every command, option and value is parsed; the commands themselves are tested elsewhere."""
    program, command, *arguments = shlex.split(line)
    assert program == "atout"
    get_group(app).commands[command].make_context(command, arguments)
