"""The keys that sign cookies: a server with others than those of the database does not start, and says what helps."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.server.background import PATIENCE, QUICK, serve_in_background, start
from tests.server.scenarios import stored
from tests.store.test_old_database import DATA

OLD, NEW, OTHER = ("".join([letter] * 40) for letter in "abc")


def refusal(database: str, folder: Path, **variables: str) -> str:
    """What a server says that does not start. It opened no port, and told it in one line."""
    environment = {**os.environ, **QUICK, "ATOUT_KEY_FILE": str(folder / "key"), **variables}
    command = [sys.executable, "-m", "atout", "serve", "--port", "0", "--database", database]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    began = process.stdout.readline()  # empty at the end of a server that does not start
    if began:
        process.kill()
    _, errors = process.communicate(timeout=PATIENCE)
    assert (began, process.returncode) == ("", 2), errors
    said = [line for line in errors.splitlines() if not line.startswith("{")]  # the log is lines of JSON
    assert len(said) == 1, errors
    assert said[0].startswith("atout: key")
    return said[0]


def introduce(url: str, name: str) -> str:
    """The cookie of a new guest."""
    answer = httpx.post(f"{url}/api/guest", json={"name": name}, timeout=PATIENCE)
    assert answer.is_success, answer.text
    return answer.cookies["atout"]


def name_of(url: str, cookie: str) -> str | None:
    """Whom the server sees in a cookie."""
    answer = httpx.get(f"{url}/api/guest", cookies={"atout": cookie}, timeout=PATIENCE)
    return answer.json()["name"] if answer.is_success else None


def with_guest(database: str, folder: Path, name: str = "Ann", **settings: object) -> str:
    """The cookie of a guest who was at a server that has ended."""
    with serve_in_background(database, folder, **settings) as server:
        return introduce(server.url, name)


def remembers(database: str, folder: Path, *cookies: str, **settings: object) -> list[str | None]:
    with serve_in_background(database, folder, **settings) as server:
        return [name_of(server.url, cookie) for cookie in cookies]


def test_without_the_key_of_its_guests_a_server_does_not_start(tmp_path: Path) -> None:
    database, file = f"sqlite:///{tmp_path}/atout.db", tmp_path / "key"
    ann = with_guest(database, tmp_path)
    key, before = file.read_text(), (tmp_path / "atout.db").read_bytes()

    file.unlink()
    missing = refusal(database, tmp_path)
    assert f"{file} is missing" in missing
    assert not file.exists(), "a new key would make the next start look right"
    file.write_text(OTHER)
    wrong = refusal(database, tmp_path)
    for said in (missing, wrong):
        assert "Put the right key file back" in said
        assert "ATOUT_KEYS" in said
    assert str(file) in wrong
    assert (tmp_path / "atout.db").read_bytes() == before
    assert key.strip() not in missing + wrong
    assert key.strip().encode() not in stored(database), "the database has no key, only its fingerprint"

    file.write_text(key)
    assert remembers(database, tmp_path, ann) == ["Ann"]


@pytest.mark.slow
def test_a_copy_of_the_database_needs_the_key_as_well(tmp_path: Path) -> None:
    database, elsewhere = f"sqlite:///{tmp_path}/atout.db", tmp_path / "elsewhere"
    elsewhere.mkdir()
    copy = f"sqlite:///{elsewhere}/atout.db"
    ann = with_guest(database, tmp_path)
    command = [sys.executable, "-m", "atout", "backup", "--database", database, str(elsewhere / "atout.db")]
    subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE)
    assert "is missing" in refusal(copy, elsewhere)
    assert not (elsewhere / "key").exists()
    shutil.copy(tmp_path / "key", elsewhere)
    assert remembers(copy, elsewhere, ann) == ["Ann"]


def test_a_new_key_is_put_first_and_the_old_one_dropped_later(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/atout.db"
    ann = with_guest(database, tmp_path, keys=OLD)
    with serve_in_background(database, tmp_path, keys=f"{NEW},{OLD}") as server:
        assert name_of(server.url, ann) == "Ann"
        bob = introduce(server.url, "Bob")
    assert remembers(database, tmp_path, ann, bob, keys=NEW) == [None, "Bob"]
    assert "ATOUT_KEYS" in refusal(database, tmp_path, ATOUT_KEYS=OLD)
    late = refusal(database, tmp_path, ATOUT_KEYS=f"{OLD},{NEW}")
    assert "the first key was replaced by a later one" in late, "a machine that hears of the change last"
    assert remembers(database, tmp_path, bob, keys=NEW) == ["Bob"], "nobody else is refused for that"


@pytest.mark.slow
def test_a_key_that_is_lost_can_be_given_up(tmp_path: Path) -> None:
    """By the name that the refusal says; after that the setting means nothing."""
    database = f"sqlite:///{tmp_path}/atout.db"
    ann = with_guest(database, tmp_path, keys=OLD)
    said = refusal(database, tmp_path)
    name = said.partition("ATOUT_LOST_KEY=")[2].partition(":")[0]
    refusal(database, tmp_path, ATOUT_LOST_KEY="unknown")
    with serve_in_background(database, tmp_path, lost_key=name) as server:
        assert name_of(server.url, ann) is None
        bob = introduce(server.url, "Bob")
    assert (tmp_path / "key").exists()
    assert remembers(database, tmp_path, bob, lost_key=name) == ["Bob"]
    refusal(database, tmp_path, ATOUT_KEYS=OLD, ATOUT_LOST_KEY=name)


def test_a_database_of_an_older_version_gets_no_new_key(tmp_path: Path) -> None:
    """Its key is not known there yet; that it needs one, its guests tell. `test_old_database.py` starts it with one."""
    shutil.copy(DATA / "old.db", tmp_path / "old.db")
    assert "is missing" in refusal(f"sqlite:///{tmp_path}/old.db", tmp_path)
    assert not (tmp_path / "key").exists()


@pytest.mark.slow
@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_several_workers_have_one_key(url: str, tmp_path: Path) -> None:
    ann = with_guest(url, tmp_path, workers=2)
    (tmp_path / "key").rename(tmp_path / "kept")
    assert "is missing" in refusal(url, tmp_path, ATOUT_WORKERS="2")
    assert not (tmp_path / "key").exists()
    refusal(url, tmp_path, ATOUT_WORKERS="2", ATOUT_KEYS=OTHER)
    (tmp_path / "kept").rename(tmp_path / "key")
    first = start(url, tmp_path, workers=2)
    try:
        assert remembers(url, tmp_path, ann) == ["Ann"], "a second server on the same database"
        assert {name_of(first.url, ann) for _ in range(8)} == {"Ann"}
    finally:
        assert first.stop() == 0
