"""The commands of docs/guide/deploy.md work, on a server with a running match."""

from __future__ import annotations

import asyncio
import configparser
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import pytest

from atout.server.http.hosts import Hosts
from atout.server.settings import PREFIX, ServerSettings
from tests.docs.test_docs import ROOT, blocks
from tests.server.background import start
from tests.server.client import Person, Socket
from tests.store.server import Postgres, running

PAGE = ROOT / "docs" / "guide" / "deploy.md"
HOME = "/var/lib/atout"


def commands(*words: str) -> str:
    """The one block of shell commands of the page that begins with one of these words."""
    (found,) = [block for block in blocks(PAGE, "sh") if block.startswith(words)]
    return found


def run(block: str, folder: Path, **environment: str) -> None:
    """Run the commands in a shell, with a temporary folder in place of the server's."""
    command = f'"{sys.executable}" -m atout'
    script = re.sub(r"^atout ", lambda _: f"{command} ", block.replace(HOME, str(folder)), flags=re.MULTILINE)
    done = subprocess.run(
        ["sh", "-e", "-c", script],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


class Deployment:
    """A server on a database, and a guest who plays against bots there."""

    def __init__(self, database: str, folder: Path) -> None:
        self.database, self.folder = database, folder
        self.cookie, self.setup = "", ""

    @contextmanager
    def served(self) -> Iterator[Callable[[int], tuple[int, list[str]]]]:
        """A function that makes some moves and returns the number of the last event and the hand."""
        server = start(self.database, self.folder)
        try:
            yield lambda moves: asyncio.run(self._play(server.url, moves))
        finally:
            assert server.stop() == 0

    async def _play(self, url: str, moves: int) -> tuple[int, list[str]]:
        ann = Person(url, "Ann")
        try:
            socket = await self._arrive(ann)
            rng = random.Random(1)
            for _ in range(moves):
                while not (socket.legal and socket.view.get("decision") is not None):
                    await socket.receive()
                answer = await socket.act(rng.choice(socket.legal))
                assert answer["type"] == "told", answer
            return socket.view["number"], socket.game["hand"]
        finally:
            await ann.go()

    async def _arrive(self, ann: Person) -> Socket:
        if self.cookie:
            ann.http.cookies.set("atout", self.cookie)
            return await ann.connect(self.setup)
        await ann.post("/api/guest", {"name": "Ann"})
        self.cookie = ann.http.cookies["atout"]
        self.setup = await ann.open_table(edition="nichtig", players=3, seats=["open", "open", "random"])
        socket = await ann.connect(self.setup)
        await socket.do("sit", name="Ann")
        await socket.do("set-seat", seat=1, to="random")
        return socket


def test_every_variable_is_a_setting() -> None:
    named = set(re.findall(rf"\b{PREFIX}([A-Z_]+)", PAGE.read_text(encoding="utf-8")))
    assert named
    assert {name.lower() for name in named} <= set(ServerSettings.__struct_fields__)


def test_the_environments_are_read() -> None:
    for block in [block for block in blocks(PAGE, "sh") if block.startswith(PREFIX)]:
        environment = dict(line.split("=", 1) for line in block.splitlines())
        assert ServerSettings.read(environment).to_environment().items() >= environment.items()


def test_the_unit_starts_the_server() -> None:
    unit = configparser.ConfigParser(strict=True)
    unit.read_string(blocks(PAGE, "ini")[0])
    assert unit["Service"]["ExecStart"].endswith("/atout serve")
    stop = int(unit["Service"]["TimeoutStopSec"])
    assert stop > ServerSettings().drain_seconds


def test_the_proxies_know_the_name_and_keep_the_metrics() -> None:
    for language, rule in (
        ("text", r"^\s*respond /metrics 403$"),
        ("nginx", r"^\s*location = /metrics \{ deny all; \}$"),
    ):
        (block,) = [block for block in blocks(PAGE, language) if "play.example" in block]
        assert re.search(rule, block, flags=re.MULTILINE), language
    for block in [block for block in blocks(PAGE, "sh") if block.startswith(PREFIX)]:
        environment = dict(line.split("=", 1) for line in block.splitlines())
        assert Hosts(ServerSettings.read(environment)).knows("play.example")


def back_up_and_restore(deployment: Deployment, backup: str, restore: str, **tools: str) -> None:
    """Back up while the server runs, play on, restore: the match is as it was at the backup, and continues."""
    with deployment.served() as play:
        kept = play(2)
        run(commands(backup), deployment.folder, **tools)
        later = play(2)
    assert later[0] > kept[0]
    assert later[1] != kept[1]
    run(commands(restore), deployment.folder, **tools)
    with deployment.served() as play:
        assert play(0)[1] == kept[1]
        assert play(3)[0] > kept[0]


@pytest.mark.slow
def test_backup_and_restore_of_sqlite(tmp_path: Path) -> None:
    back_up_and_restore(Deployment(f"sqlite:///{tmp_path}/atout.db", tmp_path), "atout backup", "rm -f")


@pytest.fixture
def own_postgres() -> Iterator[Postgres]:
    with running() as server:
        yield server


@pytest.mark.slow
def test_backup_and_restore_of_postgresql(own_postgres: Postgres, tmp_path: Path) -> None:
    path = f"{own_postgres.programs}:{os.environ['PATH']}"
    tools = {"PATH": path, "PGHOST": str(own_postgres.folder), "PGUSER": "atout"}

    async def make() -> None:
        url = await own_postgres.new_url()
        connection = await asyncpg.connect(url)
        await connection.execute("CREATE DATABASE atout")
        await connection.close()

    asyncio.run(make())
    deployment = Deployment(f"postgresql://atout@/atout?host={own_postgres.folder}", tmp_path)
    back_up_and_restore(deployment, "pg_dump", "pg_restore", **tools)


@pytest.mark.slow
def test_what_cannot_be_backed_up_is_named(tmp_path: Path) -> None:
    def said(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "atout", "backup", *arguments], capture_output=True, text=True, check=False
        )
        assert done.returncode == 2
        return done.stderr

    (tmp_path / "there.db").touch()
    database = f"sqlite:///{tmp_path}/there.db"
    assert "is there already" in said("--database", database, str(tmp_path / "there.db"))
    assert "does not exist" in said("--database", f"sqlite:///{tmp_path}/gone.db", str(tmp_path / "new.db"))
    assert "pg_dump" in said("--database", "postgresql://atout@/atout", str(tmp_path / "new.db"))
