"""What goes wrong while people play: each scenario ends with everybody finishing, and the comparison."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from atout.store import open_store
from tests.faults.client_log import Findings, Json
from tests.faults.players import Load
from tests.faults.servers import Server
from tests.store.server import Postgres

CIRCLES = 6
PATIENCE = 300.0
"""Seconds without a sign of life after which a table counts as stuck."""
MAX_BETWEEN = 0.6
JUMPS = (3600.0, -7200.0, 86_400.0, -172_800.0, 0.0)
"""By how much the clock is wrong, one after the other."""

Show = Callable[[int, int, int], None]
"""Faults so far, faults in all, moves acknowledged so far."""


class Stage:
    """Servers on one database, with people at their tables."""

    def __init__(
        self, servers: Sequence[Server], database: str, seed: int, show: Show, circles: int, settings: Json
    ) -> None:
        self.servers, self.database, self.show = servers, database, show
        self.rng = random.Random(seed)
        self.load = Load([server.url for server in servers], self.rng, circles, **settings)
        self.findings = Findings()
        self.stuck = 0

    async def goes_on(self, least: int = 5) -> None:
        """Wait until people hear news again; who hears none for long is stuck."""
        client_log = self.load.client_log
        until, before = asyncio.get_running_loop().time() + PATIENCE, client_log.last
        while client_log.last < before + least and asyncio.get_running_loop().time() < until:
            self.load.check()
            await asyncio.sleep(0.01)
        self.stuck += client_log.last < before + least

    async def pause(self, most: float = MAX_BETWEEN) -> None:
        await asyncio.sleep(self.rng.uniform(0.0, most))

    async def restart(self, server: Server) -> None:
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)


@asynccontextmanager
async def stage(
    servers: Sequence[Server], database: str, seed: int, show: Show, circles: int = CIRCLES, **settings: Any
) -> AsyncIterator[Stage]:
    """Everything begins before, and is compared after."""
    for server in servers:
        await asyncio.to_thread(server.start)
    here = Stage(servers, database, seed, show, circles, settings)
    try:
        await here.goes_on()
        yield here
        finished = await here.load.finish(PATIENCE)
    finally:
        await here.load.abort()
        for server in servers:
            await asyncio.to_thread(server.stop)
    store = await open_store(database)
    here.findings = await here.load.client_log.compare(store)
    await store.close()
    if not finished:
        here.findings.complain("stuck", "not everybody could finish")
    if here.stuck:
        here.findings.complain("stuck", f"{here.stuck} times there was no news for {PATIENCE:.0f} seconds")


async def kills(here: Stage, times: int) -> None:
    """SIGKILL, of one of the servers, at any moment."""
    for done in range(times):
        await here.pause()
        await here.restart(here.rng.choice(here.servers))
        await here.goes_on()
        here.show(done + 1, times, here.load.client_log.moves)


async def restarts(here: Stage, times: int, postgres: Postgres) -> None:
    """PostgreSQL is shut down, or crashes, and is started again."""
    for done in range(times):
        await here.pause()
        await asyncio.to_thread(postgres.stop, (signal.SIGINT, signal.SIGQUIT)[done % 2])
        await here.pause(2.0)
        postgres.start()
        await here.goes_on(50)
        here.show(done + 1, times, here.load.client_log.moves)


async def full_disk(here: Stage, times: int, folder: Path) -> None:
    """The disk is filled up to the last byte; after a while there is room again."""
    for done in range(times):
        await here.pause()
        fill(folder / "ballast")
        before = here.load.client_log.moves
        await asyncio.sleep(1.0)
        after = here.load.client_log.moves
        if done % 2:
            await here.restart(here.rng.choice(here.servers))
        (folder / "ballast").unlink()
        await here.goes_on(50)
        here.show(done + 1, times, here.load.client_log.moves)
        assert after - before < here.load.client_log.moves - before


def fill(path: Path) -> None:
    block = bytes(4096)
    with path.open("ab", buffering=0) as file:
        try:
            while True:
                file.write(block)
        except OSError:
            os.fsync(file.fileno())


async def clock_jumps(here: Stage, clock: Path) -> None:
    """Forwards and back, by hours and days; each time one server is killed as well."""
    for done, jump in enumerate(JUMPS):
        await here.pause(2.0)
        draft = clock.with_suffix(".next")
        draft.write_text(str(jump))
        draft.replace(clock)  # at once: servers read it at any moment
        await here.goes_on(50)
        await here.restart(here.rng.choice(here.servers))
        await here.goes_on(50)
        here.show(done + 1, len(JUMPS), here.load.client_log.moves)
