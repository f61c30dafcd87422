"""Operations on nudges: ways to reach a guest, what they chose, and the nudges that are planned."""

from __future__ import annotations

import msgspec

from atout.store.model import Channel, PlannedNudge
from atout.store.operations import Operation
from atout.store.operations.guests import lock

MAX_CHANNELS = 10
"""Ways to reach one guest."""


def secret(name: str, fresh: bytes) -> Operation[bytes]:
    """A secret of this server, the same for all workers: the one that is stored, else the fresh one."""
    yield (
        "INSERT INTO server_secrets (name, body) VALUES (:name, :body) ON CONFLICT DO NOTHING",
        {"name": name, "body": fresh},
    )
    rows = yield "SELECT body FROM server_secrets WHERE name = :name", {"name": name}
    return bytes(rows[0][0])


def add_channel(channel: Channel) -> Operation[None]:
    """Add a way to reach a guest, or renew the one with its id. `GuestForgotten` if they were."""
    yield from lock([channel.guest])
    yield (
        "INSERT INTO channels (id, guest, type, address, created, delivered, failures, sent) "
        "VALUES (:id, :guest, :type, :address, :created, :delivered, :failures, :sent) "
        "ON CONFLICT (id) DO UPDATE SET guest = excluded.guest, address = excluded.address, failures = 0",
        msgspec.structs.asdict(channel),
    )


def channels_of(guest: str) -> Operation[list[Channel]]:
    """The ways to reach a guest, the oldest first."""
    rows = yield (
        "SELECT id, guest, type, address, created, delivered, failures, sent FROM channels WHERE guest = :guest "
        "ORDER BY created, id",
        {"guest": guest},
    )
    return [Channel(*row) for row in rows]


def move_channels(guest: str, into: str) -> Operation[None]:
    """Give an account a guest's ways to be reached, the newest first, as many as it has room for; drop the others."""
    known = yield "SELECT id FROM channels WHERE guest = :into", {"into": into}
    room = max(0, MAX_CHANNELS - len(known))
    newest = yield "SELECT id FROM channels WHERE guest = :guest ORDER BY created DESC, id", {"guest": guest}
    for (id,) in newest[:room]:
        yield "UPDATE channels SET guest = :into WHERE id = :id", {"into": into, "id": id}
    yield "DELETE FROM channels WHERE guest = :guest", {"guest": guest}


def remove_channel(guest: str, id: str) -> Operation[bool]:
    """Remove a way to reach a guest; False if they have no such one."""
    rows = yield "DELETE FROM channels WHERE id = :id AND guest = :guest RETURNING id", {"id": id, "guest": guest}
    return bool(rows)


def note_sent(id: str, sent: float | None) -> Operation[None]:
    """Note that something was sent at a time; None: that it failed."""
    if sent is None:
        yield "UPDATE channels SET failures = failures + 1 WHERE id = :id", {"id": id}
    else:
        yield "UPDATE channels SET sent = :at, failures = 0 WHERE id = :id", {"id": id, "at": sent}


def note_delivery(guest: str, id: str, delivered: float) -> Operation[bool]:
    """Note that something arrived at a time; False if the guest has no such way to be reached."""
    rows = yield (
        "UPDATE channels SET delivered = :at, failures = 0 WHERE id = :id AND guest = :guest RETURNING id",
        {"id": id, "guest": guest, "at": delivered},
    )
    return bool(rows)


def set_settings(guest: str, body: bytes) -> Operation[None]:
    """Replace how a guest wants to be nudged. `GuestForgotten` if they were."""
    yield from lock([guest])
    yield (
        "INSERT INTO nudge_settings (guest, body) VALUES (:guest, :body) "
        "ON CONFLICT (guest) DO UPDATE SET body = excluded.body",
        {"guest": guest, "body": body},
    )


def settings_of(guest: str) -> Operation[bytes | None]:
    """How a guest wants to be nudged; None if they never said."""
    rows = yield "SELECT body FROM nudge_settings WHERE guest = :guest", {"guest": guest}
    return bytes(rows[0][0]) if rows else None


def choose(guest: str, table: str, choice: str) -> Operation[bool]:
    """Note when a guest wants to be nudged for a table; False if there is no such table."""
    yield from lock([guest])
    found = yield "SELECT 1 FROM tables WHERE id = :table", {"table": table}
    if found:
        yield (
            "INSERT INTO nudge_choices (table_id, guest, choice) VALUES (:table, :guest, :choice) "
            "ON CONFLICT (table_id, guest) DO UPDATE SET choice = excluded.choice",
            {"table": table, "guest": guest, "choice": choice},
        )
    return bool(found)


def choice_of(guest: str, table: str) -> Operation[str]:
    """When a guest wants to be nudged for a table; empty if they never said."""
    rows = yield (
        "SELECT choice FROM nudge_choices WHERE guest = :guest AND table_id = :table",
        {"guest": guest, "table": table},
    )
    return rows[0][0] if rows else ""


def plan(nudge: PlannedNudge) -> Operation[None]:
    """Plan a nudge for a decision, once; one that was planned for an earlier decision is dropped.

    One that was postponed is looked at again earlier: a vacation may have ended, or somebody gone. Nothing is planned
    for a guest whom nothing reaches.
    """
    yield (
        "INSERT INTO nudges (table_id, guest, decision, at, is_due) "
        "SELECT CAST(:table AS TEXT), CAST(:guest AS TEXT), CAST(:decision AS BIGINT), "
        "CAST(:at AS DOUBLE PRECISION), TRUE "
        "WHERE EXISTS (SELECT 1 FROM channels WHERE guest = :guest) "
        "ON CONFLICT (table_id, guest) DO UPDATE SET decision = excluded.decision, at = excluded.at, is_due = TRUE "
        "WHERE nudges.decision <> excluded.decision OR (nudges.is_due AND excluded.at < nudges.at)",
        msgspec.structs.asdict(nudge),
    )


def claim(now: float, limit: int) -> Operation[list[PlannedNudge]]:
    """Take nudges whose time has come: each is given to one caller."""
    rows = yield (
        "SELECT table_id, guest, decision, at FROM nudges WHERE is_due AND at <= :now ORDER BY at LIMIT :limit",
        {"now": now, "limit": limit},
    )
    claimed = []
    for table, guest, decision, at in rows:
        mine = yield (
            "UPDATE nudges SET is_due = FALSE "
            "WHERE table_id = :table AND guest = :guest AND decision = :decision AND is_due RETURNING guest",
            {"table": table, "guest": guest, "decision": decision},
        )
        if mine:
            claimed.append(PlannedNudge(table, guest, decision, at))
    return claimed


def postpone(nudge: PlannedNudge) -> Operation[None]:
    """Plan a claimed nudge again, for its new time, unless another decision is due by now."""
    yield (
        "UPDATE nudges SET is_due = TRUE, at = :at "
        "WHERE table_id = :table AND guest = :guest AND decision = :decision AND NOT is_due",
        msgspec.structs.asdict(nudge),
    )
