"""Group commit: while one transaction is on its way to the disk, the next gathers; then it goes, all in one.

    submit ──► waiting ──► group (one append a table) ──► commit ──► everybody's own outcome

Appends of one table go in the order they came, one a group: the second may depend on the first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

from atout.errors import Unavailable
from atout.store.model import Append
from atout.store.operations import Plan

MOST_WAITING = 20_000
LARGEST_GROUP = 1000
GATHER_SECONDS = 0.005  # what a group costs it costs once: waiting for company halves the CPU of an append under load


class Job:
    """Something to write, and who waits for it. `unsure` means that an earlier try may have gone through."""

    __slots__ = ("done", "unsure", "work")

    def __init__(self, work: Append | Plan[Any], done: asyncio.Future[Any]) -> None:
        self.work, self.done, self.unsure = work, done, False


Outcome: TypeAlias = Any  # what the job returns, or the exception it raises
Commit: TypeAlias = Callable[[Sequence[Job]], Awaitable[Sequence[Outcome]]]


class Grouper:
    """Feeds `commit` one group after another; `gather` seconds pass before a group goes, for others to join it."""

    def __init__(self, commit: Commit, gather: float) -> None:
        self._commit, self._gather = commit, gather
        self._waiting: list[Job] = []
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    async def submit(self, work: Append | Plan[Any]) -> Any:
        """Wait until the work is durable; raise what went wrong with it."""
        if self._closed:
            raise Unavailable("the store is closed")
        if len(self._waiting) >= MOST_WAITING:
            raise Unavailable(f"{MOST_WAITING} writes are waiting for the database already; try again later")
        job = Job(work, asyncio.get_running_loop().create_future())
        self._waiting.append(job)
        if self._task is None:
            self._task = asyncio.create_task(self._work())
        return await job.done

    async def close(self) -> None:
        """Take nothing new, finish what waits."""
        self._closed = True
        while self._task is not None:
            await asyncio.wait([self._task])

    async def _work(self) -> None:
        try:
            while self._waiting:
                if self._gather:
                    await asyncio.sleep(self._gather)
                group = self._take()
                for job, outcome in zip(group, await self._outcomes(group), strict=True):
                    settle(job, outcome)
        finally:
            self._task = None

    async def _outcomes(self, group: Sequence[Job]) -> Sequence[Outcome]:
        """Nobody is left waiting, whatever happens."""
        try:
            return await self._commit(group)
        except Exception as error:
            return [error] * len(group)

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


def settle(job: Job, outcome: Outcome) -> None:
    """Tell the one who waits, unless they went away."""
    if job.done.done():
        return
    if isinstance(outcome, BaseException):
        job.done.set_exception(outcome)
    else:
        job.done.set_result(outcome)
