"""The real server in a process of its own, started as a person would."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

PATIENCE = 300.0
"""Seconds until a wait counts as hanging. A busy machine may need minutes; no test measures time by it."""
QUICK = {
    "ATOUT_RELOAD_SECONDS": "0.05",
    "ATOUT_GUESTS_PER_HOUR": "100000",
    "ATOUT_TABLES_PER_HOUR": "100000",
    "ATOUT_REQUESTS_PER_SECOND": "10000",
    "ATOUT_COMMANDS_PER_SECOND": "10000",
    "ATOUT_BOT_PROCESSES": "1",
    "ATOUT_BOT_SECONDS": "0.02",
    "ATOUT_BOT_PACE": "0",
    "ATOUT_BOT_WARM": "false",
}
"""Limits and pauses that would hold up a test; tests of limits set their own."""


class Background:
    """A running server."""

    def __init__(self, process: subprocess.Popen[str], url: str, log: Path) -> None:
        self.process, self.url, self.log = process, url, log

    @property
    def sockets(self) -> str:
        return self.url.replace("http", "ws", 1)

    @property
    def log_text(self) -> str:
        return self.log.read_text(encoding="utf-8")

    def kill(self) -> None:
        """As a crash does it: no chance to tidy up."""
        self.process.kill()
        self.process.wait(PATIENCE)

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)


def start(database: str, folder: Path, *, port: int = 0, workers: int = 1, **settings: object) -> Background:
    """`settings` are those of `ServerSettings`."""
    chosen = {f"ATOUT_{name.upper()}": str(value) for name, value in settings.items()}
    environment = {**os.environ, "ATOUT_KEY_FILE": str(folder / "key"), **QUICK, **chosen}
    log = folder / "server.log"
    errors: IO[str]
    with log.open("a", encoding="utf-8") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "atout", "serve", "--port", str(port), "--database", database, "-w", str(workers)],
            stdout=subprocess.PIPE, stderr=errors, text=True, env=environment, start_new_session=True,
        )  # fmt: skip
    assert process.stdout is not None
    with process.stdout:
        line = process.stdout.readline()
    assert line.startswith("Atout serves at "), log.read_text(encoding="utf-8")
    return Background(process, line.split()[-1], log)


@contextmanager
def serve_in_background(database: str, folder: Path, **settings: object) -> Iterator[Background]:
    """A server until the end of the block; it must have survived it."""
    server = start(database, folder, **settings)  # type: ignore[arg-type]
    try:
        yield server
        assert server.process.poll() is None, server.log_text
    finally:
        if server.process.poll() is None:
            server.stop()
        assert '"level":"error"' not in server.log_text, server.log_text
