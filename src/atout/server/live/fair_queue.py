"""Who is served next, when more is asked of the bots than their processes can do.

turns at tables with people   ann: ▢▢   bob: ▢            first those, then hints, then tables where only bots play;
hints                         eve: ▢▢▢▢▢▢▢               in each line one of ann's, one of bob's, one of ann's …
turns where only bots play    eve: ▢▢▢▢  dan: ▢
reviews                       bob: ▢▢                     last of all, a decision at a time
"""

from __future__ import annotations

import asyncio
from collections import deque
from enum import IntEnum

MAX_PASSED = 8
"""A line that has been passed over so often is served next: no line waits for ever."""


class Priority(IntEnum):
    """The lines, the first to be served first."""

    PEOPLE = 0
    """A bot's turn at a table where somebody plays who is connected."""
    HINT = 1
    BOTS = 2
    """A bot's turn at a table where only bots play, or everybody is away."""
    REVIEW = 3
    """A decision of a finished match that somebody wants reviewed."""


class FairQueue:
    """A semaphore that serves owners in turn, and lines by priority."""

    def __init__(self, places: int) -> None:
        self._free = places
        """Nobody waits while a place is free."""
        self._lines: list[dict[str, deque[asyncio.Future[None]]]] = [{} for _ in Priority]
        """By line and owner; the owners in the order in which they are served."""
        self._passed = [0 for _ in Priority]

    async def enter(self, owner: str, priority: Priority) -> None:
        """Wait for a place; `leave` gives it back."""
        if self._free:
            self._free -= 1
            return
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lines[priority].setdefault(owner, deque()).append(ready)
        try:
            await ready
        except asyncio.CancelledError:
            if ready.done() and not ready.cancelled():
                self.leave()  # the place came at the same moment
            raise

    def leave(self) -> None:
        """Give a place back: the next one has it at once."""
        while (line := self._next_line()) is not None:
            ready = self._pop(self._lines[line])
            if not ready.done():
                ready.set_result(None)
                self._count(line)
                return
        self._free += 1

    def _next_line(self) -> int | None:
        waiting = [line for line in Priority if self._lines[line]]
        starved = [line for line in waiting if self._passed[line] >= MAX_PASSED]
        return starved[-1] if starved else min(waiting, default=None)

    def _count(self, served: int) -> None:
        for line in Priority:
            self._passed[line] = self._passed[line] + 1 if self._lines[line] and line != served else 0

    @staticmethod
    def _pop(line: dict[str, deque[asyncio.Future[None]]]) -> asyncio.Future[None]:
        """The first request of the owner whose turn it is; that owner then goes to the end of the line."""
        owner = next(iter(line))
        requests = line.pop(owner)
        first = requests.popleft()
        if requests:
            line[owner] = requests
        return first
