"""A table in this worker's memory: its sitting, who is connected, and how a command becomes a fact.

    decide ─► apply ─► append ─► tell          all under the table's lock; nobody looks in between
                         └─ Conflict: read the log anew, decide again
                         └─ Unavailable: read the log anew before the next use; the client may try again

A command is applied before it is stored, because what is stored beside it (when to wake the table, its card in the
lobby) follows from the state after it. Should storing fail, the state is thrown away and read again.

There are two ways to do it. `do` is a coroutine, waits for its turn and tries again. `do_at_once` needs no task; it is
for what nearly all commands are: a move at a table where nobody else is at it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import UNSET
from msgspec.structs import replace

from atout.errors import Conflict, StoreError, Unavailable
from atout.server.live.deadline import Alarm
from atout.server.live.lobby_card import Standing, standing
from atout.server.live.lock import Turns
from atout.server.live.subscribers import Company, Line, acknowledge
from atout.store import Append
from atout.tables import AlreadyDone, BotTurn, Event, Table, decode, encode
from atout.tables import commands as c
from atout.tables import events as e

if TYPE_CHECKING:
    from atout.server.live.hub import Hub

log = logging.getLogger("atout.table")

TRIES = 20
"""How often a command is decided anew because another worker was faster."""
MOST_RESUMED = 1000
"""Events a client may have missed; who missed more is told how the table stands."""


class LiveTable:
    """One table; made by the hub from its log."""

    __slots__ = (
        "__weakref__",
        "_alarm",
        "_asked_bots",
        "_is_stale",
        "_standing",
        "_told",
        "bot_turns",
        "company",
        "hub",
        "id",
        "lock",
        "table",
        "used",
    )

    def __init__(self, hub: Hub, id: str, log: Sequence[bytes]) -> None:
        self.hub, self.id = hub, id
        self.table = Table.replay(map(decode, log))
        self.lock = Turns()
        self.company = Company()
        self.used = time.monotonic()
        self.bot_turns: list[tuple[int, int]] = []
        """Seat and decision of the bots that are at it in this worker."""
        self._told = self.table.number
        """Number of the last event that is durable and told."""
        self._is_stale = False
        self._standing: Standing | None = None
        """What the store knows of the table beside its events, as far as this worker wrote it."""
        self._asked_bots: list[BotTurn] = []
        self._alarm = Alarm()

    # ---------------------------------------------------------------- commands

    async def do(self, command: c.Command, by: str | None, line: Line | None = None) -> range:
        """Carry a command out; the numbers of its events once they are durable. Raises `Refused` or `Unavailable`."""
        async with self.lock:
            self.used = time.monotonic()
            return await self._do(command, by, line)

    @property
    def is_free(self) -> bool:
        """A command can be decided now, without waiting for anybody."""
        return not (self._is_stale or self.lock.is_taken)

    def do_at_once(self, command: c.Command, by: str, line: Line, done: Callable[[Exception | None], None]) -> None:
        """Carry a command out at a table that is free. Raises as `do` does, or calls `done` when it is durable.

        After a `Conflict` nothing has happened, and `do` is the way to try again.
        """
        self.used = time.monotonic()
        try:
            events = self.table.decide(command, by, self.hub.now())
        except AlreadyDone:
            acknowledge(line, command.id)
            done(None)
            return
        self.lock.take()
        try:
            now, append = self._apply(events)
            self.hub.store.begin_append(append, partial(self._stored, events, now, command.id, line, done))
        except BaseException:
            self.lock.give_back()
            raise

    def _stored(
        self,
        events: Sequence[Event],
        now: Standing,
        id: str,
        line: Line,
        done: Callable[[Exception | None], None],
        error: Exception | None,
    ) -> None:
        """The end of `do_at_once`."""
        if error is None and self.table.is_finished:
            self._note(events, now)
            self.hub.start(self._end(events, id, line, done))
            return
        try:
            if error is None:
                self._note(events, now)
                self._tell(events, id, line)
                self._follow(events)
            elif isinstance(error, Conflict):
                self.hub.metrics.conflicts += 1
        finally:
            self.lock.give_back()
        done(error)

    async def _end(
        self, events: Sequence[Event], id: str, line: Line, done: Callable[[Exception | None], None]
    ) -> None:
        try:
            await self._try_to_settle()
            self._tell(events, id, line)
        finally:
            self.lock.give_back()
        done(None)

    async def _do(self, command: c.Command, by: str | None, line: Line | None) -> range:
        for _ in range(TRIES):
            if self._is_stale:
                await self._reload()
            try:
                events = self.table.decide(command, by, self.hub.now())
            except AlreadyDone as done:
                if line is not None:
                    acknowledge(line, command.id)
                return done.numbers
            if not events:
                return range(0)
            if await self._keep(events):
                if self.table.is_finished:
                    await self._try_to_settle()
                self._tell(events, command.id, line)
                self._follow(events)
                return range(events[0].number, events[-1].number + 1)
        raise Unavailable("the table changes too fast; try again")

    async def _keep(self, events: Sequence[Event]) -> bool:
        """Apply and store; False if another worker stored events of this number first."""
        now, append = self._apply(events)
        try:
            await self.hub.store.append(append)
        except Conflict:
            self.hub.metrics.conflicts += 1
            return False
        self._note(events, now)
        return True

    def _apply(self, events: Sequence[Event]) -> tuple[Standing, Append]:
        """What the store will know of the table, and how it comes to know it."""
        self._is_stale = True  # until it is stored
        for event in events:
            self.table.apply(event)
        self._asked_bots = self.table.bot_turns()
        now = standing(self.table, self._standing, events, bool(self._asked_bots))
        first, bodies, known = events[0].number, tuple(map(encode, events)), self._standing
        if known is None:
            return now, Append(self.id, first, bodies, now.card, now.due, now.guests)
        return now, Append(
            self.id,
            first,
            bodies,
            None if now.card is known.card else now.card,
            UNSET if now.due == known.due else now.due,
            None if now.guests == known.guests else now.guests,
        )

    def _note(self, events: Sequence[Event], now: Standing) -> None:
        """It is stored."""
        self._standing, self._is_stale = now, False
        self.hub.metrics.events += len(events)

    async def _reload(self) -> None:
        """Read the log again, and tell what came from elsewhere."""
        raw = await self.hub.store.events(self.id)
        events = [decode(line) for line in raw]
        self.table, self._standing = Table(), None
        for event in events[: self._told]:
            self.table.apply(event)
        self._hear(events[self._told :])
        self._is_stale = False

    def is_behind(self, head: int) -> bool:
        return head > self._told

    async def catch_up(self, head: int) -> None:
        """Another worker appended up to this number."""
        if not self.is_behind(head):
            return
        async with self.lock:
            if self._is_stale:
                await self._reload()
            elif head > self.table.number:
                raw = await self.hub.store.events(self.id, self.table.number)
                self._standing = None
                self._hear([decode(line) for line in raw])

    def _hear(self, events: Sequence[Event]) -> None:
        """Events of other workers; these look after what follows from them, but we know who is connected here."""
        for event in events:
            self.table.apply(event)
        if not events:
            return
        self._tell(events)
        for event in events:
            if isinstance(event, e.WentAway):
                guest = self.table.guests[event.seat]
                if guest is not None and guest in self.company:
                    self.hub.start(self._back(guest))

    # ---------------------------------------------------------------- telling

    def _tell(self, events: Sequence[Event], done: str = "", author: Line | None = None) -> None:
        self._told = self.table.number
        self.company.tell(self.table, events, done, author)

    async def join(self, line: Line, seen: int | None) -> None:
        """Connect a viewer: what came since the event they saw last, and how the table stands."""
        async with self.lock:
            self.used = time.monotonic()
            if self._is_stale:
                await self._reload()
            await self._welcome(line, seen)
        await self._back(line.guest)

    async def _welcome(self, line: Line, seen: int | None) -> None:
        number = self.table.number
        resumed = seen is not None and number - MOST_RESUMED <= seen <= number
        missed: list[bytes] = []
        if resumed and seen is not None and seen < number:
            missed = await self.hub.store.events(self.id, seen)
        events = [decode(raw) for raw in missed[: number - (seen or 0)]]
        self.company.welcome(line, self.table, events, resumed, self.hub.now())

    def leave(self, line: Line) -> None:
        """A connection is gone; after a while without another one, its seat is away."""
        if self.company.leave(line) and self.table.seat_of(line.guest) is not None and not self.hub.is_closing:
            self.hub.later(self.hub.settings.reload_seconds, self._away, line.guest)

    async def _away(self, guest: str) -> None:
        seat = self.table.seat_of(guest)
        if seat is not None and guest not in self.company:
            await self.do(c.Away(seat=seat), None)

    async def _back(self, guest: str) -> None:
        seat = self.table.seat_of(guest)
        if seat is not None and guest in self.company and self.table.is_away(seat):
            await self.do(c.Back(seat=seat), None)

    async def look_around(self) -> None:
        """Who plays and is not connected is away. Those connected to another worker are reported back by it."""
        for seat, guest in enumerate(self.table.guests):
            if guest is not None and guest not in self.company and self.table.status == "playing":
                await self.do(c.Away(seat=seat), None)
        async with self.lock:
            if not (self._is_stale or self.table.is_finished):
                self._think(self.table.bot_turns())  # the store wakes us by the clock, and that may have been set back

    # ---------------------------------------------------------------- what follows by itself

    def begin(self) -> None:
        """Just loaded. What bots owe is left to the worker that saw it come, or to `wake`."""
        if self.table.status == "playing":
            self.hub.later(self.hub.settings.absent_seconds, self.look_around)
            self._set_alarm()

    def _follow(self, events: Sequence[Event]) -> None:
        if self.table.is_finished:
            return
        if e.Started in map(type, events):
            self.hub.later(self.hub.settings.absent_seconds, self.look_around)
        self._think(self._asked_bots)
        self._set_alarm()

    def _think(self, asked: Sequence[BotTurn]) -> None:
        """Let bots answer what is asked of them."""
        if self.hub.is_closing:
            return
        for due in asked:
            key = due.seat, due.decision
            if key not in self.bot_turns:
                self.bot_turns.append(key)
                self.hub.start(self.hub.answer(self, due))

    def _set_alarm(self) -> None:
        deadline = self.table.next_deadline()
        if deadline is not None and not self.hub.is_closing:
            self._alarm.set(deadline - self.hub.now(), self._ring)

    def _ring(self) -> None:
        self.hub.start(self._tick())

    async def _tick(self) -> None:
        deadline = self.table.next_deadline()
        if deadline is not None and deadline <= self.hub.now():
            await self.do(c.Tick(), None)
        if not self.table.is_finished:
            self._set_alarm()

    async def wake(self) -> None:
        """The store says that something is due here: whoever had to do it did not, or nobody had the table."""
        await self.catch_up(await self.hub.store.head(self.id))
        if not self.table.is_finished:
            await self._tick()
        async with self.lock:
            if self._is_stale:
                await self._reload()
            if self.table.is_finished:
                await self._settle()
                return
            self._think(self.table.bot_turns())
            if not self.bot_turns:
                await self._note_due(self.table.next_deadline())

    async def _try_to_settle(self) -> None:
        """Before anybody hears of the end: record and rematch are there when they are asked for.

        Should it fail, the table is still due in the store, and is woken.
        """
        try:
            await self._settle()
        except StoreError:
            log.warning("a finished match could not be settled yet")

    async def settle_late(self) -> None:
        """Just loaded, and over: if it is due still, whoever ended it did not come so far."""
        listed = await self.hub.store.table(self.id)
        if listed is not None and listed.due is not None:
            async with self.lock:
                await self._try_to_settle()

    async def _settle(self) -> None:
        """After the match its record is kept and the rematch opened: once, however often it is tried."""
        await self.hub.archive.settle(self.table)
        await self._note_due(None)

    async def _note_due(self, due: float | None) -> None:
        """Correct when the store wakes the table, if it would do so for nothing."""
        if self._standing is not None and self._standing.due == due:
            return
        try:
            await self.hub.store.append(Append(self.id, self.table.number + 1, (), due=due))
        except Conflict:
            return  # who appended has noted it
        if self._standing is not None:
            self._standing = replace(self._standing, due=due)

    # ---------------------------------------------------------------- memory

    @property
    def is_idle(self) -> bool:
        return not (self.company or self.bot_turns or self.lock.is_taken)

    def close(self) -> None:
        self._alarm.stop()
