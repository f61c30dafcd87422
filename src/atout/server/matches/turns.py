"""Whose replay is computed next: one at a time, because a worker has tables to serve; few may wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from starlette.requests import ClientDisconnect

from atout.server.errors import ApiError
from atout.server.limits import CountLimit

MAX_WAITING = 8
"""Requests that wait in a queue, of all guests together; each of them holds its body in memory."""
MAX_OF_NETWORK = 2
"""How many of them may be of one address."""
RETRY_SECONDS = 5.0
"""How soon a caller who was refused may try again; the replay of an ordinary match takes less time."""


class Turns:
    """A lock with a short queue, in which each caller has one place at most, and an address few."""

    def __init__(self) -> None:
        self._is_taken = False
        self._waiting: dict[str, asyncio.Future[None]] = {}
        """By caller, in the order in which they came."""
        self._of_network = CountLimit(MAX_OF_NETWORK)

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._waiting)

    @asynccontextmanager
    async def take(self, caller: str, network: str, hung_up: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
        """A turn for a guest or an address; 429 if too many wait, too many of the network, or the caller does already.

        `hung_up` returns when the client is gone: whoever hangs up while waiting loses the place (`ClientDisconnect`).
        """
        if self._is_taken:
            is_full = caller in self._waiting or len(self._waiting) >= MAX_WAITING
            if is_full or not self._of_network.enter(network):
                message = "too many replays are asked for; try again later"
                raise ApiError(429, "too-many-replays", message, seconds=RETRY_SECONDS)
            try:
                await self._wait(caller, hung_up)
            finally:
                self._of_network.leave(network)
        self._is_taken = True
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, caller: str, hung_up: Callable[[], Awaitable[None]]) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[caller] = turn
        gone = asyncio.ensure_future(hung_up())
        try:
            await asyncio.wait({turn, gone}, return_when=asyncio.FIRST_COMPLETED)
            if gone.done():
                raise ClientDisconnect
        except BaseException:
            if turn.done():
                self._pass_on()  # the turn came at the same moment
            else:
                del self._waiting[caller]
            raise
        finally:
            gone.cancel()

    def _pass_on(self) -> None:
        """The turn goes to the next one, if anybody waits."""
        first = next(iter(self._waiting), None)
        if first is None:
            self._is_taken = False
        else:
            self._waiting.pop(first).set_result(None)
