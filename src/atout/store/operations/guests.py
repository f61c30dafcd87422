"""Operations on guests, and on the links that hand a seat to another device."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec

from atout.errors import GuestForgotten, NoTable
from atout.store.model import Guest, SeatLink
from atout.store.operations import Operation, Rows

NUDGING = ("channels", "unconfirmed_mails", "nudge_settings", "nudge_choices", "nudges")
"""Tables with what a guest said about nudges."""
PEOPLE = (
    "DELETE FROM relations WHERE guest = :guest OR other = :guest",
    "DELETE FROM people WHERE guest = :guest",
    "DELETE FROM invitations WHERE guest = :guest OR inviter = :guest",
    "DELETE FROM reports WHERE reporter = :guest OR about = :guest",
    "DELETE FROM report_lines WHERE guest = :guest",
)
"""What deletes a guest's part in `operations/people.py`, also in others' lists, and reports by or about them."""


def save(guest: Guest) -> Operation[None]:
    """Add or replace a guest; the time of creation stays. `GuestForgotten` if they asked to be forgotten."""
    yield from lock([guest.id])
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


def hash_of(guest: str) -> bytes:
    """What is kept of a forgotten guest. Ids are random and 128 bits long, so nobody finds the id for a hash."""
    return hashlib.sha256(f"atout forgotten {guest}".encode()).digest()


def lock(guests: Sequence[str]) -> Operation[None]:
    """Let no guest of these be forgotten until the end of the transaction; `GuestForgotten` if one was."""
    for guest in sorted(guests):
        yield "UPDATE guests SET seen = seen WHERE id = :guest", {"guest": guest}
        if (yield from is_forgotten(guest)):
            raise GuestForgotten


def is_forgotten(guest: str) -> Operation[bool]:
    """Whether a guest asked to be forgotten."""
    rows = yield "SELECT 1 FROM forgotten WHERE hash = :hash", {"hash": hash_of(guest)}
    return bool(rows)


def forgotten_since(when: float) -> Operation[list[bytes]]:
    """The hashes of the guests forgotten since a time."""
    rows = yield "SELECT hash FROM forgotten WHERE at >= :since", {"since": when}
    return [row[0] for row in rows]


def half_forgotten() -> Operation[list[tuple[str, str]]]:
    """The guests who may still be named in event logs and records, each with the account they joined, if any."""
    rows = yield "SELECT guest, joins FROM forgotten WHERE guest IS NOT NULL ORDER BY at", {}
    return [(guest, joins or "") for guest, joins in rows]


def add_visitors(table: str, guests: Sequence[str]) -> Operation[None]:
    """Note that a table's event log names these guests; `GuestForgotten` if it must not."""
    yield from lock(guests)
    for guest in guests:
        yield (
            "INSERT INTO visitors (table_id, guest) VALUES (:table, :guest) ON CONFLICT DO NOTHING",
            {"table": table, "guest": guest},
        )


def visited(guest: str) -> Operation[list[str]]:
    """The tables whose event logs name a guest."""
    rows = yield "SELECT table_id FROM visitors WHERE guest = :guest ORDER BY table_id", {"guest": guest}
    return [row[0] for row in rows]


def leave_table(guest: str, table: str) -> Operation[None]:
    """A table's event log names a guest no more."""
    parameters = {"guest": guest, "table": table}
    yield "DELETE FROM visitors WHERE guest = :guest AND table_id = :table", parameters


def finish_deletion(guest: str) -> Operation[None]:
    """Nothing names the guest any more: keep the hash of the id alone."""
    yield "UPDATE forgotten SET guest = NULL, joins = NULL WHERE hash = :hash", {"hash": hash_of(guest)}


def drop_forgotten(before: float) -> Operation[None]:
    """Drop the hashes of guests whose cookies are too old to be valid by now."""
    yield "DELETE FROM forgotten WHERE at < :before AND guest IS NULL", {"before": before}


def delete(guest: str, now: float) -> Operation[bool]:
    """Delete everything kept under a guest's id, and the records that are in nobody else's list.

    The cookie is void from now on. What names the guest elsewhere is left to others, until `finish_deletion`.
    """
    parameters = {"guest": guest}
    rows = yield "DELETE FROM guests WHERE id = :guest RETURNING id", parameters
    yield (
        "INSERT INTO forgotten (hash, at, guest) VALUES (:hash, :at, :guest) ON CONFLICT DO NOTHING",
        {"hash": hash_of(guest), "at": now, "guest": guest},
    )
    listed = yield "DELETE FROM listings WHERE guest = :guest RETURNING record_id", parameters
    for (record,) in listed:
        yield from drop_unlisted(record)
    yield "DELETE FROM records WHERE imported_by = :guest", parameters
    own = ("agreed", "statistics", "sitting", "mistakes", "attempts", "solvers", "daily_results", "daily_choices",
           "accounts", "passkeys", "oidc_identities", "sessions")  # fmt: skip
    for table in (*own, *NUDGING):
        yield f"DELETE FROM {table} WHERE guest = :guest", parameters  # noqa: S608
    for statement in PEOPLE:
        yield statement, parameters
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
