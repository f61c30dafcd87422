"""What an append costs on both databases: latency, CPU, and commits per second with several worker processes.

    python -m bench.store [SECONDS]                  everything, written into bench/results.md (`make bench-store`)
    python -m bench.store --worker URL SECONDS WAY   one worker process of the PostgreSQL measurement

WAY is `after` for NOTIFY in a transaction of its own after the commit, as the store does it, or `inside` for NOTIFY in
the append's transaction, which only this bench still does: PostgreSQL then lets one transaction commit at a time.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.store.server import running

from atout.store import Append, LobbyCard, Store, open_store
from bench.report import markdown_table, write_section

TABLES = 500
SECONDS = 20.0
ALONE = 500
"""Appends made one after the other."""
BURSTS = 10
"""Times that all tables append at once."""
WORKERS = (1, 2, 4, 8)
TABLES_PER_WORKER = 4
"""Each of them appends again as soon as its last append is durable."""
CARD = LobbyCard(False, 0, "niet-2015", "playing", 1.0, b'{"names":["Ann","Bob","Cid","Dot"],"turn":2}')
EVENT = b'{"type":"acted","seat":2,"action":"2 play red 7","at":1794720747.084,"command":"0123456789abcdef"}'


def main(seconds: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        measured = [asyncio.run(measure("SQLite", f"sqlite:///{Path(folder) / 'bench.db'}", seconds))]
    with running() as server:
        measured.append(asyncio.run(measure("PostgreSQL", asyncio.run(server.new_url()), seconds)))
        commits = [workers(asyncio.run(server.new_url()), count, seconds / 4) for count in WORKERS]
    load = f"Load of the machine in the last minute, this bench included: {os.getloadavg()[0]:.1f} on {os.cpu_count()} "
    paced = (
        f"{TABLES} tables, one event per second each for {seconds:g} s, each with its lobby card and its deadline; "
        "an append returns when it is on the disk. CPU is that of this process, user and system, less what the same "
        f"loop costs without a store; for PostgreSQL it is the client's share. {load}cores.\n\n"
    )
    header = ["database", "appends", "appends per commit", "CPU per append, µs", "p50, ms", "p99, ms", "max, ms"]
    latency = (
        f"\n\nLatency of one append. Alone: {ALONE} appends, one after the other. Burst: {TABLES} tables append in the "
        f"same moment, {BURSTS} times.\n\n"
    )
    latency_header = ["database", "alone p50, ms", "alone p99, ms", "burst p50, ms", "burst p99, ms"]
    several = (
        f"\n\nPostgreSQL with several worker processes, {TABLES_PER_WORKER} tables each; every table appends again as "
        "soon as its last append is durable. “Inside” is the former way, NOTIFY in the append's transaction.\n\n"
    )
    several_header = ["workers", "commits per second", "appends per second", "inside: commits", "inside: appends"]
    body = (
        paced + markdown_table(header, [row for row, _ in measured])
        + latency + markdown_table(latency_header, [row for _, row in measured])
        + several + markdown_table(several_header, commits)
    )  # fmt: skip
    write_section("store", "The store", "make bench-store", body)


async def measure(name: str, url: str, seconds: float) -> tuple[list[str], list[str]]:
    """A row for the paced load, and a row for the latency of one append."""
    store = await open_store(url)
    tables = [f"table-{i:04}-abcdefghijkl" for i in range(TABLES)]
    await asyncio.gather(*[store.create_table(id, CARD, [EVENT]) for id in tables])
    alone = await append_alone(store)
    bursts = await append_in_bursts(store, tables)
    groups = count_groups(store)
    bare, _ = await paced_load(None, tables, seconds)
    groups.clear()
    cpu, times = await paced_load(store, tables, seconds)
    await store.close()
    cost = 1e6 * (cpu - bare) / len(times)
    shared = f"{len(times) / len(groups):.1f}"
    paced = [name, f"{len(times):,}", shared, f"{cost:.0f}", *quantiles(times, 0.5, 0.99, 1.0)]
    latency = [name, *quantiles(alone, 0.5, 0.99), *quantiles(bursts, 0.5, 0.99)]
    print(*paced, flush=True)
    print(*latency, flush=True)
    return paced, latency


def quantiles(times: list[float], *shares: float) -> list[str]:
    """Milliseconds below which these shares of the times lie."""
    ordered = sorted(times)
    return [f"{1000 * ordered[int(share * (len(ordered) - 1))]:.2f}" for share in shares]


def count_groups(store: Store) -> list[int]:
    """The sizes of the groups that are committed from now on."""
    group_commit: Any = store._group_commit  # type: ignore[attr-defined]
    commit, sizes = group_commit._commit, []

    def counted(group: list[object], *others: object) -> Any:
        sizes.append(len(group))
        return commit(group, *others)

    group_commit._commit = counted
    return sizes


async def timed(store: Store, append: Append) -> float:
    """The seconds that an append takes."""
    begin = time.perf_counter()
    await store.append(append)
    return time.perf_counter() - begin


async def append_alone(store: Store) -> list[float]:
    await store.create_table("alone", CARD, [EVENT])
    return [await timed(store, Append("alone", number, (EVENT,), CARD, due=1.0)) for number in range(2, ALONE + 2)]


async def append_in_bursts(store: Store, tables: list[str]) -> list[float]:
    times: list[float] = []
    for number in range(2, BURSTS + 2):
        times += await asyncio.gather(*[timed(store, Append(id, number, (EVENT,), CARD, due=1.0)) for id in tables])
    return times


async def paced_load(store: Store | None, tables: list[str], seconds: float) -> tuple[float, list[float]]:
    """CPU seconds, and the seconds each append took; without a store, what the loop itself costs."""
    times: list[float] = []
    start = time.perf_counter() + 0.2

    async def play(id: str, offset: float) -> None:
        for second in range(int(seconds)):
            await asyncio.sleep(max(0.0, start + second + offset - time.perf_counter()))
            if store is None:
                times.append(0.0)
            else:
                times.append(await timed(store, Append(id, second + BURSTS + 2, (EVENT,), CARD, due=float(second))))

    cpu = time.process_time()
    await asyncio.gather(*[play(id, i / len(tables)) for i, id in enumerate(tables)])
    return time.process_time() - cpu, times


# ---------------------------------------------------------------- several worker processes


def workers(url: str, count: int, seconds: float) -> list[str]:
    """A row: so many processes append as fast as they can, first in the product's way, then with NOTIFY inside."""
    row = [str(count)]
    for way in ("after", "inside"):
        command = [sys.executable, "-m", "bench.store", "--worker", url, str(seconds), way]
        processes = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(count)
        ]
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        counts = [process.communicate()[0].split() for process in processes]
        row += [f"{sum(int(pair[i]) for pair in counts) / seconds:,.0f}" for i in (0, 1)]
    print(*row, flush=True)
    return row


async def work(url: str, seconds: float, way: str) -> None:
    if way == "inside":
        notify_inside()
    store = await open_store(url)
    tables = [f"worker-{os.getpid()}-{i}-{way}" for i in range(TABLES_PER_WORKER)]
    for id in tables:
        await store.create_table(id, CARD, [])
    groups = count_groups(store)
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    end = time.perf_counter() + seconds

    async def play(id: str) -> int:
        number = 0
        while time.perf_counter() < end:
            number += 1
            await store.append(Append(id, number, (EVENT,), CARD, due=1.0))
        return number

    appends = sum(await asyncio.gather(*map(play, tables)))
    print(len(groups), appends, flush=True)
    await store.close()


def notify_inside() -> None:
    """Put NOTIFY back into the append's transaction, and send none after it."""
    from atout.store.postgres import appends, notifications

    end = "SELECT id FROM changed"
    assert end in appends.APPEND
    appends.APPEND = appends.APPEND.replace(end, "SELECT id, pg_notify('atout', head || ' ' || id) FROM changed")
    notifications.Notifier.notify = lambda *_: None  # type: ignore[method-assign]


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        asyncio.run(work(sys.argv[2], float(sys.argv[3]), sys.argv[4]))
    else:
        main(float(sys.argv[1]) if sys.argv[1:] else SECONDS)
