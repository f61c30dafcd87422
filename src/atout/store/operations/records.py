"""Finished games, whose lists they are in, and the sums they add to."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from atout.errors import NoTable
from atout.store.model import Entry, Record, Result, Statistics
from atout.store.operations import Operation
from atout.store.operations.guests import drop_unlisted


def save(record: Record, results: Sequence[Result]) -> Operation[bool]:
    """The record, its listings and its sums, once: `recorded` remembers, also when the record was deleted since."""
    there = yield "SELECT 1 FROM tables WHERE id = :table", {"table": record.table}
    if not there:
        raise NoTable(record.table)
    first = yield (
        "INSERT INTO recorded (table_id, record_id) VALUES (:table, :id) "
        "ON CONFLICT (table_id, record_id) DO NOTHING RETURNING record_id",
        {"table": record.table, "id": record.id},
    )
    if not first:
        return False
    if results:
        yield (
            "INSERT INTO records (id, table_id, edition, finished, summary, body) "
            "VALUES (:id, :table, :edition, :finished, :summary, :body)",
            msgspec.structs.asdict(record),
        )
    for result in sorted(results, key=lambda result: result.guest):  # in one order, so that two saves never cross
        yield from _add(record, result)
    return True


def _add(record: Record, result: Result) -> Operation[None]:
    yield (
        "INSERT INTO listings (guest, finished, record_id) VALUES (:guest, :finished, :id) ON CONFLICT DO NOTHING",
        {"guest": result.guest, "finished": record.finished, "id": record.id},
    )
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


def page(guest: str, after: Entry | None, limit: int) -> Operation[list[Entry]]:
    """A guest's records by time, latest first; equal times by id, so that no page repeats or skips one."""
    select = (
        "SELECT r.id, r.edition, r.finished, r.summary FROM listings l JOIN records r ON r.id = l.record_id "
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
    return [Entry(*row) for row in rows]


def get(id: str) -> Operation[Record | None]:
    """A record with its body."""
    rows = yield "SELECT id, table_id, edition, finished, summary, body FROM records WHERE id = :id", {"id": id}
    return Record(*rows[0]) if rows else None


def is_listed(guest: str, id: str) -> Operation[bool]:
    """Whether a guest has it in their list."""
    rows = yield "SELECT 1 FROM listings WHERE record_id = :id AND guest = :guest", {"guest": guest, "id": id}
    return bool(rows)


def strike(guest: str, id: str) -> Operation[bool]:
    """Out of a guest's list; the last one takes the record along."""
    rows = yield (
        "DELETE FROM listings WHERE record_id = :id AND guest = :guest RETURNING guest",
        {"guest": guest, "id": id},
    )
    if rows:
        yield from drop_unlisted(id)
    return bool(rows)


def sums(guest: str) -> Operation[list[Statistics]]:
    """A guest's statistics."""
    rows = yield (
        "SELECT edition, matches, wins, rounds, points FROM statistics WHERE guest = :guest ORDER BY edition",
        {"guest": guest},
    )
    return [Statistics(*row) for row in rows]
