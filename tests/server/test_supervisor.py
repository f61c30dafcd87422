"""The supervisor of several workers: a dead worker is replaced at once, a signal is obeyed at once."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

import httpx

from tests.server.background import Background, start
from tests.server.test_processes import children
from tests.store.server import Postgres

PATIENCE = 20.0
"""Seconds for what takes about two on a quiet machine. The supervisor that uvicorn brings took a minute."""


def workers(server: Background, others_than: set[int], count: int) -> set[int]:
    """Wait until there are so many workers besides these."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = children(server.process.pid) - others_than
        if len(found) >= count:
            return found
        time.sleep(0.05)
    raise AssertionError(f"{count} new workers did not come within {PATIENCE} s\n{server.log_text}")


def wait_for_log(server: Background, text: str, count: int) -> None:
    end = time.monotonic() + PATIENCE
    while server.log_text.count(text) < count:
        assert time.monotonic() < end, server.log_text
        time.sleep(0.05)


def test_a_worker_killed_twice_is_replaced_and_sigterm_ends_all(postgres: Postgres, tmp_path: Path) -> None:
    url = asyncio.run(postgres.new_url())
    server = start(url, tmp_path, workers=2)
    try:
        wait_for_log(server, "worker serves", 2)
        first = children(server.process.pid)
        victim = min(first)
        os.kill(victim, signal.SIGKILL)
        (second,) = workers(server, first, 1)
        time.sleep(0.8)
        os.kill(second, signal.SIGKILL)  # while it starts: uvicorn's supervisor then waited for its answer to a ping
        (third,) = workers(server, first | {second}, 1)
        wait_for_log(server, "worker serves", 3)
        assert httpx.get(f"{server.url}/healthz", timeout=PATIENCE).json() == {"status": "ok"}
        os.kill(third, signal.SIGKILL)
        time.sleep(0.2)
        server.process.send_signal(signal.SIGTERM)  # while a replacement is under way
        assert server.process.wait(PATIENCE) == 0
        for pid in first | {second, third}:
            assert not Path(f"/proc/{pid}").exists()
    finally:
        server.kill()
    assert '"level":"error"' not in server.log_text


def test_workers_end_when_their_supervisor_is_killed(postgres: Postgres, tmp_path: Path) -> None:
    server = start(asyncio.run(postgres.new_url()), tmp_path, workers=2)
    wait_for_log(server, "worker serves", 2)
    pids = children(server.process.pid)
    server.kill()
    end = time.monotonic() + PATIENCE
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        assert time.monotonic() < end, "orphans are left"
        time.sleep(0.05)
