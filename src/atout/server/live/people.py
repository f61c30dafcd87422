"""What people at a table are to each other: who may sit down where, and how a friend hears of an invitation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from atout.errors import Refused
from atout.server.live.nudges import invitation_of, quiet_until
from atout.tables import Table
from atout.tables import commands as c
from atout.tables.chat import MAX_SPECTATORS
from atout.tables.devices import owner
from atout.tables.forget import is_alias
from atout.tables.refusals import AlreadyDone, refuse

if TYPE_CHECKING:
    from atout.server.live.hub import Hub


async def is_unwelcome(hub: Hub, table: Table, guest: str) -> bool:
    """Whether the host of a table has blocked a guest."""
    host = table.host
    return host is not None and owner(host) != guest and await hub.store.has_blocked(owner(host), guest)


def no_seat(seat: int | None) -> Refused:
    """What anybody is told whose seat is not free."""
    return refuse("no-free-seat") if seat is None else refuse("seat-kept", seat=seat)


async def check_may_watch(hub: Hub, table: Table, command: c.Watch, by: str) -> None:
    """`Refused` if whoever would be asked has muted or blocked the guest, or the host has blocked them.

    A request shows a name, which can be any text. They are told what anybody is told where too many ask, or what
    anybody would be told in their place: after a no, that the seat has declined.
    """
    asked = table.guests[command.seat] if command.seat < len(table.guests) else None
    store, guest, one = hub.store, owner(by), None if asked is None or is_alias(asked) else owner(asked)
    ignores = one is not None and (await store.has_muted(one, guest) or await store.has_blocked(one, guest))
    if not ignores and not await is_unwelcome(hub, table, guest):
        return
    try:
        table.decide(command, by, hub.now())
    except AlreadyDone:
        return  # it is acknowledged again
    raise refuse("too-many-spectators", most=MAX_SPECTATORS)


async def announce(hub: Hub, table: Table, by: str, friend: str) -> None:
    """Tell a friend of an invitation wherever they want to be nudged, unless it is their quiet hours."""
    settings = await hub.nudges.settings(friend)
    if quiet_until(settings, hub.now()) is not None:
        return
    await hub.nudges.send_everywhere(friend, "invitation", invitation_of(table, by, settings.language))
