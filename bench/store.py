"""What an append costs: 500 tables at one event a second each, on both databases (`make bench-store`)."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from pathlib import Path

from tests.store.server import running

from atout.store import Append, Card, Store, open_store
from bench.report import markdown_table, write_section

TABLES = 500
SECONDS = 20
CARD = Card(False, 0, "niet-2015", "playing", 1.0, b'{"names":["Ann","Bob","Cid","Dot"],"turn":2}')
EVENT = b'{"type":"acted","seat":2,"action":"2 play red 7","at":1794720747.084,"command":"0123456789abcdef"}'


def main() -> None:
    rows = [asyncio.run(on_sqlite())]
    with running() as server:
        rows.append(asyncio.run(on_postgres(asyncio.run(server.new_url()))))
    header = ["database", "appends", "an fsync for", "CPU an append, µs", "p50, ms", "p99, ms", "max, ms"]
    body = (
        f"{TABLES} tables, one event a second each for {SECONDS} s, every one with its lobby card and its deadline; an "
        "append returns when it is on the disk. CPU is this process's, user and system, less what the same loop costs "
        "without a store; of PostgreSQL it is the client's share. Load of the machine in the last minute, this bench "
        f"included: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.\n\n"
    )
    write_section("store", "The store", "make bench-store", body + markdown_table(header, rows))


async def on_sqlite() -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        return await measured("SQLite", f"sqlite:///{Path(folder) / 'bench.db'}")


async def on_postgres(url: str) -> list[str]:
    return await measured("PostgreSQL", url)


async def measured(name: str, url: str) -> list[str]:
    """A row of the table."""
    store = await open_store(url)
    tables = [f"table-{i:04}-abcdefghijkl" for i in range(TABLES)]
    await asyncio.gather(*[store.create_table(id, CARD, [EVENT]) for id in tables])
    groups = count_groups(store)
    bare, _ = await load(None, tables)
    groups.clear()
    cpu, times = await load(store, tables)
    await store.close()
    times.sort()
    at = [1000 * times[int(share * (len(times) - 1))] for share in (0.5, 0.99, 1.0)]
    cost = 1e6 * (cpu - bare) / len(times)
    row = [name, f"{len(times):,}", f"{len(times) / len(groups):.1f}", f"{cost:.0f}", *[f"{ms:.1f}" for ms in at]]
    print(*row, flush=True)
    return row


def count_groups(store: Store) -> list[int]:
    """The sizes of the groups that are committed from now on."""
    grouper = store._grouper  # type: ignore[attr-defined]
    commit, sizes = grouper._commit, []

    def counted(group: list[object], settle: object) -> None:
        sizes.append(len(group))
        commit(group, settle)

    grouper._commit = counted
    return sizes


async def load(store: Store | None, tables: list[str]) -> tuple[float, list[float]]:
    """CPU seconds, and the seconds each append took."""
    times: list[float] = []
    start = time.perf_counter() + 0.2

    async def play(id: str, offset: float) -> None:
        for second in range(SECONDS):
            await asyncio.sleep(max(0.0, start + second + offset - time.perf_counter()))
            begin = time.perf_counter()
            if store is not None:
                await store.append(Append(id, second + 2, (EVENT,), CARD, due=begin))
            times.append(time.perf_counter() - begin)

    cpu = time.process_time()
    await asyncio.gather(*[play(id, i / len(tables)) for i, id in enumerate(tables)])
    return time.process_time() - cpu, times


if __name__ == "__main__":
    main()
