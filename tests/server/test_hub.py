"""The hub: old tables are deleted, and bots whose worker has ended are asked by another one."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

from atout import Game, warm
from atout.bots import Choice, Reason
from atout.errors import BotError
from atout.server.live.bot_pool import Pool, Question
from atout.server.live.hub import DAY, Hub
from atout.server.live.table import LiveTable
from atout.server.metrics import Metrics
from atout.server.settings import ServerSettings
from atout.store import LobbyCard, Result, StoredRecord, open_store
from atout.study import Explanation
from atout.study.model import Alternative
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


class OnePool(Pool):
    """A pool that gives prepared answers: an explanation by points, and the strongest bot's choice."""

    def __init__(self, is_late: bool, choice: Choice) -> None:
        super().__init__(1, 0.1)
        self._is_late, self._choice = is_late, choice
        self.bots = 0
        """How often a bot was asked."""

    async def run(self, *_: Any) -> Any:
        one = Alternative("0 team 0 3", -4.7, 0.3, 0.9)
        return Explanation(one.action, (one,), (Reason("about-equal"),), "e", 24), self._is_late

    async def choose(self, _: Question) -> Choice:
        self.bots += 1
        if not self._choice.action:
            raise BotError("no answer in time")
        return self._choice


@pytest.mark.parametrize(
    ("is_late", "choice", "advised", "bots"),
    [
        (False, Choice("0 team 0 1", reasons=(Reason("match"),)), "0 team 0 3", 0),
        (True, Choice("0 team 0 1", reasons=(Reason("match"),)), "0 team 0 1", 1),
        (True, Choice("0 team 0 3", reasons=(Reason("learned"),)), "0 team 0 3", 1),
        (True, Choice(""), "0 team 0 3", 1),
    ],
)
def test_late_in_a_match_a_hint_is_for_the_match(
    is_late: bool, choice: Choice, advised: str, bots: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The strongest bot is asked, too; where it agrees, or fails, the explanation is told."""
    monkeypatch.setattr(warm, "is_ready", lambda *_: True)

    async def ask() -> Choice | Explanation:
        store = await open_store(f"sqlite:///{tmp_path / 'atout.db'}")
        hub = Hub(store, ServerSettings(), pool, Metrics())
        view = Game.new("niet-2015", players=4, seed=1).view(0)
        found = await hub.advise(BotTurn(0, "expert", 1, view, [], 1), "ann")
        await hub.close()
        await store.close()
        return found

    pool = OnePool(is_late, choice)
    found = asyncio.run(ask())
    assert found.action == advised
    assert pool.bots == bots
    assert isinstance(found, Choice) == (advised != "0 team 0 3")
