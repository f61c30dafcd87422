"""The state of a guest's matches, for their list of tables. Logs of tables that are not loaded are replayed here."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence

from msgspec import Struct

from atout.protocol.rest import MyPart
from atout.server.live.hub import Hub
from atout.server.live.loading import table_of
from atout.tables import Table
from atout.tables.devices import owner

MAX_EVENTS = 10_000
"""How many events are replayed for one request; further matches wait for the next one, when the others are known."""
KEPT = 1000
"""Matches that a worker remembers."""


class _Match(Struct, frozen=True):
    """What a list needs of a table, as of an event."""

    number: int
    guests: list[str | None]
    """By seat; nobody where somebody has left the table to others."""
    asked: list[int]
    round: int
    rounds: int | None
    totals: list[int]
    due: list[float | None]
    """By seat: when its clock runs out."""
    paused_until: float | None


class MyParts:
    """The latest matches that lists asked for, and the lists that are being made: one per guest."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._kept: OrderedDict[str, _Match] = OrderedDict()
        self._lists: dict[str, asyncio.Future[dict[str, MyPart]]] = {}

    async def of(self, guest: str, tables: Sequence[str]) -> dict[str, MyPart]:
        """By table. A guest who asks again while the list is being made gets the same one."""
        found = self._lists.get(guest)
        if found is None:
            found = self._lists[guest] = asyncio.ensure_future(self._make(guest, tables))
            found.add_done_callback(lambda _: self._lists.pop(guest, None))
        return await asyncio.shield(found)

    async def _make(self, guest: str, tables: Sequence[str]) -> dict[str, MyPart]:
        parts, left = {}, MAX_EVENTS
        for table in tables:
            match, replayed = await self._match(table, left)
            left -= replayed
            if match is not None:
                seats = [i for i, who in enumerate(match.guests) if who is not None and owner(who) == guest]
                due = min((at for i in seats if (at := match.due[i]) is not None), default=None)
                parts[table] = MyPart(
                    seats, match.asked, match.round, match.rounds, match.totals, due, match.paused_until
                )
        return parts

    async def _match(self, id: str, most: int) -> tuple[_Match | None, int]:
        """The match, and how many events were replayed for it; None if these would be more than `most`."""
        live = self._hub.tables.get(id)
        if live is not None:
            return _match_of(await live.durable()), 0
        head, known = await self._hub.store.head(id), self._kept.get(id)
        if known is not None and known.number == head:
            self._kept.move_to_end(id)
            return known, 0
        if head > most:
            return None, 0
        match = _match_of(await table_of(await self._hub.store.events(id)))
        if match is not None:
            self._kept[id] = match
            self._kept.move_to_end(id)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return match, head


def _match_of(table: Table) -> _Match | None:
    views = table.views(table.last_at) if table.number else None
    game = views.common_game() if views is not None else None
    if views is None or game is None:
        return None
    seats = views.common()["seats"]
    is_left_to_others = any(seat.kind == "person" and not seat.has_left for seat in seats)
    guests = [
        None if seat.has_left and is_left_to_others else guest for seat, guest in zip(seats, table.guests, strict=True)
    ]
    return _Match(
        table.number,
        guests,
        table.asked,
        game["round"],
        game["rounds"],
        game["totals"],
        table.clocks_run_out,
        views.common()["paused_until"],
    )
