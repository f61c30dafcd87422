"""Reviews of finished matches over REST: begin one, and ask again and again how far it is.

Who may see what: players of a match review their own decisions. Decisions of the others, and any decision for everybody
else, only if the match is public with open cards: a review tells what the hidden cards were worth. Whoever imports a
record has all its cards already, and may review every seat.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct
from starlette.responses import Response

from atout.protocol import rest, study
from atout.server.errors import ApiError
from atout.server.http.call import Call, Operation, number_of
from atout.server.http.sharing import find_shared
from atout.server.live.review_work import Outline
from atout.server.live.reviews import MOST_OF_OWNER, TooManyReviews
from atout.server.matches.mine import people_of, seats_of
from atout.server.matches.sharing import published
from atout.store import StoredRecord

RETRY_SECONDS = 30.0


class Allowed(Struct, frozen=True):
    """A record, and the seats whose decisions may be reviewed; the one that is meant first."""

    record: StoredRecord
    seats: list[int]
    mine: list[int] = []
    """The seats that the reader played."""


async def allowed_of_mine(call: Call) -> Allowed:
    id = call.path("record")
    record = await call.store.record(id) if await call.store.has_record(call.guest, id) else None
    if record is None:
        raise ApiError(404, "no-record", "there is no such record in your list")
    summary = msgspec.json.decode(record.summary, type=rest.RecordSummary)
    if record.imported_by:
        return Allowed(record, _people_first(summary))
    sharing = await call.store.sharing(id)
    noted = next((one.seats for one in sharing.agreements if one.guest == call.guest), ())
    mine = seats_of(noted, summary)
    shared = published(sharing, record, call.context.now())
    others = [seat for seat in range(summary.players) if seat not in mine]
    return Allowed(record, mine + others if shared is not None and shared.match.is_open else mine, mine)


async def allowed_of_shared(call: Call) -> Allowed:
    shared = await find_shared(call.context, call.path("address"))
    if shared is None or not shared.match.is_open:
        raise ApiError(404, "no-match", "there is no match with open cards at this address")
    return Allowed(shared.record, _people_first(shared.match.summary))


def _people_first(summary: rest.RecordSummary) -> list[int]:
    people = people_of(summary)
    return people + [seat for seat in range(summary.players) if seat not in people]


def _seat(call: Call, allowed: Allowed) -> int:
    """The seat of the query; without one, the first that may be reviewed."""
    word = call.request.query_params.get("seat", "")
    if not word and allowed.seats:
        return allowed.seats[0]
    players = msgspec.json.decode(allowed.record.summary, type=rest.RecordSummary).players
    if word and word not in map(str, range(players)):
        raise ApiError(400, "bad-query", f"seat: expected the number of a seat, 0 to {players - 1}")
    if not word or int(word) not in allowed.seats:
        raise not_allowed()
    return int(word)


def not_allowed() -> ApiError:
    message = (
        "you may review your own decisions; those of others only when the match is public with all cards, "
        "which everybody who played has to agree to"
    )
    return ApiError(403, "no-review", message)


async def _start(call: Call, allowed: Allowed, is_own: bool) -> Response:
    context, reviews = call.context, call.context.hub.reviews
    seat = _seat(call, allowed)
    key = reviews.key_of(allowed.record, seat)
    head = await call.store.review(key.record, seat, key.evaluator)
    if head is None or head.ledger is None:
        try:
            network = context.network(call.request)
            reviews.start(allowed.record, seat, context.caller(call.request), network, is_own)
        except TooManyReviews:
            message = (
                f"{MOST_OF_OWNER} reviews are under way for you, or too many for your address or everybody; "
                "wait for one to end"
            )
            raise ApiError(429, "too-many-reviews", message, most=MOST_OF_OWNER, seconds=RETRY_SECONDS) from None
    return await _answer(call, allowed)


async def _answer(call: Call, allowed: Allowed) -> Response:
    """How far a review is, with the decisions from `after` on."""
    reviews = call.context.hub.reviews
    seat, after = _seat(call, allowed), _number(call, "after", 0)
    key = reviews.key_of(allowed.record, seat)
    state = reviews.state_of(key)
    known = await call.store.reviewed(key.record, seat, key.evaluator, after)
    head = await call.store.review(key.record, seat, key.evaluator)
    count = 0
    while after + count in known:
        count += 1
    fields: dict[str, Any] = {
        "state": state,
        "seat": seat,
        "seats": allowed.seats,
        "mine": allowed.mine,
        "decisions": [msgspec.Raw(known[after + number]) for number in range(count)],
        "trouble": reviews.trouble_of(key),
    }
    if head is not None:
        outline = msgspec.json.decode(head.outline, type=Outline)
        fields |= {name: getattr(outline, name) for name in ("evaluator", "effort", "spread", "notes")}
        fields["total"] = outline.decisions
        if head.ledger is not None:
            fields["state"] = "done"
            fields["ledger"] = msgspec.Raw(head.ledger)
        elif sum(bool(one.curve) for one in outline.ledger.rounds) > _number(call, "valued", -1):
            fields["ledger"] = outline.ledger
    return Response(msgspec.json.encode(fields), media_type="application/json")


def _number(call: Call, name: Literal["after", "valued"], default: int) -> int:
    """How many of something the client knows already."""
    word = call.request.query_params.get(name)
    number = default if word is None else number_of(word)
    if number is None:
        what = "decisions are" if name == "after" else "rounds of the ledger have a curve that is"
        raise ApiError(400, "bad-query", f"{name}: expected how many {what} known already")
    return number


async def start_my_review(call: Call) -> Response:
    allowed = await allowed_of_mine(call)
    return await _start(call, allowed, is_own=not allowed.record.imported_by)


async def my_review(call: Call) -> Response:
    return await _answer(call, await allowed_of_mine(call))


async def start_shared_review(call: Call) -> Response:
    return await _start(call, await allowed_of_shared(call), is_own=False)


async def shared_review(call: Call) -> Response:
    return await _answer(call, await allowed_of_shared(call))


QUERY = ("seat", "after", "valued")
REVIEW_OPERATIONS = (
    Operation("POST", "/api/records/{record}/review", start_my_review,
              "Begin the review of a seat in a match of mine, or go on with it", study.MatchReview, tag="reviews",
              query=QUERY, is_long=True),
    Operation("GET", "/api/records/{record}/review", my_review, "How far that review is, and what it found",
              study.MatchReview, tag="reviews", query=QUERY, is_long=True),
    Operation("POST", "/api/shared/{address}/review", start_shared_review,
              "Begin the review of a seat in a public match with open cards, or go on with it", study.MatchReview,
              tag="reviews", needs_guest=False, query=QUERY, is_long=True),
    Operation("GET", "/api/shared/{address}/review", shared_review, "How far that review is, and what it found",
              study.MatchReview, tag="reviews", needs_guest=False, query=QUERY, is_long=True),
)  # fmt: skip
