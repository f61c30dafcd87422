"""The supervisor of several workers: a dead worker is replaced, a signal is obeyed, whatever the workers are doing."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

import httpx
import pytest

from atout.server.supervisor import MAX_PAUSE, SHORTEST_PAUSE, STABLE_SECONDS, Worker
from tests.server.background import PATIENCE, Background, start
from tests.server.test_processes import children
from tests.store.server import Postgres


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


@pytest.mark.slow
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


@pytest.mark.slow
def test_workers_end_when_their_supervisor_is_killed(postgres: Postgres, tmp_path: Path) -> None:
    server = start(asyncio.run(postgres.new_url()), tmp_path, workers=2)
    wait_for_log(server, "worker serves", 2)
    pids = children(server.process.pid)
    server.kill()
    end = time.monotonic() + PATIENCE
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        assert time.monotonic() < end, "orphans are left"
        time.sleep(0.05)


class Ended:
    """A process that has ended."""

    pid, exitcode = 1, -9

    def join(self) -> None:
        pass


def test_a_dead_worker_is_due_at_once_and_later_when_it_keeps_dying(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    worker = Worker(Ended)  # type: ignore[arg-type]

    def pause_after(seconds: float) -> float:
        """Until the next start, when the worker has lived so long."""
        nonlocal now
        worker.start()
        now += seconds
        worker.ended()
        pause = worker.start_at - now
        now = worker.start_at
        return pause

    pauses = [pause_after(1.0) for _ in range(8)]
    assert pauses == pytest.approx([min(SHORTEST_PAUSE * 2**i, MAX_PAUSE) for i in range(8)])
    assert pause_after(STABLE_SECONDS) == pytest.approx(SHORTEST_PAUSE)
