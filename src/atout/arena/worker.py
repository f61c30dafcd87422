"""An arena worker: plays duplicates in a process of its own and survives whatever bots do to that process.

If the process ends or is stuck while a bot is at work, that bot is benched for the duplicate: the duplicate is played
again in a new process, with all decisions of that bot drawn at random and counted. So every duplicate has a result,
and the same one wherever it is played.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Mapping
from multiprocessing.connection import Connection

from atout.arena.duplicate import Duplicate, play_duplicate
from atout.arena.settings import ArenaSettings
from atout.arena.warmup import warm_up
from atout.arena.watchdog import CELLS, Watchdog, arm
from atout.errors import AtoutError

POLL_SECONDS = 0.5
"""Time between two looks at the watchdog."""
ATTEMPTS = 3
"""How often a process may end without a bot at work before the arena gives up."""


class Stopped(Exception):
    """The worker was stopped while it played."""


class Worker:
    """Has one process at a time, which is started when it is needed."""

    def __init__(self, settings: ArenaSettings) -> None:
        self.settings = settings
        self._context = multiprocessing.get_context("spawn")
        self._process: multiprocessing.process.BaseProcess | None = None
        self._closed = False

    def play(self, number: int) -> Duplicate:
        """The result of a duplicate. Blocks until it is there; raises `Stopped` if the worker is stopped."""
        benched: dict[str, str] = {}
        accidents = 0
        while accidents < ATTEMPTS:
            duplicate = None if self._closed else self._attempt(number, benched)
            if duplicate is not None:
                return duplicate
            if self._closed:
                raise Stopped
            guilty, is_stuck = self._watchdog.bot, self._watchdog.is_stuck
            self._end()
            if guilty is None:
                accidents += 1
            else:
                why = "it was stuck, so its process was ended" if is_stuck else "its process ended while it was asked"
                benched[self.settings.bots[guilty]] = why
        raise AtoutError(
            f"arena: the process that played duplicate {number} ended {ATTEMPTS} times with no bot at work"
        )

    def _attempt(self, number: int, benched: Mapping[str, str]) -> Duplicate | None:
        """None when the process ended, or is stuck."""
        if self._process is None:
            self._start()
        try:
            self._connection.send((number, benched))
            while not self._connection.poll(POLL_SECONDS):
                if self._closed or self._watchdog.is_stuck:
                    return None
            result = self._connection.recv()
        except (EOFError, OSError):
            return None
        if isinstance(result, BaseException):
            raise result
        assert isinstance(result, Duplicate)
        return result

    def _start(self) -> None:
        cells = self._context.RawArray("d", CELLS)
        self._watchdog = Watchdog(cells)
        self._connection, other = self._context.Pipe()
        self._process = self._context.Process(target=_work, args=(self.settings, other, cells), daemon=True)
        self._process.start()
        other.close()

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._connection.close()
            self._process = None

    def stop(self) -> None:
        """Called from another thread: end what is being played."""
        self._closed = True

    def close(self) -> None:
        self._closed = True
        self._end()


def _work(settings: ArenaSettings, connection: Connection, cells: list[float]) -> None:
    """What the process runs: duplicates until the connection is closed."""
    arm()
    watchdog = Watchdog(cells)
    warm: set[str] = set()
    while True:
        try:
            number, benched = connection.recv()
        except (EOFError, OSError):
            return
        for name in set(settings.place(number)[1]) - warm - benched.keys():
            warm_up(settings, name, watchdog)
            warm.add(name)
        try:
            result: Duplicate | BaseException = play_duplicate(settings, number, watchdog, benched)
        except Exception as error:
            result = AtoutError(f"arena: duplicate {number} failed with {type(error).__name__}: {error}")
        connection.send(result)
