"""Operations on the deal of the day: its secret, the tries of guests, and the field."""

from __future__ import annotations

from collections.abc import Sequence

from atout.store.model import DailyChoice, DailyDeal, DailyResult, FieldChoice
from atout.store.operations import Operation
from atout.store.operations.guests import lock


def deal(made: DailyDeal) -> Operation[DailyDeal]:
    """The deal of a day; `made` becomes it if there is none yet."""
    yield (
        "INSERT INTO daily_deals (day, secret, settings) VALUES (:day, :secret, :settings) ON CONFLICT DO NOTHING",
        {"day": made.day, "secret": made.secret, "settings": made.settings},
    )
    found = yield from find(made.day)
    assert found is not None
    return found


def find(day: str) -> Operation[DailyDeal | None]:
    """The deal of a day, if anybody asked for it."""
    rows = yield "SELECT day, secret, settings FROM daily_deals WHERE day = :day", {"day": day}
    return DailyDeal(rows[0][0], rows[0][1], bytes(rows[0][2])) if rows else None


def begin(guest: str, day: str, table: str, now: float) -> Operation[str]:
    """The table of a guest's only try; `table`, if it begins now. `GuestForgotten` if the guest was."""
    yield from lock([guest])
    yield (
        "INSERT INTO daily_results (guest, day, table_id, started, counted) "
        "VALUES (:guest, :day, :table, :now, FALSE) ON CONFLICT DO NOTHING",
        {"guest": guest, "day": day, "table": table, "now": now},
    )
    rows = yield (
        "SELECT table_id FROM daily_results WHERE guest = :guest AND day = :day",
        {"guest": guest, "day": day},
    )
    return str(rows[0][0])


def finish(result: DailyResult, choices: Sequence[DailyChoice]) -> Operation[bool]:
    """Keep the result of a try that was begun; False if there is none, or it is finished already."""
    who = {"guest": result.guest, "day": result.day}
    rows = yield (
        "UPDATE daily_results SET finished = :finished, counted = :counted, gain = :gain, gains = :gains "
        "WHERE guest = :guest AND day = :day AND table_id = :table AND finished IS NULL RETURNING guest",
        {
            **who,
            "table": result.table,
            "finished": result.finished,
            "counted": result.counted,
            "gain": result.gain,
            "gains": result.gains,
        },
    )
    if not rows:
        return False
    for choice in choices:
        yield (
            "INSERT INTO daily_choices (guest, day, number, position, action) "
            "VALUES (:guest, :day, :number, :position, :action) ON CONFLICT DO NOTHING",
            {**who, "number": choice.number, "position": choice.position, "action": choice.action},
        )
    return True


RESULT = "SELECT guest, day, table_id, started, finished, counted, gain, gains FROM daily_results WHERE guest = :guest"


def results_of(guest: str, day: str = "") -> Operation[list[DailyResult]]:
    """The tries of a guest, the latest day first; with `day`, that of this day."""
    if day:
        rows = yield f"{RESULT} AND day = :day", {"guest": guest, "day": day}
    else:
        rows = yield f"{RESULT} ORDER BY day DESC", {"guest": guest}
    return [
        DailyResult(who, when, table, started, finished, bool(counted), gain, bytes(gains or b""))
        for who, when, table, started, finished, counted, gain, gains in rows
    ]


def field(day: str) -> Operation[list[tuple[float, int]]]:
    """How many of the field had each result, the lowest first."""
    rows = yield (
        "SELECT gain, COUNT(*) FROM daily_results WHERE day = :day AND counted GROUP BY gain ORDER BY gain",
        {"day": day},
    )
    return [(gain, count) for gain, count in rows]


def own_choices(guest: str, day: str) -> Operation[list[DailyChoice]]:
    """What a guest chose, in order."""
    rows = yield (
        "SELECT number, position, action FROM daily_choices WHERE guest = :guest AND day = :day ORDER BY number",
        {"guest": guest, "day": day},
    )
    return [DailyChoice(*row) for row in rows]


def field_choices(guest: str, day: str) -> Operation[list[FieldChoice]]:
    """What the field chose at the decisions of a guest, the most frequent first."""
    rows = yield (
        "SELECT m.number, c.action, COUNT(*), AVG(r.gain) FROM daily_choices m "
        "JOIN daily_choices c ON c.day = m.day AND c.position = m.position "
        "JOIN daily_results r ON r.guest = c.guest AND r.day = c.day AND r.counted "
        "WHERE m.guest = :guest AND m.day = :day "
        "GROUP BY m.number, c.action ORDER BY m.number, COUNT(*) DESC, c.action",
        {"guest": guest, "day": day},
    )
    return [FieldChoice(*row) for row in rows]
