"""A correspondence match over more than a week in a test's own time: one nudge per turn, quiet hours, a vacation."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Coroutine
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from atout.server.live.archive import open_table
from atout.server.live.hub import Hub
from atout.server.live.nudges import NudgeSettings, asked_people
from atout.server.metrics import Metrics
from atout.server.settings import ServerSettings
from atout.store import Channel, Guest, Store, open_store
from atout.tables import Clock, TableSettings
from atout.tables import commands as c
from tests.server.fake_time import Agenda, FakePool

HOUR, DAY = 3600.0, 86_400.0
BEGUN = datetime(2026, 11, 16, 9, 0, tzinfo=ZoneInfo("Europe/Berlin")).timestamp()
QUIET = NudgeSettings("de", "Europe/Berlin", 22 * 60, 8 * 60)
ALWAYS, QUIETLY, AWAY, NEVER = "g0", "g1", "g2", "g3"
"""Somebody who is always nudged; only by day; only when away; never."""


class WeekHub(Hub):
    """A hub whose time is the test's, on a real store; what would be sent is noted."""

    def __init__(self, agenda: Agenda, store: Store) -> None:
        self.agenda = agenda
        self.nudged: list[tuple[float, str, str]] = []
        settings = ServerSettings(nudge_seconds=60.0)
        super().__init__(store, settings, FakePool(agenda, lambda _turn: 1.0, 1.0), Metrics())
        self.nudges.send = self.note  # type: ignore[method-assign]

    async def note(self, channel: Channel, kind: str, message: dict[str, str]) -> bool:
        assert kind == "turn"
        self.nudged.append((self.now(), channel.guest, message["path"]))
        return True

    def now(self) -> float:  # type: ignore[override]
        return self.agenda.now

    def later(self, seconds: float, work: Callable[..., Coroutine[Any, Any, Any]], *arguments: Any) -> None:
        self.agenda.add(seconds, lambda: self.start(work(*arguments)))

    async def idle(self) -> None:
        while self._tasks:
            await asyncio.gather(*self._tasks)

    async def pass_time(self, seconds: float) -> None:
        """Let time pass, looking every hour for what is due, as the server does every few seconds."""
        until = self.now() + seconds
        while self.now() < until:
            await self.agenda.run_until(min(self.now() + HOUR, until))
            for live in self.tables.values():
                deadline = live.table.next_deadline()
                if deadline is not None and deadline <= self.now():
                    await live.wake()
            await self.idle()
            await self.nudges.deliver_due()


async def invited(store: Store) -> None:
    for guest in (ALWAYS, QUIETLY, AWAY, NEVER):
        await store.save_guest(Guest(guest, BEGUN, BEGUN, guest, b"{}"))
        await store.add_channel(Channel(f"c {guest}", guest, "webhook", b'{"url":"https://x.example"}', BEGUN))
    await store.set_nudge_settings(QUIETLY, msgspec.json.encode(QUIET))


async def week(store: Store) -> None:
    agenda, rng = Agenda(BEGUN), random.Random(5)
    hub = WeekHub(agenda, store)
    await invited(store)
    settings = TableSettings("nichtig", 4, {"length": {"target": 200}}, clock=Clock("days", 2))
    await open_table(store, c.Open(table="t", settings=settings, secret="5e" * 32), ALWAYS, BEGUN)
    live = await hub.table("t")
    for seat, guest in enumerate((ALWAYS, QUIETLY, AWAY, NEVER)):
        await live.do(c.Sit(name=f"Guest {seat}", seat=seat, entropy=f"{seat:02x}" * 8), guest)
    await hub.idle()
    for guest, choice in ((ALWAYS, "always"), (QUIETLY, "always"), (NEVER, "never")):
        assert await store.choose_nudges(guest, "t", choice)

    turns: set[tuple[str, int]] = set()
    paused: tuple[float, float] | None = None
    there: tuple[float, float] | None = None
    while hub.now() < BEGUN + 11 * DAY:
        asked = asked_people(live.table)
        assert asked, live.table.status
        turns |= set(asked.items())
        if paused is None and ALWAYS in asked and hub.now() > BEGUN + 3 * DAY:
            await live.do(c.Offer(what="pause", days=3), ALWAYS)
            for guest in (QUIETLY, AWAY, NEVER):
                await live.do(c.Answer(yes=True), guest)
            begin = hub.now()
            assert (live.table.status, asked_people(live.table)) == ("paused", {})
            await hub.pass_time(3 * DAY + HOUR)
            paused = begin, begin + 3 * DAY
            assert live.table.status == "playing", "the vacation ends by itself"
        if there is None and AWAY in asked and hub.now() > BEGUN + 8 * DAY:
            await live.do(c.Back(seat=2), None)
            begin = hub.now()
            await hub.pass_time(20 * HOUR)
            there = begin, hub.now()
            await live.do(c.Away(seat=2), None)
        await hub.pass_time(rng.choice([2, 5, 9, 14]) * HOUR)
        for guest in asked_people(live.table):
            view = live.table.view_for(guest, hub.now())
            assert view.game is not None
            await live.do(c.Act(action=rng.choice(view.game["legal"]), decision=view.decision), guest)
        await hub.idle()

    assert paused is not None
    assert there is not None
    times: dict[str, list[float]] = {guest: [] for guest in (ALWAYS, QUIETLY, AWAY, NEVER)}
    for at, guest, path in hub.nudged:
        assert path == "/table/t"
        assert not paused[0] < at < paused[1], "nobody is asked anything during a vacation"
        times[guest].append(at)
    count = Counter(guest for guest, _turn in turns)
    assert count[ALWAYS] > 5
    assert len(times[ALWAYS]) == count[ALWAYS], "one nudge for each turn, after the vacation for the one before it"
    assert 0 < len(times[QUIETLY]) <= count[QUIETLY]
    hours = {datetime.fromtimestamp(at, ZoneInfo("Europe/Berlin")).hour for at in times[QUIETLY]}
    assert hours <= set(range(8, 22)), "none at night"
    night = {datetime.fromtimestamp(at, ZoneInfo("Europe/Berlin")).hour for at in times[ALWAYS]}
    assert not night <= set(range(8, 22)), "for others the nights are not quiet"
    assert times[AWAY]
    assert not [at for at in times[AWAY] if there[0] < at <= there[1]], "not while they are there"
    assert times[NEVER] == []
    await hub.idle()


def test_nudges_of_a_match_over_more_than_a_week(tmp_path: Path) -> None:
    async def scenario() -> None:
        store = await open_store(f"sqlite:///{tmp_path}/week.db")
        try:
            await week(store)
        finally:
            await store.close()

    asyncio.run(scenario())
