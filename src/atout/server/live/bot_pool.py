"""The process pool for bots: a full pool makes bots wait, never the event loop. Guests are served in turn.

A search bot has its process for its whole budget, even if it has only one legal card: else the time that the next
decision waits would show how long the last one took, and so something of the cards.

While a bot's code is not compiled yet, a quicker one answers for it (`bots/fallback.py`). The pool has the missing code
compiled in the background (`atout/warm.py`).
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, TypeVar

from msgspec import Struct

from atout import warm
from atout.bots import SEARCHING, Budget, Choice, ask
from atout.bots.fallback import PreparingBot, is_fallback
from atout.errors import BotError
from atout.server.live.fair_queue import FairQueue, Priority
from atout.tables import BotTurn

log = logging.getLogger("atout.pool")
T = TypeVar("T")

PATIENCE = 20.0
"""After so many times its budget a bot counts as stuck, and its process is ended."""
MIN_PATIENCE = 30.0
START_PATIENCE = 600.0
ATTEMPTS = 2


class Question(Struct):
    """A decision asked of the pool."""

    turn: BotTurn
    level: str
    owner: str
    """The guest for whom the pool works: questions of different guests are served in turn."""
    priority: Priority
    spare: float = 0.0
    """Set with the answer: seconds of its time that the bot did not use."""


class Pool:
    """Bot processes. When one dies, the pool is replaced and the decision is asked for again."""

    def __init__(self, processes: int, seconds: float, *, is_even: bool = True) -> None:
        self.processes, self.seconds = processes, seconds
        self._is_even = is_even
        """Search bots have their processes for the whole budget."""
        self._queue = FairQueue(processes)
        self._pool: ProcessPoolExecutor | None = None
        self._proven: ProcessPoolExecutor | None = None
        """The pool that has answered once."""
        self._compiling: subprocess.Popen[bytes] | None = None
        self._closed = False

    async def warm(self) -> None:
        """Start the processes before the first bot is asked."""
        try:
            await asyncio.gather(*(self._started() for _ in range(self.processes)))
        except (BrokenProcessPool, RuntimeError, BotError):
            if not self._closed:
                log.warning("bots could not be warmed up", exc_info=True)

    async def run(self, owner: str, priority: Priority, seconds: float, work: Callable[..., T], *arguments: Any) -> T:
        """Run a function in a process, when it is the owner's turn; `BotError` if it does not end in time.

        It should take `seconds` at most: nobody else has the process meanwhile.
        """
        await self._queue.enter(owner, priority)
        try:
            return await self._call(work.__name__.strip("_"), seconds, work, *arguments)
        finally:
            self._queue.leave()

    async def choose(self, question: Question) -> Choice:
        """The bot's choice; `BotError` if it fails, twice if its process dies."""
        level = question.level
        await self._queue.enter(question.owner, question.priority)
        began = time.monotonic()
        try:
            choice = await self._ask(level, question.turn)
            if self._is_even and level in SEARCHING:
                question.spare = max(began + self.seconds - time.monotonic(), 0.0)
        finally:
            asyncio.get_running_loop().call_later(question.spare, self._queue.leave)
        if is_fallback(choice):
            log.info("bot is not compiled yet", extra={"bot": level, **choice.reasons[0].parameters})
        return choice

    async def _ask(self, level: str, due: BotTurn) -> Choice:
        return await self._call(f"bot {level}", self.seconds, _choose, level, due.view, due.seed, self.seconds)

    async def _call(self, name: str, seconds: float, work: Callable[..., T], *arguments: Any) -> T:
        """Run a function in a process; again if that process dies."""
        patience = max(MIN_PATIENCE, PATIENCE * seconds)
        for _ in range(ATTEMPTS):
            pool = self._ready()
            try:
                if pool is not self._proven:
                    await self._started()
                with _without_ctrl_c():
                    asked = asyncio.get_running_loop().run_in_executor(pool, _work, work, *arguments)
                return await asyncio.wait_for(asked, patience)
            except BrokenProcessPool:
                self._discard(pool)
            except TimeoutError:
                self._discard(pool)
                raise BotError(f"{name}: no answer in time") from None
        raise BotError(f"{name}: its process ended {ATTEMPTS} times")

    async def _started(self) -> None:
        """Start a process before a decision is timed: that takes seconds, on a busy machine many."""
        pool = self._ready()
        with _without_ctrl_c():
            asked = asyncio.get_running_loop().run_in_executor(pool, _ready)
        await asyncio.wait_for(asked, START_PATIENCE)
        self._proven = pool

    def _ready(self) -> ProcessPoolExecutor:
        if self._closed:
            raise BotError("the pool is closed")
        if self._pool is None:
            with _without_ctrl_c():
                self._compiling = self._compiling or warm.start_in_background()
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
        if self._compiling is not None:
            self._compiling.kill()
            self._compiling.wait()


def _end(pool: ProcessPoolExecutor) -> None:
    """End its processes now, without waiting for decisions."""
    processes: dict[int, Any] = dict(getattr(pool, "_processes", None) or {})
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes.values():
        process.kill()


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """A process that is started meanwhile never hears Ctrl-C in a terminal: that is for the server, which ends it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(server: int) -> None:
    """In a new process: load what is compiled."""
    warm.end_with(server)
    warm.load(group for group in warm.groups_of(*warm.SERVED) if warm.is_ready(group))


def _ready() -> None:
    """Asked of each process at the start: `_begin` has then run."""


def _work(work: Callable[..., T], *arguments: Any) -> T:
    """Do it. A future cannot hold `StopIteration`: whoever waits for it would wait in vain, so it is told otherwise."""
    try:
        return work(*arguments)
    except StopIteration as error:
        raise RuntimeError(f"{work.__name__}: StopIteration") from error


def _choose(level: str, view: Any, seed: int, seconds: float) -> Choice:
    rng, budget = random.Random(seed), Budget(seconds=seconds)  # noqa: S311
    return ask(PreparingBot(level, lambda: warm.is_ready(level)), view, rng, budget)
