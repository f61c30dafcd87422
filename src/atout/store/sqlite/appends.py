"""Appends in SQLite: events are written to `recent` as they come, and moved to `events` later, many per page.

    append ──► recent ──► events          a table's events are those in `events`, then those in `recent`

The events of every table lie on pages of their own in `events`. Writing them there at once would change one page per
table of a group, and another one for its head, and all of these pages go to the disk. In `recent` a whole group goes to
the end of one or two pages. When `recent` has grown, the events of some tables move, all of a table at once.

The head of a table is remembered here while events of it are in `recent`; otherwise its row has it. What is remembered
is right as long as nobody else writes to the file. SQLite's `data_version` tells when somebody did; then `recent` is
read again. So two stores on one file never write the same number.

Every call into SQLite releases the interpreter lock and has to wait to get it back. So a group is one INSERT, and one
UPDATE if something besides events changes. Their VALUES are padded with empty rows to a power of two, so that a few
dozen prepared statements serve all sizes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import cache, partial
from itertools import islice
from typing import Any

from msgspec import UNSET

from atout.errors import Conflict, NoTable
from atout.store.model import Append
from atout.store.operations import Operation, run
from atout.store.operations.guests import add_visitors
from atout.store.operations.tables import set_guests
from atout.store.sqlite.connect import fetch

MAX_RECENT = 4000
"""Events in `recent` from which on some are moved. Reading a table's events looks at all of them."""
TABLES_PER_MOVE = 32
"""Tables whose events move at once: few enough that the next group hardly waits."""
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
MOVE = """
INSERT INTO events (table_id, number, body)
SELECT table_id, number, body FROM recent WHERE table_id IN (VALUES {rows}) ORDER BY table_id, number
"""
SET_HEAD = "UPDATE tables SET head = ? WHERE id = ?"
CLEAR = "DELETE FROM recent WHERE table_id IN (VALUES {rows})"


class Appends:
    """Writes appends on the store's writing connection, within the store's transactions."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._heads: dict[str, int] = {}
        """The last event's number of every table that has events in `recent`, the longest there first."""
        self._count = 0
        """Events in `recent`."""
        self._version: int | None = None
        """SQLite's `data_version` for which the two are right; None if they may be wrong."""

    def write(self, appends: Sequence[Append]) -> list[Conflict | NoTable | None]:
        """Write the appends that fit, and return for each of the others why it does not. No two share a table."""
        self._refresh()
        unknown = [(append.table,) for append in appends if append.table not in self._heads]
        heads = dict(_execute(self._connection, HEADS, 1, unknown).fetchall()) if unknown else {}
        refusals = [_refusal(append, self._heads.get(append.table, heads.get(append.table))) for append in appends]
        accepted = [append for append, refusal in zip(appends, refusals, strict=True) if refusal is None]
        events = [(append.table, append.first + i, body) for append in accepted for i, body in enumerate(append.events)]
        if events:
            _execute(self._connection, WRITE, 3, events)
            self._count += len(events)
            self._heads.update([(table, number) for table, number, _ in events])
        changes = [_change(append) for append in accepted if append.card is not None or append.due is not UNSET]
        if changes:
            _execute(self._connection, CHANGE, len(COLUMNS), changes)
        for append in accepted:
            if append.guests is not None:
                run(set_guests(append.table, append.guests), partial(fetch, self._connection))
            if append.visitors:
                run(add_visitors(append.table, append.visitors), partial(fetch, self._connection))
        return refusals

    @property
    def should_move(self) -> bool:
        """Whether `recent` has grown so far that some of its events should be moved."""
        return self._count >= MAX_RECENT

    def move_some(self, most: int = TABLES_PER_MOVE) -> bool:
        """Move the events of the tables that have been in `recent` longest; True if there were any."""
        self._refresh()
        tables = list(islice(self._heads.items(), most))
        if not tables:
            return False
        ids = [(table,) for table, _ in tables]
        _execute(self._connection, MOVE, 1, ids)
        self._connection.executemany(SET_HEAD, [(head, table) for table, head in tables])
        self._count -= _execute(self._connection, CLEAR, 1, ids).rowcount
        for table, _ in tables:
            del self._heads[table]
        return True

    def invalidate(self) -> None:
        """Read `recent` again before the next write: a transaction was rolled back, or a table was deleted."""
        self._version = None

    def _refresh(self) -> None:
        version = self._connection.execute("PRAGMA data_version").fetchone()[0]
        if version != self._version:
            rows = self._connection.execute(RECENT).fetchall()
            self._heads = {table: last for table, last, _ in rows}
            self._count = sum(count for _, _, count in rows)
            self._version = version


def head_of(table: str) -> Operation[int]:
    """The number of a table's last event, which may be in `recent`."""
    rows = yield (
        "SELECT t.head, (SELECT max(number) FROM recent WHERE table_id = :table) FROM tables t WHERE t.id = :table",
        {"table": table},
    )
    if not rows:
        raise NoTable(table)
    moved, recent = rows[0]
    return int(moved if recent is None else recent)


def events_of(table: str, after: int) -> Operation[list[bytes]]:
    """A table's events after a number; one statement, so that nothing moves or is deleted in between."""
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


def _refusal(append: Append, head: int | None) -> Conflict | NoTable | None:
    if head is None:
        return NoTable(append.table)
    return None if append.first == head + 1 else Conflict(append.table, append.first, head)


def _change(append: Append) -> tuple[Any, ...]:
    card, sets_due = append.card, append.due is not UNSET
    due = append.table, sets_due, append.due if sets_due else None
    if card is None:
        return *due, None, None, None, None, None, None
    return *due, card.public, card.open_seats, card.edition, card.state, card.active, card.detail


def _execute(
    connection: sqlite3.Connection, template: str, width: int, rows: Sequence[tuple[Any, ...]]
) -> sqlite3.Cursor:
    """Run a template on these rows, padded to a power of two."""
    height = 1 << (len(rows) - 1).bit_length()
    values: list[Any] = [value for row in rows for value in row]
    values += [None] * (width * (height - len(rows)))
    return connection.execute(_statement(template, width, height), values)


@cache
def _statement(template: str, width: int, height: int) -> str:
    row = "(" + ", ".join("?" * width) + ")"
    return template.format(wanted=WANTED, rows=", ".join([row] * height))
