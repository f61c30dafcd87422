"""A database that is locked, and a disk that is full: the operator reads why, in the log or at the start."""

from __future__ import annotations

import json
import os
import shlex
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tests.server.background import PATIENCE, QUICK, serve_in_background
from tests.store.test_full import NAMESPACE, allowed


def test_the_log_says_once_why_the_database_cannot_be_used(tmp_path: Path) -> None:
    def introduce(name: str) -> int:
        return httpx.post(f"{server.url}/api/guest", json={"name": name}, timeout=PATIENCE).status_code

    with serve_in_background(f"sqlite:///{tmp_path}/atout.db", tmp_path) as server:
        assert introduce("Cid") == 200
        with closing(sqlite3.connect(tmp_path / "atout.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert [introduce("Ann"), introduce("Bob")] == [503, 503]
        lines = [json.loads(line) for line in server.log_text.splitlines()]
        warnings = [(line["event"], line.get("reason")) for line in lines if line["level"] == "warning"]
        assert warnings == [("the database cannot be used now", "database is locked")]


@pytest.mark.parametrize(
    ("size", "said"),
    [
        pytest.param(4096, "atout.db.lock cannot be written: No space left on device; expected room for it", id="none"),
        pytest.param(100 * 1024, "atout.db: the disk is full; expected room for it", id="too little"),
    ],
)
def test_a_new_database_on_a_full_disk_is_explained(size: int, said: str, tmp_path: Path) -> None:
    """On a real file system of that size, mounted where only the server sees it."""
    mount = f"mount -t tmpfs -o size={size} tiny {shlex.quote(str(tmp_path))}"
    if not allowed([*NAMESPACE, "sh", "-c", mount]):
        pytest.skip("this system lets us mount no file system of our own, so none can be filled up")
    fill = f"head -c {size if size == 4096 else 0} /dev/zero > {shlex.quote(str(tmp_path / 'ballast'))}"
    command = [sys.executable, "-m", "atout", "serve", "--port", "0", "--database", f"sqlite:///{tmp_path}/atout.db"]
    ended = subprocess.run(
        [*NAMESPACE, "sh", "-c", f'{mount} && {fill} && exec "$@"', "sh", *command],
        env={**os.environ, **QUICK}, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (2, ""), ended.stderr
    assert ended.stderr == f"atout: {tmp_path}/{said}\n"
