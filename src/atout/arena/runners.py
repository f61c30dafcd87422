"""Runners: where duplicates are played. Results come in any order as they are finished; their content is the same.

local   worker processes on this machine
ray     a Ray cluster; the package is an extra
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Iterable
from typing import Protocol

from atout.arena.duplicate import Duplicate
from atout.arena.settings import ArenaSettings
from atout.arena.worker import Stopped, Worker
from atout.errors import UsageError

RUNNERS = ("local", "ray")


class Runner(Protocol):
    """Plays duplicates."""

    def run(self, numbers: Iterable[int]) -> Generator[Duplicate, None, None]:
        """The results of the duplicates with these numbers. Closing the generator ends all work."""


def make_runner(name: str, settings: ArenaSettings, workers: int) -> Runner:
    """A runner by name; `workers` is the number of processes where the runner decides on it."""
    if name == "ray":
        from atout.arena.ray_runner import RayRunner

        return RayRunner(settings, workers)
    if name != "local":
        raise UsageError(f"--runner: {name[:40]!r} is not allowed; allowed: {', '.join(RUNNERS)}")
    return LocalRunner(settings, workers)


class LocalRunner:
    """One worker with its process per core, each driven by a thread."""

    def __init__(self, settings: ArenaSettings, workers: int) -> None:
        self.settings, self.workers = settings, workers

    def run(self, numbers: Iterable[int]) -> Generator[Duplicate, None, None]:
        todo: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        done: queue.SimpleQueue[Duplicate | BaseException] = queue.SimpleQueue()
        count = 0
        for count, number in enumerate(numbers, 1):  # noqa: B007
            todo.put(number)
        workers = [Worker(self.settings) for _ in range(min(self.workers, count))]
        threads = [threading.Thread(target=_drive, args=(worker, todo, done)) for worker in workers]
        for thread in threads:
            todo.put(None)
            thread.start()
        try:
            for _ in range(count):
                result = done.get()
                if isinstance(result, BaseException):
                    raise result
                yield result
        finally:
            for worker in workers:
                worker.stop()
            for thread in threads:
                thread.join()


def _drive(
    worker: Worker, todo: queue.SimpleQueue[int | None], done: queue.SimpleQueue[Duplicate | BaseException]
) -> None:
    """Play duplicates until the queue says None. An exception is passed on like a result."""
    try:
        while (number := todo.get()) is not None:
            done.put(worker.play(number))
    except Stopped:
        pass
    except BaseException as error:
        done.put(error)
    finally:
        worker.close()
