"""A writing process is killed at a random moment: acknowledged events are stored, and none is stored twice."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import time

from atout.store import open_store
from tests.store.load import Acknowledged

KILLS = 3


def test_a_kill_loses_nothing_that_was_acknowledged(url: str) -> None:
    acknowledged = Acknowledged()
    for kill in range(KILLS):
        before = len(acknowledged.events)
        run_and_kill(url, acknowledged, random.Random(kill).uniform(0.05, 0.4))
        assert len(acknowledged.events) > before
        asyncio.run(compare(url, acknowledged))


def run_and_kill(url: str, acknowledged: Acknowledged, seconds: float) -> None:
    """Let it write for a while after its first line, then kill it and read all its output."""
    program = [sys.executable, "-m", "tests.store.load", url]
    with subprocess.Popen(program, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(seconds)
        process.kill()
        lines = (first + process.stdout.read()).splitlines(keepends=True)
    for line in lines:
        if line.endswith(b"\n"):
            table, number, body = line.split()
            acknowledged.add(table.decode(), int(number), body)


async def compare(url: str, acknowledged: Acknowledged) -> None:
    store = await open_store(url)
    await acknowledged.compare(store)
    await store.close()
