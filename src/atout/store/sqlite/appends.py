"""Appends in SQLite: events are written one after the other as they come, and put in their place later, many at once.

Every table's events lie on pages of their own, so that writing an event to its place changes a page for each table of a
group, and its head another one; the disk gets all of them. In `recent` a whole group goes to the end of one page or
two. When enough have come, all are moved to `events` in the order of their tables, several for each page.

    head of a table     that of its row if nothing of it is in `recent`; else it is remembered here

What is remembered is right as long as nobody else writes to the file. SQLite tells if somebody has; then the heads are
read anew. So two stores on one file never write the same number, either.

Every call into SQLite lets the event loop have the interpreter, and has to wait to get it back. So a group is one
INSERT, and one UPDATE if something besides the log changes. Their VALUES are filled up with empty rows to a power of
two, so that a few dozen prepared statements serve all sizes.
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

MOST_RECENT = 4000
"""Events in `recent`, until they are moved: that takes 10 µs each, and reading a table looks at all of them."""
COLUMNS = ("id", "sets_due", "due", "public", "open_seats", "edition", "state", "active", "detail")
WANTED = ", ".join(f"column{i} AS {name}" for i, name in enumerate(COLUMNS, 1))
WRITE = """
INSERT INTO recent (table_id, number, body)
SELECT column1, column2, column3 FROM (VALUES {rows}) WHERE column1 IS NOT NULL
"""
CHANGE = """
UPDATE tables INDEXED BY sqlite_autoindex_tables_1 SET
    due = CASE WHEN w.sets_due THEN w.due ELSE tables.due END,
    public = coalesce(w.public, tables.public),
    open_seats = coalesce(w.open_seats, tables.open_seats),
    edition = coalesce(w.edition, tables.edition),
    state = coalesce(w.state, tables.state),
    active = coalesce(w.active, tables.active),
    detail = coalesce(w.detail, tables.detail)
FROM (SELECT {wanted} FROM (VALUES {rows})) AS w WHERE tables.id = w.id
"""
RECENT = "SELECT table_id, max(number), count(*) FROM recent GROUP BY table_id"
HEADS = "SELECT id, head FROM tables WHERE id IN (VALUES {rows})"
MOVE = (
    "INSERT INTO events (table_id, number, body) SELECT table_id, number, body FROM recent ORDER BY table_id, number",
    "UPDATE tables SET head = last FROM (SELECT table_id, max(number) AS last FROM recent GROUP BY table_id) AS r "
    "WHERE tables.id = r.table_id",
    "DELETE FROM recent",
)


class Appends:
    """Of the connection that writes; calls are made in its transactions."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._heads: dict[str, int] = {}
        """Of all tables with events in `recent`, and of some others."""
        self._version: int | None = None
        """Of the database, when what is remembered was right; None: it may be wrong."""
        self._count = 0

    def write(self, appends: Sequence[Append]) -> list[Conflict | NoTable | None]:
        """Write those that fit, and say of the others why they do not. No two are of one table (`group.py`)."""
        self._look()
        self._remember([append.table for append in appends if append.table not in self._heads])
        refusals = [self._refusal(append) for append in appends]
        fitting = [append for append, refusal in zip(appends, refusals, strict=True) if refusal is None]
        bodies = [(append.table, append.first + i, body) for append in fitting for i, body in enumerate(append.events)]
        if bodies:
            _execute(self._connection, WRITE, 3, bodies)
            self._count += len(bodies)
            self._heads.update([(table, number) for table, number, _ in bodies])
        changes = [_change(append) for append in fitting if append.card is not None or append.due is not UNSET]
        if changes:
            _execute(self._connection, CHANGE, len(COLUMNS), changes)
        for append in fitting:
            if append.guests is not None:
                run(sit(append.table, append.guests), partial(fetch, self._connection))
        return refusals

    @property
    def are_many(self) -> bool:
        """It is time to settle."""
        return self._count >= MOST_RECENT

    def settle(self) -> None:
        """Everything to its place."""
        for statement in MOVE:
            self._connection.execute(statement)
        self._heads.clear()
        self._count = 0

    def forget(self) -> None:
        """A transaction was undone, or a table deleted: what is remembered may be wrong."""
        self._version = None

    def _look(self) -> None:
        """Whether somebody else wrote."""
        version = self._connection.execute("PRAGMA data_version").fetchone()[0]
        if version != self._version:
            rows = self._connection.execute(RECENT).fetchall()
            self._heads = {table: last for table, last, _ in rows}
            self._count = sum(count for _, _, count in rows)
            self._version = version

    def _remember(self, tables: Sequence[str]) -> None:
        if tables:
            self._heads.update(_execute(self._connection, HEADS, 1, [(table,) for table in tables]).fetchall())

    def _refusal(self, append: Append) -> Conflict | NoTable | None:
        head = self._heads.get(append.table)
        if head is None:
            return NoTable(append.table)
        return None if append.first == head + 1 else Conflict(append.table, append.first, head)


def fetch(connection: sqlite3.Connection, statement: str, parameters: dict[str, Any]) -> Rows:
    """Run a statement of an operation."""
    return connection.execute(statement, parameters).fetchall()


def _change(append: Append) -> tuple[Any, ...]:
    card, sets_due = append.card, append.due is not UNSET
    opening = append.table, sets_due, append.due if sets_due else None
    if card is None:
        return *opening, None, None, None, None, None, None
    return *opening, card.public, card.open_seats, card.edition, card.state, card.active, card.detail


def _execute(
    connection: sqlite3.Connection, template: str, width: int, rows: Sequence[tuple[Any, ...]]
) -> sqlite3.Cursor:
    """Run the template on these rows."""
    height = 1 << (len(rows) - 1).bit_length()
    values: list[Any] = [value for row in rows for value in row]
    values += [None] * (width * (height - len(rows)))
    return connection.execute(_statement(template, width, height), values)


@cache
def _statement(template: str, width: int, height: int) -> str:
    row = "(" + ", ".join("?" * width) + ")"
    return template.format(wanted=WANTED, rows=", ".join([row] * height))
