"""A table in this worker's memory: its state, its subscribers, and how a command becomes a stored event.

    decide ─► apply ─► append ─► send          all under the table's lock; nobody looks in between
                         └─ Conflict: read the event log again, decide again
                         └─ Unavailable: read the event log again before the next use; the client may try again

A command is applied before it is stored, because what is stored beside it (when to wake the table, its card in the
lobby) follows from the state after it. Should storing fail, the state is thrown away and read again.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from msgspec import UNSET
from msgspec.structs import replace

from atout.errors import Conflict, StoreError, Unavailable
from atout.protocol import Bye
from atout.server.live.deadline import Deadline
from atout.server.live.loading import table_of
from atout.server.live.lobby_card import Listing, listing_after
from atout.server.live.subscribers import Subscriber, Subscribers, acknowledge
from atout.store import Append, hash_of
from atout.tables import AlreadyDone, BotTurn, Event, Table, decode, encode
from atout.tables import commands as c
from atout.tables import events as e
from atout.tables.devices import owner
from atout.tables.forget import named_guests

if TYPE_CHECKING:
    from atout.server.live.hub import Hub

log = logging.getLogger("atout.table")

FORGOTTEN = Bye(code="no-guest", message="you were forgotten; introduce yourself again", again=False)
MAX_TRIES = 20
"""How often a command is decided again because another worker was faster."""
MAX_RESUMED = 100
"""Events a client may have missed to be sent them; a client that missed more is sent the view alone."""


class LiveTable:
    """One table. The hub makes it from its event log."""

    __slots__ = (
        "__weakref__",
        "_bots_asked",
        "_deadline",
        "_is_stale",
        "_listing",
        "_sent",
        "bot_turns",
        "hub",
        "id",
        "lock",
        "subscribers",
        "table",
        "used",
    )

    def __init__(self, hub: Hub, id: str, table: Table) -> None:
        self.hub, self.id, self.table = hub, id, table
        self.lock = asyncio.Lock()
        self.subscribers = Subscribers()
        self.used = time.monotonic()
        self.bot_turns: list[tuple[int, int]] = []
        """Seat and decision of the bots that are choosing in this worker."""
        self._bots_asked: list[BotTurn] = []
        """The decisions that bots have to make after the latest command."""
        self._sent = self.table.number
        """Number of the last event that is durable and sent."""
        self._is_stale = False
        """The state may differ from the event log."""
        self._listing: Listing | None = None
        """What the store knows of the table beside its events, as far as this worker wrote it."""
        self._deadline = Deadline()

    # ---------------------------------------------------------------- commands

    async def do(
        self, command: c.Command, by: str | None, sender: Subscriber | None = None, *, at: float | None = None
    ) -> range:
        """Carry a command out; the numbers of its events once they are durable. Raises `Refused` or `Unavailable`.

        `at` is the time of the events, if it is not the time of the clock.
        """
        async with self.lock:
            self.used = time.monotonic()
            for _ in range(MAX_TRIES):
                if self._is_stale:
                    await self._reload()
                try:
                    events = self.table.decide(command, by, self.hub.now() if at is None else at)
                except AlreadyDone as done:
                    if sender is not None:
                        acknowledge(sender, command.id)
                    return done.numbers
                if not events:
                    return range(0)
                if await self._store(events):
                    if self.table.is_finished:
                        await self._try_to_settle()
                    self._send(events, command.id, sender)
                    self._follow_up(events)
                    return range(events[0].number, events[-1].number + 1)
        raise Unavailable("the table changes too fast; try again")

    async def _store(self, events: Sequence[Event]) -> bool:
        """Apply and store; False if another worker stored events with these numbers first."""
        self._is_stale = True  # until they are stored
        for event in events:
            self.table.apply(event)
        self._bots_asked = self.table.bot_turns()
        listing = listing_after(self.table, self._listing, events, self._bots_due())
        try:
            with self.hub.metrics.append_seconds.time():
                await self.hub.store.append(self._append(events, listing))
        except Conflict:
            self.hub.metrics.conflicts.inc()
            return False
        self._listing, self._is_stale = listing, False
        self.hub.metrics.events.inc(len(events))
        return True

    def _append(self, events: Sequence[Event], listing: Listing) -> Append:
        """The events, and what of the listing has changed."""
        first, bodies, known = events[0].number, tuple(map(encode, events)), self._listing
        visitors = tuple(guest for event in events for guest in named_guests(event))
        if known is None:
            return Append(self.id, first, bodies, listing.card, listing.due, listing.guests, visitors)
        return Append(
            self.id,
            first,
            bodies,
            None if listing.card is known.card else listing.card,
            UNSET if listing.due == known.due else listing.due,
            None if listing.guests == known.guests else listing.guests,
            visitors,
        )

    async def durable(self) -> Table:
        """The table with stored events only; what is read of it before the next `await` is what everybody was sent."""
        async with self.lock:
            if self._is_stale:
                await self._reload()
            return self.table

    # ---------------------------------------------------------------- other workers

    async def _reload(self) -> None:
        """Read the event log again, and send what other workers appended."""
        log = await self.hub.store.events(self.id)
        self.table, self._listing = await table_of(log[: self._sent]), None
        self._take(list(map(decode, log[self._sent :])))
        self._is_stale = False

    def is_behind(self, head: int) -> bool:
        """Whether there are events up to this number that were not sent yet."""
        return head > self._sent

    async def catch_up(self, head: int) -> None:
        """Another worker appended events up to this number."""
        if not self.is_behind(head):
            return
        async with self.lock:
            if self._is_stale:
                await self._reload()
            elif head > self.table.number:
                events = [decode(body) for body in await self.hub.store.events(self.id, self.table.number)]
                if {e.Forgotten, e.Joined} & set(map(type, events)):
                    await self._reload()  # earlier events were rewritten
                    return
                self._listing = None
                self._take(events)

    def _take(self, events: Sequence[Event]) -> None:
        """Take in events of other workers. Those do what follows, but only this worker knows who is connected here."""
        for event in events:
            self.table.apply(event)
        if not events:
            return
        self._send(events)
        for event in events:
            if isinstance(event, e.WentAway):
                guest = self.table.guests[event.seat]
                if guest is not None and guest in self.subscribers:
                    self.hub.start(self._back(guest))

    # ---------------------------------------------------------------- subscribers

    def _send(self, events: Sequence[Event], done: str = "", sender: Subscriber | None = None) -> None:
        self._sent = self.table.number
        self.subscribers.send(self.table, events, done, sender)
        if e.Started in map(type, events):
            for guest in self.subscribers.guests:
                self._admit(guest)

    def _admit(self, guest: str) -> None:
        """Note a guest who looks at the match without a seat, where that is needed after its end."""
        if self.table.is_new_spectator(guest):
            self.hub.start(self.do(c.Admit(guest=guest), None))

    async def join(self, subscriber: Subscriber, seen: int | None) -> None:
        """Subscribe a connection: send it what came since the event it saw last, and the whole view."""
        async with self.lock:
            self.used = time.monotonic()
            if self._is_stale:
                await self._reload()
            number = self.table.number
            resumed = seen is not None and number - MAX_RESUMED <= seen <= number
            missed: list[bytes] = []
            if resumed and seen is not None and seen < number:
                missed = await self.hub.store.events(self.id, seen)
            events = [decode(body) for body in missed[: number - (seen or 0)]]
            self.subscribers.join(subscriber, self.table, events, resumed, self.hub.now())
            self._admit(subscriber.guest)
        await self._back(subscriber.guest)
        if not self._has_players:
            await self.resume_bots()

    def leave(self, subscriber: Subscriber) -> None:
        """A connection is gone. After a while without another one, its seat is away."""
        was_last = self.subscribers.leave(subscriber)
        if was_last and self.table.seat_of(subscriber.guest) is not None and not self.hub.is_closing:
            self.hub.later(self.hub.settings.reload_seconds, self._away, subscriber.guest)

    def end_guests(self, hashes: Collection[bytes]) -> None:
        """End the connections of guests who were forgotten."""
        self.subscribers.end([guest for guest in self.subscribers.guests if hash_of(owner(guest)) in hashes], FORGOTTEN)

    async def _away(self, guest: str) -> None:
        seat = self.table.seat_of(guest)
        if seat is not None and guest not in self.subscribers:
            await self.do(c.Away(seat=seat), None)

    async def _back(self, guest: str) -> None:
        seat = self.table.seat_of(guest)
        if seat is not None and guest in self.subscribers and self.table.is_away(seat):
            await self.do(c.Back(seat=seat), None)

    async def check_presence(self) -> None:
        """Players without a connection are away. Those connected to another worker are reported back by it."""
        for seat, guest in enumerate(self.table.guests):
            if guest is not None and guest not in self.subscribers and self.table.status == "playing":
                await self.do(c.Away(seat=seat), None)
        await self.resume_bots()  # the store wakes tables by a clock that may be set back

    async def resume_bots(self) -> None:
        """Ask the bots that have to decide: the worker that asked them may have ended. A second answer is refused."""
        async with self.lock:
            if self._is_stale:
                await self._reload()
            if not self.table.is_finished:
                self._ask_bots(self.table.bot_turns())

    # ---------------------------------------------------------------- bots and deadlines

    def begin(self) -> None:
        """Called once after loading. Bots' decisions are left to the worker that saw them come, or to `wake`."""
        if self.table.status == "playing":
            self.hub.later(self.hub.settings.absent_seconds, self.check_presence)
            self._set_deadline()

    def _follow_up(self, events: Sequence[Event]) -> None:
        if self.table.is_finished:
            return
        if e.Started in map(type, events):
            self.hub.later(self.hub.settings.absent_seconds, self.check_presence)
        self._ask_bots(self._bots_asked)
        self._set_deadline()
        self.hub.nudges.plan(self.table)

    def _ask_bots(self, turns: Sequence[BotTurn]) -> None:
        if self.hub.is_closing or not (self._has_players or self.subscribers):
            return
        for turn in turns:
            key = turn.seat, turn.decision
            if key not in self.bot_turns:
                self.bot_turns.append(key)
                self.hub.start(self.hub.answer(self, turn))

    @property
    def _has_players(self) -> bool:
        """Whether people have seats. Where only bots do, they play while somebody looks."""
        return any(guest is not None for guest in self.table.guests)

    def bot_delay(self, turn: BotTurn) -> float:
        """Seconds from asking a bot until its decision is shown."""
        return self.hub.pace.delay(self.table.settings.pace, turn.level, turn.cards)

    def _bots_due(self) -> float | None:
        """When the last of the bots that are asked decides; None if none is."""
        return max((turn.asked + self.bot_delay(turn) for turn in self._bots_asked), default=None)

    @property
    def owner(self) -> str:
        """The guest for whom the bots of this table work: its host."""
        return self.id if self.table.host is None else owner(self.table.host)

    def _set_deadline(self) -> None:
        deadline = self.table.next_deadline()
        if deadline is not None and not self.hub.is_closing:
            self._deadline.set(deadline - self.hub.now(), self._start_tick)

    def _start_tick(self) -> None:
        self.hub.start(self._tick())

    async def _tick(self) -> None:
        deadline = self.table.next_deadline()
        if deadline is not None and deadline <= self.hub.now():
            await self.do(c.Tick(), None)
        if not self.table.is_finished:
            self._set_deadline()

    async def wake(self) -> None:
        """The store says that something is due here: the worker that had to do it did not, or none had the table."""
        await self.catch_up(await self.hub.store.head(self.id))
        if not self.table.is_finished:
            await self._tick()
        async with self.lock:
            if self._is_stale:
                await self._reload()
            if self.table.is_finished:
                await self._settle()
                return
            self._ask_bots(self.table.bot_turns())
            if not self.bot_turns:
                await self._store_due(self.table.next_deadline())

    # ---------------------------------------------------------------- after the match

    async def _try_to_settle(self) -> None:
        """Save the record and open the rematch before the end is sent: they are there when clients ask for them.

        Should it fail, the table is still due in the store, and will be woken.
        """
        try:
            await self._settle()
        except StoreError:
            log.warning("a finished match could not be settled yet")

    async def settle_late(self) -> None:
        """Just loaded, and finished: if it is still due, the worker that ended the match did not settle it."""
        listed = await self.hub.store.table(self.id)
        if listed is not None and listed.due is not None:
            async with self.lock:
                await self._try_to_settle()

    async def _settle(self) -> None:
        """Archive the match and open its rematch. This may be tried any number of times."""
        await self.hub.archive.settle(self.table)
        await self._store_due(None)

    async def _store_due(self, due: float | None) -> None:
        """Correct the time at which the store wakes the table, if nothing would be due then."""
        if self._listing is not None and self._listing.due == due:
            return
        try:
            await self.hub.store.append(Append(self.id, self.table.number + 1, (), due=due))
        except Conflict:
            return  # another worker appended, and has stored it
        if self._listing is not None:
            self._listing = replace(self._listing, due=due)

    # ---------------------------------------------------------------- memory

    @property
    def is_idle(self) -> bool:
        """Nobody is connected, and nothing is under way."""
        return not (self.subscribers or self.bot_turns or self.lock.locked())

    def close(self) -> None:
        """Stop the timer."""
        self._deadline.cancel()
