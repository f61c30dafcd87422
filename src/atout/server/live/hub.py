"""All tables of a worker: loaded when they are needed, dropped from memory when idle, woken when something is due."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Any, Protocol
from weakref import WeakSet

from atout import warm
from atout.bots import STRONGEST, Choice
from atout.bots.fallback import PREPARING, is_fallback
from atout.errors import AtoutError, BotError, GuestForgotten, NoTable, Refused, Unavailable
from atout.protocol import Bye
from atout.server.identity import MAX_AGE
from atout.server.live.archive import Archive
from atout.server.live.bot_pool import Pool, Question
from atout.server.live.fair_queue import Priority
from atout.server.live.forgetting import finish_forgetting
from atout.server.live.loading import table_of
from atout.server.live.mail import CONFIRM_SECONDS, Mailer
from atout.server.live.nudges import Nudges
from atout.server.live.pace import STEP_SECONDS, Pace
from atout.server.live.presence import Presence
from atout.server.live.review_work import advise as explained
from atout.server.live.reviews import Reviews
from atout.server.live.table import LiveTable
from atout.server.matches.imports import KEPT_DAYS
from atout.server.metrics import Metrics
from atout.server.settings import ServerSettings
from atout.store import Store, TableChanged
from atout.store.model import FORGOTTEN_GUESTS
from atout.study import Explanation
from atout.study.explain import SECONDS
from atout.tables import BotTurn
from atout.tables import commands as c

log = logging.getLogger("atout.hub")

POLL_SECONDS = 1.0
LATE_SECONDS = 2.0
"""With several workers, what is due is left to the worker that caused it for this long."""
IDLE_SECONDS = 30.0
"""An unused table is dropped from memory after this; its events are in the store."""
OVER_SECONDS = 5.0
"""The same for a table whose match is over: few people come back to it."""
SWEEP_SECONDS = 3600.0
HOUR = 3600.0
DAY = 86_400.0
INVITATION_DAYS = 7.0
"""How long an invitation to a table is shown."""
REPORT_DAYS = 90.0
"""How long a report is kept, unless the operator removes it before."""


SIGNED_OUT = Bye(code="no-guest", message="you were signed out; sign in again", again=False)
KEPT = Bye(code="signed-in", message="your name is kept now; connect again with the new cookie")
"""For connections from before there was an account: the browser that made it has a cookie with a session."""
CHALLENGE_SECONDS = 3600.0
"""How long answered challenges are remembered: longer than they are valid."""


class OpenConnection(Protocol):
    owner: str
    session_hash: bytes

    def end(self, bye: Bye) -> None:
        """Say good-bye and close."""


class Hub:
    """The tables in memory, and the background work of a worker."""

    def __init__(
        self, store: Store, settings: ServerSettings, pool: Pool, metrics: Metrics, keys: Sequence[bytes] = ()
    ) -> None:
        self.store, self.settings, self.pool = store, settings, pool
        self.archive = Archive(store)
        self.reviews = Reviews(self)
        self.nudges = Nudges(self, Mailer(settings, keys))
        self.presence = Presence(self)
        self.pace = Pace(settings.bot_seconds, settings.bot_pace)
        self.metrics = metrics
        self.tables: dict[str, LiveTable] = {}
        self.is_closing = False
        self.forgotten: set[bytes] = set()
        """Hashes of guests who were forgotten since this worker started."""
        self.connections: WeakSet[OpenConnection] = WeakSet()
        """All that said hello. Those of an account end with its sessions, those from before it when it is made."""
        self._started = self.now()
        self._kept_until = self._started
        """Accounts that were made before this time are known."""
        self._loading: dict[str, asyncio.Future[LiveTable]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._services: list[asyncio.Task[None]] = []

    @staticmethod
    def now() -> float:
        return time.time()

    async def begin(self) -> None:
        """Start the background services."""
        services = [self.nudges.run, self.presence.run, self._wake_due, self._drop_idle, self._sweep_hourly]
        self._services = [asyncio.create_task(service()) for service in services]
        if self.store.shared:
            changes = self.store.watch()
            self._services.append(asyncio.create_task(self._follow(changes)))
        self.start(finish_forgetting(self))

    async def close(self) -> None:
        """Begin nothing new and finish what was begun, except for bots' decisions."""
        self.is_closing = True
        for task in self._services:
            task.cancel()
        self.pool.close()
        await asyncio.gather(*self._services, return_exceptions=True)
        for table in self.tables.values():
            table.close()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self.settings.drain_seconds)

    # ---------------------------------------------------------------- tables

    async def table(self, id: str) -> LiveTable:
        """The table, loaded if need be; `NoTable` if there is none."""
        live = self.tables.get(id)
        if live is not None:
            return live
        if not id.isprintable():
            raise NoTable(id)  # a database may refuse to look for such an id
        loading = self._loading.get(id)
        if loading is None:
            loading = self._loading[id] = asyncio.ensure_future(self._load(id))
            loading.add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(loading)

    async def _load(self, id: str) -> LiveTable:
        events = await self.store.events(id)
        if not events:
            raise NoTable(id)
        live = LiveTable(self, id, await table_of(events))
        if live.table.is_finished:
            await live.settle_late()
        self.tables[id] = live
        self.metrics.tables.set(len(self.tables))
        live.begin()
        return live

    async def check_table_count(self, guest: str) -> None:
        """`Refused` if a guest is at too many unfinished tables."""
        most = self.settings.tables_per_guest
        listed = await self.store.tables_of(guest, most + 100)
        if sum(one.card.state not in ("over", "closed") for one in listed) >= most:
            message = f"you are at {most} tables already; finish or leave some"
            raise Refused("too-many-tables", message, "", {"most": most})

    # ---------------------------------------------------------------- bots

    async def answer(self, table: LiveTable, turn: BotTurn) -> None:
        """Ask a bot, and act for it when its decision is due."""
        priority = Priority.PEOPLE if table.table.has_people else Priority.BOTS
        question = Question(turn, turn.level, table.owner, priority)
        command = None
        try:
            command = await self._decide(question)
        finally:
            if command is None:
                table.bot_turns.remove((turn.seat, turn.decision))
        if command is None:
            return
        delay, now = table.bot_delay(turn), self.now()
        at = self.pace.moment(turn.asked, delay, turn.seat, now + question.spare)
        # a clock that was set back must not make anybody wait
        self.later(min(at - now, delay + 2 * STEP_SECONDS), self._show, table, turn, command, at)

    async def _decide(self, question: Question) -> c.Act | None:
        """A bot's decision as a command. If the bot fails, it is a random action, and the event log will say so.

        None if the worker is closing: another one will ask.
        """
        turn = question.turn
        try:
            choice = await self._ask_bot(question)
        except BotError as error:
            if self.is_closing:
                return None
            log.warning("bot failed", extra={"bot": turn.level, "error": str(error)[:200]})
            self.metrics.bot_failures.inc()
            action = random.Random(turn.seed).choice(turn.legal)  # noqa: S311
            return c.Act(action=action, decision=turn.decision, forfeit="failed")
        forfeit = PREPARING if is_fallback(choice) else ""
        return c.Act(action=choice.action, decision=turn.decision, forfeit=forfeit)

    async def _show(self, table: LiveTable, turn: BotTurn, command: c.Act, at: float) -> None:
        """Carry a bot's decision out. It is stamped with the moment when it was due, not with the clock's."""
        table.bot_turns.remove((turn.seat, turn.decision))
        await table.do(command, None, at=at)
        self.metrics.bot_decisions.inc()

    async def advise(self, turn: BotTurn, guest: str) -> Choice | Explanation:
        """Advice with reasons for a guest; where there is none, the strongest bot's choice. `BotError` if it fails."""
        if warm.is_ready("review"):
            with self.metrics.bots_waiting.track_inprogress():
                explanation = await self.pool.run(guest, Priority.HINT, SECONDS, explained, turn.view, SECONDS)
            if explanation is not None:
                return explanation
        return await self._ask_bot(Question(turn, STRONGEST, guest, Priority.HINT))

    async def _ask_bot(self, question: Question) -> Choice:
        """A bot's choice, when the pool has time for it; `BotError` if it fails."""
        with self.metrics.bots_waiting.track_inprogress(), self.metrics.bot_seconds.time():
            return await self.pool.choose(question)

    # ---------------------------------------------------------------- background

    def start(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run something in the background. A refusal means that it is no longer needed; a fault is retried when due."""
        task = asyncio.create_task(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Coroutine[Any, Any, Any]) -> None:
        try:
            await work
        except (Refused, NoTable, GuestForgotten):
            pass
        except Unavailable:
            self.metrics.unavailable.inc()
        except AtoutError as error:
            log.error("background work failed", extra={"error": type(error).__name__})
        except Exception:
            self.metrics.errors.inc()
            log.exception("background work failed unexpectedly")

    def later(self, seconds: float, work: Callable[..., Coroutine[Any, Any, Any]], *arguments: Any) -> None:
        """Start something in the background after so many seconds, unless the worker is closing by then."""

        def begin() -> None:
            if not self.is_closing:
                self.start(work(*arguments))

        asyncio.get_running_loop().call_later(seconds, begin)

    async def _wake_due(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS * random.uniform(0.8, 1.2))  # noqa: S311
            now = self.now()
            await self._guarded(self._wake_all(now - LATE_SECONDS if self.store.shared else now))

    async def _wake_all(self, before: float) -> None:
        for listed in await self.store.due(before):
            is_late = listed.due is not None and listed.due < before - LATE_SECONDS
            if listed.table not in self.tables or is_late:
                await self._guarded((await self.table(listed.table)).wake())
            await asyncio.sleep(0)

    async def _follow(self, changes: AsyncIterator[TableChanged | None]) -> None:
        """Take in what other workers append; None says that something may have been missed."""
        async for change in changes:
            if change is None or change.table == FORGOTTEN_GUESTS:
                self.start(self.end_forgotten())
            if change is None:
                for live in list(self.tables.values()):
                    self.start(self._reread(live))
            else:
                known = self.tables.get(change.table)
                if known is not None and known.is_behind(change.head):
                    self.start(known.catch_up(change.head))

    async def end_forgotten(self) -> None:
        """End the connections of guests who were forgotten, of ended sessions, and those from before an account.

        Clocks of several machines may differ by an hour.
        """
        self.forgotten.update(await self.store.forgotten_since(self._started - HOUR))
        for live in list(self.tables.values()):
            live.end_guests(self.forgotten)
        now, since = self.now(), self._kept_until - HOUR
        kept = set(await self.store.kept_since(since))
        self._kept_until = now
        for connection in [one for one in self.connections if not one.session_hash and one.owner in kept]:
            connection.end(KEPT)
        sessions = {one.session_hash for one in self.connections if one.session_hash}
        ended = set(await self.store.ended_sessions(list(sessions)))
        for connection in [one for one in self.connections if one.session_hash in ended]:
            connection.end(SIGNED_OUT)

    async def _reread(self, live: LiveTable) -> None:
        """Another worker has started: the one it replaces may have ended before it told of a move or its bots chose."""
        await live.catch_up(await self.store.head(live.id))
        await live.resume_bots()

    async def _drop_idle(self) -> None:
        while True:
            await asyncio.sleep(OVER_SECONDS)
            now = time.monotonic()
            for id, live in list(self.tables.items()):
                patience = OVER_SECONDS if live.table.is_finished else IDLE_SECONDS
                if live.is_idle and live.used < now - patience:
                    live.close()
                    del self.tables[id]
            self.metrics.tables.set(len(self.tables))

    async def _sweep_hourly(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS * random.uniform(0.8, 1.2))  # noqa: S311
            await self._guarded(self.sweep())

    async def sweep(self) -> None:
        """Delete what is too old.

        That is: notes of forgotten guests, sign-ins, invitations, reports, requests to confirm a mail address, imported
        records, and tables that nobody has touched for `keep_days`, finished or not; their records are kept. Guests of
        whom not everything could be forgotten at once are forgotten now.
        """
        await self.store.drop_forgotten(self.now() - MAX_AGE - DAY)
        await self.store.drop_old_sign_ins(self.now() - CHALLENGE_SECONDS, self.now() - MAX_AGE - DAY)
        await self.store.drop_old_people(self.now() - INVITATION_DAYS * DAY, self.now() - REPORT_DAYS * DAY)
        await self.store.drop_old_mails(self.now() - CONFIRM_SECONDS, self.now())
        await self.store.drop_imports(self.now() - KEPT_DAYS * DAY)
        await finish_forgetting(self)
        if not self.settings.keep_days:
            return
        deleted = 0
        for listed in await self.store.idle_tables(self.now() - self.settings.keep_days * DAY):
            if listed.table not in self.tables:
                deleted += await self.store.delete_table(listed.table)
        if deleted:
            log.info("old tables deleted", extra={"tables": deleted})
