"""A hub in a test's own time, with bots that think as long as the test says, and a store in memory."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from msgspec import UNSET

from atout.bots import Choice
from atout.errors import Conflict
from atout.protocol import Bye
from atout.server.live.bot_pool import Pool, Question
from atout.server.live.hub import Hub
from atout.server.live.table import LiveTable
from atout.server.metrics import Metrics
from atout.server.settings import ServerSettings
from atout.store import Append
from atout.tables import BotTurn, Table, decode, encode
from atout.tables import commands as c
from tests.tables.players import Driver

Think = Callable[[BotTurn], float]
"""How many seconds a bot thinks."""
TURNS = 30
"""How often other tasks get a turn; nothing here waits for anything but other tasks."""


class MemoryStore:
    """As much of a store as a table needs."""

    shared = False

    def __init__(self, log: Sequence[bytes]) -> None:
        self.log = list(log)
        self.due: float | None = None

    async def append(self, wanted: Append) -> None:
        if wanted.first != len(self.log) + 1:
            raise Conflict(wanted.table, wanted.first, len(self.log))
        self.log += wanted.events
        if wanted.due is not UNSET:
            self.due = wanted.due

    async def events(self, _table: str, after: int = 0) -> list[bytes]:
        return self.log[after:]

    async def head(self, _table: str) -> int:
        return len(self.log)


class FakePool(Pool):
    """Answers with the first legal action, after the time that the test says."""

    def __init__(self, agenda: Agenda, think: Think, seconds: float) -> None:
        super().__init__(1, seconds)
        self._agenda, self._think = agenda, think
        self.asked: list[Question] = []

    async def choose(self, question: Question) -> Choice:
        self.asked.append(question)
        seconds = self._think(question.turn)
        answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._agenda.add(seconds, lambda: answered.set_result(None))
        await answered
        return Choice(question.turn.legal[0])


class Agenda:
    """The test's clock, and what happens when."""

    def __init__(self, now: float) -> None:
        self.now = now
        self._entries: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0

    def add(self, seconds: float, call: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._entries, (self.now + max(seconds, 0.0), self._count, call))

    async def step(self) -> bool:
        """Go to the next entry; False if there is none."""
        await settle()
        if not self._entries:
            return False
        self.now, _, call = heapq.heappop(self._entries)
        call()
        await settle()
        return True

    async def run_until(self, time: float) -> None:
        await settle()
        while self._entries and self._entries[0][0] <= time:
            await self.step()
        self.now = max(self.now, time)


async def settle() -> None:
    for _ in range(TURNS):
        await asyncio.sleep(0)


class Listener:
    """A subscriber that notes when it was sent what."""

    def __init__(self, guest: str, agenda: Agenda) -> None:
        self.guest, self._agenda = guest, agenda
        self.heard: list[tuple[float, bytes]] = []

    def send(self, text: bytes) -> None:
        self.heard.append((self._agenda.now, text))

    def end(self, bye: Bye) -> None:
        raise AssertionError(bye)


class FakeHub(Hub):
    """A hub whose time is the agenda's."""

    def __init__(self, agenda: Agenda, store: MemoryStore, think: Think, **settings: Any) -> None:
        chosen = ServerSettings(**settings)
        self.agenda = agenda
        self.bots = FakePool(agenda, think, chosen.bot_seconds)
        super().__init__(store, chosen, self.bots, Metrics())  # type: ignore[arg-type]

    def now(self) -> float:  # type: ignore[override]
        return self.agenda.now

    def later(self, seconds: float, work: Callable[..., Coroutine[Any, Any, Any]], *arguments: Any) -> None:
        self.agenda.add(seconds, lambda: self.start(work(*arguments)))

    def load(self, deals: Any = None) -> LiveTable:
        """The table of the store."""
        log = self.store.log  # type: ignore[attr-defined]
        live = self.tables["t1"] = LiveTable(self, "t1", Table.from_events(map(decode, log)))
        if deals is not None:
            live.table = Table.from_events(map(decode, log), deals)
        return live


def started(driver: Driver) -> tuple[Agenda, MemoryStore]:
    """The clock and the store of a table that somebody has just opened."""
    return Agenda(driver.now), MemoryStore([encode(event) for event in driver.events])


def person(live: LiveTable, guest: str, seconds: float) -> None:
    """Have a person make the decision that is asked of them, so many seconds from now."""
    view = live.table.view_for(guest, live.hub.now())
    assert view.game is not None
    live.hub.later(seconds, live.do, c.Act(action=view.game["legal"][0], decision=view.decision), guest)
