"""Runs the scenarios, each on each database, with what it needs around it."""

from __future__ import annotations

import asyncio
import os
import pwd
import subprocess
import sys
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg

from tests.faults.client_log import Findings, Json
from tests.faults.scenarios import Show, Stage, clock_jumps, full_disk, kills, restarts, stage
from tests.faults.servers import Command, Forked, ForkServer, Server
from tests.store.server import Postgres, running
from tests.store.test_full import NAMESPACE, allowed

WORKERS = {"sqlite": 1, "postgresql": 2}
TINY = "14m"
CLOCKED: Json = {"clock": {"kind": "decision", "time": 20}, "grace": 20, "stand_in": "random"}
"""Tables at which time matters."""


@dataclass
class Asked:
    """What shall be tried."""

    kills: int = 200
    restarts: int = 10
    fills: int = 6
    seed: int = 1
    circles: int = 6
    start: str = "forked"


class House:
    """A place with a database, for one scenario."""

    def __init__(
        self, database: str, folder: Path, url: str, postgres: Postgres | None, fork_server: ForkServer
    ) -> None:
        self.database, self.folder, self.url, self.postgres, self.fork_server = (
            database,
            folder,
            url,
            postgres,
            fork_server,
        )

    def forked(self, **faults: str) -> list[Server]:
        return [Forked(self.fork_server, self.url, self.folder, **faults) for _ in range(WORKERS[self.database])]

    def commands(self) -> list[Server]:
        return [Command(self.url, self.folder, WORKERS[self.database])]


@contextmanager
def house(database: str, fork_server: ForkServer) -> Iterator[House]:
    with tempfile.TemporaryDirectory(prefix="atout-faults-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        if database == "sqlite":
            yield House(database, folder, f"sqlite:///{folder}/atout.db", None, fork_server)
        else:
            with running() as postgres:
                yield House(database, folder, asyncio.run(postgres.new_url()), postgres, fork_server)


def try_kills(asked: Asked, at: House, show: Show) -> Findings:
    servers = at.commands() if asked.start == "command" else at.forked()
    return play_scenario(servers, at.url, asked, show, lambda here: kills(here, asked.kills))


def try_restarts(asked: Asked, at: House, show: Show) -> Findings:
    postgres = at.postgres
    assert postgres is not None
    return play_scenario(at.forked(), at.url, asked, show, lambda here: restarts(here, asked.restarts, postgres))


def try_clock(asked: Asked, at: House, show: Show) -> Findings:
    clock = at.folder / "clock"
    clock.write_text("0")
    servers = at.forked(FAULTS_CLOCK=str(clock))
    return play_scenario(servers, at.url, asked, show, lambda here: clock_jumps(here, clock), **CLOCKED)


def try_disk(asked: Asked, at: House, show: Show) -> Findings:
    """The database lies on a file system of a few megabytes that only this process sees."""
    tiny = at.folder / "tiny"
    tiny.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={TINY}", "tiny", tiny], check=True)
    try:
        url = f"sqlite:///{tiny}/atout.db"
        if at.postgres is not None:
            url = asyncio.run(_on_tablespace(at, tiny))
        servers: list[Server] = [Forked(at.fork_server, url, at.folder) for _ in range(WORKERS[at.database])]
        return play_scenario(servers, url, asked, show, lambda here: full_disk(here, asked.fills, tiny))
    finally:
        subprocess.run(["umount", "--lazy", tiny], check=True)


async def _on_tablespace(at: House, tiny: Path) -> str:
    nobody = pwd.getpwnam("nobody")
    os.chown(tiny, nobody.pw_uid, nobody.pw_gid)
    connection = await asyncpg.connect(at.url)
    await connection.execute(f"CREATE TABLESPACE tiny LOCATION '{tiny}'")
    await connection.close()
    return f"{at.url}&default_tablespace=tiny"


def disk_refusal(database: str) -> str:
    """Why no disk can be filled up here; empty if one can."""
    if database == "postgresql" and os.geteuid() != 0:
        return "only root can mount a file system that PostgreSQL, under its own user, may fill up"
    with tempfile.TemporaryDirectory() as folder:
        if not allowed([*NAMESPACE, "mount", "-t", "tmpfs", "tiny", folder]):
            return "this system lets us mount no file system of our own"
    return ""


def play_scenario(
    servers: list[Server],
    url: str,
    asked: Asked,
    show: Show,
    scenario: Callable[[Stage], Coroutine[Any, Any, None]],
    **settings: Any,
) -> Findings:
    """A scenario among people at tables with these settings."""

    async def play() -> Findings:
        async with stage(servers, url, asked.seed, show, asked.circles, **settings) as here:
            await scenario(here)
        return here.findings

    return asyncio.run(play())


SCENARIOS = {"kills": try_kills, "restarts": try_restarts, "disk": try_disk, "clock": try_clock}


def in_namespace(arguments: list[str]) -> list[str]:
    """The command line that runs the scenarios where it may mount what it likes."""
    return [*NAMESPACE, sys.executable, "-m", "tests.faults", *arguments]
