"""Group commit: while one transaction is on its way to the disk, the next gathers; then it goes, all in one.

    before_next ──┐
    submit ──► waiting ──► group (one append a table) ──► commit ──► everybody's own outcome

What a group costs it costs once, so groups keep a distance: under load many writes share one, and a write after a
pause goes at once. Appends of one table go in the order they came, one a group: the second may depend on the first.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

from atout.errors import Unavailable
from atout.store.model import Append
from atout.store.operations import Plan

log = logging.getLogger(__name__)

MOST_WAITING = 20_000
LARGEST_GROUP = 1000
GATHER_SECONDS = 0.021
"""From the start of one group to that of the next, at least: a write waits so long for company, if others do."""

BUSY_GROUP = 4
"""A group of so many writes is followed by a rest."""

Outcome: TypeAlias = Any  # what the job returns, or the exception it raises
Settle: TypeAlias = Callable[[Outcome], None]


class Job:
    """Something to write, and who is told of it. `unsure` means that an earlier try may have gone through."""

    __slots__ = ("settle", "unsure", "work")

    def __init__(self, work: Append | Plan[Any], settle: Settle) -> None:
        self.work, self.settle, self.unsure = work, settle, False


Commit: TypeAlias = Callable[[Sequence[Job], Callable[[Sequence[Outcome]], None]], None]
"""Begins to write a group, and calls back in the event loop with everybody's outcome, whatever happens."""


class Grouper:
    """Feeds `commit` one group after another, `gather` seconds apart or more.

    With `rests`, nothing but clients may wait for the event loop: under load it sleeps between groups.
    """

    def __init__(self, commit: Commit, gather: float, rests: bool = False) -> None:
        self._commit, self._gather, self._rests = commit, gather, rests
        self._loop = asyncio.get_running_loop()
        self._waiting: list[Job] = []
        self._calls: list[Callable[[], None]] = []
        self._group: list[Job] = []
        self._began = -gather
        """When the latest group went."""
        self._is_idle = True
        self._closed: asyncio.Future[None] | None = None

    def submit(self, work: Append | Plan[Any], settle: Settle) -> None:
        """Write it with the next group; `settle` is called when it is durable, or with what went wrong."""
        if self._closed is not None:
            raise Unavailable("the store is closed")
        if len(self._waiting) >= MOST_WAITING:
            raise Unavailable(f"{MOST_WAITING} writes are waiting for the database already; try again later")
        self._waiting.append(Job(work, settle))
        if self._is_idle:
            self._is_idle = False
            self._schedule()

    def before_next(self, call: Callable[[], None]) -> None:
        """Call right before the next group goes; what is submitted by then is in it."""
        if self._closed is not None:
            raise Unavailable("the store is closed")
        self._calls.append(call)
        if self._is_idle:
            self._is_idle = False
            self._schedule()

    async def wait_for(self, work: Append | Plan[Any]) -> Any:
        """Wait until the work is durable; raise what went wrong with it."""
        done = self._loop.create_future()

        def settle(outcome: Outcome) -> None:
            if done.done():
                return  # who waited went away
            if isinstance(outcome, BaseException):
                done.set_exception(outcome)
            else:
                done.set_result(outcome)

        self.submit(work, settle)
        return await done

    async def close(self) -> None:
        """Take nothing new, finish what waits."""
        if self._closed is None:
            self._closed = self._loop.create_future()
            if self._is_idle:
                self._closed.set_result(None)
        await asyncio.shield(self._closed)

    def _schedule(self) -> None:
        wait = self._began + self._gather - self._loop.time()
        if wait > 0.0:
            self._loop.call_later(wait, self._go)
        else:
            self._loop.call_soon(self._go)

    def _go(self) -> None:
        calls, self._calls = self._calls, []
        for call in calls:
            try:
                call()
            except Exception:
                log.exception("what had to be done before a write failed unexpectedly")
        self._group = self._take()
        if not self._group:
            self._settle([])
            return
        self._began = self._loop.time()
        try:
            self._commit(self._group, self._settle)
        except Exception as error:
            self._settle([error] * len(self._group))

    def _settle(self, outcomes: Sequence[Outcome]) -> None:
        """Everybody hears of their own, and the next group is on its way."""
        group, self._group = self._group, []
        rests = self._rests and len(group) >= BUSY_GROUP
        self._is_idle = not (rests or self._waiting or self._calls)
        if not (rests or self._is_idle):
            self._schedule()
        for job, outcome in zip(group, outcomes, strict=True):
            try:
                job.settle(outcome)
            except Exception:
                log.exception("what follows from a write failed unexpectedly")
        if rests:
            self._loop.call_soon(self._loop.call_soon, self._rest)  # when what they send at the turn's end is sent
        elif self._is_idle and self._closed is not None and not self._closed.done():
            self._closed.set_result(None)

    def _rest(self) -> None:
        """Let the event loop sleep until the next group is about to go: what comes now would wait for it anyway, and
        all in one go it is read cheaper than one by one.
        """
        wait = self._began + self._gather - self._loop.time()
        if wait > 0.0:
            time.sleep(wait)
        self._loop.call_soon(self._loop.call_soon, self._go)  # when what came is read

    def _take(self) -> list[Job]:
        group: list[Job] = []
        rest: list[Job] = []
        tables: set[str] = set()
        for job in self._waiting:
            table = job.work.table if isinstance(job.work, Append) else None
            if table in tables or len(group) == LARGEST_GROUP:
                rest.append(job)
            else:
                group.append(job)
            if table is not None:
                tables.add(table)
        self._waiting = rest
        return group


def in_task(commit: Callable[[Sequence[Job]], Awaitable[Sequence[Outcome]]]) -> Commit:
    """A coroutine as what a grouper feeds."""
    running: set[asyncio.Task[None]] = set()

    def begin(group: Sequence[Job], settle: Callable[[Sequence[Outcome]], None]) -> None:
        async def work() -> None:
            try:
                outcomes = await commit(group)
            except Exception as error:
                outcomes = [error] * len(group)
            settle(outcomes)

        task = asyncio.create_task(work())
        running.add(task)
        task.add_done_callback(running.discard)

    return begin
