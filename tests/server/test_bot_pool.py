"""Who is served by the bots' processes when they are busy, and how long a process is kept."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest

from atout import warm
from atout.bots import Choice
from atout.errors import BotError
from atout.server.live.bot_pool import Pool, Question
from atout.server.live.fair_queue import MAX_PASSED, FairQueue, Priority
from atout.server.settings import ServerSettings
from atout.server.ws.connection import Connection
from atout.server.ws.session import OPEN_HINTS, Session, Sessions
from atout.tables import BotTurn, Clock, TableSettings
from tests.server.fake_time import FakeHub, settle, started
from tests.tables.players import Driver

PROCESSES = 2
TABLES, SOCKETS = 10, 20


class StandingPool(Pool):
    """A pool whose decisions end when the test says so."""

    def __init__(self, processes: int = PROCESSES, seconds: float = 0.3, *, is_even: bool = False) -> None:
        super().__init__(processes, seconds, is_even=is_even)
        self.running: list[tuple[str, asyncio.Future[Choice]]] = []
        self.served: list[str] = []

    async def _ask(self, level: str, due: BotTurn) -> Choice:
        name = str(due.view)
        answer: asyncio.Future[Choice] = asyncio.get_running_loop().create_future()
        self.running.append((name, answer))
        self.served.append(name)
        try:
            return await answer
        finally:
            self.running.remove((name, answer))

    async def finish(self) -> None:
        """The decision that began first is made."""
        self.running[0][1].set_result(Choice("0 play"))
        await settle()


def question(name: str, owner: str, priority: Priority, level: str = "novice") -> Question:
    return Question(BotTurn(0, level, 1, cast("Any", name), ["0 play"], 1), level, owner, priority)


async def flooded(ask: Callable[[Question], Awaitable[Any]]) -> list[asyncio.Task[Any]]:
    """Eve has ten tables of bots, Mallory twenty sockets that ask for hints; each asks again when it is answered."""

    async def again(name: str, owner: str, priority: Priority) -> None:
        while True:
            await ask(question(name, owner, priority))

    tasks = [asyncio.create_task(again(f"table {i}", "eve", Priority.BOTS)) for i in range(TABLES)]
    tasks += [asyncio.create_task(again(f"hint {i}", "mallory", Priority.HINT)) for i in range(SOCKETS)]
    await settle()
    return tasks


async def cancel(tasks: list[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def test_a_turn_at_a_table_with_people_waits_for_one_running_decision() -> None:
    async def run() -> None:
        pool = StandingPool()
        tasks = await flooded(pool.choose)
        for turn in range(40):
            before = len(pool.served)
            name = f"bob {turn}"
            tasks.append(asyncio.create_task(pool.choose(question(name, "bob", Priority.PEOPLE))))
            await settle()
            await pool.finish()
            assert pool.served[before:] == [name], "the first place that was free"
            while name in (running for running, _ in pool.running):
                await pool.finish()
        await cancel(tasks)

    asyncio.run(run())


def test_the_flood_is_served_too() -> None:
    """Hints go before tables of bots, but none of the two waits for ever; all tables are served in turn."""

    async def run() -> list[str]:
        pool = StandingPool()
        tasks = await flooded(pool.choose)
        for _ in range(400):
            await pool.finish()
        await cancel(tasks)
        return pool.served

    served = asyncio.run(run())
    tables = [name for name in served[PROCESSES:] if name.startswith("table")]
    assert len(tables) >= 400 // (MAX_PASSED + 2)
    assert {tables.count(f"table {i}") for i in range(TABLES)} <= {3, 4, 5, 6}
    assert {name for name in served if name.startswith("hint")} == {f"hint {i}" for i in range(SOCKETS)}


def test_guests_are_served_in_turn() -> None:
    async def run() -> list[str]:
        pool = StandingPool(1)
        asked = [("first", "x"), *((f"eve {i}", "eve") for i in range(4)), ("bob 0", "bob"), ("ann 0", "ann"),
                 ("bob 1", "bob")]  # fmt: skip
        tasks = []
        for name, owner in asked:
            tasks.append(asyncio.create_task(pool.choose(question(name, owner, Priority.PEOPLE))))
            await settle()
        while pool.running:
            await pool.finish()
        await asyncio.gather(*tasks)
        return pool.served

    assert asyncio.run(run()) == ["first", "eve 0", "bob 0", "ann 0", "eve 1", "bob 1", "eve 2", "eve 3"]


def test_nobody_keeps_a_place_who_has_given_up() -> None:
    """Waiting or just served: a cancelled request leaves no place behind, and takes none away."""

    async def run() -> None:
        queue = FairQueue(1)
        await queue.enter("ann", Priority.PEOPLE)
        waiting = [asyncio.create_task(queue.enter(f"{i}", Priority.HINT)) for i in range(3)]
        await settle()
        waiting[0].cancel()
        await settle()
        queue.leave()  # to the second
        waiting[1].cancel()  # it has the place, but has not run since
        await settle()
        assert waiting[2].done()
        assert not waiting[2].cancelled()
        queue.leave()
        await asyncio.wait_for(queue.enter("bob", Priority.BOTS), 60)

    asyncio.run(run())


def test_a_failed_decision_gives_its_place_back() -> None:
    async def run() -> None:
        pool = StandingPool(1)
        failing = asyncio.create_task(pool.choose(question("fails", "ann", Priority.PEOPLE)))
        waiting = asyncio.create_task(pool.choose(question("waits", "bob", Priority.PEOPLE)))
        await settle()
        pool.running[0][1].set_exception(BotError("failed"))
        with pytest.raises(BotError):
            await failing
        await settle()
        await pool.finish()
        assert (await waiting).action == "0 play"

    asyncio.run(run())


@pytest.mark.parametrize(("level", "is_kept"), [("expert", True), ("club", True), ("novice", False)])
def test_a_search_bot_has_its_process_for_its_whole_budget(level: str, is_kept: bool) -> None:
    """Else others could see by their own waiting how long it took, and so whether it had a choice."""

    async def run() -> tuple[float, list[str]]:
        pool = StandingPool(1, seconds=3600.0, is_even=True)
        asked = question("first", "ann", Priority.PEOPLE, level)
        first = asyncio.create_task(pool.choose(asked))
        second = asyncio.create_task(pool.choose(question("second", "bob", Priority.PEOPLE)))
        await settle()
        await pool.finish()
        assert (await first).action == "0 play"
        await settle()
        await cancel([second])
        return asked.spare, pool.served

    spare, served = asyncio.run(run())
    assert (spare > 1800.0) == is_kept
    assert served == (["first"] if is_kept else ["first", "second"])


def test_turns_of_tables_with_people_come_first() -> None:
    """Only a connected player counts as present: not one who is away or for whom a bot plays."""

    async def run() -> list[tuple[Priority, str]]:
        clock = Clock("decision", 60.0)  # without one the bots would wait for the player
        settings = TableSettings("nichtig", 3, seats=["open", "novice", "novice"], clock=clock)
        driver = Driver(settings, host="g0").fill()
        agenda, store = started(driver)
        hub = FakeHub(agenda, store, lambda _: 0.0, absent_seconds=3600, reload_seconds=0)
        live = hub.load()
        await live.resume_bots()
        await agenda.run_until(driver.now + 0.3)
        await live._away("g0")
        await agenda.run_until(driver.now + 9.0)
        return [(asked.priority, asked.owner) for asked in hub.bots.asked]

    asked = asyncio.run(run())
    assert asked[0] == (Priority.PEOPLE, "g0")
    assert asked[-1] == (Priority.BOTS, "g0")


# ------------------------------------------------------------------ hints


class Line:
    """A connection that notes what is sent on it."""

    def __init__(self) -> None:
        self.sent: list[Any] = []

    def send(self, text: bytes) -> None:
        self.sent.append(json.loads(text))


def test_a_guest_has_few_hints_open_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """On all sockets together. Each is counted until it is answered; those of others are not."""
    monkeypatch.setattr(warm, "is_ready", lambda *_: False)  # the strongest bot answers, which is a fake here

    async def run() -> None:
        driver = Driver(TableSettings("nichtig", 3, seats=["open", "open", "novice"], hints=True)).fill()
        agenda, store = started(driver)
        hub = FakeHub(agenda, store, lambda _: 5.0, absent_seconds=3600)
        live = hub.load()
        sessions = Sessions(hub, ServerSettings())
        lines = [Line() for _ in range(SOCKETS + 1)]
        guests = ["g0"] * SOCKETS + ["g1"]
        asked = [
            Session(sessions, cast("Connection", line), guest, "t1")._handle(b'{"do":"hint","id":"h"}', live)
            for line, guest in zip(lines, guests, strict=True)
        ]
        tasks = [asyncio.create_task(one) for one in asked]
        await settle()
        refused = [line.sent[0] for line in lines if line.sent]
        assert len(refused) == SOCKETS - OPEN_HINTS
        assert {(one["code"], one["parameters"]["most"]) for one in refused} == {("too-many-hints", OPEN_HINTS)}
        assert [one.owner for one in hub.bots.asked] == ["g0"] * OPEN_HINTS + ["g1"]
        assert b"atout_bots_waiting 3.0" in hub.metrics.text()
        await agenda.run_until(driver.now + 20.0)
        await asyncio.gather(*tasks)
        assert [line.sent[0]["type"] for line in (lines[0], lines[-1])] == ["advice", "advice"]
        assert b"atout_bots_waiting 0.0" in hub.metrics.text()
        again = Line()
        task = asyncio.create_task(
            Session(sessions, cast("Connection", again), "g0", "t1")._handle(b'{"do":"hint","id":"h"}', live)
        )
        await settle()
        await agenda.run_until(agenda.now + 20.0)
        await task
        assert again.sent[0]["type"] == "advice"

    asyncio.run(run())


def find_nothing() -> int:
    return next(number for number in range(3) if number > 5)


def test_work_that_finds_nothing_is_told_at_once() -> None:
    """`StopIteration` cannot be set on a future: the answer would never come, and the processes would be replaced."""

    async def ask() -> None:
        pool = Pool(1, 0.3)
        try:
            await pool.warm()
            processes = pool._pool
            with pytest.raises(RuntimeError, match="find_nothing: StopIteration"):
                await pool.run("ann", Priority.REVIEW, 1.0, find_nothing)
            assert pool._pool is processes
        finally:
            pool.close()

    asyncio.run(ask())
