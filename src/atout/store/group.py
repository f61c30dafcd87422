"""Group commit: while one transaction is on its way to the disk, the next group gathers.

    write ──► waiting ──► group ──► commit ──► each caller's own outcome
                 ▲                     │
                 └── new work gathers ─┘

A transaction and its fsync are paid once for all appends of a group. No append is delayed so that others can join it: a
group begins as soon as the one before it is durable, or at once when nothing is being written. Appends to one table
keep their order, one per group, because the second may depend on the first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

from atout.errors import Unavailable
from atout.store.model import Append
from atout.store.operations import OperationFactory

MAX_WAITING = 20_000
MAX_GROUP = 1000

Work: TypeAlias = Append | OperationFactory[Any]
Outcome: TypeAlias = Any
"""What a job returns, or the exception it raises."""


class Job:
    """Work that waits to be written. `is_unsure` means that an earlier attempt may have been committed."""

    __slots__ = ("done", "is_unsure", "work")

    def __init__(self, work: Work, done: asyncio.Future[Any]) -> None:
        self.work, self.done, self.is_unsure = work, done, False


Commit: TypeAlias = Callable[[Sequence[Job]], Awaitable[Sequence[Outcome]]]
"""Writes a group in one transaction and returns one outcome per job; raises if all of them fail alike."""


class GroupCommit:
    """Passes one group after another to `commit`, never two at once."""

    def __init__(self, commit: Commit) -> None:
        self._commit = commit
        self._waiting: list[Job] = []
        self._running: asyncio.Task[None] | None = None
        self._is_closed = False

    async def write(self, work: Work) -> Any:
        """Return when the work is durable, or raise what went wrong with it. If cancelled, it may still be written."""
        if self._is_closed:
            raise Unavailable("the store is closed")
        if len(self._waiting) >= MAX_WAITING:
            raise Unavailable(f"{MAX_WAITING} writes are waiting for the database already; try again later")
        job = Job(work, asyncio.get_running_loop().create_future())
        self._waiting.append(job)
        if self._running is None:
            self._running = asyncio.create_task(self._commit_groups())
        return await job.done

    async def close(self) -> None:
        """Refuse new work, and finish what waits."""
        self._is_closed = True
        if self._running is not None:
            await asyncio.shield(self._running)

    async def _commit_groups(self) -> None:
        try:
            while self._waiting:
                group = self._take_group()
                try:
                    outcomes = await self._commit(group)
                except Exception as error:
                    outcomes = [error] * len(group)
                for job, outcome in zip(group, outcomes, strict=True):
                    _settle(job, outcome)
        finally:
            self._running = None

    def _take_group(self) -> list[Job]:
        group: list[Job] = []
        rest: list[Job] = []
        tables: set[str] = set()
        for job in self._waiting:
            table = job.work.table if isinstance(job.work, Append) else None
            if table in tables or len(group) == MAX_GROUP:
                rest.append(job)
            else:
                group.append(job)
            if table is not None:
                tables.add(table)
        self._waiting = rest
        return group


def new_heads(group: Sequence[Job], outcomes: Sequence[Outcome]) -> dict[str, int]:
    """The tables that a group added events to, with the number of their last event."""
    heads: dict[str, int] = {}
    for job, outcome in zip(group, outcomes, strict=True):
        if isinstance(job.work, Append) and job.work.events and outcome is None:
            heads[job.work.table] = job.work.first + len(job.work.events) - 1
    return heads


def _settle(job: Job, outcome: Outcome) -> None:
    if job.done.done():
        return  # the caller was cancelled
    if isinstance(outcome, BaseException):
        job.done.set_exception(outcome)
    else:
        job.done.set_result(outcome)
