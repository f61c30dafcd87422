"""One connection: hello, commands, refusals, good-bye."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from atout.bots import STRONGEST
from atout.errors import AtoutError, BotError, Conflict, NoTable, Refused, Unavailable
from atout.protocol import VERSION, Advice, Bye, Hello, Hint, Refusal, Rematch, Resync, decode_client
from atout.protocol.messages import ClientMessage
from atout.server.identity import at_device, new_id, owner
from atout.server.limits import Buckets, Seats
from atout.server.live.hub import Hub
from atout.server.live.table import LiveTable
from atout.server.settings import ServerSettings
from atout.server.ws.connection import Gone, Wire
from atout.tables import commands as c
from atout.tables import new_secret

log = logging.getLogger("atout.sockets")

BURST_SECONDS = 3.0
MOST_FOULS = 20
"""Messages nobody can understand, or too many at once, until the connection is closed."""
GOOD_BYE, POLICY, FAILED, TOO_BUSY = 1000, 1008, 1011, 1013
_LIKE_A_MOVE = b'"act"'
_encode = msgspec.json.Encoder().encode


class Connection:
    """A socket of a guest: at first on its way to a table, then that table's `Line`."""

    __slots__ = ("_fouls", "_heard", "guest", "owner", "sockets", "table", "wire")

    def __init__(self, sockets: Sockets, wire: Wire, guest: str) -> None:
        self.sockets, self.wire, self.guest, self.owner = sockets, wire, guest, owner(guest)
        self.table: LiveTable | None = None
        """Where it is counted; None on the way there."""
        self._fouls = 0
        self._heard = 0.0
        """When the message came that was put off."""

    def push(self, text: bytes) -> None:
        if not self.wire.push(text, self.sockets.settings.unread_bytes):
            self.sockets.hub.metrics.slow_readers += 1
            self.wire.drop()

    def send(self, message: msgspec.Struct) -> None:
        self.push(_encode(message))

    def end(self, bye: Bye) -> None:
        self.send(bye)
        self.wire.close(GOOD_BYE if not bye.again else TOO_BUSY)

    def refuse(self, id: str, error: Refused | Unavailable | NoTable) -> None:
        metrics = self.sockets.hub.metrics
        if isinstance(error, Refused):
            metrics.refusals += 1
            why = {"paragraph": error.paragraph, "parameters": error.parameters}
            self.send(Refusal(id=id, code=error.code, message=error.reason, **why))  # type: ignore[arg-type]
            return
        metrics.unavailable += 1
        if isinstance(error, NoTable):
            self.send(Refusal(id=id, code="no-table", message=str(error)))
        else:
            self.send(Refusal(id=id, code="try-again", message="not stored; send it again with the same id"))

    # ---------------------------------------------------------------- as the wire's listener

    def puts_off(self, text: bytes, hear: Callable[[], None]) -> bool:
        """A move, by the look of it, would wait for the next group of writes anyway: it is decided with all others."""
        if _LIKE_A_MOVE not in text:
            return False
        try:
            self.sockets.hub.store.before_writing(hear)
        except Unavailable:
            return False
        self._heard = time.perf_counter()
        return True

    def hear_at_once(self, text: bytes) -> bool:
        """Carry out what most messages are: a move at a table that is free. False: it is none, or too many came."""
        table, began, self._heard = self.table, self._heard or time.perf_counter(), 0.0
        if table is None or not table.is_free:
            return False
        try:
            message = decode_client(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return False
        if not isinstance(message, c.Act) or self.sockets.commands.take(self.owner):
            return False
        done = partial(self._moved, text, message.id, began)
        try:
            table.do_at_once(message, self.guest, self, done)
        except (Refused, Unavailable, NoTable) as error:
            self.refuse(message.id, error)
        return True

    def _moved(self, text: bytes, id: str, began: float, error: Exception | None) -> None:
        if error is None:
            self.sockets.hub.metrics.commands += 1
            self.sockets.hub.metrics.command_seconds += time.perf_counter() - began
        elif isinstance(error, Conflict):
            self.wire.hear_later(text)
        elif isinstance(error, (Unavailable, NoTable)):
            self.refuse(id, error)
        else:
            log.error("a move could not be stored", exc_info=error)
            self.wire.close(FAILED)

    async def hear(self, text: bytes) -> None:
        assert self.table is not None
        wait = self.sockets.commands.take(self.owner)
        if wait:
            slow_down = "too many messages; slow down"
            self.send(Refusal(id=_id_of(text), code="too-many", message=slow_down, parameters={"seconds": wait}))
            await asyncio.sleep(min(wait, 1.0))
        else:
            message = self.read(text)
            if message is not None:
                await self.sockets.answer(self, self.table, message)
                return
        self._fouls += 1
        if self._fouls == MOST_FOULS:
            self.end(Bye(code="too-many", message="too many messages that could not be carried out"))

    def read(self, text: bytes) -> ClientMessage | None:
        """None, and a refusal sent, if it is no message of ours."""
        try:
            return decode_client(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self.send(Refusal(id=_id_of(text), code="bad-message", message=f"not a message: {error}"[:300]))
            return None

    def lost(self) -> None:
        self.sockets.leave(self)


class Sockets:
    """All connections of a worker."""

    def __init__(self, hub: Hub, settings: ServerSettings) -> None:
        self.hub, self.settings = hub, settings
        self.commands = Buckets(settings.commands_per_second, settings.commands_per_second * BURST_SECONDS)
        self._of_guest = Seats(settings.connections_per_guest)
        self._of_table = Seats(settings.connections_per_table)

    async def serve(self, wire: Wire, guest: str, id: str) -> None:
        """Bring a connection that was let in to its table; from there on it listens by itself."""
        connection = Connection(self, wire, guest)
        metrics = self.hub.metrics
        if self._of_guest.total >= self.settings.connections or not self._of_guest.enter(connection.owner):
            connection.end(Bye(code="too-many-connections", message="too many connections; close some first"))
            return
        metrics.connections_total += 1
        metrics.connections += 1
        joined = False
        try:
            joined = await self._join(connection, id)
        except Gone:
            pass
        finally:
            if not joined:
                self.leave(connection)
        if joined:
            wire.listen(connection)

    def leave(self, connection: Connection) -> None:
        """Nothing more comes of it."""
        self.hub.metrics.connections -= 1
        self._of_guest.leave(connection.owner)
        table = connection.table
        if table is not None:
            self._of_table.leave(table.id)
            table.leave(connection)

    async def _join(self, connection: Connection, id: str) -> bool:
        """False if it was told to go."""
        try:
            first = await asyncio.wait_for(connection.wire.receive(), self.settings.hello_seconds)
        except TimeoutError:
            connection.end(Bye(code="no-hello", message="say hello first"))
            return False
        message = connection.read(first)
        if not isinstance(message, Hello) or message.version != VERSION:
            text = f"the first message is a hello of protocol version {VERSION}"
            connection.end(Bye(code="no-hello", message=text, again=False))
            return False
        try:
            table = await self.hub.table(id)
            if message.player and not table.table.settings.shared:
                raise Refused("not-shared", "at this table everybody needs a device of their own")
            connection.guest = at_device(connection.guest, message.player)
            if not self._of_table.enter(id):
                connection.end(Bye(code="too-many-connections", message="too many are connected to this table"))
                return False
            connection.table = table
            await table.join(connection, message.seen)
        except NoTable:
            connection.end(Bye(code="no-table", message="there is no such table", again=False))
        except Refused as refusal:
            connection.end(Bye(code=refusal.code, message=refusal.reason, again=False))
        except AtoutError:
            connection.end(Bye(code="try-again", message="the table cannot be read just now; try again"))
        else:
            return True
        return False

    async def answer(self, connection: Connection, table: LiveTable, message: ClientMessage) -> None:
        metrics, began = self.hub.metrics, time.perf_counter()
        try:
            if isinstance(message, (Hello, Resync)):
                await table.join(connection, message.seen if isinstance(message, Hello) else None)
                return
            if isinstance(message, Hint):
                connection.send(await self._advise(connection.guest, table, message))
                return
            command: c.Command = message
            if isinstance(message, Rematch):
                command = c.Rematch(id=message.id, table=new_id(), secret=new_secret())
            if isinstance(message, c.Sit):
                await check_tables(self.hub, self.settings, connection.owner)
            await table.do(command, connection.guest, connection)
            metrics.commands += 1
            metrics.command_seconds += time.perf_counter() - began
        except (Refused, Unavailable, NoTable) as error:
            connection.refuse(message.id, error)

    async def _advise(self, guest: str, table: LiveTable, hint: Hint) -> Advice:
        async with table.lock:
            due = table.table.hint(guest)
        try:
            choice = await self.hub.pool.choose(due, STRONGEST)
        except BotError:
            raise Refused("no-advice", "no advice could be found") from None
        return Advice(id=hint.id, action=choice.action, estimates=choice.estimates, reasons=choice.reasons)


async def check_tables(hub: Hub, settings: ServerSettings, guest: str) -> None:
    """Nobody is at too many unfinished tables."""
    most = settings.tables_per_guest
    listed = await hub.store.tables_of(guest, most + 100)
    if sum(one.card.state not in ("over", "closed") for one in listed) >= most:
        raise Refused("too-many-tables", f"you are at {most} tables already; finish or leave some", "", {"most": most})


class _Named(msgspec.Struct):
    id: Any = ""


def _id_of(text: bytes) -> str:
    """The id of a message that could not be read otherwise, if there is one."""
    try:
        id = msgspec.json.decode(text, type=_Named).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""
    return id if isinstance(id, str) and len(id) <= c.MAX_ID else ""
