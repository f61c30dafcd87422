"""A keeper: plays units in a process of its own and outlives whatever bots do to it.

If the process ends or is stuck while a bot is at work, that bot is benched for the unit: the unit is played anew in
a fresh process, with all decisions of that bot drawn at random and counted. So every unit has a result, and the
same one wherever it is played.
"""

from __future__ import annotations

import multiprocessing
from multiprocessing.connection import Connection

from atout.arena.duplicate import Duplicate, play_duplicate
from atout.arena.settings import Settings
from atout.arena.warmup import greet
from atout.arena.watchdog import CELLS, Watch, arm
from atout.errors import AtoutError

LOOK = 0.5
"""Seconds between two looks at the watch."""
ATTEMPTS = 3
"""How often a process may end without a bot at work before the arena gives up."""


class Stopped(Exception):
    """The keeper was closed while it played."""


class Keeper:
    """One process at a time; started when it is needed."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._context = multiprocessing.get_context("spawn")
        self._process: multiprocessing.process.BaseProcess | None = None
        self._closed = False

    def play(self, number: int) -> Duplicate:
        """The unit's result; takes as long as it takes, and ends with `Stopped` if the keeper is closed."""
        benched: frozenset[str] = frozenset()
        accidents = 0
        while accidents < ATTEMPTS:
            unit = None if self._closed else self._attempt(number, benched)
            if unit is not None:
                return unit
            if self._closed:
                raise Stopped
            guilty = self._watch.who
            self._end()
            if guilty is None:
                accidents += 1
            else:
                benched |= {self.settings.bots[guilty]}
        raise AtoutError(f"arena: the process that played unit {number} ended {ATTEMPTS} times with no bot at work")

    def _attempt(self, number: int, benched: frozenset[str]) -> Duplicate | None:
        """None when the process ended, or is stuck."""
        if self._process is None:
            self._start()
        try:
            self._line.send((number, benched))
            while not self._line.poll(LOOK):
                if self._closed or self._watch.is_stuck:
                    return None
            told = self._line.recv()
        except (EOFError, OSError):
            return None
        if isinstance(told, BaseException):
            raise told
        assert isinstance(told, Duplicate)
        return told

    def _start(self) -> None:
        cells = self._context.RawArray("d", CELLS)
        self._watch = Watch(cells)
        self._line, other = self._context.Pipe()
        self._process = self._context.Process(target=_work, args=(self.settings, other, cells), daemon=True)
        self._process.start()
        other.close()

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._line.close()
            self._process = None

    def stop(self) -> None:
        """From another thread: end what is being played."""
        self._closed = True

    def close(self) -> None:
        self._closed = True
        self._end()


def _work(settings: Settings, line: Connection, cells: list[float]) -> None:
    """The life of the process: units until the line is cut."""
    arm()
    watch = Watch(cells)
    greeted: set[str] = set()
    while True:
        try:
            number, benched = line.recv()
        except (EOFError, OSError):
            return
        for name in set(settings.place(number)[1]) - greeted - benched:
            greet(settings, name, watch)
            greeted.add(name)
        try:
            told: Duplicate | BaseException = play_duplicate(settings, number, watch, benched)
        except Exception as error:
            told = AtoutError(f"arena: unit {number} failed with {type(error).__name__}: {error}")
        line.send(told)
