"""Tables, their events and the lists they are in. Appending is not here: each database groups it in its own way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from atout.errors import Conflict, NoTable
from atout.store.model import Card, Listed
from atout.store.operations import Operation, Rows

TABLE = "SELECT t.id, t.created, t.due, t.public, t.open_seats, t.edition, t.state, t.active, t.detail FROM tables t"


def create(
    table: str, created: float, card: Card, events: Sequence[bytes], due: float | None, guests: Sequence[str]
) -> Operation[None]:
    """A new table. One that is there with the same time and events is an earlier try of ours that went through."""
    made = yield (
        "INSERT INTO tables (id, head, created, due, public, open_seats, edition, state, active, detail) "
        "VALUES (:id, :head, :created, :due, :public, :open_seats, :edition, :state, :active, :detail) "
        "ON CONFLICT (id) DO NOTHING RETURNING id",
        {"id": table, "head": len(events), "created": created, "due": due, **card_values(card)},
    )
    if not made:
        mine = yield from _is_there(table, created, events)
        if not mine:
            head = yield from head_of(table)
            raise Conflict(table, 1, head)
        return
    for number, body in enumerate(events, 1):
        yield (
            "INSERT INTO events (table_id, number, body) VALUES (:table, :number, :body)",
            {"table": table, "number": number, "body": body},
        )
    yield from sit(table, guests)


def _is_there(table: str, created: float, events: Sequence[bytes]) -> Operation[bool]:
    rows = yield "SELECT created FROM tables WHERE id = :table", {"table": table}
    there = yield (
        "SELECT body FROM events WHERE table_id = :table AND number <= :last ORDER BY number",
        {"table": table, "last": len(events)},
    )
    return bool(rows) and rows[0][0] == created and [row[0] for row in there] == list(events)


def sit(table: str, guests: Sequence[str]) -> Operation[None]:
    """These guests play at the table, and no others."""
    yield "DELETE FROM sitting WHERE table_id = :table", {"table": table}
    for guest in dict.fromkeys(guests):
        yield "INSERT INTO sitting (table_id, guest) VALUES (:table, :guest)", {"table": table, "guest": guest}


def card_values(card: Card) -> dict[str, Any]:
    """A card as the columns of its table."""
    return {
        "public": card.public,
        "open_seats": card.open_seats,
        "edition": card.edition,
        "state": card.state,
        "active": card.active,
        "detail": card.detail,
    }


def head_of(table: str) -> Operation[int]:
    """The number of the last event."""
    rows = yield (
        "SELECT t.head, (SELECT max(number) FROM recent WHERE table_id = :table) FROM tables t WHERE t.id = :table",
        {"table": table},
    )
    if not rows:
        raise NoTable(table)
    placed, recent = rows[0]
    return int(placed if recent is None else recent)


def events_of(table: str, after: int) -> Operation[list[bytes]]:
    """The events after a number; one statement, so that no deletion comes between table and events."""
    rows = yield (
        "SELECT e.body FROM tables t LEFT JOIN ("
        "SELECT table_id, number, body FROM events WHERE table_id = :table AND number > :after UNION ALL "
        "SELECT table_id, number, body FROM recent WHERE table_id = :table AND number > :after"
        ") e ON e.table_id = t.id WHERE t.id = :table ORDER BY e.number",
        {"table": table, "after": after},
    )
    if not rows:
        raise NoTable(table)
    return [row[0] for row in rows if row[0] is not None]


def one(table: str) -> Operation[Listed | None]:
    """A table's card."""
    rows = yield f"{TABLE} WHERE t.id = :table", {"table": table}
    return _listed(rows)[0] if rows else None


def open_ones(limit: int) -> Operation[list[Listed]]:
    """The lobby."""
    rows = yield (
        f"{TABLE} WHERE t.public AND t.open_seats > 0 ORDER BY t.active DESC, t.id LIMIT :limit",
        {"limit": limit},
    )
    return _listed(rows)


def of_guest(guest: str, limit: int) -> Operation[list[Listed]]:
    """Where a guest plays."""
    rows = yield (
        f"{TABLE} JOIN sitting s ON s.table_id = t.id WHERE s.guest = :guest ORDER BY t.active DESC, t.id LIMIT :limit",
        {"guest": guest, "limit": limit},
    )
    return _listed(rows)


def due_by(now: float, limit: int) -> Operation[list[Listed]]:
    """What is to be woken."""
    rows = yield (
        f"{TABLE} WHERE t.due <= :now ORDER BY t.due, t.id LIMIT :limit",
        {"now": now, "limit": limit},
    )
    return _listed(rows)


def idle_since(before: float, limit: int) -> Operation[list[Listed]]:
    """What nobody touched for long."""
    rows = yield (
        f"{TABLE} WHERE t.active < :before ORDER BY t.active, t.id LIMIT :limit",
        {"before": before, "limit": limit},
    )
    return _listed(rows)


def delete(table: str) -> Operation[bool]:
    """A table with all that hangs on it."""
    rows = yield "DELETE FROM tables WHERE id = :table RETURNING id", {"table": table}
    return bool(rows)


def _listed(rows: Rows) -> list[Listed]:
    return [
        Listed(id, created, due, Card(bool(public), open_seats, edition, state, active, detail))
        for id, created, due, public, open_seats, edition, state, active, detail in rows
    ]
