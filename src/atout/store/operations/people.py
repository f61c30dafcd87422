"""Operations on people: friends by consent, who is muted or blocked, who is online, invitations, reports.

    asked    guest would like to be a friend of other, who has not answered
    friend   both agreed: there is a row for each of them
    muted    guest does not read what other says
    blocked  guest wants nothing to do with other; other is never told, and sees a request as one without an answer

A relation ends with either of the two: whoever is forgotten is in nobody's list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from atout.store.model import Invitation, PeopleSettings, Relation, Report, ReportLine
from atout.store.operations import Operation
from atout.store.operations.guests import is_forgotten, lock
from atout.store.operations.tables import find as find_table

Mark = Literal["muted", "blocked"]
Asked = Literal["asked", "friends", "gone", "full", "blocked"]
Invited = Literal["invited", "again", "gone", "no-friend", "full"]

MAX_FRIENDS = 200
MAX_ASKED = 50
"""Requests of one guest without an answer."""
MAX_REQUESTS = 100
"""Requests that wait for one guest's answer; the oldest is dropped for a new one, so that nobody can use them up."""
MAX_MARKS = 500
"""People whom one guest has muted, and likewise blocked."""
MAX_INVITED = 20
"""People who are invited to a table."""
DECLINED = 0.0
"""In place of an invitation's time: it was declined."""


def _lock_both(guest: str, other: str) -> Operation[bool]:
    """Let neither be forgotten in this transaction. `GuestForgotten` if the guest was already, False if the other."""
    is_there = True
    for one in sorted((guest, other)):
        if one == guest:
            yield from lock([guest])
        else:
            rows = yield "UPDATE guests SET seen = seen WHERE id = :guest RETURNING id", {"guest": one}
            is_there = bool(rows) and not (yield from is_forgotten(one))
    return is_there


def _add(guest: str, other: str, kind: str, now: float) -> Operation[None]:
    yield (
        "INSERT INTO relations (guest, other, kind, at) VALUES (:guest, :other, :kind, :now) ON CONFLICT DO NOTHING",
        {"guest": guest, "other": other, "kind": kind, "now": now},
    )


def _remove(guest: str, other: str, kind: str) -> Operation[bool]:
    rows = yield (
        "DELETE FROM relations WHERE guest = :guest AND other = :other AND kind = :kind RETURNING at",
        {"guest": guest, "other": other, "kind": kind},
    )
    return bool(rows)


def is_related(guest: str, other: str, kind: str) -> Operation[bool]:
    """Whether there is such a relation from a guest to another."""
    rows = yield (
        "SELECT 1 FROM relations WHERE guest = :guest AND other = :other AND kind = :kind",
        {"guest": guest, "other": other, "kind": kind},
    )
    return bool(rows)


def _count(guest: str, kind: str) -> Operation[int]:
    rows = yield (
        "SELECT COUNT(*) FROM relations WHERE guest = :guest AND kind = :kind",
        {"guest": guest, "kind": kind},
    )
    return int(rows[0][0])


# ---------------------------------------------------------------- friends


def ask(guest: str, other: str, now: float) -> Operation[Asked]:
    """Ask somebody to be friends. If they asked before, that is the answer."""
    if not (yield from _lock_both(guest, other)):
        return "gone"
    if (yield from is_related(guest, other, "blocked")):
        return "blocked"
    if (yield from is_related(guest, other, "friend")):
        return "friends"
    if (yield from is_related(other, guest, "asked")):
        return (yield from _befriend(guest, other, now))
    if (yield from is_related(guest, other, "asked")):
        return "asked"
    if (yield from _count(guest, "asked")) >= MAX_ASKED:
        return "full"
    yield from _add(guest, other, "asked", now)
    waiting = yield (
        "SELECT guest FROM relations WHERE other = :other AND kind = 'asked' ORDER BY at DESC, guest",
        {"other": other},
    )
    for (oldest,) in waiting[MAX_REQUESTS:]:
        yield from _remove(oldest, other, "asked")
    return "asked"


def accept(guest: str, other: str, now: float) -> Operation[Asked]:
    """Become friends with somebody who asked; `gone` if there is no such request (any more)."""
    if not (yield from _lock_both(guest, other)) or not (yield from is_related(other, guest, "asked")):
        return "gone"
    if (yield from is_related(guest, other, "blocked")):
        return "blocked"
    return (yield from _befriend(guest, other, now))


def _befriend(guest: str, other: str, now: float) -> Operation[Asked]:
    for one in (guest, other):
        if (yield from _count(one, "friend")) >= MAX_FRIENDS:
            return "full"
    for one, two in ((guest, other), (other, guest)):
        yield from _remove(one, two, "asked")
        yield from _add(one, two, "friend", now)
    return "friends"


def part(guest: str, other: str) -> Operation[bool]:
    """End a friendship, refuse a request or withdraw one; False if there is none."""
    was = False
    for one, two in ((guest, other), (other, guest)):
        for kind in ("friend", "asked"):
            was |= yield from _remove(one, two, kind)
    yield from _drop_invitations(guest, other)
    return was


def _drop_invitations(guest: str, other: str) -> Operation[None]:
    yield (
        "DELETE FROM invitations WHERE (guest = :guest AND inviter = :other) OR (guest = :other AND inviter = :guest)",
        {"guest": guest, "other": other},
    )


def mark(guest: str, other: str, kind: Mark, on: bool, now: float) -> Operation[bool]:
    """Mute or block somebody, or undo it; False if a guest would have too many. A block ends a friendship.

    What a blocked person asked stays there for them: they cannot tell a block from a request without an answer.
    """
    if not on:
        yield from _remove(guest, other, kind)
        return True
    if not (yield from _lock_both(guest, other)):
        return True
    known = yield from is_related(guest, other, kind)
    if not known and (yield from _count(guest, kind)) >= MAX_MARKS:
        return False
    yield from _add(guest, other, kind, now)
    if kind == "blocked":
        for one, two in ((guest, other), (other, guest)):
            yield from _remove(one, two, "friend")
        yield from _remove(guest, other, "asked")
        yield from _drop_invitations(guest, other)
    return True


def open_tables_of_blockers(guest: str) -> Operation[list[str]]:
    """The tables in the lobby where somebody sits, or waits as the host, who has blocked a guest."""
    rows = yield (
        "SELECT DISTINCT t.id FROM relations r JOIN sitting s ON s.guest = r.guest JOIN tables t ON t.id = s.table_id "
        "WHERE r.other = :guest AND r.kind = 'blocked' AND t.public AND t.open_seats > 0",
        {"guest": guest},
    )
    return [table for (table,) in rows]


def relations_of(guest: str, since: float) -> Operation[list[Relation]]:
    """Everybody a guest has to do with, by name. Requests of people whom they blocked are left out.

    A friend who shows it is online if they were seen `since` then.
    """
    own = yield (
        "SELECT r.kind, r.other, g.name, r.at, "
        "CASE WHEN r.kind = 'friend' AND p.shows_online AND p.seen >= :since THEN 1 ELSE 0 END "
        "FROM relations r JOIN guests g ON g.id = r.other LEFT JOIN people p ON p.guest = r.other "
        "WHERE r.guest = :guest ORDER BY g.name, r.other",
        {"guest": guest, "since": since},
    )
    requests = yield (
        "SELECT 'request', r.guest, g.name, r.at, 0 FROM relations r JOIN guests g ON g.id = r.guest "
        "WHERE r.other = :guest AND r.kind = 'asked' AND NOT EXISTS "
        "(SELECT 1 FROM relations b WHERE b.guest = :guest AND b.other = r.guest AND b.kind = 'blocked') "
        "ORDER BY r.at DESC, r.guest",
        {"guest": guest},
    )
    return [Relation(kind, other, name, at, bool(online)) for kind, other, name, at, online in [*own, *requests]]


# ---------------------------------------------------------------- their own link, the name, the online state


def settings_of(guest: str) -> Operation[PeopleSettings]:
    """A guest's link, and whether they show when they are online."""
    rows = yield "SELECT link, shows_online FROM people WHERE guest = :guest", {"guest": guest}
    return PeopleSettings(rows[0][0] or "", bool(rows[0][1])) if rows else PeopleSettings()


def set_link(guest: str, link: str) -> Operation[None]:
    """Replace a guest's link; the one before it leads nowhere."""
    yield from lock([guest])
    yield (
        "INSERT INTO people (guest, link, shows_online, seen) VALUES (:guest, :link, FALSE, 0) "
        "ON CONFLICT (guest) DO UPDATE SET link = excluded.link",
        {"guest": guest, "link": link},
    )


def set_online(guest: str, on: bool, now: float) -> Operation[None]:
    """Note whether a guest shows when they are online. If they do not, it is not kept either."""
    yield from lock([guest])
    yield (
        "INSERT INTO people (guest, shows_online, seen) VALUES (:guest, :on, :seen) "
        "ON CONFLICT (guest) DO UPDATE SET shows_online = excluded.shows_online, seen = excluded.seen",
        {"guest": guest, "on": on, "seen": now if on else 0.0},
    )


def show_online(guests: Sequence[str]) -> Operation[list[str]]:
    """Those of these guests who show when they are online."""
    found = []
    for guest in guests:
        rows = yield "SELECT 1 FROM people WHERE guest = :guest AND shows_online", {"guest": guest}
        found += [guest] * bool(rows)
    return found


def saw_online(guests: Sequence[str], now: float) -> Operation[None]:
    """Note that these guests are online, for those of them who show it."""
    for guest in sorted(guests):
        yield (
            "UPDATE people SET seen = :now WHERE guest = :guest AND shows_online AND seen < :now",
            {"guest": guest, "now": now},
        )


def at_link(link: str) -> Operation[str | None]:
    """Whose link this is."""
    rows = yield "SELECT guest FROM people WHERE link = :link", {"link": link}
    return rows[0][0] if rows else None


def named(name: str) -> Operation[list[str]]:
    """The accounts that keep a name: two at most, because nobody can say which one is meant then."""
    rows = yield (
        "SELECT a.guest FROM accounts a JOIN guests g ON g.id = a.guest WHERE g.name = :name ORDER BY a.guest LIMIT 2",
        {"name": name},
    )
    return [guest for (guest,) in rows]


# ---------------------------------------------------------------- invitations


def invite(table: str, guest: str, other: str, now: float) -> Operation[Invited]:
    """Invite a friend to a table. `again`: they were invited there before, and may have declined."""
    if not (yield from _lock_both(guest, other)):
        return "gone"
    if not (yield from is_related(guest, other, "friend")):
        return "no-friend"
    return (yield from _invite(table, guest, other, now))


def _invite(table: str, guest: str, other: str, now: float) -> Operation[Invited]:
    found = yield "SELECT guest, at FROM invitations WHERE table_id = :table", {"table": table}
    times = dict(map(tuple, found))
    if times.get(other, DECLINED) == DECLINED and sum(at != DECLINED for at in times.values()) >= MAX_INVITED:
        return "full"
    if not (yield "SELECT 1 FROM tables WHERE id = :table", {"table": table}):
        return "gone"
    yield (
        "INSERT INTO invitations (table_id, guest, inviter, at) VALUES (:table, :other, :guest, :now) "
        "ON CONFLICT (table_id, guest) DO UPDATE SET inviter = excluded.inviter, at = excluded.at",
        {"table": table, "guest": guest, "other": other, "now": now},
    )
    return "again" if other in times else "invited"


def invite_again(table: str, guest: str, others: Sequence[str], now: float) -> Operation[None]:
    """Invite those who played together to their rematch, friends or not."""
    for other in sorted(others):
        if (yield from _lock_both(guest, other)):
            yield from _invite(table, guest, other, now)


def invitations_of(guest: str, since: float) -> Operation[list[Invitation]]:
    """To tables that wait for players, the latest first; not by or to somebody who is blocked."""
    rows = yield (
        "SELECT i.table_id, g.name FROM invitations i JOIN guests g ON g.id = i.inviter "
        "JOIN tables t ON t.id = i.table_id WHERE i.guest = :guest AND i.at >= :since AND i.at > :declined "
        "AND t.state = 'waiting' "
        "AND NOT EXISTS (SELECT 1 FROM sitting s WHERE s.table_id = i.table_id AND s.guest = :guest) "
        "AND NOT EXISTS (SELECT 1 FROM relations b WHERE b.kind = 'blocked' AND "
        "((b.guest = :guest AND b.other = i.inviter) OR (b.guest = i.inviter AND b.other = :guest))) "
        "ORDER BY i.at DESC, i.table_id LIMIT 20",
        {"guest": guest, "since": since, "declined": DECLINED},
    )
    found = []
    for table, name in rows:
        listed = yield from find_table(table)
        if listed is not None:
            found.append(Invitation(name, listed))
    return found


def decline(guest: str, table: str) -> Operation[bool]:
    """Show an invitation no more; False if there is none. It is known that they were asked."""
    rows = yield (
        "UPDATE invitations SET at = :declined WHERE guest = :guest AND table_id = :table AND at > :declined "
        "RETURNING guest",
        {"guest": guest, "table": table, "declined": DECLINED},
    )
    return bool(rows)


def drop_invitations(before: float) -> Operation[None]:
    """Drop invitations that are too old to be shown, and those that were declined once their tables have begun."""
    yield (
        "DELETE FROM invitations WHERE at < :before AND "
        "(at > :declined OR table_id NOT IN (SELECT id FROM tables WHERE state = 'waiting'))",
        {"before": before, "declined": DECLINED},
    )


# ---------------------------------------------------------------- reports


def report(report: Report, since: float, most: int) -> Operation[bool]:
    """Keep a report with what was said; False if the reporter made too many since a time.

    Lines of people who were forgotten meanwhile are left out, and so is a report about one of them.
    """
    known = yield "SELECT 1 FROM reports WHERE id = :id", {"id": report.id}
    if known:
        return True
    there = set()
    for guest in sorted({report.reporter, report.about, *(line.guest for line in report.lines)}):
        if guest == report.reporter:
            yield from lock([guest])
            continue
        rows = yield "UPDATE guests SET seen = seen WHERE id = :guest RETURNING id", {"guest": guest}
        there |= {guest} if rows else set()
    made = yield (
        "SELECT COUNT(*) FROM reports WHERE reporter = :reporter AND at >= :since",
        {"reporter": report.reporter, "since": since},
    )
    if made[0][0] >= most:
        return False
    if report.about not in there:
        return True
    row = msgspec.structs.asdict(report)
    del row["lines"]
    yield (
        "INSERT INTO reports (id, reporter, about, name, table_id, kind, text, at) "
        "VALUES (:id, :reporter, :about, :name, :table, :kind, :text, :at)",
        row,
    )
    for number, line in enumerate(report.lines):
        if line.guest in there or line.guest == report.reporter:
            yield (
                "INSERT INTO report_lines (report, number, guest, name, text, at) "
                "VALUES (:report, :number, :guest, :name, :text, :at)",
                {"report": report.id, "number": number, **msgspec.structs.asdict(line)},
            )
    return True


def reports(limit: int, reporter: str = "") -> Operation[list[Report]]:
    """Reports with what was said, the latest first; of one reporter, if one is named."""
    rows = yield (
        "SELECT id, reporter, about, name, table_id, kind, text, at FROM reports "
        "WHERE (:reporter = '' OR reporter = :reporter) ORDER BY at DESC, id LIMIT :limit",
        {"limit": limit, "reporter": reporter},
    )
    found = []
    for row in rows:
        lines = yield (
            "SELECT guest, name, text, at FROM report_lines WHERE report = :report ORDER BY number",
            {"report": row[0]},
        )
        id, by, about, name, table, kind, text, at = row
        said = tuple(ReportLine(*line) for line in lines)
        found.append(Report(id, by, about, name, table, kind, text, at, said))
    return found


def remove_report(id: str) -> Operation[bool]:
    """Remove a report that was dealt with; False if there is none."""
    rows = yield "DELETE FROM reports WHERE id = :id RETURNING id", {"id": id}
    return bool(rows)


def drop_reports(before: float) -> Operation[None]:
    """Drop old reports."""
    yield "DELETE FROM reports WHERE at < :before", {"before": before}


# ---------------------------------------------------------------- joining (deleting: `guests.PEOPLE`)


def move(guest: str, into: str) -> Operation[None]:
    """Give an account all that a guest has here. Where the account has a choice of its own, that one stays."""
    who = {"guest": guest, "into": into}
    yield "DELETE FROM relations WHERE (guest = :guest AND other = :into) OR (guest = :into AND other = :guest)", who
    yield (
        "INSERT INTO relations (guest, other, kind, at) SELECT :into, other, kind, at FROM relations "
        "WHERE guest = :guest ON CONFLICT DO NOTHING",
        who,
    )
    yield (
        "INSERT INTO relations (guest, other, kind, at) SELECT guest, :into, kind, at FROM relations "
        "WHERE other = :guest ON CONFLICT DO NOTHING",
        who,
    )
    yield "DELETE FROM relations WHERE guest = :guest OR other = :guest", {"guest": guest}
    yield (
        "DELETE FROM relations WHERE (guest = :into OR other = :into) AND kind = 'friend' AND EXISTS "
        "(SELECT 1 FROM relations b WHERE b.kind = 'blocked' AND ((b.guest = relations.guest AND "
        "b.other = relations.other) OR (b.guest = relations.other AND b.other = relations.guest)))",
        {"into": into},
    )
    yield (
        "DELETE FROM relations WHERE (guest = :into OR other = :into) AND kind = 'asked' AND EXISTS "
        "(SELECT 1 FROM relations f WHERE f.kind = 'friend' AND f.guest = relations.guest AND "
        "f.other = relations.other)",
        {"into": into},
    )
    yield (
        "UPDATE people SET guest = :into WHERE guest = :guest "
        "AND NOT EXISTS (SELECT 1 FROM people p WHERE p.guest = :into)",
        who,
    )
    yield "DELETE FROM people WHERE guest = :guest", {"guest": guest}
    yield (
        "UPDATE invitations SET guest = :into WHERE guest = :guest AND NOT EXISTS "
        "(SELECT 1 FROM invitations i WHERE i.table_id = invitations.table_id AND i.guest = :into)",
        who,
    )
    yield "UPDATE invitations SET inviter = :into WHERE inviter = :guest", who
    yield "DELETE FROM invitations WHERE guest = :guest OR guest = inviter", {"guest": guest}
    yield "UPDATE reports SET reporter = :into WHERE reporter = :guest", who
    yield "UPDATE reports SET about = :into WHERE about = :guest", who
    yield "UPDATE report_lines SET guest = :into WHERE guest = :guest", who
