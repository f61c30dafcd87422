"""Where bots think: processes of their own, so many at a time. A full pool makes bots wait, and nobody else."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import random
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from atout.bots import Budget, Choice, ask, make_bot
from atout.errors import BotError
from atout.tables import BotTurn
from atout.warm import warm

log = logging.getLogger("atout.pool")

PATIENCE = 20.0
"""Budgets after which a bot is stuck; its process is ended."""
LEAST_PATIENCE = 30.0
START_PATIENCE = 600.0
ATTEMPTS = 2


class Pool:
    """Made anew when one of its processes dies; what was asked of it is asked again."""

    def __init__(self, processes: int, seconds: float) -> None:
        self.processes, self.seconds = processes, seconds
        self._room = asyncio.Semaphore(processes)
        self._pool: ProcessPoolExecutor | None = None
        self._proven: ProcessPoolExecutor | None = None
        """The pool that has answered once."""
        self._closed = False

    async def warm(self) -> None:
        """Start the processes before the first bot is asked."""
        try:
            await asyncio.gather(*(self._started() for _ in range(self.processes)))
        except (BrokenProcessPool, RuntimeError, BotError):
            log.warning("bots could not be warmed up", exc_info=True)

    async def choose(self, due: BotTurn, level: str | None = None) -> Choice:
        """The bot's choice; `BotError` if it fails, twice if its process dies."""
        async with self._room:
            return await self._ask(level or due.level, due)

    async def _ask(self, level: str, due: BotTurn) -> Choice:
        patience = max(LEAST_PATIENCE, PATIENCE * self.seconds)
        for _ in range(ATTEMPTS):
            pool = self._ready()
            try:
                if pool is not self._proven:
                    await self._started()
                asked = asyncio.get_running_loop().run_in_executor(
                    pool, _choose, level, due.view, due.seed, self.seconds
                )
                return await asyncio.wait_for(asked, patience)
            except BrokenProcessPool:
                self._discard(pool)
            except TimeoutError:
                self._discard(pool)
                raise BotError(f"bot {level}: no answer in time") from None
        raise BotError(f"bot {level}: its process ended {ATTEMPTS} times")

    async def _started(self) -> None:
        """Starting a process takes seconds, on a busy machine many: no bot is blamed for that."""
        pool = self._ready()
        await asyncio.wait_for(asyncio.get_running_loop().run_in_executor(pool, _ready), START_PATIENCE)
        self._proven = pool

    def _ready(self) -> ProcessPoolExecutor:
        if self._closed:
            raise BotError("the pool is closed")
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self.processes, multiprocessing.get_context("spawn"), _begin, (os.getpid(),)
            )
        return self._pool

    def _discard(self, pool: ProcessPoolExecutor) -> None:
        if pool is self._pool:
            self._pool = None
        _end(pool)

    def close(self) -> None:
        self._closed = True
        if self._pool is not None:
            _end(self._pool)


def _end(pool: ProcessPoolExecutor) -> None:
    """Now, not when their thoughts are finished."""
    processes: dict[int, Any] = dict(getattr(pool, "_processes", None) or {})
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes.values():
        process.kill()


def _begin(server: int) -> None:
    """In a process of the pool: have all compiled code at hand. The terminal's Ctrl-C is for the server, not for us."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, args=[server], daemon=True).start()
    warm(lambda *_: None)


def _end_with_parent(server: int) -> None:
    """A server that is killed cannot end its processes; they notice that they are orphans."""
    while os.getppid() == server:
        time.sleep(1.0)
    os._exit(0)


def _ready() -> None:
    """Asked of each process at the start: `_begin` has then run."""


def _choose(level: str, view: Any, seed: int, seconds: float) -> Choice:
    return ask(make_bot(level), view, random.Random(seed), Budget(seconds=seconds))  # noqa: S311
