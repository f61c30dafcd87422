"""A lock that can be taken without waiting, and given back by somebody else than who took it.

`asyncio.Lock` cannot: to take it is to wait. Most commands come while nobody is at the table, and need no task then.
"""

from __future__ import annotations

import asyncio
from collections import deque


class Turns:
    """One at a time, in the order they came."""

    __slots__ = ("_waiting", "is_taken")

    def __init__(self) -> None:
        self.is_taken = False
        self._waiting: deque[asyncio.Future[None]] | None = None
        """Made when somebody has to wait: there are many tables."""

    def take(self) -> None:
        """For who has seen that it is free."""
        assert not self.is_taken
        self.is_taken = True

    def give_back(self) -> None:
        """The next one's turn, if somebody waits."""
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)
                return
        self.is_taken, self._waiting = False, None

    async def __aenter__(self) -> None:
        if not self.is_taken:
            self.is_taken = True
            return
        waiter = asyncio.get_running_loop().create_future()
        self._waiting = self._waiting or deque()
        self._waiting.append(waiter)
        try:
            await waiter
        except asyncio.CancelledError:
            if not waiter.cancelled():
                self.give_back()  # it was our turn already
            raise

    async def __aexit__(self, *_: object) -> None:
        self.give_back()
