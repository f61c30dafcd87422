"""`make` on a machine where something is missing: it says what, and can be called again when that is there."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.server.background import PATIENCE

ROOT = Path(__file__).parent.parent
NETWORK = "this needs a network once"


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    shutil.copy(ROOT / "Makefile", folder)
    command = ["make", "--no-print-directory", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE)


def stand_in(path: Path, script: str) -> None:
    """A program that does what the script says."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_a_virtual_environment_that_fails_is_not_there(tmp_path: Path) -> None:
    """As on Debian without python3-venv: the folder has a python by then, but no pip."""
    fails = (
        'if [ "$1" = -m ]; then mkdir -p .venv/bin; touch .venv/bin/python; echo "apt install python3-venv"; exit 1; fi'
    )
    stand_in(tmp_path / "python", fails)
    for _ in range(2):
        made = make(tmp_path, ".venv/bin/python", "PYTHON=./python")
        assert made.returncode != 0
        assert "apt install python3-venv" in made.stdout
        assert not (tmp_path / ".venv").exists()


def test_without_a_network_it_says_that_it_needs_one(tmp_path: Path) -> None:
    stand_in(tmp_path / ".venv/bin/python", 'echo "no connection" >&2; exit 1')
    for name in ("requirements.lock", "requirements-dev.lock", "pyproject.toml"):
        (tmp_path / name).write_text("uv==1\n")
    made = make(tmp_path, ".venv/.runtime")
    assert made.returncode != 0
    assert "no connection" in made.stderr
    assert NETWORK in made.stderr


def test_what_npm_says_is_shown(tmp_path: Path) -> None:
    """With `--silent` it says nothing."""
    stand_in(
        tmp_path / ".venv/bin/npm", 'case "$*" in *--silent*) ;; *) echo "npm error ENOTFOUND" >&2 ;; esac; exit 1'
    )
    for name in (".venv/bin/python", ".venv/bin/uv", "requirements-web.lock", ".venv/.node", "web/package-lock.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    made = make(tmp_path, "--old-file=.venv/.node", "web/node_modules/.package-lock.json")
    assert made.returncode != 0
    assert "npm error ENOTFOUND" in made.stderr
    assert NETWORK in made.stderr
