"""Operations on records of finished matches, guests' lists of them, and statistics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from atout.errors import NoTable
from atout.store.model import ListedRecord, Result, Statistics, StoredRecord
from atout.store.operations import Operation, sharing
from atout.store.operations.guests import drop_unlisted, lock


def save(record: StoredRecord, results: Sequence[Result], address: str = "") -> Operation[bool]:
    """Save a record, list it and count it, all once: `recorded` remembers it even after the record was deleted.

    With an address, those whose results say so show the match there.

    `GuestForgotten` if the record names somebody who was forgotten after the match.
    """
    yield from lock(list({result.guest for result in results}))
    found = yield "SELECT 1 FROM tables WHERE id = :table", {"table": record.table}
    if not found:
        raise NoTable(record.table)
    first = yield (
        "INSERT INTO recorded (table_id, record_id) VALUES (:table, :id) "
        "ON CONFLICT (table_id, record_id) DO NOTHING RETURNING record_id",
        {"table": record.table, "id": record.id},
    )
    if not first:
        return False
    has_player = any(result.is_player for result in results)
    if has_player:
        yield (
            "INSERT INTO records (id, table_id, edition, finished, summary, body) "
            "VALUES (:id, :table, :edition, :finished, :summary, :body)",
            _columns(record),
        )
    for result in sorted(
        results, key=lambda result: result.guest
    ):  # always in the same order, so that two saves never deadlock
        if not result.is_player:
            if has_player:
                yield from _note_names(record, result)
            continue
        yield from _list_and_count(record, result)
        if result.shares and address:
            yield from sharing.note(result.guest, record.id, "open", False, address)
    return True


def _list_and_count(record: StoredRecord, result: Result) -> Operation[None]:
    yield (
        "INSERT INTO listings (guest, finished, record_id) VALUES (:guest, :finished, :id) ON CONFLICT DO NOTHING",
        {"guest": result.guest, "finished": record.finished, "id": record.id},
    )
    for seat in result.seats:
        yield (
            "INSERT INTO played (record_id, guest, seat) VALUES (:id, :guest, :seat) ON CONFLICT DO NOTHING",
            {"id": record.id, "guest": result.guest, "seat": seat},
        )
    if not result.is_counted:
        return
    yield (
        "INSERT INTO statistics (guest, edition, matches, wins, rounds, points) "
        "VALUES (:guest, :edition, 1, :wins, :rounds, :points) ON CONFLICT (guest, edition) DO UPDATE SET "
        "matches = statistics.matches + 1, wins = statistics.wins + excluded.wins, "
        "rounds = statistics.rounds + excluded.rounds, points = statistics.points + excluded.points",
        {
            "guest": result.guest,
            "edition": record.edition,
            "wins": int(result.won),
            "rounds": result.rounds,
            "points": result.points,
        },
    )


def _note_names(record: StoredRecord, result: Result) -> Operation[None]:
    for seat in result.seats:
        yield (
            "INSERT INTO named (record_id, guest, seat) VALUES (:id, :guest, :seat) ON CONFLICT DO NOTHING",
            {"id": record.id, "guest": result.guest, "seat": seat},
        )


def of_guest(guest: str, after: ListedRecord | None, limit: int) -> Operation[list[ListedRecord]]:
    """One page of a guest's records, the latest first; equal times by id, so that no page repeats or skips one."""
    select = (
        "SELECT r.id, r.edition, l.finished, r.summary FROM listings l JOIN records r ON r.id = l.record_id "
        "WHERE l.guest = :guest "
    )
    order = "ORDER BY l.finished DESC, l.record_id DESC LIMIT :limit"
    if after is None:
        rows = yield select + order, {"guest": guest, "limit": limit}
    else:
        rows = yield (
            select + "AND (l.finished, l.record_id) < (:finished, :id) " + order,
            {"guest": guest, "limit": limit, "finished": after.finished, "id": after.id},
        )
    if not rows:
        return []
    seats: dict[str, list[int]] = {}
    played = yield (
        "SELECT p.record_id, p.seat FROM played p JOIN listings l ON l.record_id = p.record_id AND l.guest = p.guest "
        "WHERE p.guest = :guest AND l.finished >= :first AND l.finished <= :last ORDER BY p.seat",
        {"guest": guest, "first": rows[-1][2], "last": rows[0][2]},
    )
    for record, seat in played:
        seats.setdefault(record, []).append(seat)
    return [
        ListedRecord(id, edition, finished, summary, tuple(seats.get(id, ())))
        for id, edition, finished, summary in rows
    ]


def add_import(guest: str, record: StoredRecord, most: int) -> Operation[None]:
    """Keep a record that a guest imported; of more than `most`, those imported first are deleted.

    `GuestForgotten` if they were.
    """
    yield from lock([guest])
    yield (
        "INSERT INTO records (id, table_id, edition, finished, summary, body, imported_by) "
        "VALUES (:id, :table, :edition, :finished, :summary, :body, :guest) "
        "ON CONFLICT (id) DO UPDATE SET finished = excluded.finished",
        {**_columns(record), "guest": guest},
    )
    yield from drop_imports_beyond(guest, most)


def drop_imports_beyond(guest: str, most: int) -> Operation[None]:
    """Keep the latest `most` records that a guest imported."""
    yield (
        "DELETE FROM records WHERE imported_by = :guest AND id NOT IN (SELECT id FROM records "
        "WHERE imported_by = :guest ORDER BY finished DESC, id LIMIT :most)",
        {"guest": guest, "most": most},
    )


def imports_of(guest: str) -> Operation[list[ListedRecord]]:
    """The records that a guest imported, the latest first."""
    rows = yield (
        "SELECT id, edition, finished, summary FROM records WHERE imported_by = :guest ORDER BY finished DESC, id",
        {"guest": guest},
    )
    return [ListedRecord(*row) for row in rows]


def drop_imports(before: float) -> Operation[None]:
    """Delete the records that were imported before a time."""
    yield "DELETE FROM records WHERE imported_by IS NOT NULL AND finished < :before", {"before": before}


def find(id: str) -> Operation[StoredRecord | None]:
    """A record with its body, if there is one."""
    rows = yield (
        "SELECT id, table_id, edition, finished, summary, body, imported_by FROM records WHERE id = :id",
        {"id": id},
    )
    if not rows:
        return None
    id, table, edition, finished, summary, body, imported_by = rows[0]
    return StoredRecord(id, table, edition, finished, summary, body, imported_by or "")


def _columns(record: StoredRecord) -> dict[str, Any]:
    columns = msgspec.structs.asdict(record)
    del columns["imported_by"]
    return columns


Renamed = Callable[[bytes, bytes, Sequence[int]], tuple[bytes, bytes]]
"""Summary and body of a record, changed so that the names at these seats are gone; a seat that is unknown is -1."""


def played_by(guest: str) -> Operation[list[str]]:
    """The records that have a guest's name."""
    rows = yield (
        "SELECT record_id FROM played WHERE guest = :guest UNION SELECT record_id FROM named WHERE guest = :guest "
        "ORDER BY record_id",
        {"guest": guest},
    )
    return [row[0] for row in rows]


def rename(guest: str, id: str, renamed: Renamed) -> Operation[None]:
    """Take a guest's name out of a record. Its row is locked first: others may do the same."""
    parameters = {"guest": guest, "id": id}
    rows = yield "UPDATE records SET id = id WHERE id = :id RETURNING summary, body", {"id": id}
    seats = yield "DELETE FROM played WHERE guest = :guest AND record_id = :id RETURNING seat", parameters
    more = yield "DELETE FROM named WHERE guest = :guest AND record_id = :id RETURNING seat", parameters
    if rows and (seats or more):
        summary, body = renamed(rows[0][0], rows[0][1], [seat for (seat,) in [*seats, *more]])
        yield (
            "UPDATE records SET summary = :summary, body = :body WHERE id = :id",
            {"id": id, "summary": summary, "body": body},
        )


def replace_summary(id: str, before: bytes, after: bytes) -> Operation[bool]:
    """Write a more complete summary, unless it was changed meanwhile; False if it was."""
    rows = yield (
        "UPDATE records SET summary = :after WHERE id = :id AND summary = :before RETURNING id",
        {"id": id, "before": before, "after": after},
    )
    return bool(rows)


def is_of(guest: str, id: str) -> Operation[bool]:
    """Whether a record is in a guest's list, or was imported by them."""
    rows = yield (
        "SELECT 1 FROM listings WHERE record_id = :id AND guest = :guest "
        "UNION ALL SELECT 1 FROM records WHERE id = :id AND imported_by = :guest",
        {"guest": guest, "id": id},
    )
    return bool(rows)


def remove_from_list(guest: str, id: str) -> Operation[bool]:
    """Remove a record from a guest's list, and delete it if it is in no other; False if it was not listed.

    What the guest agreed to show of it is withdrawn. One that they imported is deleted.
    """
    imported = yield (
        "DELETE FROM records WHERE id = :id AND imported_by = :guest RETURNING id",
        {"guest": guest, "id": id},
    )
    if imported:
        return True
    rows = yield (
        "DELETE FROM listings WHERE record_id = :id AND guest = :guest RETURNING guest",
        {"guest": guest, "id": id},
    )
    if rows:
        yield from sharing.withdraw(guest, id)
        yield from drop_unlisted(id)
    return bool(rows)


def statistics_of(guest: str) -> Operation[list[Statistics]]:
    """A guest's statistics, one entry per edition."""
    rows = yield (
        "SELECT edition, matches, wins, rounds, points FROM statistics WHERE guest = :guest ORDER BY edition",
        {"guest": guest},
    )
    return [Statistics(*row) for row in rows]
