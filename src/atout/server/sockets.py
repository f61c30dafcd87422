"""One connection: hello, commands, refusals, good-bye."""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from typing import Any

import msgspec

from atout.bots import STRONGEST
from atout.errors import AtoutError, BotError, Conflict, NoTable, Refused, Unavailable
from atout.protocol import VERSION, Advice, Bye, Hello, Hint, Refusal, Rematch, Resync, decode_client
from atout.protocol.messages import ClientMessage
from atout.server.hub import Hub
from atout.server.identity import at_device, new_id, owner
from atout.server.limits import Buckets, Seats
from atout.server.settings import ServerSettings
from atout.server.table import LiveTable
from atout.server.wire import Gone, Wire
from atout.tables import commands as c
from atout.tables import new_secret

log = logging.getLogger("atout.sockets")

BURST_SECONDS = 3.0
MOST_FOULS = 20
"""Messages nobody can understand, or too many at once, until the connection is closed."""
GOOD_BYE, POLICY, FAILED, TOO_BUSY = 1000, 1008, 1011, 1013
_encode = msgspec.json.Encoder().encode


class Connection:
    """A socket of a guest at a table; the table's `Line`."""

    __slots__ = ("guest", "owner", "sockets", "wire")

    def __init__(self, sockets: Sockets, wire: Wire, guest: str) -> None:
        self.sockets, self.wire, self.guest, self.owner = sockets, wire, guest, owner(guest)

    def push(self, text: bytes) -> None:
        if not self.wire.push(text, self.sockets.settings.unread_bytes):
            self.sockets.hub.metrics.slow_readers += 1
            self.wire.drop()

    def send(self, message: msgspec.Struct) -> None:
        self.push(_encode(message))

    def end(self, bye: Bye) -> None:
        self.send(bye)
        self.wire.close(GOOD_BYE if not bye.again else TOO_BUSY)


class Sockets:
    """All connections of a worker."""

    def __init__(self, hub: Hub, settings: ServerSettings) -> None:
        self.hub, self.settings = hub, settings
        self._commands = Buckets(settings.commands_per_second, settings.commands_per_second * BURST_SECONDS)
        self._of_guest = Seats(settings.connections_per_guest)
        self._of_table = Seats(settings.connections_per_table)

    async def serve(self, wire: Wire, guest: str, id: str) -> None:
        """The life of a connection that was let in."""
        connection = Connection(self, wire, guest)
        metrics = self.hub.metrics
        if self._of_guest.total >= self.settings.connections or not self._of_guest.enter(guest):
            connection.end(Bye(code="too-many-connections", message="too many connections; close some first"))
            return
        metrics.connections_total += 1
        metrics.connections += 1
        try:
            await self._talk(connection, id)
        except Gone:
            pass
        finally:
            metrics.connections -= 1
            self._of_guest.leave(guest)

    async def _talk(self, connection: Connection, id: str) -> None:
        try:
            first = await asyncio.wait_for(connection.wire.receive(), self.settings.hello_seconds)
        except TimeoutError:
            connection.end(Bye(code="no-hello", message="say hello first"))
            return
        message = self._read(connection, first)
        if not isinstance(message, Hello) or message.version != VERSION:
            text = f"the first message is a hello of protocol version {VERSION}"
            connection.end(Bye(code="no-hello", message=text, again=False))
            return
        try:
            table = await self.hub.table(id)
        except NoTable:
            connection.end(Bye(code="no-table", message="there is no such table", again=False))
            return
        except AtoutError:
            connection.end(Bye(code="try-again", message="the table cannot be read just now; try again"))
            return
        if message.player and not table.sitting.settings.shared:
            text = "at this table everybody needs a device of their own"
            connection.end(Bye(code="not-shared", message=text, again=False))
            return
        connection.guest = at_device(connection.guest, message.player)
        if not self._of_table.enter(id):
            connection.end(Bye(code="too-many-connections", message="too many are connected to this table"))
            return
        try:
            await self._sit_and_listen(connection, table, message)
        finally:
            connection.wire.hear_at_once = None
            self._of_table.leave(id)
            table.leave(connection)

    async def _sit_and_listen(self, connection: Connection, table: LiveTable, hello: Hello) -> None:
        try:
            await table.join(connection, hello.seen)
        except Refused as refusal:
            connection.end(Bye(code=refusal.code, message=refusal.reason, again=False))
            return
        except AtoutError:
            connection.end(Bye(code="try-again", message="the table cannot be read just now; try again"))
            return
        connection.wire.hear_at_once = partial(self._move, connection, table)
        fouls = 0
        while fouls < MOST_FOULS:
            text = await connection.wire.receive()
            wait = self._commands.take(connection.owner)
            if wait:
                fouls += 1
                refused = Refusal(
                    id=_id_of(text),
                    code="too-many",
                    message="too many messages; slow down",
                    parameters={"seconds": wait},
                )
                connection.send(refused)
                await asyncio.sleep(min(wait, 1.0))
                continue
            message = self._read(connection, text)
            if message is None:
                fouls += 1
            else:
                await self._answer(connection, table, message)
        connection.end(Bye(code="too-many", message="too many messages that could not be carried out"))

    def _read(self, connection: Connection, text: bytes) -> ClientMessage | None:
        """None, and a refusal sent, if it is no message of ours."""
        try:
            return decode_client(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            connection.send(Refusal(id=_id_of(text), code="bad-message", message=f"not a message: {error}"[:300]))
            return None

    def _move(self, connection: Connection, table: LiveTable, text: bytes) -> bool:
        """Carry out what most messages are: a move at a table that is free. False: it is none, or too many came."""
        if not table.is_free:
            return False
        try:
            message = decode_client(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return False
        if not isinstance(message, c.Act) or self._commands.take(connection.owner):
            return False
        done = partial(self._moved, connection, text, message.id, time.perf_counter())
        try:
            table.do_at_once(message, connection.guest, connection, done)
        except (Refused, Unavailable, NoTable) as error:
            self._refuse(connection, message.id, error)
        return True

    def _moved(self, connection: Connection, text: bytes, id: str, began: float, error: Exception | None) -> None:
        if error is None:
            self.hub.metrics.commands += 1
            self.hub.metrics.command_seconds += time.perf_counter() - began
        elif isinstance(error, Conflict):
            connection.wire.hear_later(text)
        elif isinstance(error, (Unavailable, NoTable)):
            self._refuse(connection, id, error)
        else:
            log.error("a move could not be stored", exc_info=error)
            connection.wire.close(FAILED)

    async def _answer(self, connection: Connection, table: LiveTable, message: ClientMessage) -> None:
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
                await self._check_seats(connection.guest)
            await table.do(command, connection.guest, connection)
            metrics.commands += 1
            metrics.command_seconds += time.perf_counter() - began
        except (Refused, Unavailable, NoTable) as error:
            self._refuse(connection, message.id, error)

    def _refuse(self, connection: Connection, id: str, error: Refused | Unavailable | NoTable) -> None:
        if isinstance(error, Refused):
            self.hub.metrics.refusals += 1
            refusal = Refusal(
                id=id,
                code=error.code,
                message=error.reason,
                paragraph=error.paragraph,
                parameters=error.parameters,
            )
        else:
            self.hub.metrics.unavailable += 1
            gone = isinstance(error, NoTable)
            text = str(error) if gone else "not stored; send it again with the same id"
            refusal = Refusal(id=id, code="no-table" if gone else "try-again", message=text)
        connection.send(refusal)

    async def _advise(self, guest: str, table: LiveTable, hint: Hint) -> Advice:
        async with table.lock:
            due = table.sitting.hint(guest)
        try:
            choice = await self.hub.pool.choose(due, STRONGEST)
        except BotError:
            raise Refused("no-advice", "no advice could be found") from None
        return Advice(id=hint.id, action=choice.action, estimates=choice.estimates, reasons=choice.reasons)

    async def _check_seats(self, guest: str) -> None:
        await check_tables(self.hub, self.settings, owner(guest))


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
