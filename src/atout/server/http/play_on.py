"""Playing on from a decision of a finished match or of a puzzle: a new table with bots that starts in the middle of it.

Whoever may review a decision may play on from it: they could see every card of that match already. At the new table the
other hands are hidden as always.
"""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool

from atout.bots import LEVELS
from atout.editions import PUBLISHED
from atout.errors import RecordError
from atout.protocol import rest
from atout.server.errors import ApiError
from atout.server.http.call import Call, Operation
from atout.server.http.puzzles import find_puzzle
from atout.server.http.reviews import Allowed, allowed_of_mine, allowed_of_shared, not_allowed
from atout.server.identity import new_id
from atout.server.live.archive import open_table
from atout.tables import TableSettings, new_secret
from atout.tables import commands as c
from atout.tables.origin import Origin, next_of, origin_at_end, origin_of
from atout.tables.settings import OPEN, check_settings

FOR_PEOPLE = "learned"
"""The level that plays the seats of people: strong, and quick to answer."""


async def _play_on(call: Call, allowed: Allowed, source: str) -> rest.OpenedTable:
    wanted = call.body
    record = msgspec.json.decode(allowed.record.body)
    try:
        async with call.replay_turn():
            origin = await run_in_threadpool(_find, record, source, wanted, allowed.seats)
    except RecordError as error:
        raise ApiError(404, "no-decision", str(error)) from None
    if origin.seat not in allowed.seats:
        raise not_allowed()
    return await _open(call, record, origin)


def _find(record: dict[str, Any], source: str, wanted: rest.PlayOn, seats: list[int]) -> Origin:
    round, index = wanted.round, wanted.index
    if wanted.next:
        round, index = next_of(record, round, index, seats[0] if wanted.seat is None else wanted.seat)
    return origin_of(record, source, round, index)


async def _open(call: Call, record: dict[str, Any], origin: Origin) -> rest.OpenedTable:
    guest, settings = call.guest, settings_of(record, origin)
    async with call.context.checking:
        await run_in_threadpool(check_settings, settings)
    call.context.check_new_table(guest)
    await call.context.hub.check_table_count(guest)
    opening = c.Open(table=new_id(), settings=settings, secret=new_secret(), origin=origin)
    await open_table(call.store, opening, guest, call.context.now())
    return rest.OpenedTable(table=opening.table)


def settings_of(record: dict[str, Any], origin: Origin) -> TableSettings:
    """A private table without a clock: a seat for the guest, at the others the bots that were there, or strong ones."""
    bots = record.get("bots") or [None] * record["players"]
    seats = [bot if bot in LEVELS else FOR_PEOPLE for bot in bots]
    seats[origin.seat] = OPEN
    return TableSettings(
        edition=record["edition"] if record["edition"] in PUBLISHED else record["rules"],
        players=record["players"],
        options=record.get("options", {}),
        seats=seats,
        chat=False,
        hints=True,
    )


async def play_on_from_mine(call: Call) -> rest.OpenedTable:
    return await _play_on(call, await allowed_of_mine(call), f"records/{call.path('record')}")


async def play_on_from_shared(call: Call) -> rest.OpenedTable:
    return await _play_on(call, await allowed_of_shared(call), f"shared/{call.path('address')}")


async def play_on_from_puzzle(call: Call) -> rest.OpenedTable:
    """Everybody may: who has answered a puzzle knows what it asked."""
    puzzle = find_puzzle(call)
    record = dict(puzzle.record)
    origin = await run_in_threadpool(origin_at_end, record, f"puzzles/{puzzle.id}")
    return await _open(call, record, origin)


PLAY_ON_OPERATIONS = (
    Operation("POST", "/api/records/{record}/play-on", play_on_from_mine,
              "Open a table with bots that starts at a decision of a match of mine", rest.OpenedTable, rest.PlayOn, 201,
              "reviews"),
    Operation("POST", "/api/shared/{address}/play-on", play_on_from_shared,
              "Open a table with bots that starts at a decision of a public match with open cards", rest.OpenedTable,
              rest.PlayOn, 201, "reviews"),
    Operation("POST", "/api/puzzles/{puzzle}/play-on", play_on_from_puzzle,
              "Open a table with bots that starts at the decision of a puzzle", rest.OpenedTable, None, 201, "puzzles"),
)  # fmt: skip
