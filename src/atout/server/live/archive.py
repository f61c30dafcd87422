"""After a match: its record and the players' results are stored, and the rematch is opened. Safe to repeat."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec

from atout.errors import Conflict
from atout.protocol.rest import RecordSummary
from atout.server.identity import new_address
from atout.server.live.lobby_card import card_of, guests_of
from atout.server.matches.daily import decisions_of
from atout.server.matches.summary import summary_of
from atout.store import DailyResult, Result, Store, StoredRecord
from atout.tables import Table, encode
from atout.tables import commands as c
from atout.tables.daily import SEAT
from atout.tables.devices import owner
from atout.tables.forget import is_alias, named_guests


class Archive:
    """Stores what remains of finished matches."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def settle(self, table: Table) -> None:
        """Save the record of a match, played to its end or given up, and open its rematch if one was asked for."""
        await self._save(table)
        opening = table.rematch()
        if opening is not None:
            await open_table(self._store, *opening, now=table.last_at)
            await self._invite_again(*opening)

    async def _invite_again(self, opening: c.Open, host: str | None) -> None:
        """Those for whom a seat is kept at the rematch see it on their first page; its host sees the table anyway."""
        people = {owner(kept.guest) for kept in opening.kept if kept is not None}
        if host is not None and not is_alias(host):
            await self._store.invite_again(opening.table, owner(host), sorted(people - {owner(host)}))

    async def _save(self, table: Table) -> None:
        """A match that was played on from another one is not kept: its record would show the hands of that one."""
        if table.is_played_on:
            return
        record = table.record()
        game = table.views(table.last_at).common_game()
        if record is None or game is None:
            return  # closed before the match began
        totals, winners = game["totals"], table.winners
        rounds = len(record["rounds"])
        is_whole = table.status == "over"
        stand_ins = record.get("stand_ins", [])
        stored = StoredRecord(
            id=table.table,
            table=table.table,
            edition=record["edition"],
            finished=float(record["times"]["ended"]),
            summary=summary_of(dict(record), totals, winners, game["past"]),
            body=msgspec.json.encode(record),
        )
        people = [(seat, guest) for seat, guest in enumerate(table.guests) if guest is not None and not is_alias(guest)]
        is_alone = is_whole and record["bots"].count(None) == 1
        results: dict[str, Result] = {}
        for seat, guest in people:
            if owner(guest) == guest or owner(guest) not in results:
                seats = tuple(other for other, who in people if owner(who) == owner(guest))
                results[owner(guest)] = Result(
                    guest=owner(guest),
                    won=seat in winners,
                    rounds=rounds,
                    points=totals[seat],
                    seats=seats,
                    is_counted=is_whole and seat not in stand_ins,
                    shares=is_alone,
                )
        await self._store.save_record(stored, [*results.values(), *_former(table)], new_address())
        if table.daily:
            await self._save_daily(table, dict(record), stored)

    async def _save_daily(self, table: Table, record: dict[str, Any], stored: StoredRecord) -> None:
        """The result of a deal of the day. It is part of the field if it was played to the end without help."""
        guest = table.guests[SEAT]
        if guest is None or is_alias(guest):
            return
        gains = [row[SEAT] for row in msgspec.json.decode(stored.summary, type=RecordSummary).gains]
        result = DailyResult(
            guest=owner(guest),
            day=table.daily,
            table=table.table,
            started=0.0,
            finished=stored.finished,
            counted=table.status == "over" and table.is_regular,
            gain=round(sum(gains), 2),
            gains=msgspec.json.encode(gains),
        )
        await self._store.finish_daily(result, [one.choice for one in decisions_of(record)])


def _former(table: Table) -> list[Result]:
    """Those whose names the record has, though somebody else had their seats at the end."""
    former = [(owner(who), seat) for seat, who in enumerate(table.former_guests) if who is not None]
    return [
        Result(guest, False, 0, 0, tuple(seat for who, seat in former if who == guest), is_player=False)
        for guest in dict.fromkeys(who for who, _ in former)
    ]


async def open_table(store: Store, opening: c.Open, by: str | None, now: float, *then: c.Command) -> Table:
    """A new table, stored, with what its host does at once. If it is there already, another worker was faster."""
    table, events = Table(), []
    for command in (opening, *then):
        more = table.decide(command, by, now)
        for event in more:
            table.apply(event)
        events += more
    due = None if not table.bot_turns() else now
    with suppress(Conflict):
        await store.create_table(
            opening.table,
            card_of(table),
            [encode(event) for event in events],
            due=due,
            guests=guests_of(table),
            visitors=[guest for event in events for guest in named_guests(event)],
        )
    return table
