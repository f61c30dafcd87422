"""Appends in SQLite: a whole group in two statements, or each by itself when one of them does not fit.

Every call into SQLite lets the event loop have the interpreter, and has to wait to get it back: under load that wait,
not SQLite, is what an append costs. So a group is one INSERT and one UPDATE, or two: most appends move only the head,
and need not touch what is indexed. Their VALUES are filled up with empty rows to a power of two, so that a few dozen
prepared statements serve all sizes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import cache, partial
from typing import Any

from msgspec import UNSET

from atout.errors import Conflict, NoTable
from atout.store.model import Append
from atout.store.operations import Rows, run
from atout.store.operations.tables import sit

# sqlite3 counts changed rows only of statements that begin with their verb, so WITH is not for us.
COLUMNS = ("id", "first", "count", "sets_due", "due", "public", "open_seats", "edition", "state", "active", "detail")
WANTED = ", ".join(f"column{i} AS {name}" for i, name in enumerate(COLUMNS, 1))
ADVANCE = """
UPDATE tables INDEXED BY sqlite_autoindex_tables_1 SET head = head + column3
FROM (VALUES {rows}) WHERE tables.id = column1 AND tables.head = column2 - 1
"""
MOVE = """
UPDATE tables INDEXED BY sqlite_autoindex_tables_1 SET
    head = head + w.count,
    due = CASE WHEN w.sets_due THEN w.due ELSE tables.due END,
    public = coalesce(w.public, tables.public),
    open_seats = coalesce(w.open_seats, tables.open_seats),
    edition = coalesce(w.edition, tables.edition),
    state = coalesce(w.state, tables.state),
    active = coalesce(w.active, tables.active),
    detail = coalesce(w.detail, tables.detail)
FROM (SELECT {wanted} FROM (VALUES {rows})) AS w
WHERE tables.id = w.id AND tables.head = w.first - 1
"""
WRITE = """
INSERT INTO events (table_id, number, body)
SELECT column1, column2, column3 FROM (VALUES {rows}) WHERE column1 IS NOT NULL
"""


def append_all(connection: sqlite3.Connection, appends: Sequence[Append]) -> bool:
    """Write all of them; False if one does not fit, and then the transaction must be rolled back."""
    plain = [append for append in appends if append.card is None and append.due is UNSET]
    more = [append for append in appends if append.card is not None or append.due is not UNSET]
    heads = [(append.table, append.first, len(append.events)) for append in plain]
    if heads and _execute(connection, ADVANCE, 3, heads) != len(heads):
        return False
    if more and _execute(connection, MOVE, len(COLUMNS), [_change(append) for append in more]) != len(more):
        return False
    bodies = [(append.table, append.first + i, body) for append in appends for i, body in enumerate(append.events)]
    if bodies:
        _execute(connection, WRITE, 3, bodies)
    for append in appends:
        if append.guests is not None:
            run(sit(append.table, append.guests), partial(fetch, connection))
    return True


def append_one(connection: sqlite3.Connection, append: Append) -> Conflict | NoTable | None:
    """Write one, or say why it does not fit; then nothing was changed."""
    if append_all(connection, [append]):
        return None
    heads = connection.execute("SELECT head FROM tables WHERE id = ?", (append.table,)).fetchall()
    return Conflict(append.table, append.first, heads[0][0]) if heads else NoTable(append.table)


def fetch(connection: sqlite3.Connection, statement: str, parameters: dict[str, Any]) -> Rows:
    """Run a statement of an operation."""
    return connection.execute(statement, parameters).fetchall()


def _change(append: Append) -> tuple[Any, ...]:
    card = append.card
    sets_due = append.due is not UNSET
    opening = append.table, append.first, len(append.events), sets_due, append.due if sets_due else None
    if card is None:
        return *opening, None, None, None, None, None, None
    return *opening, card.public, card.open_seats, card.edition, card.state, card.active, card.detail


def _execute(connection: sqlite3.Connection, template: str, width: int, rows: Sequence[tuple[Any, ...]]) -> int:
    """Run the template on these rows; how many rows it changed."""
    height = 1 << (len(rows) - 1).bit_length()
    values: list[Any] = [value for row in rows for value in row]
    values += [None] * (width * (height - len(rows)))
    return connection.execute(_statement(template, width, height), values).rowcount


@cache
def _statement(template: str, width: int, height: int) -> str:
    row = "(" + ", ".join("?" * width) + ")"
    return template.format(wanted=WANTED, rows=", ".join([row] * height))
