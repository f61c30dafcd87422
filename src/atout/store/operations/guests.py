"""Guests, and the links that move a seat to another device."""

from __future__ import annotations

import msgspec

from atout.errors import NoTable
from atout.store.model import Guest, SeatLink
from atout.store.operations import Operation, Rows


def save(guest: Guest) -> Operation[None]:
    """Add or replace; when a guest came first is kept."""
    yield (
        "INSERT INTO guests (id, created, seen, name, settings) VALUES (:id, :created, :seen, :name, :settings) "
        "ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, name = excluded.name, settings = excluded.settings",
        msgspec.structs.asdict(guest),
    )


def get(guest: str) -> Operation[Guest | None]:
    """A guest, if known."""
    rows = yield "SELECT id, created, seen, name, settings FROM guests WHERE id = :guest", {"guest": guest}
    return Guest(*rows[0]) if rows else None


def saw(guest: str, when: float) -> Operation[bool]:
    """Note when a guest was here; never earlier than noted before."""
    rows = yield (
        "UPDATE guests SET seen = CASE WHEN seen < :at THEN :at ELSE seen END WHERE id = :guest RETURNING id",
        {"guest": guest, "at": when},
    )
    return bool(rows)


def forget(guest: str) -> Operation[bool]:
    """Everything kept under a guest's id; a record goes when it is in nobody's list any more."""
    parameters = {"guest": guest}
    rows = yield "DELETE FROM guests WHERE id = :guest RETURNING id", parameters
    listed = yield "DELETE FROM listings WHERE guest = :guest RETURNING record_id", parameters
    for (record,) in listed:
        yield from drop_unlisted(record)
    yield "DELETE FROM statistics WHERE guest = :guest", parameters
    yield "DELETE FROM sitting WHERE guest = :guest", parameters
    return bool(rows)


def drop_unlisted(record: str) -> Operation[None]:
    """Remove a record that nobody lists. Its row is locked first: of two who delete at once the later one sees it."""
    yield "UPDATE records SET id = id WHERE id = :record", {"record": record}
    yield (
        "DELETE FROM records WHERE id = :record AND NOT EXISTS (SELECT 1 FROM listings WHERE record_id = :record)",
        {"record": record},
    )


LINK = "SELECT hash, table_id, seat, created, revoked FROM links"


def add_link(link: SeatLink) -> Operation[None]:
    """Keep a link. Hashes are of random tokens: the same one again is a second try."""
    there = yield "SELECT 1 FROM tables WHERE id = :table", {"table": link.table}
    if not there:
        raise NoTable(link.table)
    yield (
        "INSERT INTO links (hash, table_id, seat, created, revoked) VALUES (:hash, :table, :seat, :created, :revoked) "
        "ON CONFLICT (hash) DO NOTHING",
        msgspec.structs.asdict(link),
    )


def get_link(hash: bytes) -> Operation[SeatLink | None]:
    """The link with this hash."""
    rows = yield f"{LINK} WHERE hash = :hash", {"hash": hash}
    return _links(rows)[0] if rows else None


def links_of(table: str) -> Operation[list[SeatLink]]:
    """The links of a table."""
    rows = yield f"{LINK} WHERE table_id = :table ORDER BY created, hash", {"table": table}
    return _links(rows)


def revoke(hash: bytes) -> Operation[bool]:
    """A link that was good is good no more."""
    rows = yield "UPDATE links SET revoked = TRUE WHERE hash = :hash AND NOT revoked RETURNING seat", {"hash": hash}
    return bool(rows)


def _links(rows: Rows) -> list[SeatLink]:
    return [SeatLink(hash, table, seat, created, bool(revoked)) for hash, table, seat, created, revoked in rows]
