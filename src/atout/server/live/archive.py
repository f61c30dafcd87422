"""After a match: its record and the players' results are stored, and the rematch is opened. Safe to repeat."""

from __future__ import annotations

from contextlib import suppress

import msgspec

from atout.errors import Conflict
from atout.server.identity import new_address
from atout.server.live.lobby_card import card_of, guests_of
from atout.server.matches.summary import summary_of
from atout.store import Result, Store, StoredRecord
from atout.tables import Table, encode
from atout.tables import commands as c
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


def _former(table: Table) -> list[Result]:
    """Those whose names the record has, though somebody else had their seats at the end."""
    former = [(owner(who), seat) for seat, who in enumerate(table.former_guests) if who is not None]
    return [
        Result(guest, False, 0, 0, tuple(seat for who, seat in former if who == guest), is_player=False)
        for guest in dict.fromkeys(who for who, _ in former)
    ]


async def open_table(store: Store, opening: c.Open, by: str | None, now: float) -> Table:
    """A new table, stored. If it is there already, another worker was faster, with the same result."""
    table = Table()
    events = table.decide(opening, by, now)
    for event in events:
        table.apply(event)
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
