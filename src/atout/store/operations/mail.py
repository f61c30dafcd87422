"""Operations on mail addresses: nothing but a request to confirm is sent before somebody confirmed an address.

Addresses are counted and refused under a hash, so that nobody can have a stranger written to many times, and whoever
does not want mail from here is left alone whoever names them.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from atout.store.model import Channel, UnconfirmedMail
from atout.store.operations import Operation
from atout.store.operations.guests import lock
from atout.store.operations.nudges import MAX_CHANNELS, add_channel

DAY = 86_400.0
MAX_ASKED = 3
"""Requests to confirm one address, in a day."""
REFUSED_SECONDS = 400 * DAY
"""How long a refusal is kept."""
MAIL = "mail"

MailAsked = Literal["asked", "too-many", "refused"]


def ask(mail: UnconfirmedMail) -> Operation[MailAsked]:
    """Note that an address is to be confirmed, unless its owner refused or was asked too often today."""
    yield from lock([mail.guest])
    rows = yield (
        "INSERT INTO mail_addresses (hash, since, asked) VALUES (:hash, :now, 1) "
        "ON CONFLICT (hash) DO UPDATE SET "
        "asked = CASE WHEN mail_addresses.since < :begin THEN 1 ELSE mail_addresses.asked + 1 END, "
        "since = CASE WHEN mail_addresses.since < :begin THEN :now ELSE mail_addresses.since END "
        "RETURNING asked, refused",
        {"hash": mail.known_as, "now": mail.created, "begin": mail.created - DAY},
    )
    asked, refused = rows[0]
    if refused is not None and refused > mail.created - REFUSED_SECONDS:
        return "refused"
    if asked > MAX_ASKED:
        return "too-many"
    yield (
        "DELETE FROM unconfirmed_mails WHERE guest = :guest AND known_as = :known_as",
        {"guest": mail.guest, "known_as": mail.known_as},
    )
    yield (
        "INSERT INTO unconfirmed_mails (hash, guest, channel, address, known_as, created) "
        "VALUES (:hash, :guest, :channel, :address, :known_as, :created)",
        msgspec.structs.asdict(mail),
    )
    return "asked"


def unconfirmed_of(guest: str, since: float) -> Operation[list[str]]:
    """The addresses of a guest that can still be confirmed."""
    rows = yield (
        "SELECT address FROM unconfirmed_mails WHERE guest = :guest AND created >= :since ORDER BY created, address",
        {"guest": guest, "since": since},
    )
    return [address for (address,) in rows]


def confirm(hash: bytes, since: float, now: float) -> Operation[Channel | None]:
    """The address with this link becomes a channel; None if there is no such link, or it is too old."""
    rows = yield (
        "DELETE FROM unconfirmed_mails WHERE hash = :hash AND created >= :since RETURNING guest, channel, address",
        {"hash": hash, "since": since},
    )
    if not rows:
        return None
    guest, id, address = rows[0]
    channel = Channel(id, guest, MAIL, msgspec.json.encode({"mail": address}), now)
    yield from add_channel(channel)
    return channel


def move(guest: str, into: str) -> Operation[None]:
    """Give an account the addresses that a guest has to confirm, the newest first, as many as it has room for.

    The links in the mails stay good. Ways to be reached are moved first (`nudges.move_channels`).
    """
    taken = yield (
        "SELECT id FROM channels WHERE guest = :into "
        "UNION ALL SELECT channel FROM unconfirmed_mails WHERE guest = :into",
        {"into": into},
    )
    newest = yield (
        "SELECT hash FROM unconfirmed_mails WHERE guest = :guest AND known_as NOT IN "
        "(SELECT known_as FROM unconfirmed_mails WHERE guest = :into) ORDER BY created DESC, hash",
        {"guest": guest, "into": into},
    )
    for (hash,) in newest[: max(0, MAX_CHANNELS - len(taken))]:
        yield "UPDATE unconfirmed_mails SET guest = :into WHERE hash = :hash", {"into": into, "hash": hash}
    yield "DELETE FROM unconfirmed_mails WHERE guest = :guest", {"guest": guest}


def stop(channel: str) -> Operation[bool]:
    """Remove a channel by mail, without asking whose it is; False if it was removed before."""
    rows = yield (
        "DELETE FROM channels WHERE id = :id AND type = :type RETURNING id",
        {"id": channel, "type": MAIL},
    )
    return bool(rows)


def refuse(known_as: bytes, now: float) -> Operation[None]:
    """Send no more requests to confirm this address."""
    yield "DELETE FROM unconfirmed_mails WHERE known_as = :hash", {"hash": known_as}
    yield (
        "INSERT INTO mail_addresses (hash, since, asked, refused) VALUES (:hash, :now, 0, :now) "
        "ON CONFLICT (hash) DO UPDATE SET refused = excluded.refused",
        {"hash": known_as, "now": now},
    )


def drop_old(unconfirmed: float, now: float) -> Operation[None]:
    """Drop links that are too old, and what is known of addresses that nobody refused lately."""
    yield "DELETE FROM unconfirmed_mails WHERE created < :before", {"before": unconfirmed}
    yield (
        "DELETE FROM mail_addresses WHERE since < :day AND (refused IS NULL OR refused < :refused)",
        {"day": now - DAY, "refused": now - REFUSED_SECONDS},
    )
