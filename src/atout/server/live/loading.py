"""A table from its event log. Long logs are worked on in a thread, so that the worker goes on serving its tables."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from atout.tables import Table, decode

P = ParamSpec("P")
T = TypeVar("T")

LONG_LOG = 300
"""Events from which a log is replayed in the thread: some tens of milliseconds."""
_thread = ThreadPoolExecutor(1, "event-logs")
"""One log at a time: more threads would take their time from the event loop, not from each other."""


async def table_of(log: Sequence[bytes]) -> Table:
    """The table that an event log describes."""
    if len(log) < LONG_LOG:
        return _replayed(log)
    return await in_log_thread(_replayed, log)


async def in_log_thread(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Do something with an event log in the thread for that. Nothing there waits for anybody outside."""
    return await asyncio.get_running_loop().run_in_executor(_thread, partial(work, *arguments, **named))


def _replayed(log: Sequence[bytes]) -> Table:
    return Table.from_events(map(decode, log))
