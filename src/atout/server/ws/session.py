"""The session of a connection: hello, then commands, refusals and a good-bye."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import msgspec
from websockets.frames import CloseCode

from atout.errors import AtoutError, BotError, GuestForgotten, NoTable, Refused, Unavailable
from atout.protocol import VERSION, Advice, Bye, Hello, Hint, Ping, Pong, Refusal, Rematch, Resync, decode_client
from atout.protocol.messages import ClientMessage
from atout.server.identity import new_id
from atout.server.limits import Buckets, CountLimit
from atout.server.live.hub import KEPT, Hub
from atout.server.live.people import check_may_watch, is_unwelcome, no_seat
from atout.server.live.table import FORGOTTEN, LiveTable
from atout.server.settings import ServerSettings
from atout.server.ws.connection import Connection
from atout.store import hash_of
from atout.study import Explanation
from atout.tables import BotTurn, new_secret
from atout.tables import commands as c
from atout.tables.devices import at_device, owner

BURST_SECONDS = 3.0
MAX_VIOLATIONS = 20
"""Messages that cannot be read, or come too fast, until the connection is closed."""
HELLO_COST = 3.0
"""How many messages a hello or a resync counts as: it reads the store, and is answered with the whole view."""
STRANGERS_SOCKETS = 3
"""How many sockets a guest without a part in a table may have there: a few tabs."""
OPEN_HINTS = 2
"""Requests for hints that a guest may have open at the same time, on all sockets."""
CROWDED = Bye(code="too-many-connections", message="too many are connected to this table")
_encode = msgspec.json.Encoder().encode


class Session:
    """A guest's connection to one table: after its hello a subscriber of that table."""

    __slots__ = (
        "__weakref__",
        "_connection",
        "_hello_timer",
        "_sessions",
        "_table_id",
        "_violations",
        "guest",
        "owner",
        "session_hash",
        "table",
    )

    def __init__(
        self, sessions: Sessions, connection: Connection, guest: str, table_id: str, session_hash: bytes = b""
    ) -> None:
        self._sessions, self._connection, self._table_id = sessions, connection, table_id
        self.guest, self.owner = guest, owner(guest)
        self.session_hash = session_hash
        """The session of the account whose cookie opened the connection; empty for a guest without an account."""
        self.table: LiveTable | None = None
        """The table it has joined."""
        self._violations = 0
        self._hello_timer: asyncio.TimerHandle | None = None

    # ---------------------------------------------------------------- as a subscriber

    def send(self, text: bytes) -> None:
        """Send an encoded message; a peer that does not read is dropped."""
        self._connection.send(text)

    def end(self, bye: Bye) -> None:
        """Say why, and close."""
        self._answer(bye)
        self._connection.close(CloseCode.TRY_AGAIN_LATER if bye.again else CloseCode.NORMAL_CLOSURE)

    # ---------------------------------------------------------------- as the session of a connection

    def start(self) -> None:
        """Wait for the hello, for some seconds."""
        seconds = self._sessions.settings.hello_seconds
        bye = Bye(code="no-hello", message="say hello first")
        self._hello_timer = asyncio.get_running_loop().call_later(seconds, self.end, bye)

    async def handle(self, text: bytes) -> None:
        if self._hello_timer is not None:
            self._hello_timer.cancel()
            self._hello_timer = None
            if await self._afford_hello():
                await self._hello(text)
        elif self.table is not None:
            await self._handle(text, self.table)

    def closed(self) -> None:
        if self._hello_timer is not None:
            self._hello_timer.cancel()
        self._sessions.close(self)

    # ---------------------------------------------------------------- inside

    async def _afford_hello(self) -> bool:
        """Wait until the guest's budget has room for a first hello; False if the peer closes meanwhile.

        It is not refused, because many pages come back at once after a restart. How many can wait is limited by the
        connections of a guest.
        """
        while wait := self._sessions.commands.take(self.owner, HELLO_COST):
            await asyncio.sleep(min(wait, 1.0))
            if self._connection.is_closed:
                return False
        return True

    async def _hello(self, text: bytes) -> None:
        """Join the table, or say why not and close."""
        hello = self._read(text)
        if not isinstance(hello, Hello) or hello.version != VERSION:
            message = f"the first message is a hello of protocol version {VERSION}"
            self.end(Bye(code="no-hello", message=message, again=False))
            return
        hub = self._sessions.hub
        try:
            hub.connections.add(self)  # first: what makes the cookie void from now on ends the connection
            state = await hub.store.cookie_state(self.owner, self.session_hash)
            if state == "ended" and not self.session_hash:
                self.end(KEPT)
                return
            if state != "good":
                raise GuestForgotten
            table = await hub.table(self._table_id)
            if hello.player and not table.table.settings.shared:
                raise Refused("not-shared", "at this table everybody needs a device of their own")
            self.guest = at_device(self.guest, hello.player)
            if not self._sessions.enter(self, table):
                self.end(CROWDED)
                return
            self.table = table
            is_waiting = table.table.status == "waiting"
            unwelcome = is_waiting and await is_unwelcome(hub, table.table, self.owner)
            table.subscribers.mark(self.guest, unwelcome=unwelcome)
            await table.join(self, hello.seen)
            if hub.forgotten and hash_of(self.owner) in hub.forgotten:
                raise GuestForgotten  # meanwhile
        except GuestForgotten:
            self.end(FORGOTTEN)
        except NoTable:
            self.end(Bye(code="no-table", message="there is no such table", again=False))
        except Refused as refusal:
            self.end(Bye(code=refusal.code, message=refusal.reason, again=False))
        except AtoutError:
            self.end(Bye(code="try-again", message="the table cannot be read just now; try again"))

    async def _handle(self, text: bytes, table: LiveTable) -> None:
        if not await self._afford(text, 1.0):
            return
        message = self._read(text)
        if message is None:
            self._count_violation()
            return
        if isinstance(message, (Hello, Resync)) and not await self._afford(text, HELLO_COST - 1.0):
            return
        try:
            await self._carry_out(message, table)
        except (Refused, Unavailable, NoTable) as error:
            self._refuse(message.id, error)
        except GuestForgotten:
            self.end(FORGOTTEN)

    async def _afford(self, text: bytes, cost: float) -> bool:
        """Take a message's cost from the guest's budget. If that is used up, send a refusal and return False."""
        wait = self._sessions.commands.take(self.owner, cost)
        if not wait:
            return True
        refusal = Refusal(id=_id_of(text), code="too-many", message="too many messages; slow down")
        refusal.parameters = {"seconds": wait}
        self._answer(refusal)
        self._count_violation()
        await asyncio.sleep(min(wait, 1.0))
        return False

    async def _carry_out(self, message: ClientMessage, table: LiveTable) -> None:
        hub, began = self._sessions.hub, time.perf_counter()
        if isinstance(message, (Hello, Resync)):
            await table.join(self, message.seen if isinstance(message, Hello) else None)
            return
        if isinstance(message, Ping):
            self._answer(Pong())
            return
        if isinstance(message, Hint):
            self._answer(await self._advise(message, table))
            return
        command: c.Command = message
        if isinstance(message, Rematch):
            command = c.Rematch(id=message.id, table=new_id(), secret=new_secret())
        if isinstance(message, c.Sit):
            await hub.check_table_count(self.owner)
            await self._check_welcome(message, table)
        if isinstance(message, c.Watch):
            await check_may_watch(hub, table.table, message, self.guest)
        await table.do(command, self.guest, self)
        hub.metrics.commands.inc()
        hub.metrics.command_seconds.observe(time.perf_counter() - began)

    async def _check_welcome(self, sit: c.Sit, table: LiveTable) -> None:
        """`Refused` if the host has blocked the guest, who then sees seats that are kept for others.

        They see that from the start, unless they were blocked since they came.
        """
        unwelcome = await is_unwelcome(self._sessions.hub, table.table, self.owner)
        table.subscribers.mark(self.guest, unwelcome=unwelcome)
        if unwelcome:
            await table.join(self, None)
            raise no_seat(sit.seat)

    async def _advise(self, hint: Hint, table: LiveTable) -> Advice:
        async with table.lock:
            turn = table.table.hint(self.guest)
        hints = self._sessions.hints
        if not hints.enter(self.owner):
            raise Refused("too-many-hints", "wait for the hints you have asked for", "", {"most": OPEN_HINTS})
        try:
            choice = await self._sessions.hub.advise(turn, self.owner)
            more = await self._advise_more(turn, choice.action, table)
        except BotError:
            raise Refused("no-advice", "no advice could be found") from None
        finally:
            hints.leave(self.owner)
        if isinstance(choice, Explanation):
            alternatives = choice.alternatives if len(choice.alternatives) > 1 else ()
            return Advice(id=hint.id, action=choice.action, more=more, alternatives=alternatives, reasons=choice.reason)
        return Advice(id=hint.id, action=choice.action, more=more, estimates=choice.estimates, reasons=choice.reasons)

    async def _advise_more(self, turn: BotTurn, first: str, table: LiveTable) -> tuple[str, ...]:
        """The other cards of a choice of several: each is asked for as if those before it had been chosen."""
        advised = [first]
        while len(advised) < turn.view["owed"]:
            async with table.lock:
                following = table.table.hint(self.guest, advised)
            if following.decision != turn.decision:
                raise Refused("no-advice", "the decision was made in the meantime")
            advised.append((await self._sessions.hub.advise(following, self.owner)).action)
        return tuple(advised[1:])

    def _read(self, text: bytes) -> ClientMessage | None:
        """The message. If it does not belong to this protocol, send a refusal and return None."""
        try:
            return decode_client(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self._answer(Refusal(id=_id_of(text), code="bad-message", message=f"not a message: {error}"[:300]))
            return None

    def _count_violation(self) -> None:
        self._violations += 1
        if self._violations == MAX_VIOLATIONS:
            self.end(Bye(code="too-many", message="too many messages that could not be carried out"))

    def _refuse(self, id: str, error: Refused | Unavailable | NoTable) -> None:
        metrics = self._sessions.hub.metrics
        if isinstance(error, Refused):
            metrics.refusals.inc()
            refusal = Refusal(id=id, code=error.code, message=error.reason)
            refusal.paragraph, refusal.parameters = error.paragraph, error.parameters
        else:
            metrics.unavailable.inc()
            refusal = Refusal(id=id, code="try-again", message="not stored; send it again with the same id")
            if isinstance(error, NoTable):
                refusal = Refusal(id=id, code="no-table", message=str(error))
        self._answer(refusal)

    def _answer(self, message: msgspec.Struct) -> None:
        self.send(_encode(message))


class Sessions:
    """All sessions of a worker, and what limits them."""

    def __init__(self, hub: Hub, settings: ServerSettings) -> None:
        self.hub, self.settings = hub, settings
        self.commands = Buckets(settings.commands_per_second, settings.commands_per_second * BURST_SECONDS)
        self._at_table: dict[str, list[Session]] = {}
        """By table: the sessions that said hello there, the oldest first."""
        self.hints = CountLimit(OPEN_HINTS)
        self._of_guest = CountLimit(settings.connections_per_guest)

    def open(self, connection: Connection, guest: str, table_id: str, session_hash: bytes = b"") -> Session | None:
        """The session of a new connection; None if there are too many, and the connection is closed."""
        session = Session(self, connection, guest, table_id, session_hash)
        if self._of_guest.total >= self.settings.connections or not self._of_guest.enter(session.owner):
            session.end(Bye(code="too-many-connections", message="too many connections; close some first"))
            return None
        self.hub.metrics.connections_opened.inc()
        self.hub.metrics.connections.inc()
        session.start()
        return session

    def enter(self, session: Session, table: LiveTable) -> bool:
        """Count a session at a table; False if there is no room for it.

        The host and everybody who has a seat always get in: if the table is full, a spectator's connection is ended to
        make room. The number of their own connections has a limit per guest.
        """
        present = self._at_table.get(table.id, [])
        members = table.table.members
        is_full = len(present) >= self.settings.connections_per_table
        if session.owner in members:
            strangers = [other for other in present if other.owner not in members]
            if is_full and strangers:
                self._leave(strangers[-1], table)
                strangers[-1].end(CROWDED)
        elif is_full or sum(other.owner == session.owner for other in present) >= self._most_of_stranger(table):
            return False
        self._at_table.setdefault(table.id, []).append(session)
        return True

    @staticmethod
    def _most_of_stranger(table: LiveTable) -> int:
        """More where people share a device: each has a socket, also before sitting down."""
        settings = table.table.settings
        return max(STRANGERS_SOCKETS, settings.players) if settings.shared else STRANGERS_SOCKETS

    def _leave(self, session: Session, table: LiveTable) -> None:
        present = self._at_table.get(table.id, [])
        if session in present:
            present.remove(session)
        if not present:
            self._at_table.pop(table.id, None)

    def close(self, session: Session) -> None:
        """A connection is gone."""
        self.hub.metrics.connections.dec()
        self._of_guest.leave(session.owner)
        table = session.table
        if table is not None:
            self._leave(session, table)
            table.leave(session)


class _Identified(msgspec.Struct):
    id: Any = ""


def _id_of(text: bytes) -> str:
    """The id of a message that could not be read otherwise, if it has one."""
    try:
        id = msgspec.json.decode(text, type=_Identified).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""
    return id if isinstance(id, str) and len(id) <= c.MAX_ID else ""
