"""Engines: where units are played. Results come as they are finished, in any order; what they say does not differ.

local   processes of this machine
ray     a Ray cluster; the package is an extra
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Iterable
from typing import Protocol

from atout.arena.duplicate import Duplicate
from atout.arena.settings import Settings
from atout.arena.worker import Keeper, Stopped
from atout.errors import UsageError

ENGINES = ("local", "ray")


class Engine(Protocol):
    """Plays units."""

    def run(self, units: Iterable[int]) -> Generator[Duplicate, None, None]:
        """The results of the units with these numbers; closing the iterator ends all work."""


def make_engine(name: str, settings: Settings, workers: int) -> Engine:
    """An engine by name; `workers` processes where it is for the engine to say."""
    if name == "ray":
        from atout.arena.ray_runner import RayEngine

        return RayEngine(settings, workers)
    if name != "local":
        raise UsageError(f"--engine: {name[:40]!r} is not allowed; allowed: {', '.join(ENGINES)}")
    return LocalEngine(settings, workers)


class LocalEngine:
    """A keeper with its process for each worker, led by a thread."""

    def __init__(self, settings: Settings, workers: int) -> None:
        self.settings, self.workers = settings, workers

    def run(self, units: Iterable[int]) -> Generator[Duplicate, None, None]:
        todo: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        done: queue.SimpleQueue[Duplicate | BaseException] = queue.SimpleQueue()
        count = 0
        for count, number in enumerate(units, 1):  # noqa: B007
            todo.put(number)
        keepers = [Keeper(self.settings) for _ in range(min(self.workers, count))]
        threads = [threading.Thread(target=_lead, args=(keeper, todo, done)) for keeper in keepers]
        for thread in threads:
            todo.put(None)
            thread.start()
        try:
            for _ in range(count):
                told = done.get()
                if isinstance(told, BaseException):
                    raise told
                yield told
        finally:
            for keeper in keepers:
                keeper.stop()
            for thread in threads:
                thread.join()


def _lead(
    keeper: Keeper, todo: queue.SimpleQueue[int | None], done: queue.SimpleQueue[Duplicate | BaseException]
) -> None:
    """Unit after unit until there are none; a failure goes where results go."""
    try:
        while (number := todo.get()) is not None:
            done.put(keeper.play(number))
    except Stopped:
        pass
    except BaseException as error:
        done.put(error)
    finally:
        keeper.close()
