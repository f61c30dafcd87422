"""Appends in PostgreSQL: one statement, one round trip and one fsync per group.

A connection that breaks leaves open whether the group was committed. The group is then written again. An append that is
refused this time is compared with what is stored: the same bytes under the same number are the event of the first
attempt.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from atout.errors import Conflict, NoTable, Unavailable
from atout.store.group import Job, Outcome
from atout.store.model import Append
from atout.store.operations.guests import add_visitors
from atout.store.operations.tables import set_guests
from atout.store.postgres.connect import connect, run
from atout.store.postgres.errors import as_store_error, is_temporary, was_rolled_back
from atout.store.retry import attempts
from atout.store.unavailable import logged

# Rows are locked in the order of their ids, so that two workers never deadlock. The head changes only from the number
# before the append's first event, and PostgreSQL looks at it again after waiting for a lock.
APPEND = """
WITH wanted AS (
    SELECT * FROM unnest(
        $1::text[], $2::bigint[], $3::bigint[], $4::boolean[], $5::float8[],
        $6::boolean[], $7::integer[], $8::text[], $9::text[], $10::float8[], $11::bytea[]
    ) AS w (id, first, count, sets_due, due, public, open_seats, edition, state, active, detail)
), ready AS MATERIALIZED (
    SELECT t.id FROM tables t JOIN wanted w ON t.id = w.id AND t.head = w.first - 1 ORDER BY t.id FOR UPDATE OF t
), changed AS (
    UPDATE tables t SET
        head = t.head + w.count,
        due = CASE WHEN w.sets_due THEN w.due ELSE t.due END,
        public = coalesce(w.public, t.public),
        open_seats = coalesce(w.open_seats, t.open_seats),
        edition = coalesce(w.edition, t.edition),
        state = coalesce(w.state, t.state),
        active = coalesce(w.active, t.active),
        detail = coalesce(w.detail, t.detail)
    FROM wanted w JOIN ready r ON r.id = w.id
    WHERE t.id = w.id AND t.head = w.first - 1
    RETURNING t.id, t.head
), written AS (
    INSERT INTO events (table_id, number, body)
    SELECT e.id, e.number, e.body
    FROM unnest($12::text[], $13::bigint[], $14::bytea[]) AS e (id, number, body) JOIN changed c ON c.id = e.id
)
SELECT id FROM changed
"""


class Appender:
    """Commits groups on a connection of its own, and reconnects when it breaks."""

    def __init__(self, url: str, patience: float) -> None:
        self._url, self._patience = url, patience
        self._connection: Any = None

    def close(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    async def commit(self, group: Sequence[Job]) -> Sequence[Outcome]:
        """Return one outcome per job. A group that fails as a whole is written job by job: only its cause fails."""
        last: Exception = Unavailable("PostgreSQL was not tried")
        async for _ in attempts(self._patience):
            try:
                return await self._once(group)
            except Exception as error:
                last = error
            if not is_temporary(last):
                break
        if len(group) > 1 and not is_temporary(last):
            return [(await self.commit([job]))[0] for job in group]
        return [logged(as_store_error(last), last)] * len(group)

    async def _once(self, group: Sequence[Job]) -> Sequence[Outcome]:
        if self._connection is None or self._connection.is_closed():
            self._connection = await connect(self._url)
        try:
            written = await self._write([job.work for job in group if isinstance(job.work, Append)])
            for job in group:
                job.is_unsure |= _append(job).table in written  # committed, even if the next query fails
            return [None if _append(job).table in written else await self._refusal(job) for job in group]
        except Exception as error:
            if not was_rolled_back(error):
                self.close()
                for job in group:
                    job.is_unsure = True
            raise

    async def _write(self, appends: Sequence[Append]) -> set[str]:
        """Write the appends that fit; return their tables."""
        seated = {append.table: append.guests for append in appends if append.guests is not None}
        named = {append.table: append.visitors for append in appends if append.visitors}
        if not seated and not named:
            return {row[0] for row in await self._connection.fetch(APPEND, *_columns(appends))}
        async with self._connection.transaction():
            written = {row[0] for row in await self._connection.fetch(APPEND, *_columns(appends))}
            for table in sorted(written & seated.keys()):
                await run(self._connection, set_guests(table, seated[table]))
            for table in sorted(written & named.keys()):
                await run(self._connection, add_visitors(table, named[table]))
        return written

    async def _refusal(self, job: Job) -> Conflict | NoTable | None:
        """Why an append did not fit; None if an earlier attempt of this very append was committed."""
        append = _append(job)
        head = await self._connection.fetchval("SELECT head FROM tables WHERE id = $1", append.table)
        if head is None:
            return NoTable(append.table)
        if job.is_unsure:
            rows = await self._connection.fetch(
                "SELECT body FROM events WHERE table_id = $1 AND number >= $2 ORDER BY number LIMIT $3",
                append.table,
                append.first,
                len(append.events),
            )
            if [row[0] for row in rows] == list(append.events):
                return None
        return Conflict(append.table, append.first, head)


def _append(job: Job) -> Append:
    assert isinstance(job.work, Append)
    return job.work


def _columns(appends: Sequence[Append]) -> list[list[Any]]:
    """The parameters of APPEND, one list per column: first of tables, then of events."""
    cards = [append.card for append in appends]
    return [
        [append.table for append in appends],
        [append.first for append in appends],
        [len(append.events) for append in appends],
        [append.due is not UNSET for append in appends],
        [None if append.due is UNSET else append.due for append in appends],
        [card and card.public for card in cards],
        [card and card.open_seats for card in cards],
        [card and card.edition for card in cards],
        [card and card.state for card in cards],
        [card and card.active for card in cards],
        [card and card.detail for card in cards],
        [append.table for append in appends for _ in append.events],
        [append.first + i for append in appends for i in range(len(append.events))],
        [body for append in appends for body in append.events],
    ]
