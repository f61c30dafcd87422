"""Operations on a guest's mistakes, which come back as puzzles: decisions of complete reviews of their own seats."""

from __future__ import annotations

from collections.abc import Sequence

from atout.store.model import Mistake, MistakeAt, MistakeCounts
from atout.store.operations import Operation

ONE = "m.guest = :guest AND m.record_id = :record AND m.seat = :seat AND m.number = :number"
LISTED = "JOIN listings l ON l.record_id = m.record_id AND l.guest = m.guest"
"""A match that a guest took out of their list gives no mistakes back."""


def replace(record: str, seat: int, numbers: Sequence[int], now: float) -> Operation[None]:
    """The wrong decisions of a seat by a new review. Those that were wrong before keep their turn."""
    seats = {"record": record, "seat": seat}
    known = yield "SELECT DISTINCT number FROM mistakes WHERE record_id = :record AND seat = :seat", seats
    for (number,) in known:
        if number not in numbers:
            yield (
                "DELETE FROM mistakes WHERE record_id = :record AND seat = :seat AND number = :number",
                {**seats, "number": number},
            )
    players = yield "SELECT guest FROM played WHERE record_id = :record AND seat = :seat", seats
    for (guest,) in players:
        for number in numbers:
            yield (
                "INSERT INTO mistakes (guest, record_id, seat, number, due, attempts, card) "
                "VALUES (:guest, :record, :seat, :number, :due, 0, :card) ON CONFLICT DO NOTHING",
                {**seats, "guest": guest, "number": number, "due": now, "card": b""},
            )


def due_of(guest: str, now: float, limit: int) -> Operation[list[MistakeAt]]:
    """The mistakes that are due, the longest due first."""
    rows = yield (
        f"SELECT m.record_id, m.seat, m.number, m.due, m.attempts FROM mistakes m {LISTED} "  # noqa: S608
        "WHERE m.guest = :guest AND m.due <= :now ORDER BY m.due, m.record_id, m.seat, m.number LIMIT :limit",
        {"guest": guest, "now": now, "limit": limit},
    )
    return [MistakeAt(*row) for row in rows]


def counts_of(guest: str, now: float) -> Operation[MistakeCounts]:
    """How many there are, and when the next one is due."""
    ((count, later),) = yield (
        f"SELECT count(*), min(CASE WHEN m.due > :now THEN m.due END) FROM mistakes m {LISTED} "  # noqa: S608
        "WHERE m.guest = :guest",
        {"guest": guest, "now": now},
    )
    return MistakeCounts(count, later)


def find(guest: str, record: str, seat: int, number: int) -> Operation[Mistake | None]:
    """A mistake of a guest, with its decision as the complete review has it, and the record."""
    rows = yield (
        "SELECT m.card, m.attempts, d.body, s.body, s.edition, s.finished "  # noqa: S608
        f"FROM mistakes m {LISTED} JOIN records s ON s.id = m.record_id "
        "JOIN reviews r ON r.record_id = m.record_id AND r.seat = m.seat AND r.ledger IS NOT NULL "
        "JOIN reviewed d ON d.record_id = r.record_id AND d.seat = r.seat AND d.evaluator = r.evaluator "
        f"AND d.number = m.number WHERE {ONE}",
        {"guest": guest, "record": record, "seat": seat, "number": number},
    )
    if not rows:
        return None
    card, attempts, decision, body, edition, finished = rows[0]
    return Mistake(bytes(card), attempts, bytes(decision), bytes(body), edition, finished)


def schedule(guest: str, record: str, seat: int, number: int, due: float, card: bytes) -> Operation[bool]:
    """Note an attempt, and when the mistake comes back; False if it is gone."""
    rows = yield (
        "UPDATE mistakes SET due = :due, card = :card, attempts = attempts + 1 "
        "WHERE guest = :guest AND record_id = :record AND seat = :seat AND number = :number RETURNING number",
        {"guest": guest, "record": record, "seat": seat, "number": number, "due": due, "card": card},
    )
    return bool(rows)
