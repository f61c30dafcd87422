"""Operations on tables: their events and the lists they are in.

Appending is not here: each database writes groups of appends in its own way (`sqlite/appends.py`,
`postgres/appends.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from atout.errors import Conflict, NoTable
from atout.store.model import ListedTable, LobbyCard, Rewrite
from atout.store.operations import Operation, Rows
from atout.store.operations.guests import add_visitors, leave_table

LISTED_PER_GUEST = 2
"""Tables of one guest in the lobby, if nobody else is there."""
IS_LISTED = (
    "t.id IN (SELECT p.table_id FROM (SELECT s.table_id, "
    "ROW_NUMBER() OVER (PARTITION BY s.guest ORDER BY o.active DESC, o.id) AS place "
    "FROM sitting s JOIN tables o ON o.id = s.table_id WHERE o.public AND o.open_seats > 0) p WHERE p.place <= :most) "
    "OR NOT EXISTS (SELECT 1 FROM sitting a WHERE a.table_id = t.id)"
)
TABLE = "SELECT t.id, t.created, t.due, t.public, t.open_seats, t.edition, t.state, t.active, t.detail FROM tables t"


def create(
    table: str,
    created: float,
    card: LobbyCard,
    events: Sequence[bytes],
    due: float | None,
    guests: Sequence[str],
    visitors: Sequence[str],
) -> Operation[bool]:
    """Add a table; False if its id is taken, `GuestForgotten` if one of the guests was forgotten.

    A table with the same time of creation and the same first events comes from an earlier attempt of the same call.
    """
    made = yield (
        "INSERT INTO tables (id, head, created, due, public, open_seats, edition, state, active, detail) "
        "VALUES (:id, :head, :created, :due, :public, :open_seats, :edition, :state, :active, :detail) "
        "ON CONFLICT (id) DO NOTHING RETURNING id",
        {"id": table, "head": len(events), "created": created, "due": due, **card_columns(card)},
    )
    if not made:
        return (yield from _was_created_before(table, created, events))
    for number, body in enumerate(events, 1):
        yield (
            "INSERT INTO events (table_id, number, body) VALUES (:table, :number, :body)",
            {"table": table, "number": number, "body": body},
        )
    yield from set_guests(table, guests)
    yield from add_visitors(table, visitors)
    return True


def _was_created_before(table: str, created: float, events: Sequence[bytes]) -> Operation[bool]:
    rows = yield "SELECT created FROM tables WHERE id = :table", {"table": table}
    stored = yield (
        "SELECT body FROM events WHERE table_id = :table AND number <= :last ORDER BY number",
        {"table": table, "last": len(events)},
    )
    return bool(rows) and rows[0][0] == created and [row[0] for row in stored] == list(events)


def set_guests(table: str, guests: Sequence[str]) -> Operation[None]:
    """Replace the list of guests who play at a table."""
    yield "DELETE FROM sitting WHERE table_id = :table", {"table": table}
    for guest in dict.fromkeys(guests):
        yield "INSERT INTO sitting (table_id, guest) VALUES (:table, :guest)", {"table": table, "guest": guest}


def card_columns(card: LobbyCard) -> dict[str, Any]:
    """A lobby card as columns of `tables`."""
    return {
        "public": card.public,
        "open_seats": card.open_seats,
        "edition": card.edition,
        "state": card.state,
        "active": card.active,
        "detail": card.detail,
    }


def rewrite(change: Rewrite) -> Operation[None]:
    """Replace bodies and append; `Conflict` if events were appended since the log was read."""
    append = change.append
    table, card = append.table, append.card
    assert card is not None
    moved = yield (
        "UPDATE tables SET head = head + :count, public = :public, open_seats = :open_seats, edition = :edition, "
        "state = :state, active = :active, detail = :detail WHERE id = :table AND head = :head RETURNING head",
        {"table": table, "head": append.first - 1, "count": len(append.events), **card_columns(card)},
    )
    if not moved:
        raise Conflict(table, append.first, (yield from head_of(table)))
    if append.due is not UNSET:
        yield "UPDATE tables SET due = :due WHERE id = :table", {"table": table, "due": append.due}
    for number, body in enumerate(append.events, append.first):
        yield (
            "INSERT INTO events (table_id, number, body) VALUES (:table, :number, :body)",
            {"table": table, "number": number, "body": body},
        )
    yield from set_guests(table, append.guests or ())
    yield from replace_bodies(change, ["events"])


def replace_bodies(change: Rewrite, where: Sequence[str]) -> Operation[None]:
    """Replace events in these tables of the database; the log names the guest no more."""
    for number, body in change.bodies.items():
        for name in where:
            yield (
                f"UPDATE {name} SET body = :body WHERE table_id = :table AND number = :number",  # noqa: S608
                {"body": body, "table": change.append.table, "number": number},
            )
    yield from leave_table(change.guest, change.append.table)
    if change.into:
        yield from add_visitors(change.append.table, [change.into])


def head_of(table: str) -> Operation[int]:
    """The number of the last event."""
    rows = yield "SELECT head FROM tables WHERE id = :table", {"table": table}
    if not rows:
        raise NoTable(table)
    return int(rows[0][0])


def events_of(table: str, after: int) -> Operation[list[bytes]]:
    """The events after a number; one statement, so that no deletion comes between the table and its events."""
    rows = yield (
        "SELECT e.body FROM tables t LEFT JOIN events e ON e.table_id = t.id AND e.number > :after "
        "WHERE t.id = :table ORDER BY e.number",
        {"table": table, "after": after},
    )
    if not rows:
        raise NoTable(table)
    return [row[0] for row in rows if row[0] is not None]


def find(table: str) -> Operation[ListedTable | None]:
    """A table as lists show it, if it exists."""
    rows = yield f"{TABLE} WHERE t.id = :table", {"table": table}
    return _listed(rows)[0] if rows else None


def in_lobby(limit: int) -> Operation[list[ListedTable]]:
    """Public tables with open seats, those where something happened last first.

    A guest fills the list with no more than `LISTED_PER_GUEST` of them: a table is left out if all its guests are at so
    many others that come before it.
    """
    rows = yield (
        f"{TABLE} WHERE t.public AND t.open_seats > 0 AND ({IS_LISTED}) ORDER BY t.active DESC, t.id LIMIT :limit",
        {"limit": limit, "most": LISTED_PER_GUEST},
    )
    return _listed(rows)


def of_guest(guest: str, limit: int) -> Operation[list[ListedTable]]:
    """The tables a guest plays at: first those where something is left to do, so that none of them is cut off."""
    rows = yield (
        f"{TABLE} JOIN sitting s ON s.table_id = t.id WHERE s.guest = :guest "
        "ORDER BY (t.state IN ('over', 'closed')), t.active DESC, t.id LIMIT :limit",
        {"guest": guest, "limit": limit},
    )
    return _listed(rows)


def due_by(now: float, limit: int) -> Operation[list[ListedTable]]:
    """The tables with a deadline that has passed."""
    rows = yield (
        f"{TABLE} WHERE t.due <= :now ORDER BY t.due, t.id LIMIT :limit",
        {"now": now, "limit": limit},
    )
    return _listed(rows)


def idle_since(before: float, limit: int) -> Operation[list[ListedTable]]:
    """The tables without activity since a time."""
    rows = yield (
        f"{TABLE} WHERE t.active < :before ORDER BY t.active, t.id LIMIT :limit",
        {"before": before, "limit": limit},
    )
    return _listed(rows)


def delete(table: str) -> Operation[bool]:
    """Delete a table with its events, guests and links; False if there was none."""
    rows = yield "DELETE FROM tables WHERE id = :table RETURNING id", {"table": table}
    return bool(rows)


def _listed(rows: Rows) -> list[ListedTable]:
    return [
        ListedTable(id, created, due, LobbyCard(bool(public), open_seats, edition, state, active, detail))
        for id, created, due, public, open_seats, edition, state, active, detail in rows
    ]
