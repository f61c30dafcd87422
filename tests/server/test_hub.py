"""The hub: old tables are deleted, and bots whose worker has ended are asked by another one."""

from __future__ import annotations

import asyncio
import tempfile
import time

import pytest

from atout.server.live.bot_pool import Pool
from atout.server.live.hub import DAY, Hub
from atout.server.live.table import LiveTable
from atout.server.metrics import Metrics
from atout.server.settings import ServerSettings
from atout.store import LobbyCard, Result, StoredRecord, open_store
from atout.tables import BotTurn, Table, TableSettings, encode, new_secret
from atout.tables import commands as c
from tests.tables.players import Driver

OLD, FRESH = 40, 20
"""Days since somebody was there."""


def card(state: str, days: float) -> LobbyCard:
    return LobbyCard(False, 0, "nichtig", state, time.time() - days * DAY)


def opening(table: str) -> list[bytes]:
    command = c.Open(table=table, settings=TableSettings("nichtig", 3), secret=new_secret())
    return [encode(event) for event in Table().decide(command, "ann", time.time())]


@pytest.mark.parametrize(("keep_days", "kept"), [(30.0, {"fresh", "used"}), (0.0, {"over", "left", "fresh", "used"})])
def test_old_tables_are_swept_and_their_records_are_not(url: str, keep_days: float, kept: set[str]) -> None:
    async def sweep() -> None:
        store = await open_store(url)
        hub = Hub(store, ServerSettings(keep_days=keep_days), Pool(1, 0.1), Metrics())
        ages = {"over": OLD, "left": OLD, "used": OLD, "fresh": FRESH}
        for table, days in ages.items():
            await store.create_table(table, card("over" if table == "over" else "playing", days), opening(table))
        await store.save_record(StoredRecord("r", "over", "nichtig", 1.0, b"{}", b"{}"), [Result("ann", True, 1, 2)])
        await hub.table("used")
        await hub.sweep()
        assert {table for table in ages if await store.table(table) is not None} == kept
        assert await store.record("r") is not None
        assert [entry.id for entry in await store.records("ann")] == ["r"]
        await hub.close()
        await store.close()

    asyncio.run(sweep())


def test_bots_of_a_worker_that_ended_are_asked_by_the_others() -> None:
    """Its table is due only by a clock that was set back: the start of its successor makes the others look."""

    async def successor_starts() -> list[tuple[int, int]]:
        driver = Driver(TableSettings("nichtig", 3, seats=["open", "random", "random"])).fill()
        asked: list[tuple[int, int]] = []

        async def answer(_: LiveTable, turn: BotTurn) -> None:
            asked.append((turn.seat, turn.decision))

        with tempfile.TemporaryDirectory() as folder:
            store = await open_store(f"sqlite:///{folder}/atout.db")
            hub = Hub(store, ServerSettings(), Pool(1, 0.1), Metrics())
            hub.answer = answer  # type: ignore[method-assign, assignment]
            await store.create_table("t", card("playing", 0.0), [encode(event) for event in driver.events])
            live = await hub.table("t")
            assert live.table.bot_turns()
            assert not asked
            await hub._reread(live)
            await asyncio.sleep(0)
            await hub.close()
            await store.close()
        return asked

    assert sorted(seat for seat, _ in asyncio.run(successor_starts())) == [1, 2]
