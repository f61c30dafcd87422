"""News of appends, handed to whoever watches in this process; a slow reader gets the latest of each table."""

from __future__ import annotations

import asyncio
from weakref import WeakSet

from atout.store.model import Moved


class Watching:
    """One reader's news, as an async iterator."""

    def __init__(self) -> None:
        self._heads: dict[str, int] = {}
        self._missed = self._ended = False
        self._news = asyncio.Event()

    def __aiter__(self) -> Watching:
        return self

    async def __anext__(self) -> Moved | None:
        await self._news.wait()
        if self._missed:
            self._missed = False
            self._rest()
            return None
        if self._heads:
            table = next(iter(self._heads))
            moved = Moved(table, self._heads.pop(table))
            self._rest()
            return moved
        raise StopAsyncIteration

    def _rest(self) -> None:
        if not (self._heads or self._missed or self._ended):
            self._news.clear()

    def tell(self, table: str, head: int) -> None:
        self._heads[table] = max(head, self._heads.get(table, 0))
        self._news.set()

    def miss(self) -> None:
        """What was not read yet is covered by reading everything again."""
        self._heads.clear()
        self._missed = True
        self._news.set()

    def end(self) -> None:
        self._ended = True
        self._news.set()


class Watchers:
    """All who watch; one who was dropped is forgotten."""

    def __init__(self) -> None:
        self._all: WeakSet[Watching] = WeakSet()
        self._closed = False

    def watch(self) -> Watching:
        watching = Watching()
        if self._closed:
            watching.end()
        self._all.add(watching)
        return watching

    def __bool__(self) -> bool:
        """Somebody watches."""
        return bool(self._all)

    def tell(self, table: str, head: int) -> None:
        for watching in self._all:
            watching.tell(table, head)

    def miss(self) -> None:
        for watching in self._all:
            watching.miss()

    def close(self) -> None:
        self._closed = True
        for watching in self._all:
            watching.end()
