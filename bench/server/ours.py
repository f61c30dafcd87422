"""Atout under load: `atout serve` on SQLite in a process of its own, and clients that keep it busy."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
from msgspec import Struct
from tests.server.background import Background, start

from bench.server.process import children_on, cpu_seconds, resident_bytes, two_cores
from bench.server.tables import AT_ONCE, SEATS, Figures, PlayedTable

WARM_SECONDS = 5.0
LIMITS = {"guests_per_hour": 10**7, "tables_per_hour": 10**7}
"""All guests come from one address in this bench."""


class Cost(Struct):
    """What a server under a load costs."""

    tables: int
    moves: int
    seconds: float
    cpu_ms: float
    """CPU time per move."""
    acknowledged: tuple[float, float] | None
    """Milliseconds, p50 and p99."""
    seen: tuple[float, float]
    """Milliseconds until all other players have a move, p50 and p99."""
    connected_kb: float
    """Memory per table when everybody has sat down."""
    after_kb: float
    """Memory per table after the run."""


class Load:
    """Tables in play."""

    def __init__(self, server: Background, tables: list[PlayedTable], figures: Figures, idle_bytes: int) -> None:
        self.server, self.tables, self.figures, self.idle_bytes = server, tables, figures, idle_bytes

    @property
    def process(self) -> int:
        return self.server.process.pid

    def kb_per_table(self) -> float:
        return (resident_bytes(self.process) - self.idle_bytes) / 1024 / len(self.tables)


@asynccontextmanager
async def loaded(
    tables: int, report: Callable[[str], None], paced: bool = True, settings: Mapping[str, object] = LIMITS
) -> AsyncIterator[Load]:
    """A server with so many tables, everybody connected; nobody plays yet."""
    figures, rng = Figures(), random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        with children_on(two_cores()[1]):
            server = start(f"sqlite:///{Path(folder) / 'bench.db'}", Path(folder), **settings)  # type: ignore[arg-type]
        limits = httpx.Limits(max_connections=AT_ONCE)
        try:
            async with httpx.AsyncClient(base_url=server.url, timeout=60, limits=limits) as http:
                chances = [random.Random(rng.random()) for _ in range(tables)]
                played = [PlayedTable(server.url, http, figures, chance, paced) for chance in chances]
                warm_up = PlayedTable(server.url, http, Figures(), random.Random(0), paced)
                await open_one(warm_up, asyncio.Semaphore(1))
                idle = resident_bytes(server.process.pid)
                report(f"opening {tables} tables with {SEATS} sockets each")
                gate = asyncio.Semaphore(AT_ONCE)
                await asyncio.gather(*[open_one(table, gate) for table in played])
                yield Load(server, played, figures, idle)
                for table in played:
                    await table.close()
        finally:
            server.stop()


async def open_one(table: PlayedTable, gate: asyncio.Semaphore) -> None:
    async with gate:
        await table.introduce()
        await table.open()


async def measure(tables: int, seconds: float, report: Callable[[str], None], paced: bool) -> Cost:
    async with loaded(tables, report, paced) as load:
        connected = load.kb_per_table()
        playing = [asyncio.create_task(table.play()) for table in load.tables]
        await asyncio.sleep(WARM_SECONDS)
        load.figures.clear()
        cpu, began = cpu_seconds(load.process), time.perf_counter()
        await asyncio.sleep(seconds)
        cpu, lasted = cpu_seconds(load.process) - cpu, time.perf_counter() - began
        figures = load.figures
        cost = Cost(
            tables, figures.moves, lasted, 1000 * cpu / figures.moves, percentiles(figures.acknowledged),
            percentiles(figures.seen_by_all), connected, load.kb_per_table(),
        )  # fmt: skip
        for task in playing:
            task.cancel()
        for ended in await asyncio.gather(*playing, return_exceptions=True):
            if not isinstance(ended, asyncio.CancelledError):
                raise SystemExit(f"a table of the bench came to an end: {ended!r}")
        if figures.refusals:
            raise SystemExit(f"the server refused moves of the bench: {figures.refusals[:3]}")
        return cost


def percentiles(seconds: list[float]) -> tuple[float, float]:
    """p50 and p99, in milliseconds."""
    ordered = sorted(seconds)
    return 1000 * ordered[len(ordered) // 2], 1000 * ordered[int(0.99 * (len(ordered) - 1))]
