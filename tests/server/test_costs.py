"""What a request may cost the server: counts of events, threads and bytes, whatever a client asks for."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from atout.server.limits import Buckets
from atout.server.live import loading, my_parts
from atout.server.live.loading import LONG_LOG, table_of
from atout.server.live.my_parts import MyParts
from atout.server.live.table import MAX_RESUMED
from atout.server.settings import ServerSettings
from atout.server.ws.connection import Connection
from atout.server.ws.session import BURST_SECONDS, HELLO_COST, Session, Sessions
from atout.tables import Table, TableSettings
from atout.tables import commands as c
from tests.server.fake_time import FakeHub, Listener, settle, started
from tests.tables.players import Driver, people


def renamed(times: int) -> Driver:
    """A match with a long log."""
    driver = people("nichtig", 3, spectators="public")
    for _ in range(times):
        driver.now += 10.0
        driver.do(c.Rename(name="Ann"), "g0")
    return driver


# ---------------------------------------------------------------- coming back


@pytest.mark.parametrize(("missed", "resumed"), [(MAX_RESUMED, True), (MAX_RESUMED + 1, False)])
def test_whoever_missed_much_gets_the_view_alone(missed: int, resumed: bool) -> None:
    async def join() -> None:
        agenda, store = started(renamed(MAX_RESUMED + 50))
        read: list[int] = []

        async def events(_table: str, after: int = 0) -> list[bytes]:
            read.append(len(store.log) - after)
            return store.log[after:]

        store.events = events  # type: ignore[method-assign]
        live = FakeHub(agenda, store, lambda _: 0.0).load()
        listener = Listener("g0", agenda)
        await live.join(listener, live.table.number - missed)
        welcome = msgspec.json.decode(listener.heard[0][1])
        assert (welcome.get("resumed", False), len(welcome.get("events", []))) == (resumed, missed if resumed else 0)
        assert read == ([missed] if resumed else [])

    asyncio.run(join())


class Line:
    """A connection that notes what it is sent."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.is_closed = False

    def send(self, text: bytes) -> None:
        self.sent.append(msgspec.json.decode(text))

    def close(self, _code: int) -> None:
        self.is_closed = True


def test_hellos_count_as_several_messages() -> None:
    async def greet() -> None:
        agenda, store = started(renamed(0))
        hub = FakeHub(agenda, store, lambda _: 0.0)
        hub.load()

        async def cookie_state(_guest: str, _session: bytes) -> str:
            return "good"

        store.cookie_state = cookie_state  # type: ignore[attr-defined]
        sessions, now = Sessions(hub, ServerSettings(commands_per_second=4)), 0.0
        sessions.commands = Buckets(4, 4 * BURST_SECONDS, lambda: now)
        lines = [Line() for _ in range(6)]
        hellos = []
        for line in lines:
            session = Session(sessions, cast("Connection", line), "g0", "t1")
            session.start()
            hellos.append(asyncio.create_task(session.handle(b'{"do":"hello","version":1}')))
            await settle()
        affordable = int(4 * BURST_SECONDS / HELLO_COST)
        assert [len(line.sent) for line in lines] == [1] * affordable + [0] * (6 - affordable)
        lines[-1].is_closed = True
        now = 60.0
        await asyncio.gather(*hellos)
        assert [len(line.sent) for line in lines] == [1] * 5 + [0], "the one that hung up is not answered"

    asyncio.run(greet())


@pytest.mark.parametrize("text", [b'{"do":"resync"}', b'{"do":"hello","version":1,"seen":3}'])
def test_asking_for_the_view_again_counts_as_several_messages(text: bytes) -> None:
    async def ask() -> None:
        agenda, store = started(renamed(0))
        live = FakeHub(agenda, store, lambda _: 0.0).load()
        sessions, line = Sessions(live.hub, ServerSettings()), Line()
        sessions.commands = Buckets(1000.0, 3 * HELLO_COST, lambda: 0.0)
        session = Session(sessions, cast("Connection", line), "g0", "t1")
        for _ in range(5):
            await session._handle(text, live)
        assert [message["type"] for message in line.sent] == ["welcome"] * 3 + ["refusal"] * 2
        assert line.sent[-1]["code"] == "too-many"

    asyncio.run(ask())


# ---------------------------------------------------------------- loading


def test_long_logs_are_replayed_one_at_a_time_beside_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[str] = []
    busy = threading.Semaphore(1)
    replay = loading._replayed

    def noted(log: Sequence[bytes]) -> Table:
        assert busy.acquire(blocking=False), "two at once"
        threads.append(threading.current_thread().name)
        table = replay(log)
        busy.release()
        return table

    monkeypatch.setattr(loading, "_replayed", noted)

    async def load() -> None:
        long, short = renamed(LONG_LOG).log, renamed(3).log
        tables = await asyncio.gather(table_of(long), table_of(long), table_of(long))
        assert [table.number for table in tables] == [len(long)] * 3
        assert (await table_of(short)).number == len(short)

    asyncio.run(load())
    assert [name.startswith("event-logs") for name in threads] == [True, True, True, False]


# ---------------------------------------------------------------- my tables


class Logs:
    """A store of logs that counts how many events are read."""

    def __init__(self, **logs: Driver) -> None:
        self.logs = logs
        self.read: list[str] = []

    async def head(self, table: str) -> int:
        return len(self.logs[table].log)

    async def events(self, table: str) -> list[bytes]:
        self.read.append(table)
        await asyncio.sleep(0)
        return self.logs[table].log


def parts_of(store: Logs) -> MyParts:
    return MyParts(cast("Any", SimpleNamespace(store=store, tables={})))


def test_a_log_is_replayed_once_until_something_happens() -> None:
    async def ask() -> None:
        store = Logs(a=renamed(0), b=renamed(1))
        parts = parts_of(store)
        first = await parts.of("g1", ["a", "b"])
        assert (first["a"].seats, first["a"].asked, first["a"].round, first["a"].totals) == ([1], [0, 1, 2], 1, [0] * 3)
        assert await parts.of("g1", ["a", "b"]) == first
        assert (await parts.of("g2", ["a"]))["a"].seats == [2]
        assert store.read == ["a", "b"]
        store.logs["a"].do(c.Rename(name="Eve"), "g0")
        await parts.of("g1", ["a", "b"])
        assert store.read == ["a", "b", "a"]

    asyncio.run(ask())


def test_a_guest_has_one_list_made_at_a_time() -> None:
    async def ask() -> None:
        store = Logs(a=renamed(0))
        parts = parts_of(store)
        answers = await asyncio.gather(*(parts.of("g0", ["a"]) for _ in range(20)))
        assert all(answer == answers[0] for answer in answers)
        assert store.read == ["a"]

    asyncio.run(ask())


def test_a_list_replays_so_many_events_and_goes_on_the_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask() -> None:
        store = Logs(a=renamed(10), b=renamed(10), c=renamed(0))
        monkeypatch.setattr(my_parts, "MAX_EVENTS", len(store.logs["a"].log) + len(store.logs["c"].log))
        parts = parts_of(store)
        assert list(await parts.of("g0", ["a", "b", "c"])) == ["a", "c"]
        assert list(await parts.of("g0", ["a", "b", "c"])) == ["a", "b", "c"]
        assert store.read == ["a", "c", "b"]

    asyncio.run(ask())


def test_a_table_at_which_only_another_player_of_the_device_sits_is_listed() -> None:
    async def ask() -> None:
        driver = Driver(TableSettings("nichtig", 3, seats=["open", "random", "random"], shared=True))
        driver.do(c.Sit(name="Ann"), "g0+1")
        assert (await parts_of(Logs(a=driver)).of("g0", ["a"]))["a"].seats == [0]

    asyncio.run(ask())


# ---------------------------------------------------------------- bots alone


def test_bots_play_alone_only_while_somebody_looks() -> None:
    async def play() -> None:
        driver = Driver(TableSettings("nichtig", 3, seats=["random"] * 3, spectators="public"))
        agenda, store = started(driver)
        hub = FakeHub(agenda, store, lambda _: 0.1)
        live = hub.load()
        await live.wake()
        await settle()
        assert not hub.bots.asked, "nobody looks"
        watcher = Listener("eve", agenda)
        await live.join(watcher, None)
        for _ in range(20):
            assert await agenda.step()
        assert len(store.log) > len(driver.log)
        live.leave(watcher)
        while await agenda.step():
            pass
        stopped, due = len(store.log), store.due
        await live.wake()
        await settle()
        assert (due is None, store.due is None) == (False, True), "the store need not wake it again"
        assert (len(store.log), live.table.is_finished, live.is_idle) == (stopped, False, True)
        await live.join(Listener("zoe", agenda), None)
        assert await agenda.step()

    asyncio.run(play())
