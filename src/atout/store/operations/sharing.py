"""Operations on what players agreed to show of a finished match, and on its public address."""

from __future__ import annotations

from atout.store.model import Agreement, Sharing
from atout.store.operations import Operation
from atout.store.operations.guests import lock


def agree(guest: str, record: str, shows: str, named: bool, address: str) -> Operation[bool]:
    """Note what a guest shows of a match in their list; False if it is not there.

    The record gets the address, unless it has one. `GuestForgotten` if the guest was forgotten.
    """
    yield from lock([guest])
    listed = yield (
        "SELECT 1 FROM listings WHERE record_id = :record AND guest = :guest",
        {"record": record, "guest": guest},
    )
    if not listed:
        return False
    yield from note(guest, record, shows, named, address)
    return True


def note(guest: str, record: str, shows: str, named: bool, address: str) -> Operation[None]:
    """Write down what a guest shows of a record, which exists."""
    yield (
        "INSERT INTO addresses (address, record_id) VALUES (:address, :record) ON CONFLICT DO NOTHING",
        {"address": address, "record": record},
    )
    yield (
        "INSERT INTO agreed (record_id, guest, shows, named) VALUES (:record, :guest, :shows, :named) "
        "ON CONFLICT (record_id, guest) DO UPDATE SET shows = excluded.shows, named = excluded.named",
        {"record": record, "guest": guest, "shows": shows, "named": named},
    )


def withdraw(guest: str, record: str) -> Operation[None]:
    """Forget what a guest said about a match: it is as if they had not been asked."""
    yield "DELETE FROM agreed WHERE record_id = :record AND guest = :guest", {"record": record, "guest": guest}


def sharing_of(record: str) -> Operation[Sharing]:
    """What the players of a record said. Somebody who was not asked, or did not answer, shows nothing."""
    rows = yield "SELECT address FROM addresses WHERE record_id = :record", {"record": record}
    address = rows[0][0] if rows else ""
    rows = yield (
        "SELECT p.guest, p.seat, a.shows, a.named FROM played p "
        "LEFT JOIN agreed a ON a.record_id = p.record_id AND a.guest = p.guest "
        "WHERE p.record_id = :record ORDER BY p.guest, p.seat",
        {"record": record},
    )
    found: dict[str, Agreement] = {}
    for guest, seat, shows, named in rows:
        before = found[guest].seats if guest in found else ()
        found[guest] = Agreement(guest, (*before, seat), shows or "", bool(named))
    return Sharing(record, address, tuple(found.values()))


def at_address(address: str) -> Operation[str | None]:
    """The record with this address, public or not."""
    rows = yield "SELECT record_id FROM addresses WHERE address = :address", {"address": address}
    return rows[0][0] if rows else None
