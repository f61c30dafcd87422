"""Operations on reviews of finished matches: a head for each seat and evaluator, and its decisions one by one."""

from __future__ import annotations

from collections.abc import Sequence

from atout.store.model import ReviewErrors, ReviewHead
from atout.store.operations import Operation, mistakes

ONE = "record_id = :record AND seat = :seat AND evaluator = :evaluator"


def begin(record: str, seat: int, evaluator: str, outline: bytes) -> Operation[bool]:
    """Note that a review was begun; False if the record is gone."""
    parameters = {"record": record, "seat": seat, "evaluator": evaluator}
    if not (yield from _is_there(record)):
        return False
    yield (
        "INSERT INTO reviews (record_id, seat, evaluator, outline) VALUES (:record, :seat, :evaluator, :outline) "
        "ON CONFLICT DO NOTHING",
        {**parameters, "outline": outline},
    )
    return True


def replace_outline(record: str, seat: int, evaluator: str, outline: bytes) -> Operation[bool]:
    """Replace what is told of a review before it is complete; False if it is gone."""
    rows = yield (
        f"UPDATE reviews SET outline = :outline WHERE {ONE} RETURNING seat",  # noqa: S608
        {"record": record, "seat": seat, "evaluator": evaluator, "outline": outline},
    )
    return bool(rows)


def add(record: str, seat: int, evaluator: str, number: int, body: bytes) -> Operation[bool]:
    """Keep a decision; False if the record is gone."""
    if not (yield from _is_there(record)):
        return False
    yield (
        "INSERT INTO reviewed (record_id, seat, evaluator, number, body) "
        "VALUES (:record, :seat, :evaluator, :number, :body) ON CONFLICT DO NOTHING",
        {"record": record, "seat": seat, "evaluator": evaluator, "number": number, "body": body},
    )
    return True


def finish(
    record: str, seat: int, evaluator: str, ledger: bytes, errors: bytes, wrong: Sequence[int], now: float
) -> Operation[None]:
    """Complete a review, and drop those of the seat by other evaluators: those would have to be made again.

    Whoever played the seat gets the wrong decisions back as puzzles (`mistakes.py`).
    """
    parameters = {"record": record, "seat": seat, "evaluator": evaluator}
    yield (
        f"UPDATE reviews SET ledger = :ledger, errors = :errors WHERE {ONE}",  # noqa: S608
        {**parameters, "ledger": ledger, "errors": errors},
    )
    for table in ("reviewed", "reviews"):
        yield (
            f"DELETE FROM {table} WHERE record_id = :record AND seat = :seat AND evaluator <> :evaluator",  # noqa: S608
            parameters,
        )
    yield from mistakes.replace(record, seat, wrong, now)


def head(record: str, seat: int, evaluator: str) -> Operation[ReviewHead | None]:
    """A review that was begun, if there is one."""
    rows = yield (
        f"SELECT outline, ledger FROM reviews WHERE {ONE}",  # noqa: S608
        {"record": record, "seat": seat, "evaluator": evaluator},
    )
    return ReviewHead(rows[0][0], rows[0][1]) if rows else None


def decisions(record: str, seat: int, evaluator: str, after: int) -> Operation[dict[int, bytes]]:
    """The decisions judged so far, by number, from a number on."""
    rows = yield (
        f"SELECT number, body FROM reviewed WHERE {ONE} AND number >= :after ORDER BY number",  # noqa: S608
        {"record": record, "seat": seat, "evaluator": evaluator, "after": after},
    )
    return {number: bytes(body) for number, body in rows}


def errors_of(guest: str) -> Operation[list[ReviewErrors]]:
    """The errors of all complete reviews of a guest's own seats, in matches of their list."""
    rows = yield (
        "SELECT r.record_id, r.seat, r.errors FROM reviews r "
        "JOIN played p ON p.record_id = r.record_id AND p.seat = r.seat "
        "JOIN listings l ON l.record_id = r.record_id AND l.guest = p.guest "
        "WHERE p.guest = :guest AND r.errors IS NOT NULL ORDER BY r.record_id, r.seat",
        {"guest": guest},
    )
    return [ReviewErrors(record, seat, bytes(errors)) for record, seat, errors in rows]


def _is_there(record: str) -> Operation[bool]:
    rows = yield "SELECT 1 FROM records WHERE id = :record", {"record": record}
    return bool(rows)
