"""The supervisor of several worker processes: starts them, replaces one that dies, and passes signals on.

    start ──► wait for a worker's end or a signal ──┬─► a worker ended: start another, after a short back-off
                                                    └─► SIGTERM or SIGINT: SIGTERM to all, wait, kill what is left

It waits on the processes themselves and asks them nothing, so that it never waits for an answer of a dead one.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import Any

log = logging.getLogger("atout.supervisor")

SHORTEST_PAUSE = 0.1
MAX_PAUSE = 5.0
"""Seconds until a worker that keeps dying is started again; they double each time."""
STABLE_SECONDS = 10.0
"""A worker that lived so long begins again with the shortest pause."""
SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Worker:
    """One place among the workers: the process that has it now, or when the next one starts."""

    def __init__(self, start: Callable[[], BaseProcess]) -> None:
        self._start = start
        self.process: BaseProcess | None = None
        self.start_at = 0.0
        """When the next process starts, on the monotonic clock."""
        self._started = 0.0
        self._pause = SHORTEST_PAUSE

    def start(self) -> None:
        self._started = time.monotonic()
        self.process = self._start()

    def ended(self) -> int | None:
        """Note that the process has ended, and when to start the next one; returns its id."""
        assert self.process is not None
        self.process.join()
        pid, code = self.process.pid, self.process.exitcode
        now = time.monotonic()
        if now - self._started >= STABLE_SECONDS:
            self._pause = SHORTEST_PAUSE
        self.start_at, self._pause = now + self._pause, min(2 * self._pause, MAX_PAUSE)
        self.process = None
        log.warning("worker ended unexpectedly", extra={"worker": pid, "exitcode": code})
        return pid


class Supervisor:
    """Keeps `count` workers running until a signal comes.

    `start` starts one worker process. `on_death` is called with the id of each that ended by itself. Workers that have
    not ended `patience` seconds after the signal are killed, and so are all of them at a second signal.
    """

    def __init__(
        self,
        start: Callable[[], BaseProcess],
        count: int,
        patience: float,
        on_death: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._workers = [Worker(start) for _ in range(count)]
        self._patience, self._on_death = patience, on_death
        self._signals = 0
        self._wakeup, self._waker = socket.socketpair()

    def run(self) -> None:
        """Return when all workers have ended after a signal."""
        self._wakeup.setblocking(False)
        self._waker.setblocking(False)
        previous = {number: signal.signal(number, self._on_signal) for number in SIGNALS}
        previous_fd = signal.set_wakeup_fd(self._waker.fileno())
        try:
            while not self._signals:
                self._start_due()
                self._wait(self._seconds_to_next_start())
            self._stop()
        finally:
            signal.set_wakeup_fd(previous_fd)
            for number, handler in previous.items():
                signal.signal(number, handler)
            self._wakeup.close()
            self._waker.close()

    def _on_signal(self, _number: int, _frame: object) -> None:
        self._signals += 1

    def _start_due(self) -> None:
        for worker in self._workers:
            if worker.process is None and worker.start_at <= time.monotonic():
                worker.start()

    def _seconds_to_next_start(self) -> float | None:
        waiting = [worker.start_at for worker in self._workers if worker.process is None]
        return max(0.0, min(waiting) - time.monotonic()) if waiting else None

    def _wait(self, seconds: float | None) -> None:
        """Wait for a signal, for the end of a worker, or so long."""
        running = {worker.process.sentinel: worker for worker in self._workers if worker.process is not None}
        for ready in wait([*running, self._wakeup], seconds):
            if ready is self._wakeup:
                self._drain_wakeup()
            else:
                pid = running[ready].ended()  # type: ignore[index]
                if pid is not None:
                    self._on_death(pid)

    def _drain_wakeup(self) -> None:
        with suppress(BlockingIOError):
            self._wakeup.recv(64)

    def _stop(self) -> None:
        """End all workers: politely, and after a while or a second signal at once."""
        processes = [worker.process for worker in self._workers if worker.process is not None]
        for process in processes:
            process.terminate()
        end = time.monotonic() + self._patience
        while (running := [process for process in processes if process.is_alive()]) and self._signals == 1:
            left = end - time.monotonic()
            if left <= 0:
                log.warning("workers did not end in time and are killed", extra={"workers": len(running)})
                break
            wait([*[process.sentinel for process in running], self._wakeup], left)
            self._drain_wakeup()
        for process in processes:
            process.kill()
            process.join()


def start_process(target: Callable[..., None], *arguments: Any) -> BaseProcess:
    """Start a worker process that ends with this one."""
    process = multiprocessing.get_context("spawn").Process(target=_run, args=(target, *arguments))
    process.start()
    return process


def _run(target: Callable[..., None], *arguments: Any) -> None:
    """In the worker process. When the supervisor was killed and cannot stop its workers, they stop by themselves."""
    threading.Thread(target=_end_with_supervisor, daemon=True).start()
    target(*arguments)


def _end_with_supervisor() -> None:
    supervisor = multiprocessing.parent_process()
    assert supervisor is not None
    supervisor.join()
    os.kill(os.getpid(), signal.SIGTERM)
