"""How soon dead workers are replaced, and SIGTERM is obeyed: `python -m bench.supervisor`; writes bench/results.md.

Two workers on PostgreSQL. A worker is killed, its successor is killed as soon as it serves, and the time is taken from
each kill until a new worker says that it serves; then the supervisor is told to stop.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import tempfile
import time
from pathlib import Path

from tests.server.background import Background, start
from tests.store.server import running

from bench.report import write_section

SERVES = "worker serves"
KILLS = 4
TIMEOUT = 120.0


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, running() as postgres:
        server = start(asyncio.run(postgres.new_url()), Path(folder), workers=2)
        wait_for(server, 2)
        replaced = [replacement(server, 2 + done) for done in range(KILLS)]
        began = time.perf_counter()
        server.stop()
        stopped = time.perf_counter() - began
    body = (
        f"Two workers on PostgreSQL; {KILLS} times a worker was killed, as soon as its predecessor's successor served. "
        f"From the kill until the new worker serves: {', '.join(f'{seconds:.1f}' for seconds in replaced)} s, start of "
        f"Python included. SIGTERM until all processes had ended: {stopped:.1f} s."
    )
    write_section("supervisor", "Replacing workers", "python -m bench.supervisor", body)
    print(body)


def replacement(server: Background, served: int) -> float:
    """Kill the newest worker; the seconds until there have been more that serve."""
    began = time.perf_counter()
    os.kill(newest_worker(server), signal.SIGKILL)
    wait_for(server, served + 1)
    return time.perf_counter() - began


def newest_worker(server: Background) -> int:
    """Workers log their own number when they serve."""
    lines = [line for line in server.log_text.splitlines() if SERVES in line]
    return int(json.loads(lines[-1])["process"])


def wait_for(server: Background, served: int) -> None:
    """Wait until so many workers have said that they serve."""
    end = time.monotonic() + TIMEOUT
    while server.log_text.count(SERVES) < served:
        if time.monotonic() > end:
            raise SystemExit(server.log_text)
        time.sleep(0.02)


if __name__ == "__main__":
    main()
