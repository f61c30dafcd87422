"""What people at a table are to each other: who may sit down where, and how a friend hears of an invitation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from atout.i18n import LANGUAGES, catalogue, fill
from atout.server.live.nudges import quiet_until
from atout.tables import Table
from atout.tables.devices import owner
from atout.tables.refusals import refuse

if TYPE_CHECKING:
    from atout.server.live.hub import Hub


async def is_unwelcome(hub: Hub, table: Table, guest: str) -> bool:
    """Whether the host of a table has blocked a guest."""
    host = table.host
    return host is not None and owner(host) != guest and await hub.store.has_blocked(owner(host), guest)


async def check_may_sit(hub: Hub, table: Table, guest: str, seat: int | None) -> None:
    """`Refused` if the host has blocked the guest. They are told what anybody is told whose seat is not free."""
    if await is_unwelcome(hub, table, guest):
        raise refuse("no-free-seat") if seat is None else refuse("seat-kept", seat=seat)


async def announce(hub: Hub, table: Table, by: str, friend: str) -> None:
    """Tell a friend of an invitation wherever they want to be nudged, unless it is their quiet hours."""
    settings = await hub.nudges.settings(friend)
    if quiet_until(settings, hub.now()) is not None:
        return
    texts = catalogue(settings.language if settings.language in LANGUAGES else "en")
    edition = table.settings.edition if isinstance(table.settings.edition, str) else ""
    message = {
        "title": fill(texts["nudge.invited"], {"name": by}),
        "body": texts.get(f"edition.{edition}", "Atout"),
        "path": f"/table/{table.table}",
    }
    for channel in await hub.store.channels(friend):
        await hub.nudges.send(channel, message)
