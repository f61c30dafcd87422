"""Operations on accounts: a guest who can come back on any device, by passkeys or by a recovery code.

An account is its guest's id and what proves that somebody may use it. Every device that signs in gets a cookie with
that id and a session of its own, so everything that is kept under the id follows by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from atout.store.model import MAX_IMPORTS, Account, AccountSession, OidcIdentity, Passkey
from atout.store.operations import Operation, mail, nudges, people, records
from atout.store.operations.guests import hash_of, lock

CookieState = Literal["good", "forgotten", "ended"]
Joined = Literal["joined", "same-table", "has-account"]
Belonging = Literal["tables", "matches", "imports", "puzzles", "deals", "people", "nudges"]
"""A kind of what belongs to a guest."""


def cookie_state(guest: str, session: bytes) -> Operation[CookieState]:
    """Whether a cookie is good: its guest was not forgotten and, if they have an account, the session goes on."""
    rows = yield (
        "SELECT (SELECT 1 FROM forgotten WHERE hash = :hash), (SELECT 1 FROM accounts WHERE guest = :guest), "
        "(SELECT 1 FROM sessions WHERE hash = :session AND guest = :guest)",
        {"hash": hash_of(guest), "guest": guest, "session": session},
    )
    is_forgotten, has_account, has_session = rows[0]
    if is_forgotten:
        return "forgotten"
    return "ended" if has_account and not has_session else "good"


def find(guest: str) -> Operation[Account | None]:
    """The account of a guest, if they have one."""
    rows = yield "SELECT guest, created, code_made, code_used FROM accounts WHERE guest = :guest", {"guest": guest}
    return Account(*rows[0]) if rows else None


def kept_since(when: float) -> Operation[list[str]]:
    """The guests whose accounts were made since a time."""
    rows = yield "SELECT guest FROM accounts WHERE created >= :since", {"since": when}
    return [row[0] for row in rows]


def begin(guest: str, now: float) -> Operation[None]:
    """Make a guest's account, unless there is one. `GuestForgotten` if they were."""
    yield from lock([guest])
    yield (
        "INSERT INTO accounts (guest, created) VALUES (:guest, :now) ON CONFLICT DO NOTHING",
        {"guest": guest, "now": now},
    )


# ---------------------------------------------------------------- passkeys


def add_passkey(added: Passkey) -> Operation[bool]:
    """Add a passkey, and the account if it is the first. False if another one has its id: then nothing has changed.

    The account is made last: a guest with an account that nothing leads into could never come back.
    """
    yield from lock([added.guest])
    rows = yield (
        "INSERT INTO passkeys (id, guest, name, public_key, sign_count, created, used) "
        "VALUES (:id, :guest, :name, :public_key, :sign_count, :created, :used) ON CONFLICT DO NOTHING RETURNING id",
        msgspec.structs.asdict(added),
    )
    if not rows:
        there = yield from passkey(added.id)  # the same call may be run again, when it is unsure whether it was done
        return there is not None and (there.guest, there.created) == (added.guest, added.created)
    yield from begin(added.guest, added.created)
    return True


PASSKEY = "SELECT id, guest, name, public_key, sign_count, created, used FROM passkeys"


def passkey(id: bytes) -> Operation[Passkey | None]:
    """The passkey with this id, whoever has it."""
    rows = yield f"{PASSKEY} WHERE id = :id", {"id": id}
    return Passkey(*rows[0]) if rows else None


def passkeys_of(guest: str) -> Operation[list[Passkey]]:
    """A guest's passkeys, the oldest first."""
    rows = yield f"{PASSKEY} WHERE guest = :guest ORDER BY created, id", {"guest": guest}
    return [Passkey(*row) for row in rows]


def rename_passkey(guest: str, id: bytes, name: str) -> Operation[bool]:
    """Change the name of a passkey; False if the guest has no such one."""
    rows = yield (
        "UPDATE passkeys SET name = :name WHERE id = :id AND guest = :guest RETURNING id",
        {"name": name, "id": id, "guest": guest},
    )
    return bool(rows)


def remove_passkey(guest: str, id: bytes) -> Operation[bool]:
    """Remove a passkey, unless it is the only way into the account; False if it was not removed."""
    yield from _one_removal_after_another(guest)
    if (yield from _ways_in(guest, passkey=id)) == 0:
        return False
    rows = yield "DELETE FROM passkeys WHERE id = :id AND guest = :guest RETURNING id", {"id": id, "guest": guest}
    return bool(rows)


def use_challenge(hash: bytes, now: float) -> Operation[bool]:
    """Note that a challenge was answered; False if it was before."""
    rows = yield (
        "INSERT INTO challenges (hash, used) VALUES (:hash, :now) ON CONFLICT DO NOTHING RETURNING hash",
        {"hash": hash, "now": now},
    )
    return bool(rows)


def drop_challenges(before: float) -> Operation[None]:
    """Drop challenges that are too old to be answered again."""
    yield "DELETE FROM challenges WHERE used < :before", {"before": before}


def used_passkey(id: bytes, sign_count: int, now: float) -> Operation[bool]:
    """Note that a passkey was used; False if it was removed meanwhile."""
    rows = yield (
        "UPDATE passkeys SET sign_count = :sign_count, used = :now WHERE id = :id RETURNING id",
        {"id": id, "sign_count": sign_count, "now": now},
    )
    return bool(rows)


# ---------------------------------------------------------------- recovery codes


def set_code(guest: str, code: bytes | None, now: float) -> Operation[bool]:
    """Replace the recovery code, by its hash; make the account if need be. None removes the code.

    False if it would be the only way into the account that is removed, or if there is no account: then nothing has
    changed.
    """
    if code is None:
        yield from _one_removal_after_another(guest)
        if (yield from _ways_in(guest, code=True)) == 0:
            return False
    else:
        yield from begin(guest, now)
    yield (
        "UPDATE accounts SET code = :code, code_made = :made, code_used = NULL WHERE guest = :guest",
        {"guest": guest, "code": code, "made": None if code is None else now},
    )
    return True


def use_code(code: bytes, now: float) -> Operation[str | None]:
    """The guest whose recovery code has this hash, if there is one."""
    rows = yield "UPDATE accounts SET code_used = :now WHERE code = :code RETURNING guest", {"code": code, "now": now}
    return rows[0][0] if rows else None


# ---------------------------------------------------------------- OpenID Connect


def add_identity(identity: OidcIdentity) -> Operation[bool]:
    """Add an identity, and the account if it is the first way in.

    False if it is somebody else's way in: then nothing has changed, and as with passkeys the account is made last.
    """
    yield from lock([identity.guest])
    yield (
        "INSERT INTO oidc_identities (issuer, subject, guest, created) VALUES (:issuer, :subject, :guest, :created) "
        "ON CONFLICT DO NOTHING",
        msgspec.structs.asdict(identity),
    )
    if (yield from identified(identity.issuer, identity.subject)) != identity.guest:
        return False
    yield from begin(identity.guest, identity.created)
    return True


def identified(issuer: str, subject: str) -> Operation[str | None]:
    """The guest whose way in this identity is, if there is one."""
    rows = yield (
        "SELECT guest FROM oidc_identities WHERE issuer = :issuer AND subject = :subject",
        {"issuer": issuer, "subject": subject},
    )
    return rows[0][0] if rows else None


def identities_of(guest: str) -> Operation[list[OidcIdentity]]:
    """A guest's identities, the oldest first."""
    rows = yield (
        "SELECT issuer, subject, guest, created FROM oidc_identities WHERE guest = :guest ORDER BY created, subject",
        {"guest": guest},
    )
    return [OidcIdentity(*row) for row in rows]


def remove_identities(guest: str) -> Operation[bool]:
    """Remove a guest's identities, unless they are the only way into the account; False if they were not removed."""
    yield from _one_removal_after_another(guest)
    if (yield from _ways_in(guest, oidc=True)) == 0:
        return False
    rows = yield "DELETE FROM oidc_identities WHERE guest = :guest RETURNING guest", {"guest": guest}
    return bool(rows)


def _one_removal_after_another(guest: str) -> Operation[None]:
    """Lock a guest's account before its ways in are counted: of two removals at once the later sees the other's."""
    yield "UPDATE accounts SET created = created WHERE guest = :guest", {"guest": guest}


def _ways_in(guest: str, *, passkey: bytes = b"", code: bool = False, oidc: bool = False) -> Operation[int]:
    """How many ways into an account there are besides the one that is named."""
    rows = yield (
        "SELECT (SELECT COUNT(*) FROM passkeys WHERE guest = :guest AND id <> :id), "
        "(SELECT COUNT(*) FROM accounts WHERE guest = :guest AND code IS NOT NULL), "
        "(SELECT COUNT(*) FROM oidc_identities WHERE guest = :guest)",
        {"guest": guest, "id": passkey},
    )
    by_passkey, by_code, by_oidc = rows[0]
    return int(by_passkey + (0 if code else by_code) + (0 if oidc else by_oidc))


# ---------------------------------------------------------------- sessions


def begin_session(session: AccountSession) -> Operation[None]:
    """Begin a session. `GuestForgotten` if the guest was."""
    yield from lock([session.guest])
    yield (
        "INSERT INTO sessions (hash, guest, created, seen, device) VALUES (:hash, :guest, :created, :seen, :device) "
        "ON CONFLICT DO NOTHING",
        msgspec.structs.asdict(session),
    )


def sessions_of(guest: str) -> Operation[list[AccountSession]]:
    """A guest's sessions, the one seen last first."""
    rows = yield (
        "SELECT hash, guest, created, seen, device FROM sessions WHERE guest = :guest ORDER BY seen DESC, hash",
        {"guest": guest},
    )
    return [AccountSession(bytes(hash), *rest) for hash, *rest in rows]


def saw_session(hash: bytes, now: float) -> Operation[None]:
    """Note when a session was last seen."""
    yield "UPDATE sessions SET seen = :now WHERE hash = :hash AND seen < :now", {"hash": hash, "now": now}


def end_session(guest: str, hash: bytes) -> Operation[bool]:
    """End a session; False if the guest has no such one."""
    rows = yield (
        "DELETE FROM sessions WHERE hash = :hash AND guest = :guest RETURNING hash",
        {"hash": hash, "guest": guest},
    )
    return bool(rows)


def ended_sessions(hashes: Sequence[bytes]) -> Operation[list[bytes]]:
    """Which of these sessions have ended."""
    going_on = set()
    for hash in hashes:
        rows = yield "SELECT hash FROM sessions WHERE hash = :hash", {"hash": hash}
        going_on |= {bytes(found) for (found,) in rows}
    return [hash for hash in hashes if hash not in going_on]


def drop_sessions(before: float) -> Operation[None]:
    """Drop sessions whose cookies are too old to be valid."""
    yield "DELETE FROM sessions WHERE created < :before", {"before": before}


# ---------------------------------------------------------------- joining

OWN = ("accounts", "passkeys", "oidc_identities", "sessions")
"""Tables whose rows are an account's own: a guest who joins an account has none, and a deletion drops them."""
MOVED = {
    "listings": ("finished", "record_id"),
    "played": ("record_id", "seat"),
    "named": ("record_id", "seat"),
    "agreed": ("record_id", "shows", "named"),
    "sitting": ("table_id",),
    "mistakes": ("record_id", "seat", "number", "due", "attempts", "card"),
    "attempts": ("puzzle", "day", "at", "solved"),
    "solvers": ("mu", "sigma"),
    "nudge_choices": ("table_id", "choice"),
    "nudge_settings": ("body",),
    "daily_results": ("day", "table_id", "started", "finished", "counted", "gain", "gains"),
    "daily_choices": ("day", "number", "position", "action"),
}
"""Tables whose rows get the id of the account; where it has such a row already, that one stays."""

HAS: dict[Belonging, tuple[str, ...]] = {
    "tables": ("sitting WHERE guest = :guest", "visitors WHERE guest = :guest"),
    "matches": (
        "listings WHERE guest = :guest",
        "played WHERE guest = :guest",
        "named WHERE guest = :guest",
        "agreed WHERE guest = :guest",
        "statistics WHERE guest = :guest",
        "mistakes WHERE guest = :guest",
    ),
    "imports": ("records WHERE imported_by = :guest",),
    "puzzles": ("attempts WHERE guest = :guest", "solvers WHERE guest = :guest"),
    "deals": ("daily_results WHERE guest = :guest", "daily_choices WHERE guest = :guest"),
    "people": (
        "relations WHERE guest = :guest",
        "relations WHERE other = :guest AND kind = 'asked'",
        "people WHERE guest = :guest",
        "reports WHERE reporter = :guest",
    ),
    "nudges": (
        "channels WHERE guest = :guest",
        "unconfirmed_mails WHERE guest = :guest",
        "nudge_settings WHERE guest = :guest",
        "nudge_choices WHERE guest = :guest",
    ),
}
"""Where there is a row of a guest who has this: it would be lost if they were forgotten."""
HAS_NOT = {
    "guests.id": "name and settings: the account has its own",
    "nudges.guest": "planned for a table where they are, and planned again",
    "invitations.guest": "by a friend, or by somebody with whom they played: both are counted",
    "invitations.inviter": "to a table where they are",
    "reports.about": "nobody is told that they were reported",
    "report_lines.guest": "likewise",
    "forgotten.guest": "who was forgotten, or joined an account",
    "forgotten.joins": "likewise",
} | {f"{table}.guest": "a guest who joins an account has none of their own" for table in OWN}
"""Columns with guests that are left out of `HAS` on purpose."""


def belongings(guest: str) -> Operation[list[Belonging]]:
    """What a guest has that would be lost if they were forgotten."""
    columns = [
        " OR ".join(f"EXISTS (SELECT 1 FROM {where})" for where in wheres)  # noqa: S608
        for wheres in HAS.values()
    ]
    rows = yield f"SELECT {', '.join(columns)}", {"guest": guest}
    return [kind for kind, has in zip(HAS, rows[0], strict=True) if has]


def join(guest: str, into: str, now: float) -> Operation[Joined]:
    """What a guest has belongs to an account from now on; the guest's own cookie is void.

    Event logs are left to others, until `finish_deletion`. Nothing is done if the guest has an account of their own, or
    if both have a part in the same unfinished match: one person would have seen two hands of it.
    """
    yield from lock([guest, into])
    if (yield from find(guest)) is not None:
        return "has-account"
    both = yield (
        "SELECT 1 FROM visitors a JOIN visitors b ON b.table_id = a.table_id JOIN tables t ON t.id = a.table_id "
        "WHERE a.guest = :guest AND b.guest = :into AND t.state NOT IN ('over', 'closed')",
        {"guest": guest, "into": into},
    )
    if both:
        return "same-table"
    who = {"guest": guest, "into": into}
    # Of two tries at a deal of the day the finished one stays. The field does not count it: the other hand was seen.
    yield (
        "UPDATE daily_results SET counted = FALSE WHERE guest = :guest AND finished IS NOT NULL AND day IN "
        "(SELECT day FROM daily_results WHERE guest = :into)",
        who,
    )
    yield (
        "DELETE FROM daily_results WHERE guest = :into AND finished IS NULL AND day IN "
        "(SELECT day FROM daily_results WHERE guest = :guest AND finished IS NOT NULL)",
        who,
    )
    yield (
        "DELETE FROM daily_choices WHERE guest = :guest AND day IN (SELECT day FROM daily_results WHERE guest = :into)",
        who,
    )
    for table, columns in MOVED.items():
        names = ", ".join(columns)
        yield (
            f"INSERT INTO {table} (guest, {names}) SELECT :into, {names} FROM {table} WHERE guest = :guest "  # noqa: S608
            "ON CONFLICT DO NOTHING",
            who,
        )
        yield f"DELETE FROM {table} WHERE guest = :guest", {"guest": guest}  # noqa: S608
    yield "UPDATE records SET imported_by = :into WHERE imported_by = :guest", who
    yield from records.drop_imports_beyond(into, MAX_IMPORTS)
    yield (
        "INSERT INTO statistics (guest, edition, matches, wins, rounds, points) "
        "SELECT :into, edition, matches, wins, rounds, points FROM statistics WHERE guest = :guest "
        "ON CONFLICT (guest, edition) DO UPDATE SET "
        "matches = statistics.matches + excluded.matches, wins = statistics.wins + excluded.wins, "
        "rounds = statistics.rounds + excluded.rounds, points = statistics.points + excluded.points",
        who,
    )
    yield "DELETE FROM statistics WHERE guest = :guest", {"guest": guest}
    yield from people.move(guest, into)
    yield "DELETE FROM nudges WHERE guest = :guest", {"guest": guest}
    yield from nudges.move_channels(guest, into)
    yield from mail.move(guest, into)
    yield "DELETE FROM guests WHERE id = :guest", {"guest": guest}
    yield (
        "INSERT INTO forgotten (hash, at, guest, joins) VALUES (:hash, :at, :guest, :into) ON CONFLICT DO NOTHING",
        {"hash": hash_of(guest), "at": now, **who},
    )
    return "joined"
