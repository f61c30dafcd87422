"""The server's files are for their owner alone, and one server at a time uses a SQLite file."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from atout.server import browser
from atout.server.identity import key_path
from atout.server.run import serve
from atout.server.settings import ServerSettings
from tests.server.background import PATIENCE, QUICK, Background, serve_in_background, start
from tests.server.client import Party


def modes(folder: Path, pattern: str) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.glob(pattern)}


def atout(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **QUICK, "ATOUT_KEY_FILE": str(folder / "key"), "PYTHONUNBUFFERED": "1"}
    for name in browser.SCREENS:
        environment.pop(name, None)
    return subprocess.run(
        [sys.executable, "-m", "atout", *arguments], capture_output=True, text=True, timeout=PATIENCE, env=environment
    )


@pytest.fixture
def open_umask() -> object:
    """As most systems have it: new files can be read by everybody."""
    before = os.umask(0o022)
    yield
    os.umask(before)


async def write(server: Background) -> None:
    async with Party(server.url) as party:
        await (await party.guest()).open_table(edition="nichtig", players=3)


@pytest.mark.usefixtures("open_umask")
def test_new_files_are_for_their_owner(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/atout.db"
    with serve_in_background(database, tmp_path) as server:
        asyncio.run(write(server))
        copied = atout("backup", "--database", database, str(tmp_path / "copy.db"), folder=tmp_path)
        assert copied.returncode == 0, copied.stderr
        found = {**modes(tmp_path, "atout.db*"), **modes(tmp_path, "copy.db*"), **modes(tmp_path, "key")}
        assert {"atout.db", "atout.db-wal", "atout.db-shm", "copy.db", "key"} <= set(found)
        assert set(found.values()) == {0o600}, found


@pytest.mark.usefixtures("open_umask")
@pytest.mark.slow
def test_files_of_an_older_version_are_closed_to_others(tmp_path: Path) -> None:
    """Those that a killed server left behind too; the log says so, by names without folders."""
    database = f"sqlite:///{tmp_path}/atout.db"
    first = start(database, tmp_path)
    asyncio.run(write(first))
    first.kill()
    for path in [*tmp_path.glob("atout.db*"), tmp_path / "key"]:
        path.chmod(0o644)
    with serve_in_background(database, tmp_path) as server:
        asyncio.run(write(server))
        found = {**modes(tmp_path, "atout.db"), **modes(tmp_path, "atout.db-*"), **modes(tmp_path, "key")}
        assert len(found) == 4
        assert set(found.values()) == {0o600}, found
        lines = [json.loads(line) for line in server.log_text.splitlines()]
        tightened = {line["file"]: line["mode_before"] for line in lines if "mode_before" in line}
        assert tightened == dict.fromkeys(["key", "atout.db", "atout.db-wal", "atout.db-shm"], "0644")


@pytest.mark.slow
def test_a_second_server_is_refused(tmp_path: Path) -> None:
    """It names the first one, which goes on; a backup is possible all the time."""
    database = f"sqlite:///{tmp_path}/atout.db"
    with serve_in_background(database, tmp_path) as server:
        second = atout("serve", "--port", "0", "--database", database, folder=tmp_path)
        assert second.returncode != 0
        assert f"process {server.process.pid}" in " ".join(second.stderr.split())
        assert "Atout serves" not in second.stdout
        asyncio.run(write(server))
        assert atout("backup", "--database", database, str(tmp_path / "copy.db"), folder=tmp_path).returncode == 0


@pytest.mark.slow
def test_a_symbolic_link_leads_to_the_same_lock_and_key(tmp_path: Path) -> None:
    database, link = f"sqlite:///{tmp_path}/atout.db", tmp_path / "link.db"
    with serve_in_background(database, tmp_path) as server:
        link.symlink_to(tmp_path / "atout.db")
        second = atout("serve", "--port", "0", "--database", f"sqlite:///{link}", folder=tmp_path)
        assert second.returncode != 0
        assert f"process {server.process.pid}" in " ".join(second.stderr.split())
    assert key_path(ServerSettings(database=f"sqlite:///{link}")) == tmp_path / "atout.db.key"
    (tmp_path / "link.db.key").touch()
    assert key_path(ServerSettings(database=f"sqlite:///{link}")).name == "link.db.key", "made by an earlier version"


def test_to_play_with_another_database_starts_another_server(tmp_path: Path) -> None:
    """As in a second clone: who is shown the first one's server would wonder where their matches are."""
    with serve_in_background(f"sqlite:///{tmp_path}/atout.db", tmp_path) as server:
        port = server.url.rpartition(":")[2]
        environment = {**os.environ, **QUICK, "ATOUT_KEY_FILE": str(tmp_path / "second.key")}
        for name in browser.SCREENS:
            environment.pop(name, None)
        second = subprocess.Popen(
            [sys.executable, "-m", "atout", "serve", "--open", "-p", port, "-d", f"sqlite:///{tmp_path}/second.db"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment,
        )  # fmt: skip
        try:
            assert second.stdout is not None
            with second.stdout:
                said = [second.stdout.readline() for _ in range(4)]
        finally:
            second.terminate()
            second.wait(PATIENCE)
    assert said[0] == f"port {port} is in use by an Atout with another database, so another one was taken\n"
    assert re.fullmatch(r"Atout serves at http://127\.0\.0\.1:\d+\n", said[1])
    assert said[3].startswith(f"Database {tmp_path}/second.db")


def test_ctrl_c_soon_after_the_start_is_quiet(tmp_path: Path) -> None:
    """A terminal sends it to all processes: also to those of the bots, which have hardly begun."""
    server = start(f"sqlite:///{tmp_path}/atout.db", tmp_path, bot_warm=True, bot_processes=4)
    while not browser.is_atout(server.url):
        assert server.process.poll() is None, server.log_text
    os.killpg(server.process.pid, signal.SIGINT)
    server.process.wait(PATIENCE)
    assert "Traceback" not in server.log_text


def test_a_killed_server_leaves_no_lock(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/atout.db"
    first = start(database, tmp_path)
    first.kill()
    assert str(first.process.pid) in (tmp_path / "atout.db.lock").read_text()
    with serve_in_background(database, tmp_path) as server:
        assert str(server.process.pid) in (tmp_path / "atout.db.lock").read_text()


@pytest.mark.slow
def test_to_play_twice_shows_the_one_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where the first one took another port because another program has the usual one."""
    database = f"sqlite:///{tmp_path}/atout.db"
    monkeypatch.setattr(browser, "open_page", lambda address: False)
    with serve_in_background(database, tmp_path) as server:
        serve(ServerSettings(port=1, database=database), open_browser=True)
        shown = capsys.readouterr().out
        assert "Atout runs already" in shown
        assert server.url in shown
