"""The scenes, each on each database, with all they need around them."""

from __future__ import annotations

import asyncio
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncpg

from tests.faults.ledger import Findings
from tests.faults.scenes import JUMPS, Show, Stage, clock_jumps, full_disk, kills, restarts, stage
from tests.faults.servers import Command, Forked, Nursery, Server, nursery
from tests.store.server import Postgres, running
from tests.store.test_full import NAMESPACE, allowed

WORKERS = {"sqlite": 1, "postgresql": 2}
TINY = "6m"
IN_NAMESPACE = "ATOUT_FAULTS_DISK"


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
    """A place with a database, for one scene."""

    def __init__(self, database: str, folder: Path, url: str, postgres: Postgres | None, nursery: Nursery) -> None:
        self.database, self.folder, self.url, self.postgres, self._nursery = database, folder, url, postgres, nursery

    def forked(self, **faults: str) -> list[Server]:
        return [Forked(self._nursery, self.url, self.folder, **faults) for _ in range(WORKERS[self.database])]

    def commands(self) -> list[Server]:
        return [Command(self.url, self.folder, WORKERS[self.database])]


@contextmanager
def house(database: str, nursery: Nursery) -> Iterator[House]:
    with tempfile.TemporaryDirectory(prefix="atout-faults-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        if database == "sqlite":
            yield House(database, folder, f"sqlite:///{folder}/atout.db", None, nursery)
        else:
            with running() as postgres:
                yield House(database, folder, asyncio.run(postgres.new_url()), postgres, nursery)


def try_kills(asked: Asked, at: House, show: Show) -> Findings:
    servers = at.commands() if asked.start == "command" else at.forked()
    return _play(servers, at.url, asked, show, lambda here: kills(here, asked.kills))


def try_restarts(asked: Asked, at: House, show: Show) -> Findings:
    postgres = at.postgres
    assert postgres is not None
    return _play(at.forked(), at.url, asked, show, lambda here: restarts(here, asked.restarts, postgres))


def try_clock(asked: Asked, at: House, show: Show) -> Findings:
    clock = at.folder / "clock"
    clock.write_text("0")
    return _play(at.forked(FAULTS_CLOCK=str(clock)), at.url, asked, show, lambda here: clock_jumps(here, clock))
