"""Operations on guests, and on the links that hand a seat to another device."""

from __future__ import annotations

import msgspec

from atout.errors import NoTable
from atout.store.model import Guest, SeatLink
from atout.store.operations import Operation, Rows


def save(guest: Guest) -> Operation[None]:
    """Add or replace a guest; the time of creation stays."""
    yield (
        "INSERT INTO guests (id, created, seen, name, settings) VALUES (:id, :created, :seen, :name, :settings) "
        "ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, name = excluded.name, settings = excluded.settings",
        msgspec.structs.asdict(guest),
    )


def find(guest: str) -> Operation[Guest | None]:
    """A guest, if known."""
    rows = yield "SELECT id, created, seen, name, settings FROM guests WHERE id = :guest", {"guest": guest}
    return Guest(*rows[0]) if rows else None


def mark_seen(guest: str, when: float) -> Operation[bool]:
    """Set when a guest was last seen, unless a later time is stored; False if unknown."""
    rows = yield (
        "UPDATE guests SET seen = CASE WHEN seen < :at THEN :at ELSE seen END WHERE id = :guest RETURNING id",
        {"guest": guest, "at": when},
    )
    return bool(rows)


def delete(guest: str) -> Operation[bool]:
    """Delete everything kept under a guest's id, and the records that are in nobody else's list."""
    parameters = {"guest": guest}
    rows = yield "DELETE FROM guests WHERE id = :guest RETURNING id", parameters
    listed = yield "DELETE FROM listings WHERE guest = :guest RETURNING record_id", parameters
    for (record,) in listed:
        yield from drop_unlisted(record)
    yield "DELETE FROM statistics WHERE guest = :guest", parameters
    yield "DELETE FROM sitting WHERE guest = :guest", parameters
    return bool(rows)


def drop_unlisted(record: str) -> Operation[None]:
    """Delete a record that is in no list. Its row is locked first, so that one of two concurrent deletions sees it."""
    yield "UPDATE records SET id = id WHERE id = :record", {"record": record}
    yield (
        "DELETE FROM records WHERE id = :record AND NOT EXISTS (SELECT 1 FROM listings WHERE record_id = :record)",
        {"record": record},
    )


LINK = "SELECT hash, table_id, seat, created, revoked FROM links"


def add_link(link: SeatLink) -> Operation[None]:
    """Add a link. Tokens are random, so a hash that exists already comes from an earlier attempt of the same call."""
    found = yield "SELECT 1 FROM tables WHERE id = :table", {"table": link.table}
    if not found:
        raise NoTable(link.table)
    yield (
        "INSERT INTO links (hash, table_id, seat, created, revoked) VALUES (:hash, :table, :seat, :created, :revoked) "
        "ON CONFLICT (hash) DO NOTHING",
        msgspec.structs.asdict(link),
    )


def find_link(hash: bytes) -> Operation[SeatLink | None]:
    """The link with this hash, if there is one."""
    rows = yield f"{LINK} WHERE hash = :hash", {"hash": hash}
    return _links(rows)[0] if rows else None


def links_of(table: str) -> Operation[list[SeatLink]]:
    """The links of a table, the oldest first."""
    rows = yield f"{LINK} WHERE table_id = :table ORDER BY created, hash", {"table": table}
    return _links(rows)


def revoke_link(hash: bytes) -> Operation[bool]:
    """Make a link useless; False if there was none to revoke."""
    rows = yield "UPDATE links SET revoked = TRUE WHERE hash = :hash AND NOT revoked RETURNING seat", {"hash": hash}
    return bool(rows)


def _links(rows: Rows) -> list[SeatLink]:
    return [SeatLink(hash, table, seat, created, bool(revoked)) for hash, table, seat, created, revoked in rows]
