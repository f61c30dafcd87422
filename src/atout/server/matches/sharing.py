"""What is public of a match: everybody who played has to agree, each for themselves.

    everybody shows all cards         open view, the record may be downloaded
    everybody shows, some their own   the views from the seats of the people who played
    anybody shows nothing             not public, as if it did not exist

A deal of the day is not public before its day is over: others still play it, and would see all hands.

A match is not public either if it was given up, if somebody who played was forgotten since, or if it is not known who
sat where, as in some records of older versions.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import msgspec
from msgspec import Struct

from atout.protocol import rest
from atout.server.matches.mine import people_of, seats_of
from atout.store import Agreement, Sharing, StoredRecord
from atout.tables.daily import day_in

PLAYER = "Player {}"
"""The name in a record of a player who is not named."""


class Published(Struct, frozen=True):
    """A match that is public."""

    record: StoredRecord
    match: rest.SharedMatch


class _Fair(Struct):
    table: str = ""


class _Shuffled(Struct):
    fair: _Fair | None = None


def first_public_day(record: StoredRecord, now: float) -> str:
    """From which day on (UTC) a match can be public; empty if it can be now."""
    fair = msgspec.json.decode(record.body, type=_Shuffled).fair
    day = day_in("" if fair is None else fair.table)
    if not day or datetime.fromtimestamp(now, UTC).date() > date.fromisoformat(day):
        return ""
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()


def answer_of(sharing: Sharing, record: StoredRecord, guest: str, now: float) -> rest.MySharing:
    """What a guest shows of a match, and what comes of it."""
    summary = _summary(record)
    mine = next((one for one in sharing.agreements if one.guest == guest), None)
    seats = seats_of(mine.seats, summary) if mine is not None else []
    others = [one for one in sharing.agreements if one.guest != guest]
    shared, from_day = published(sharing, record, now), first_public_day(record, now)
    return rest.MySharing(
        shows=msgspec.convert(mine.shows if mine is not None else "", rest.Said),
        named=mine is not None and mine.named,
        name=summary.names[seats[0]] if seats else "",
        address=sharing.address,
        is_public=shared is not None,
        is_open=shared is not None and shared.match.is_open,
        waiting=sum(not _has_agreed(one) for one in others),
        others=len(others),
        agreed=_names(others, summary, agreed=True),
        not_agreed=_names(others, summary, agreed=False),
        can_be_public=not from_day and _people_are_known(sharing, summary),
        from_day=from_day,
    )


def _has_agreed(one: Agreement) -> bool:
    return one.shows in ("open", "own")


def _names(people: Sequence[Agreement], summary: rest.RecordSummary, *, agreed: bool) -> list[str]:
    """What those are called in the record who have agreed, or who have not."""
    chosen = [seats_of(one.seats, summary) for one in people if _has_agreed(one) is agreed]
    return [summary.names[seats[0]] for seats in chosen if seats]


def published(sharing: Sharing, record: StoredRecord, now: float) -> Published | None:
    """The match as everybody may see it; None if it is not public."""
    summary = _summary(record)
    if not _people_are_known(sharing, summary) or first_public_day(record, now):
        return None
    shows = {one.shows for one in sharing.agreements}
    if not sharing.address or not shows <= {"open", "own"}:
        return None
    named = {seat for one in sharing.agreements if one.named for seat in seats_of(one.seats, summary)}
    people = people_of(summary)
    summary.names = [name if seat in named or seat not in people else "" for seat, name in enumerate(summary.names)]
    match = rest.SharedMatch(
        address=sharing.address,
        edition=record.edition,
        finished=record.finished,
        summary=summary,
        is_open=shows == {"open"},
        seats=people,
    )
    return Published(record, match)


def _people_are_known(sharing: Sharing, summary: rest.RecordSummary) -> bool:
    """Whether it is a whole match in which every person is somebody who can be asked."""
    seats = [seat for one in sharing.agreements for seat in seats_of(one.seats, summary)]
    return bool(summary.winners) and sorted(seats) == people_of(summary)


def public_record(shared: Published) -> bytes:
    """The record with the names as agreed, as a line of JSON.

    Without the proof of the shuffle: it contains the table's id, and whoever knows that may enter the table and read
    its chat.
    """
    record: dict[str, Any] = msgspec.json.decode(shared.record.body)
    record.pop("fair", None)
    record["names"] = [name or PLAYER.format(seat + 1) for seat, name in enumerate(shared.match.summary.names)]
    return msgspec.json.encode(record)


def _summary(record: StoredRecord) -> rest.RecordSummary:
    return msgspec.json.decode(record.summary, type=rest.RecordSummary)
