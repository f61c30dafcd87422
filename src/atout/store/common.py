"""What both stores share: appends are grouped, every other call is an operation, run by `_read` or `_write`."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from atout.store.group import Grouper, Settle
from atout.store.model import Append, Card, Entry, Guest, Listed, Record, Result, SeatLink, Statistics
from atout.store.operations import Plan, guests, records, tables
from atout.store.store import PAGE
from atout.store.watch import Watchers, Watching

T = TypeVar("T")


class CommonStore(ABC):
    """The calls of `Store` that are the same on every database."""

    _grouper: Grouper

    def __init__(self) -> None:
        self._watchers = Watchers()

    @abstractmethod
    async def _read(self, plan: Plan[T]) -> T:
        """Run an operation that only reads, on what is committed."""

    @abstractmethod
    async def _write(self, plan: Plan[T]) -> T:
        """Run an operation in a transaction; return when it is durable."""

    async def append(self, append: Append) -> None:
        await self._grouper.wait_for(append)

    def begin_append(self, append: Append, settle: Settle) -> None:
        self._grouper.submit(append, settle)

    def before_writing(self, call: Callable[[], None]) -> None:
        self._grouper.before_next(call)

    def watch(self) -> Watching:
        return self._watchers.watch()

    async def create_table(
        self, table: str, card: Card, events: Sequence[bytes], *, due: float | None = None, guests: Sequence[str] = ()
    ) -> None:
        await self._write(partial(tables.create, table, time.time(), card, tuple(events), due, tuple(guests)))

    async def events(self, table: str, after: int = 0) -> list[bytes]:
        return await self._read(partial(tables.events_of, table, after))

    async def head(self, table: str) -> int:
        return await self._read(partial(tables.head_of, table))

    async def table(self, table: str) -> Listed | None:
        return await self._read(partial(tables.one, table))

    async def open_tables(self, limit: int = PAGE) -> list[Listed]:
        return await self._read(partial(tables.open_ones, limit))

    async def tables_of(self, guest: str, limit: int = PAGE) -> list[Listed]:
        return await self._read(partial(tables.of_guest, guest, limit))

    async def due(self, now: float, limit: int = 1000) -> list[Listed]:
        return await self._read(partial(tables.due_by, now, limit))

    async def idle_tables(self, before: float, limit: int = 1000) -> list[Listed]:
        return await self._read(partial(tables.idle_since, before, limit))

    async def delete_table(self, table: str) -> bool:
        return await self._write(partial(tables.delete, table))

    async def save_guest(self, guest: Guest) -> None:
        await self._write(partial(guests.save, guest))

    async def guest(self, guest: str) -> Guest | None:
        return await self._read(partial(guests.get, guest))

    async def saw_guest(self, guest: str, when: float) -> bool:
        return await self._write(partial(guests.saw, guest, when))

    async def delete_guest(self, guest: str) -> bool:
        return await self._write(partial(guests.forget, guest))

    async def add_link(self, link: SeatLink) -> None:
        await self._write(partial(guests.add_link, link))

    async def link(self, hash: bytes) -> SeatLink | None:
        return await self._read(partial(guests.get_link, hash))

    async def links(self, table: str) -> list[SeatLink]:
        return await self._read(partial(guests.links_of, table))

    async def revoke_link(self, hash: bytes) -> bool:
        return await self._write(partial(guests.revoke, hash))

    async def save_record(self, record: Record, results: Sequence[Result]) -> bool:
        return await self._write(partial(records.save, record, tuple(results)))

    async def records(self, guest: str, after: Entry | None = None, limit: int = PAGE) -> list[Entry]:
        return await self._read(partial(records.page, guest, after, limit))

    async def record(self, id: str) -> Record | None:
        return await self._read(partial(records.get, id))

    async def lists_record(self, guest: str, id: str) -> bool:
        return await self._read(partial(records.is_listed, guest, id))

    async def delete_record(self, guest: str, id: str) -> bool:
        return await self._write(partial(records.strike, guest, id))

    async def statistics(self, guest: str) -> list[Statistics]:
        return await self._read(partial(records.sums, guest))

    async def check(self) -> None:
        await self._read(partial(tables.open_ones, 1))
