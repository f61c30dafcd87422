"""A load that records what was acknowledged: growing tables, every event unique.

As a program, `python -m tests.store.load URL`, it prints every acknowledged event and runs until it is killed.
"""

from __future__ import annotations

import asyncio
import os
import sys
import uuid
from collections.abc import Callable

from atout.errors import Conflict, NoTable
from atout.store import Append, LobbyCard, Store, open_store

TABLES = [f"table{i}" for i in range(12)]
CARD = LobbyCard(public=True, open_seats=0, edition="niet-2015", state="on", active=1.0)


class Acknowledged:
    """The events that the store acknowledged as durable."""

    def __init__(self) -> None:
        self.events: dict[tuple[str, int], bytes] = {}

    def add(self, table: str, number: int, body: bytes) -> None:
        assert (table, number) not in self.events, f"{table}: event {number} was acknowledged twice"
        self.events[table, number] = body

    async def compare(self, store: Store) -> None:
        """Check that every acknowledged event is stored under its number, and none twice."""
        there: dict[tuple[str, int], bytes] = {}
        for table in TABLES:
            events = await store.events(table)
            assert await store.head(table) == len(events)
            there |= {(table, number): body for number, body in enumerate(events, 1)}
        lost = {place for place, body in self.events.items() if there.get(place) != body}
        assert not lost, f"{len(lost)} of {len(self.events)} acknowledged events are lost: {sorted(lost)[:5]}"
        assert len(set(there.values())) == len(there), "an event is there twice"


async def begin(store: Store) -> None:
    """Create the tables that are missing."""
    for table in TABLES:
        try:
            await store.head(table)
        except NoTable:
            await store.create_table(table, CARD, [])


async def grow(store: Store, table: str, acknowledge: Callable[[str, int, bytes], None]) -> None:
    """Append batches of one to three events until cancelled."""
    number = await store.head(table) + 1
    while True:
        bodies = tuple(uuid.uuid4().hex.encode() for _ in range(1 + number % 3))
        try:
            await store.append(Append(table, number, bodies, due=float(number)))
        except Conflict as conflict:  # another writer was first
            number = conflict.head + 1
            continue
        for i, body in enumerate(bodies):
            acknowledge(table, number + i, body)
        number += len(bodies)


async def main(url: str) -> None:
    store = await open_store(url)
    await begin(store)
    await asyncio.gather(*[grow(store, table, _print) for table in TABLES])


def _print(table: str, number: int, body: bytes) -> None:
    os.write(1, f"{table} {number} {body.decode()}\n".encode())


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
