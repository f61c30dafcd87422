"""A full disk: a typed error, no damage, and writing goes on when there is room again."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.depth import first

PROGRAM = [sys.executable, "-m", "tests.store.full"]
NAMESPACE = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]


@pytest.mark.slow
def test_a_file_that_cannot_grow(tmp_path: Path) -> None:
    done = subprocess.run([*PROGRAM, "limit", tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "Unavailable\n"


@pytest.mark.parametrize("way", first(["sqlite", "postgresql"]))
def test_a_disk_that_is_full(way: str) -> None:
    """On a real file system of 3 MB, mounted where only the program sees it."""
    if way == "postgresql" and os.geteuid() != 0:
        pytest.skip("only root can mount a file system that PostgreSQL, under its own user, may fill up")
    with tempfile.TemporaryDirectory(prefix="atout-full-") as folder:
        Path(folder).chmod(0o755)
        target = Path(folder) / "tiny"
        target.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=3m", "tiny", str(target)]
        if not allowed([*NAMESPACE, *mount]):
            pytest.skip("this system lets us mount no file system of our own, so none can be filled up")
        program = ["sh", "-c", shlex.join(mount) + ' && exec "$@"', "sh", *PROGRAM, way, str(target)]
        done = subprocess.run([*NAMESPACE, *program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "StoreFull\n"


def allowed(command: list[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False
