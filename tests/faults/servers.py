"""Servers that can be killed and started again at the same port."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from tests.server.background import PATIENCE, QUICK, Background, start

SETTINGS = {"ATOUT_LOG_LEVEL": "warning", "ATOUT_ABSENT_SECONDS": "2", "ATOUT_TABLES_PER_GUEST": "100000"}


class Server(Protocol):
    """One that serves tables at `url`."""

    url: str

    def start(self) -> None: ...

    def kill(self) -> None:
        """As a crash does it."""

    def stop(self) -> None:
        """As an operator does it."""


class ForkServer:
    """The process that servers are forked from; they end with it."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.fork_server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def fork(self, arguments: list[str], environment: dict[str, str], log: Path) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        asked = {"arguments": arguments, "environment": environment, "log": str(log)}
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def end(self) -> None:
        self._process.kill()
        self._process.wait(PATIENCE)
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()


@contextmanager
def running_fork_server() -> Iterator[ForkServer]:
    one = ForkServer()
    try:
        yield one
    finally:
        one.end()


class Forked:
    """A server from the fork server: there in a tenth of a second."""

    def __init__(self, fork_server: ForkServer, database: str, folder: Path, **faults: str) -> None:
        self._fork_server, self._database, self._folder = fork_server, database, folder
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}"
        self._environment = {**QUICK, **SETTINGS, "ATOUT_KEY_FILE": str(folder / "key"), **faults}
        self._process = 0

    def start(self) -> None:
        arguments = ["serve", "--port", str(self._port), "--database", self._database]
        self._process = self._fork_server.fork(arguments, self._environment, self._folder / "server.log")

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        assert self._process > 0, "0 would be everybody in our own group"
        until = time.monotonic() + PATIENCE
        with suppress(ProcessLookupError):
            os.kill(self._process, how)
            while time.monotonic() < until:
                os.kill(self._process, 0)
                time.sleep(0.005)
            raise AssertionError("a server that was told to end is still there")


class Command:
    """`atout serve` as a person starts it; with several workers, the one that is killed is one of them."""

    def __init__(self, database: str, folder: Path, workers: int = 1) -> None:
        self._database, self._folder, self._workers = database, folder, workers
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}"
        self._server: Background | None = None

    def start(self) -> None:
        """Workers that were killed are replaced by the process above them."""
        if self._server is None:
            self._server = start(
                self._database, self._folder, port=self._port, workers=self._workers, log_level="warning",
                absent_seconds=2, tables_per_guest=100_000,
            )  # fmt: skip

    def kill(self) -> None:
        assert self._server is not None
        if self._workers == 1:
            self._server.kill()
            self._server = None
            return
        while len(workers := self.workers()) < self._workers:
            time.sleep(0.1)
        os.kill(workers[0], signal.SIGKILL)

    def stop(self) -> None:
        if self._server is not None:
            self._server.stop()

    def workers(self) -> list[int]:
        """The oldest first; the helper of `multiprocessing` that counts semaphores is none of them."""
        assert self._server is not None
        process = self._server.process.pid
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        named = [child for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]
        return sorted(map(int, named))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
