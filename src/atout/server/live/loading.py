"""A table from its event log. A long log is replayed in a thread, so that the worker goes on serving its tables."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from atout.tables import Table, decode

LONG_LOG = 300
"""Events from which a log is replayed in the thread: some tens of milliseconds."""
_thread = ThreadPoolExecutor(1, "event-logs")
"""One log at a time: more threads would take their time from the event loop, not from each other."""


async def table_of(log: Sequence[bytes]) -> Table:
    """The table that an event log describes."""
    if len(log) < LONG_LOG:
        return _replayed(log)
    return await asyncio.get_running_loop().run_in_executor(_thread, _replayed, log)


def _replayed(log: Sequence[bytes]) -> Table:
    return Table.from_events(map(decode, log))
