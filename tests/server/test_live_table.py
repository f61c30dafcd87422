"""What is read of a live table from outside is durable: never an event that is still on its way to the store."""

from __future__ import annotations

import asyncio

import pytest

from atout.errors import Unavailable
from atout.server.live.table import LiveTable
from atout.store import Append
from atout.tables import Table, decode, encode
from atout.tables import commands as c
from tests.server.test_memory import hub
from tests.tables.players import people


class SlowStore:
    """An append is decided by the test, while it is under way."""

    def __init__(self, log: list[bytes]) -> None:
        self.log, self.under_way, self.outcome = log, asyncio.Event(), asyncio.Event()
        self.fails = False

    async def append(self, append: Append) -> None:
        self.under_way.set()
        await self.outcome.wait()
        if self.fails:
            raise Unavailable("the disk is full")
        self.log += append.events

    async def events(self, _table: str, after: int = 0) -> list[bytes]:
        return self.log[after:]


@pytest.mark.parametrize("fails", [False, True])
def test_a_reader_waits_until_the_move_is_durable(fails: bool) -> None:
    async def play() -> tuple[int, int]:
        events = [encode(event) for event in people("niet-2015", 4).events]
        made = hub()
        made.store = store = SlowStore(list(events))
        store.fails = fails
        live = LiveTable(made, "t", Table.from_events(map(decode, events)))
        seat = live.table.asked[0]
        view = live.table.view_for(f"g{seat}", live.table.last_at)
        assert view.game is not None
        move = asyncio.create_task(
            live.do(c.Act(id="m", action=view.game["legal"][0], decision=view.decision), f"g{seat}")
        )
        await store.under_way.wait()
        assert live.table.number > len(events)  # applied, but not stored yet
        reading = asyncio.create_task(live.durable())
        await asyncio.sleep(0)
        assert not reading.done()
        store.outcome.set()
        read = (await reading).number
        await asyncio.gather(move, return_exceptions=True)
        return len(events), read

    before, read = asyncio.run(play())
    assert read == (before if fails else before + 1)
