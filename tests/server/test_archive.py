"""A match whose worker died right after the last move: its record is saved later, whatever the clock says then."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

import pytest

from atout.server.live.bot_pool import Pool
from atout.server.live.hub import Hub
from atout.server.live.lobby_card import listing_after
from atout.server.metrics import Metrics
from atout.server.settings import ServerSettings
from atout.store import open_store
from tests.tables.players import people

LONG_AGO = 1.0
"""By a clock that was set back since the match, which began at 1000."""


async def somebody_comes(hub: Hub) -> None:
    await hub.table("t1")


async def nobody_comes(hub: Hub) -> None:
    await hub._wake_all(LONG_AGO)


@pytest.mark.parametrize("happens", [somebody_comes, nobody_comes])
def test_what_was_not_settled_is_settled_later(url: str, happens: Callable[[Hub], Awaitable[None]]) -> None:
    driver = people("nichtig", 3).playout(random.Random(1))
    assert driver.status == "over"
    ended = listing_after(driver.table, None, driver.events, bots_due=None)

    async def settle() -> None:
        store = await open_store(url)
        await store.create_table("t1", ended.card, driver.log, due=ended.due, guests=ended.guests)
        hub = Hub(store, ServerSettings(), Pool(1, 0.1), Metrics())
        await happens(hub)
        record = await store.record("t1")
        assert record is not None
        assert [kept.id for kept in await store.records("g0")] == ["t1"]
        listed = await store.table("t1")
        assert listed is not None
        assert listed.due is None, "there is nothing left to do"
        await hub.close()
        await store.close()

    asyncio.run(settle())
