"""Friends of the person at the page: they have sockets instead of browsers, and run in a thread of their own."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from threading import Thread
from types import TracebackType

from tests.server.client import Closed, Party, Socket

Keep = frozenset[str]
"""Cells of the board that nobody covers, so that a round becomes what a test wants."""


def spare(options: list[str], keep: Keep) -> list[str]:
    """What may be chosen without hurting the plan; cells are `row word`."""
    return [one for one in options if one not in keep] or options


class Friends:
    """Take all open seats of a table, and play at random around a plan until the match or the test ends."""

    def __init__(
        self, url: str, table: str, seats: list[int], keep: Keep = frozenset(), names: dict[int, str] | None = None
    ) -> None:
        self._url, self._table, self._seats, self._names = url, table, seats, names or {}
        self.keep = keep
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._playing: asyncio.Task[None] | None = None

    def __enter__(self) -> Friends:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._begin(), self._loop).result()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _error: BaseException | None, _at: TracebackType | None
    ) -> None:
        """Everybody says goodbye before the thread ends: what is left open would be held against a later test."""
        failed = asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        if kind is None and failed is not None:
            raise failed

    async def _begin(self) -> None:
        self._playing = asyncio.create_task(self._play())

    async def _end(self) -> BaseException | None:
        assert self._playing is not None
        self._playing.cancel()
        await asyncio.wait([self._playing])
        return None if self._playing.cancelled() else self._playing.exception()

    async def _play(self) -> None:
        async with Party(self._url) as party:
            sockets = []
            for seat in self._seats:
                friend = await party.guest(self._names.get(seat, f"Friend {seat}"))
                sockets.append(await friend.connect(self._table))
                await sockets[-1].do("sit", name=friend.name, seat=seat, entropy="ab")
            await asyncio.gather(*(self._sit(socket, random.Random(i)) for i, socket in enumerate(sockets)))

    async def _sit(self, socket: Socket, rng: random.Random) -> None:
        while socket.view["status"] not in ("over", "closed"):
            try:
                if socket.legal and socket.view.get("decision") is not None and socket.view["status"] == "playing":
                    await socket.act(self._pick(socket, rng))
                else:
                    with suppress(TimeoutError):  # the person at the page may think as long as the test does
                        await socket.receive()
            except Closed:
                return

    def _pick(self, socket: Socket, rng: random.Random) -> str:
        if socket.game["phase"] != "veto":
            return rng.choice(socket.legal)
        cells = {" ".join(action.split(" ")[2:]): action for action in socket.legal}
        return cells[rng.choice(spare(list(cells), self.keep))]
