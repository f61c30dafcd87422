"""Notifications of appends for subscribers in this process. A slow subscriber gets only the latest of each table."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from weakref import WeakSet

from atout.store.model import TableChanged


class Subscription:
    """The notifications of one subscriber, as an async iterator."""

    def __init__(self) -> None:
        self._heads: dict[str, int] = {}
        self._missed_some = self._has_ended = False
        self._ready = asyncio.Event()

    def __aiter__(self) -> Subscription:
        return self

    async def __anext__(self) -> TableChanged | None:
        await self._ready.wait()
        if self._missed_some:
            self._missed_some = False
            self._clear_if_empty()
            return None
        if self._heads:
            table = next(iter(self._heads))
            changed = TableChanged(table, self._heads.pop(table))
            self._clear_if_empty()
            return changed
        raise StopAsyncIteration

    def _clear_if_empty(self) -> None:
        if not (self._heads or self._missed_some or self._has_ended):
            self._ready.clear()

    def publish(self, table: str, head: int) -> None:
        self._heads[table] = max(head, self._heads.get(table, 0))
        self._ready.set()

    def miss(self) -> None:
        """Report that notifications may be missing. Unread ones are dropped: the subscriber reads every table again."""
        self._heads.clear()
        self._missed_some = True
        self._ready.set()

    def end(self) -> None:
        self._has_ended = True
        self._ready.set()


class Subscriptions:
    """All subscriptions of a store; one that nobody holds any more is forgotten."""

    def __init__(self) -> None:
        self._all: WeakSet[Subscription] = WeakSet()
        self._is_closed = False

    def add(self) -> Subscription:
        subscription = Subscription()
        if self._is_closed:
            subscription.end()
        self._all.add(subscription)
        return subscription

    def publish(self, heads: Mapping[str, int]) -> None:
        """Tell every subscriber the number of each table's last event."""
        for subscription in self._all:
            for table, head in heads.items():
                subscription.publish(table, head)

    def miss(self) -> None:
        for subscription in self._all:
            subscription.miss()

    def close(self) -> None:
        self._is_closed = True
        for subscription in self._all:
            subscription.end()
