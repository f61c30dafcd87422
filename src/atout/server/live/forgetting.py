"""Forgetting a guest: first the cookie is void everywhere, then their id, name and words are taken out of what is kept.

    delete_guest ──► end connections ──► each table they visited ──► each record with their name ──► finish_deletion
                                          rewrite the event log

Joining a guest to an account is the same, except that rows and events get the account's id (`join_guest`).

A worker that ends in between leaves the rest to the next that starts, or to the hourly sweep: the store knows what is
unfinished.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET

from atout.errors import Conflict, GuestForgotten, NoTable, StoreError, Unavailable
from atout.server.live.loading import in_log_thread
from atout.server.live.lobby_card import listing_after
from atout.store import Append, Rewrite
from atout.store.operations.accounts import Joined
from atout.tables import Table, decode, encode
from atout.tables import commands as c
from atout.tables.forget import SOMEBODY, new_alias, without_guest
from atout.tables.join import with_account

if TYPE_CHECKING:
    from atout.server.live.hub import Hub

log = logging.getLogger("atout.forgetting")

MAX_TRIES = 100
"""How often a log is read again because somebody appended to it meanwhile."""
FREE_TRIES = 3
"""How often that is tried while the table goes on; then it waits."""


async def forget_guest(hub: Hub, guest: str) -> None:
    """Forget a guest. Should the database fail after the cookie is void, the rest is done later."""
    await hub.store.delete_guest(guest)
    await hub.end_forgotten()
    try:
        await _finish(hub, guest)
    except StoreError as error:
        log.warning("a guest is not forgotten wholly yet", extra={"error": type(error).__name__})


async def join_guest(hub: Hub, guest: str, account: str) -> Joined:
    """Give an account what a guest has; the guest's cookie is void. If the database fails, the rest is done later."""
    joined = await hub.store.join_guest(guest, account)
    if joined == "joined":
        await hub.end_forgotten()
        try:
            await _finish(hub, guest, account)
        except StoreError as error:
            log.warning("a guest is not joined wholly yet", extra={"error": type(error).__name__})
    return joined


async def finish_forgetting(hub: Hub) -> None:
    """Finish what another worker could not."""
    for guest, account in await hub.store.half_forgotten():
        await _finish(hub, guest, account)


async def _finish(hub: Hub, guest: str, account: str = "") -> None:
    for table in await hub.store.visited(guest):
        try:
            await _leave_table(hub, table, guest, account)
        except GuestForgotten:  # the account was, meanwhile
            await _leave_table(hub, table, guest, "")
    for record in await hub.store.played_by(guest):
        await hub.store.rename_in_record(guest, record, without_names)
    await hub.store.finish_deletion(guest)


async def _leave_table(hub: Hub, table: str, guest: str, account: str) -> None:
    """Take a guest out of a table's event log; with an account, put that in their place."""
    for number in range(MAX_TRIES):
        live = hub.tables.get(table)
        try:
            async with nullcontext() if live is None or number < FREE_TRIES else live.lock:
                await _rewrite(hub, table, guest, account)
            break
        except Conflict:
            await asyncio.sleep(0)
        except NoTable:
            return
    else:
        raise Unavailable("a table changes too fast")
    live = hub.tables.get(table)  # it may have been loaded or dropped meanwhile
    if live is not None:
        hub.start(live.wake())


async def _rewrite(hub: Hub, id: str, guest: str, account: str) -> None:
    bodies = await hub.store.events(id)
    rewrite = await in_log_thread(_rewritten, id, bodies, guest, account, hub.now())
    if rewrite is None:
        await hub.store.leave_table(guest, id)
    else:
        await hub.store.rewrite(rewrite)


def _rewritten(id: str, bodies: Sequence[bytes], guest: str, account: str, now: float) -> Rewrite | None:
    """The table without the guest, or with the account in their place; None if its log does not name them."""
    alias = new_alias()
    stored = [decode(body) for body in bodies]
    if account:
        events = [with_account(event, guest, account) for event in stored]
    else:
        events = [without_guest(event, guest, alias) for event in stored]
    changed = {new.number: encode(new) for old, new in zip(stored, events, strict=True) if new is not old}
    if not changed:
        return None
    table = Table.from_events(events)
    more = table.decide(c.Join() if account else c.Forget(guest=alias), None, now)
    was_finished = table.is_finished
    for event in more:
        table.apply(event)
    listing = listing_after(table, None, more, bool(table.bot_turns()))
    due = UNSET if was_finished else listing.due
    append = Append(id, more[0].number, tuple(map(encode, more)), listing.card, due, listing.guests)
    return Rewrite(guest, changed, append, account)


def without_names(summary: bytes, body: bytes, seats: Sequence[int]) -> tuple[bytes, bytes]:
    """A record without the names at these seats. If a seat is unknown (-1), no person's name stays."""
    return _without_names(summary, seats), _without_names(body, seats)


def _without_names(text: bytes, seats: Sequence[int]) -> bytes:
    record: dict[str, Any] = msgspec.json.decode(text)
    bots = record.get("bots") or [None] * len(record["names"])
    for seat, bot in enumerate(bots):
        if seat in seats or (-1 in seats and bot is None):
            record["names"][seat] = SOMEBODY
    return msgspec.json.encode(record)
