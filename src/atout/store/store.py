"""The interface of a store: everything the table server keeps, and what it may rely on.

    durable     a call that writes returns when what it wrote survives a crash of the process and of the machine
    numbered    event n is written once, by one caller; no number is left out; a batch is there whole or not at all
    grouped     concurrent appends share a transaction and its one fsync; one that is refused fails alone
    honest      `Unavailable` leaves open whether an append was written: read `events` again before going on

`Conflict` and `NoTable` are answers; `Unavailable` and `StoreFull` are faults that pass. A store has already tried
again by itself, for a while, when it says `Unavailable`; so a call that tells whether something was there may say
False about what it removed itself, at its first try. A call that is cancelled may still be carried out.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Protocol

from atout.store.model import (
    Append,
    Card,
    Entry,
    Guest,
    Listed,
    Moved,
    Record,
    Result,
    SeatLink,
    Statistics,
)

PAGE = 50


class Store(Protocol):
    """A place where tables, guests and records are kept."""

    @property
    def shared(self) -> bool:
        """Whether several processes may use it at once; if not, `watch` knows of this process's appends only."""
        ...

    async def close(self) -> None:
        """Finish what was begun, refuse what comes after."""
        ...

    # Tables and their events

    async def create_table(
        self, table: str, card: Card, events: Sequence[bytes], *, due: float | None = None, guests: Sequence[str] = ()
    ) -> None:
        """A new table with its first events; `Conflict` if its id is taken."""
        ...

    async def append(self, append: Append) -> None:
        """Write the events, or raise `Conflict` if `first` does not follow the last one, `NoTable` if it is gone."""
        ...

    def begin_append(self, append: Append, settle: Callable[[Exception | None], None]) -> None:
        """`append` for who does not wait: calls back with None when it is durable, or with what `append` would raise.

        A store that takes nothing at all raises at once.
        """
        ...

    def before_writing(self, call: Callable[[], None]) -> None:
        """Call right before the store writes the next time: an append begun by then waits no longer than one begun now.

        For who decides many appends one after the other in less time than each by itself. A store that takes nothing at
        all raises at once.
        """
        ...

    async def events(self, table: str, after: int = 0) -> list[bytes]:
        """The events after number `after`, in order; `NoTable` if there is no such table."""
        ...

    async def head(self, table: str) -> int:
        """The number of the last event; `NoTable` if there is no such table."""
        ...

    async def table(self, table: str) -> Listed | None:
        """A table's card, if there is such a table."""
        ...

    async def open_tables(self, limit: int = PAGE) -> list[Listed]:
        """Public tables with open seats, the most recently active first."""
        ...

    async def tables_of(self, guest: str, limit: int = PAGE) -> list[Listed]:
        """The tables a guest plays at, the most recently active first."""
        ...

    async def due(self, now: float, limit: int = 1000) -> list[Listed]:
        """Tables that wanted to be woken by `now`, the earliest first."""
        ...

    async def idle_tables(self, before: float, limit: int = 1000) -> list[Listed]:
        """Tables not active since `before`, the stalest first: what retention may delete."""
        ...

    async def delete_table(self, table: str) -> bool:
        """Remove a table with its events and links; its records stay. False if it was not there."""
        ...

    def watch(self) -> AsyncIterator[Moved | None]:
        """News of appends after they are durable, only the latest of a table.

        None says that news may have been missed: whoever cares about a table reads it again. Appends are reported
        from the moment of this call on; the iterator ends when the store is closed.
        """
        ...

    # Guests and links to seats

    async def save_guest(self, guest: Guest) -> None:
        """Add a guest, or replace name, settings and when they were last seen."""
        ...

    async def guest(self, guest: str) -> Guest | None:
        """A guest, if known."""
        ...

    async def saw_guest(self, guest: str, when: float) -> bool:
        """Note when a guest was last seen; False if unknown."""
        ...

    async def delete_guest(self, guest: str) -> bool:
        """Forget a guest: name, settings, list of records, statistics. False if unknown."""
        ...

    async def add_link(self, link: SeatLink) -> None:
        """Keep a link to a seat; `NoTable` if there is no such table."""
        ...

    async def link(self, hash: bytes) -> SeatLink | None:
        """The link with this hash, revoked or not."""
        ...

    async def links(self, table: str) -> list[SeatLink]:
        """All links of a table, the oldest first."""
        ...

    async def revoke_link(self, hash: bytes) -> bool:
        """Make a link useless; False if there was none to revoke."""
        ...

    # Records and statistics

    async def save_record(self, record: Record, results: Sequence[Result]) -> bool:
        """Keep a finished game, list it for each guest of `results` and add to their statistics.

        Saving the same record of a table again does nothing and says False, even after everybody deleted it.
        `NoTable` if the table is gone.
        """
        ...

    async def records(self, guest: str, after: Entry | None = None, limit: int = PAGE) -> list[Entry]:
        """A guest's records, the latest first; `after` is the last entry of the page before."""
        ...

    async def record(self, id: str) -> Record | None:
        """A record with its body."""
        ...

    async def lists_record(self, guest: str, id: str) -> bool:
        """Whether a record is in a guest's list."""
        ...

    async def delete_record(self, guest: str, id: str) -> bool:
        """Strike a record from a guest's list; it goes for good when it is in nobody's. False if it was not there."""
        ...

    async def statistics(self, guest: str) -> list[Statistics]:
        """A guest's statistics, an edition each."""
        ...

    # The whole

    async def check(self) -> None:
        """Return if the database answers; raise `Unavailable` if not. For health checks."""
        ...

    async def backup(self, path: Path) -> None:
        """A consistent copy in a new file while the store works on; only for SQLite."""
        ...
