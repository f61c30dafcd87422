"""A match whose worker died right after the last move: its record is saved later, whatever the clock says then."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable, Callable

import pytest

from atout.server.live.archive import Archive
from atout.server.live.bot_pool import Pool
from atout.server.live.hub import Hub
from atout.server.live.lobby_card import card_of, listing_after
from atout.server.metrics import Metrics
from atout.server.settings import ServerSettings
from atout.store import open_store
from atout.tables import TableSettings, check_fair
from atout.tables import commands as c
from tests.tables.players import Driver, people

LONG_AGO = 1.0
"""By a clock that was set back since the match, which began at 1000."""


async def somebody_comes(hub: Hub) -> None:
    await hub.table("t1")


async def nobody_comes(hub: Hub) -> None:
    await hub._wake_all(LONG_AGO)


def played_out() -> Driver:
    return people("nichtig", 3).playout(random.Random(1))


def given_up() -> Driver:
    driver = people("nichtig", 3)
    driver.do(c.Offer(what="abort"), "g0")
    driver.do(c.Answer(yes=True), "g1")
    driver.do(c.Answer(yes=True), "g2")
    return driver


def closed_by_the_server() -> Driver:
    driver = people("nichtig", 3)
    driver.do(c.Close(), None)
    return driver


@pytest.mark.parametrize("ends", [played_out, given_up, closed_by_the_server])
@pytest.mark.parametrize("happens", [somebody_comes, nobody_comes])
def test_what_was_not_settled_is_settled_later(
    url: str, happens: Callable[[Hub], Awaitable[None]], ends: Callable[[], Driver]
) -> None:
    driver = ends()
    assert driver.table.is_finished
    ended = listing_after(driver.table, None, driver.events, bots_due=None)

    async def settle() -> None:
        store = await open_store(url)
        await store.create_table("t1", ended.card, driver.log, due=ended.due, guests=ended.guests)
        hub = Hub(store, ServerSettings(), Pool(1, 0.1), Metrics())
        await happens(hub)
        record = await store.record("t1")
        assert record is not None
        assert check_fair(json.loads(record.body)) == len(json.loads(record.body)["rounds"]) > 0
        assert len(await store.statistics("g0")) == (driver.status == "over"), "only a whole match counts"
        assert [kept.id for kept in await store.records("g0")] == ["t1"]
        listed = await store.table("t1")
        assert listed is not None
        assert listed.due is None, "there is nothing left to do"
        await hub.close()
        await store.close()

    asyncio.run(settle())


def test_a_match_that_a_bot_finished_is_not_the_persons_result(url: str) -> None:
    """It is in their list, with their seat marked; it counts for the others alone."""
    driver = people("nichtig", 3, stand_in="random")
    driver.do(c.Leave(), "g1")
    driver.do(c.Offer(what="stand-in", whom=1), "g0")
    driver.do(c.Answer(yes=True), "g2")
    driver.playout(random.Random(1))
    assert driver.status == "over"

    async def settle() -> None:
        store = await open_store(url)
        await store.create_table("t1", card_of(driver.table), driver.log)
        await Archive(store).settle(driver.table)
        assert [len(await store.statistics(f"g{seat}")) for seat in range(3)] == [1, 0, 1]
        for seat in range(3):
            (listed,) = await store.records(f"g{seat}")
            assert json.loads(listed.summary)["stand_ins"] == [1]
        record = await store.record("t1")
        assert record is not None
        assert json.loads(record.body)["stand_ins"] == [1]
        await store.close()

    asyncio.run(settle())


def test_a_table_closed_before_its_match_leaves_no_record(url: str) -> None:
    driver = Driver(TableSettings("nichtig", 3))
    driver.do(c.Sit(name="Ann"), "g0")
    driver.do(c.Close(), None)

    async def settle() -> None:
        store = await open_store(url)
        await store.create_table("t1", card_of(driver.table), driver.log)
        await Archive(store).settle(driver.table)
        assert await store.record("t1") is None
        await store.close()

    asyncio.run(settle())
