"""Wrong databases and key files: the server does not start, says what is wrong, and leaves the files as they were."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.background import PATIENCE, QUICK, serve_in_background

ROUTES = "127.0.0.1 localhost\n"


def refusal(database: str, folder: Path, **variables: str) -> str:
    """What a server says that does not start: one sentence, and no traceback."""
    environment = {**os.environ, **QUICK, **variables}
    environment.pop("ATOUT_DATABASE", None)
    command = [sys.executable, "-m", "atout", "serve", "--port", "0", "--database", database]
    ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert (ended.returncode, ended.stdout) == (2, ""), ended.stderr
    said = [line for line in ended.stderr.splitlines() if not line.startswith("{")]  # the log is lines of JSON
    assert len(said) == 1, ended.stderr
    return said[0]


def found(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


def test_what_is_no_database_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").write_text("Dear reader, " * 100)
    os.mkfifo(tmp_path / "pipe")
    modes = {"folder": 0o755, "text": 0o644, "pipe": 0o644}
    for name, mode in modes.items():
        (tmp_path / name).chmod(mode)
    assert "is a folder; expected" in refusal(f"sqlite:///{tmp_path}/folder", tmp_path)
    assert "is no SQLite database; expected" in refusal(f"sqlite:///{tmp_path}/text", tmp_path)
    assert "is no regular file; expected" in refusal(f"sqlite:///{tmp_path}/pipe", tmp_path)
    assert found(tmp_path) == modes


def test_the_reports_of_what_is_no_database_leave_it_alone(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("Dear reader, " * 100)
    (tmp_path / "text").chmod(0o644)
    command = [sys.executable, "-m", "atout", "reports", "--database", f"sqlite:///{tmp_path}/text"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert (ended.returncode, "is no SQLite database" in ended.stderr) == (2, True), ended.stderr
    assert found(tmp_path) == {"text": 0o644}


def test_what_is_no_key_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "hosts").write_text(ROUTES)
    (tmp_path / "hosts").chmod(0o644)
    said = refusal(f"sqlite:///{tmp_path}/atout.db", tmp_path, ATOUT_KEY_FILE="hosts")
    assert "hosts: every key has 32 letters at least" in said
    assert found(tmp_path)["hosts"] == 0o644
    assert not (tmp_path / "atout.db").exists()


@pytest.mark.parametrize(
    ("database", "said"),
    [
        ("atout.db", "has no scheme; expected sqlite:///atout.db"),
        ("mysql://me:secret@host/atout", "there is no store for mysql://; expected sqlite:///atout.db"),
        (
            "postgresql://me:secret@host:port/atout",
            "the address of the database cannot be read; expected postgresql://",
        ),
    ],
)
def test_an_address_that_is_wrong_is_explained(database: str, said: str, tmp_path: Path) -> None:
    told = refusal(database, tmp_path, ATOUT_KEYS="a" * 40)
    assert said in told
    assert "secret" not in told
    assert list(tmp_path.iterdir()) == []


def test_a_key_lies_beside_a_database_whose_address_is_encoded(tmp_path: Path) -> None:
    folder = tmp_path / "my dir"
    folder.mkdir()
    with serve_in_background(f"sqlite:///{tmp_path}/my%20dir/atout.db", tmp_path, key_file=""):
        assert (folder / "atout.db.key").is_file()
    assert "my%20dir" not in found(tmp_path)
