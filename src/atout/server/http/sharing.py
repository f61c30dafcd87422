"""Public matches over REST: what I show of a match of mine, and what anybody may see of it.

A match that is not public is answered as one that does not exist.
"""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from atout.protocol import rest
from atout.records import Replay
from atout.server.errors import ApiError
from atout.server.http.call import Call, Operation
from atout.server.http.context import Context
from atout.server.http.matches import complete
from atout.server.identity import new_address
from atout.server.matches.sharing import Published, answer_of, public_record, published
from atout.store import ListedRecord

MAX_ADDRESS = 64


async def my_sharing(call: Call) -> rest.MySharing:
    return await _my_sharing(call, call.path("record"))


async def share(call: Call) -> rest.MySharing:
    new: rest.NewSharing = call.body
    id = call.path("record")
    mine = await _my_sharing(call, id)
    if mine.from_day and new.shows != "no":
        message = f"others still play this deal; it can be made public from {mine.from_day} on (UTC)"
        raise ApiError(409, "deal-of-today", message, day=mine.from_day)
    if not mine.can_be_public and new.shows != "no":
        raise ApiError(409, "cannot-share", "this match cannot be made public")
    if not await call.store.agree(call.guest, id, new.shows, new.named, new_address()):
        raise ApiError(404, "no-record", "there is no such record in your list")
    record = await call.store.record(id)
    if record is not None:  # the picture needs what summaries of older versions lack
        await complete(call, [ListedRecord(id, record.edition, record.finished, record.summary)], 1)
    return await _my_sharing(call, id)


async def _my_sharing(call: Call, id: str) -> rest.MySharing:
    record = await call.store.record(id) if await call.store.has_record(call.guest, id) else None
    if record is None or record.imported_by:
        raise ApiError(404, "no-record", "there is no such record in your list")
    return answer_of(await call.store.sharing(id), record, call.guest, call.context.now())


async def find_shared(context: Context, address: str) -> Published | None:
    """The match at an address; None if there is none, or none that is public."""
    store = context.hub.store
    id = await store.at_address(address) if len(address) <= MAX_ADDRESS else None
    record = await store.record(id) if id is not None else None
    return None if record is None else published(await store.sharing(record.id), record, context.now())


async def _shared(call: Call) -> Published:
    shared = await find_shared(call.context, call.path("address"))
    if shared is None:
        raise ApiError(404, "no-match", "there is no public match at this address")
    return shared


async def shared_match(call: Call) -> rest.SharedMatch:
    return (await _shared(call)).match


async def shared_replay(call: Call) -> Response:
    """The replay, as JSON: with open cards, or from the seat that the query names."""
    shared = await _shared(call)
    word = call.request.query_params.get("seat", "")
    if word and word not in map(str, range(shared.match.summary.players)):
        raise ApiError(400, "bad-query", "seat: expected the number of a seat")
    seat = int(word) if word else None
    if not shared.match.is_open and seat not in shared.match.seats:
        raise ApiError(404, "no-match", "there is no public match at this address")
    return Response(await call.context.replays.of(shared, seat, call.replay_turn), media_type="application/json")


async def shared_record(call: Call) -> Response:
    """The record as one line of JSON Lines; only with open cards."""
    shared = await _shared(call)
    if not shared.match.is_open:
        raise ApiError(404, "no-match", "there is no public match at this address")
    name = f"atout-{shared.match.edition}-{shared.match.address}.jsonl"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(public_record(shared) + b"\n", headers=headers, media_type="application/x-ndjson")


SHARING_OPERATIONS = (
    Operation("GET", "/api/records/{record}/sharing", my_sharing, "What I show of a match to everybody",
              rest.MySharing, tag="sharing"),
    Operation("POST", "/api/records/{record}/sharing", share, "Show a match to everybody, or no more",
              rest.MySharing, rest.NewSharing, tag="sharing"),
    Operation("GET", "/api/shared/{address}", shared_match, "A public match", rest.SharedMatch, tag="sharing",
              needs_guest=False),
    Operation("GET", "/api/shared/{address}/replay", shared_replay,
              "A public match step by step: with open cards, or as one seat saw it", Replay, tag="sharing",
              needs_guest=False, query=("seat",), is_long=True),
    Operation("GET", "/api/shared/{address}/record", shared_record, "A public match as a line of JSON",
              dict[str, Any], tag="sharing", needs_guest=False, media="application/x-ndjson"),
)  # fmt: skip
