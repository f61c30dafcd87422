"""The REST interface, operation by operation. Routes and the OpenAPI description come from the same list."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from atout.bots import LEVELS
from atout.editions import PUBLISHED, Edition, load
from atout.errors import NoTable, RecordError
from atout.protocol import rest
from atout.records import Replay, make_replay, make_round_replay
from atout.records.replay import MAX_MOVES
from atout.server.errors import ApiError
from atout.server.http.accounts import ACCOUNT_OPERATIONS
from atout.server.http.call import Call, Operation, number_of
from atout.server.http.cards import card_of, without_open_seats
from atout.server.http.daily import DAILY_OPERATIONS
from atout.server.http.everything import EVERYTHING_OPERATIONS
from atout.server.http.hosts import is_from_here
from atout.server.http.matches import MATCH_OPERATIONS, after_of, entry_after
from atout.server.http.nudges import NUDGE_OPERATIONS
from atout.server.http.oidc import OIDC_OPERATIONS
from atout.server.http.people import PEOPLE_OPERATIONS
from atout.server.http.play_on import PLAY_ON_OPERATIONS
from atout.server.http.puzzles import PUZZLE_OPERATIONS
from atout.server.http.responses import json_response, problem
from atout.server.http.reviews import REVIEW_OPERATIONS
from atout.server.http.sharing import SHARING_OPERATIONS
from atout.server.identity import MAX_AGE, hashed, new_id
from atout.server.live.archive import open_table
from atout.server.live.forgetting import forget_guest
from atout.server.live.loading import table_of
from atout.server.live.people import is_unwelcome
from atout.server.matches import imports
from atout.server.reach import is_everywhere, origins_for_others
from atout.store import MAX_IMPORTS, Guest, ListedRecord, SeatLink, StoredRecord
from atout.tables import Table, new_secret
from atout.tables import commands as c
from atout.tables.guards import is_name, tidied
from atout.tables.settings import check_settings

PAGE = 50
MAX_SETTINGS = 4096
MAX_DEPTH = 16
LINK_PARTS = 3
MAX_UPLOADED = 1250
"""Actions of a record that anybody may send to be replayed. Full matches of all editions, at random: 880 at most."""


# ---------------------------------------------------------------- guests


async def introduce(call: Call) -> rest.Profile | Response:
    """Become a guest. A request with the cookie of a forgotten guest or an ended session is refused, and loses it."""
    if call.is_void:
        call.clear_cookie()
        return problem(ApiError(401, "no-guest", "you were forgotten or signed out; ask again without the cookie"))
    profile: rest.Profile = call.body
    name = tidied(profile.name)
    if not is_name(name):
        message = f"a name has 1 to {rest.MAX_NAME} letters, at least one of them a letter or a digit"
        raise ApiError(422, "bad-name", message, most=rest.MAX_NAME)
    if _is_deeper(profile.settings, MAX_DEPTH):
        raise ApiError(422, "too-deep", f"settings are nested {MAX_DEPTH} deep at most", most=MAX_DEPTH)
    settings = msgspec.json.encode(profile.settings)
    if len(settings) > MAX_SETTINGS:
        raise ApiError(422, "too-large", f"settings have {MAX_SETTINGS} bytes at most", most=MAX_SETTINGS)
    now, guest = call.context.now(), call.known
    if guest is None:
        call.context.check_new_guest(call.request)
        guest = new_id()
    await call.store.save_guest(Guest(guest, now, now, name, settings))
    session = "" if call.identity is None else call.identity.session
    call.set_cookie(call.context.signer.sign(guest, now, session), MAX_AGE)
    return rest.Profile(name=name, settings=profile.settings)


def _is_deeper(tree: object, most: int) -> bool:
    """Whether tables and lists are nested deeper: so deep ones cannot be written as JSON again."""
    level = [tree]
    for _ in range(most):
        inside = [one.values() if isinstance(one, dict) else one for one in level if isinstance(one, dict | list)]
        level = [value for values in inside for value in values]
    return any(isinstance(one, dict | list) for one in level)


async def who_am_i(call: Call) -> rest.Profile:
    guest = await call.store.guest(call.guest)
    if guest is None:
        raise ApiError(401, "no-guest", "introduce yourself first: POST /api/guest")
    return rest.Profile(name=guest.name, settings=msgspec.json.decode(guest.settings))


async def forget_me(call: Call) -> None:
    """Make the cookie void, delete what is kept under its id, and take the guest out of tables and records."""
    await forget_guest(call.context.hub, call.guest)
    call.clear_cookie()


# ---------------------------------------------------------------- tables


async def editions(_call: Call) -> rest.Editions:
    return rest.Editions(editions=[_edition(load(name)) for name in PUBLISHED], levels=list(LEVELS))


def _edition(edition: Edition) -> rest.EditionEntry:
    scoring = []
    if edition.is_njet:
        own = edition.match.scoring
        scoring = [own, "difference" if own == "total" else "total"]
    places = [
        rest.Places(
            players=players,
            rounds=edition.at(players).rounds,
            short=edition.at(players).short,
            target=edition.match.target is not None,
            scoring=scoring,
            teams=edition.at(players).teams,
        )
        for players in edition.counts
    ]
    return rest.EditionEntry(
        id=edition.id,
        game=edition.game,
        name=edition.name,
        subtitle=edition.subtitle,
        author=edition.author,
        places=places,
    )


async def addresses(call: Call) -> rest.Addresses:
    """Which address invitations need where the page was opened as 127.0.0.1. Others hear of the public one alone."""
    settings = call.context.settings
    if not (settings.public_url or is_from_here(call.request)):
        return rest.Addresses(origins=[], is_local=False)
    origins = await run_in_threadpool(origins_for_others, settings)
    return rest.Addresses(origins=origins, is_local=not origins and not is_everywhere(settings.host))


async def open_a_table(call: Call) -> rest.OpenedTable:
    guest, new = call.guest, call.body
    async with call.context.checking:
        await run_in_threadpool(check_settings, new.settings)
    call.context.check_new_table(guest)
    await call.context.hub.check_table_count(guest)
    opening = c.Open(table=new_id(), settings=new.settings, secret=new_secret())
    await open_table(call.store, opening, guest, call.context.now())
    return rest.OpenedTable(table=opening.table)


async def lobby(call: Call) -> rest.Tables:
    """Public tables with open seats; without those whose host has blocked the guest, who is not told why."""
    listed = await call.store.open_tables(PAGE)
    hidden = [] if call.known is None else await _unwelcoming(call, call.known, [one.table for one in listed])
    return rest.Tables(tables=[card_of(one) for one in listed if one.table not in hidden])


async def _unwelcoming(call: Call, guest: str, tables: list[str]) -> list[str]:
    """The tables of the lobby at which a guest would get no seat, because the host has blocked them."""
    candidates = await call.store.open_tables_of_blockers(guest)
    return [table for table in candidates if table in tables and await _is_unwelcome_at(call, table, guest)]


async def my_tables(call: Call) -> rest.Tables:
    """The guest's tables, without those they left to others.

    They come with the state of their match, as far as it can be loaded in one request (`MyParts`).
    """
    cards = [card_of(listed) for listed in await call.store.tables_of(call.guest, PAGE)]
    playing = [card for card in cards if card.state in ("playing", "paused")]
    parts = await call.context.my_parts.of(call.guest, [card.table for card in playing])
    for card in playing:
        card.mine = parts.get(card.table)
    return rest.Tables(tables=[card for card in cards if card.mine is None or card.mine.seats])


async def _table(call: Call, table: str) -> Table:
    """The table as it is now, without loading it into the hub: nobody joins it here."""
    live = call.context.hub.tables.get(table)
    if live is not None:
        return await live.durable()
    return await table_of(await call.store.events(table))


async def one_table(call: Call) -> rest.TableCard:
    listed = await call.store.table(call.path("table"))
    if listed is None:
        raise NoTable(call.path("table"))
    if not listed.card.public and listed.card.state != "waiting":
        table = await (await call.context.hub.table(listed.table)).durable()
        if call.known not in table.members:
            table.views(table.last_at).own(call.known)  # `Refused` to whom the table shows nothing
    card = card_of(listed)
    if call.known is not None and listed.card.open_seats and await _is_unwelcome_at(call, listed.table, call.known):
        return without_open_seats(card)
    return card


async def _is_unwelcome_at(call: Call, table: str, guest: str) -> bool:
    return await is_unwelcome(call.context.hub, await _table(call, table), guest)


async def round_replay(call: Call) -> Replay:
    """A finished round of a table as I saw it, while the match may still go on; one at a time, like all replays."""
    guest, table = call.guest, call.path("table")
    number = number_of(call.path("round"))
    async with call.replay_turn():
        known = await _table(call, table)
        if known.number == 0:
            raise NoTable(table)
        record, seat = known.round_record(guest, number or 0)
        return await run_in_threadpool(make_round_replay, record, seat)


# ---------------------------------------------------------------- seat links
# A token names the table and the seat. Its hash is stored, computed together with the guest who has the seat: when the
# seat moves to another guest, all links of the former one are void.


async def make_link(call: Call) -> rest.NewLink:
    guest, table = call.guest, call.path("table")
    seat = (await (await call.context.hub.table(table)).durable()).seat_of(guest)
    if seat is None:
        raise ApiError(403, "no-seat", "you have no seat at this table")
    links = [link for link in await call.store.links(table) if link.seat == seat]
    unused, most, most_ever = (
        sum(not link.revoked for link in links),
        call.context.MAX_LINKS,
        call.context.MAX_LINKS_EVER,
    )
    if unused >= most or len(links) >= most_ever:
        raise ApiError(409, "too-many-links", f"a seat has {most} unused links at most; revoke some", most=most)
    token = f"{table}~{seat}~{new_id()}"
    hash = hashed(f"{token}~{guest}")
    await call.store.add_link(SeatLink(hash, table, seat, call.context.now()))
    return rest.NewLink(token=token, link=hash.hex())


async def my_links(call: Call) -> rest.Links:
    guest, table = call.guest, call.path("table")
    seat = (await (await call.context.hub.table(table)).durable()).seat_of(guest)
    links = [link for link in await call.store.links(table) if link.seat == seat]
    return rest.Links(links=[rest.LinkEntry(link.hash.hex(), link.created, link.revoked) for link in links])


async def revoke_link(call: Call) -> None:
    known = await my_links(call)
    if call.path("link") not in {entry.link for entry in known.links}:
        raise ApiError(404, "no-link", "your seat has no such link")
    await call.store.revoke_link(bytes.fromhex(call.path("link")))


async def use_link(call: Call) -> rest.Seated:
    guest, token = call.guest, call.body.token
    parts = token.split("~")
    if len(parts) != LINK_PARTS or not (token.isprintable() and parts[1].isascii() and parts[1].isdecimal()):
        raise ApiError(404, "no-link", "this link is invalid or was already used; ask for a new one")
    live = await call.context.hub.table(parts[0])
    seat = int(parts[1][:2])
    table = await live.durable()
    owner = table.guests[seat] if seat < len(table.guests) else None
    hash = hashed(f"{token}~{owner}")
    link = await call.store.link(hash) if owner is not None else None
    if link is None or link.revoked or (link.table, link.seat) != (parts[0], seat):
        raise ApiError(404, "no-link", "this link is invalid or was already used; ask for a new one")
    if await is_unwelcome(call.context.hub, table, guest):
        raise ApiError(404, "no-link", "this link is invalid or was already used; ask for a new one")
    has = (await live.durable()).seat_of(guest)
    if has is not None:
        raise ApiError(409, "already-seated", f"you have seat {has} already", seat=has)
    move = c.MoveSeat(seat=seat, guest=guest)
    live.table.decide(move, None, call.context.now())  # `Refused` before the link is used up
    if not await call.store.revoke_link(hash):
        raise ApiError(404, "no-link", "this link was used just now")
    await live.do(move, None)
    for other in await call.store.links(parts[0]):
        if other.seat == seat and not other.revoked:
            await call.store.revoke_link(other.hash)  # void by now: they were of the guest who had the seat
    return rest.Seated(table=parts[0], seat=seat)


# ---------------------------------------------------------------- records


async def records(call: Call) -> rest.Records:
    after = call.request.query_params.get("after", "")
    entries = await call.store.records(call.guest, entry_after(after) if after else None, PAGE)
    last = after_of(entries[-1]) if len(entries) == PAGE else ""
    return rest.Records(records=[_entry(one) for one in entries], next=last)


def _entry(one: ListedRecord) -> rest.RecordEntry:
    summary = msgspec.json.decode(one.summary, type=rest.RecordSummary)
    return rest.RecordEntry(one.id, one.edition, one.finished, summary)


async def _my_record(call: Call, id: str) -> StoredRecord:
    found = await call.store.record(id) if await call.store.has_record(call.guest, id) else None
    if found is None:
        raise ApiError(404, "no-record", "there is no such record in your list")
    return found


async def record(call: Call) -> Response:
    """The record as one line of JSON Lines."""
    id = call.path("record")
    for ending in (".jsonl", ".json"):
        id = id.removesuffix(ending)
    found = await _my_record(call, id)
    headers = {"Content-Disposition": f'attachment; filename="atout-{found.edition}-{int(found.finished)}.jsonl"'}
    return Response(found.body + b"\n", headers=headers, media_type="application/x-ndjson")


async def import_record(call: Call) -> rest.ImportedRecord:
    """Keep a record for its review. It takes its turn among the records that are brought to be replayed."""
    guest = call.guest
    async with call.upload_turn():
        try:
            found = await run_in_threadpool(imports.imported, call.body.record, guest, call.context.now(), MAX_UPLOADED)
        except RecordError as error:
            raise bad_record(error) from None
    await call.store.import_record(guest, found, MAX_IMPORTS)
    return rest.ImportedRecord(record=found.id)


async def my_imports(call: Call) -> rest.Records:
    return rest.Records(records=[_entry(one) for one in await call.store.imports(call.guest)])


async def my_replay(call: Call) -> Response:
    """A match of mine step by step."""
    found = await _my_record(call, call.path("record"))
    async with call.replay_turn():
        return await _replayed(found.body.decode(), MAX_MOVES)


async def delete_record(call: Call) -> None:
    if not await call.store.delete_record(call.guest, call.path("record")):
        raise ApiError(404, "no-record", "there is no such record in your list")


async def replay(call: Call) -> Response:
    """Verify a record and return it step by step; one at a time, because a worker has tables to serve."""
    async with call.upload_turn():
        return await _replayed(call.body.record, MAX_UPLOADED)


async def _replayed(record: str, most: int) -> Response:
    try:
        return await run_in_threadpool(lambda: json_response(make_replay(record, most=most)))
    except RecordError as error:
        raise bad_record(error) from None


def bad_record(error: RecordError) -> ApiError:
    where = {"round": error.round, "action": error.action}
    return ApiError(422, "bad-record", str(error)[:500], reason=error.reason[:500], **where)


async def statistics(call: Call) -> rest.StatisticsAnswer:
    found = await call.store.statistics(call.guest)
    return rest.StatisticsAnswer(
        [rest.EditionStatistics(one.edition, one.matches, one.wins, one.rounds, one.points) for one in found]
    )


OPERATIONS = (
    Operation("POST", "/api/guest", introduce, "Become a guest, or change name and settings; sets the cookie",
              rest.Profile, rest.Profile, tag="guests", needs_guest=False),
    Operation("GET", "/api/guest", who_am_i, "Name and settings", rest.Profile, tag="guests"),
    Operation("DELETE", "/api/guest", forget_me, "Forget everything about me", status=204, tag="guests"),
    Operation("GET", "/api/editions", editions, "What can be played, and with which options", rest.Editions,
              needs_guest=False),
    Operation("GET", "/api/addresses", addresses, "By which addresses other devices reach this server",
              rest.Addresses, needs_guest=False),
    Operation("POST", "/api/tables", open_a_table, "Open a table", rest.OpenedTable, rest.NewTable, 201),
    Operation("GET", "/api/tables", lobby, "Public tables with open seats", rest.Tables, needs_guest=False),
    Operation("GET", "/api/tables/mine", my_tables, "Tables I play at, or opened and wait at", rest.Tables),
    Operation("GET", "/api/tables/{table}", one_table, "A table's card", rest.TableCard, needs_guest=False),
    Operation("GET", "/api/tables/{table}/rounds/{round}", round_replay, "A finished round, step by step, as I saw it",
              Replay, is_long=True),
    Operation("POST", "/api/tables/{table}/links", make_link, "A link that hands my seat to another device",
              rest.NewLink, None, 201, "links"),
    Operation("GET", "/api/tables/{table}/links", my_links, "The links of my seat", rest.Links, tag="links"),
    Operation("DELETE", "/api/tables/{table}/links/{link}", revoke_link, "Revoke a link", status=204, tag="links"),
    Operation("POST", "/api/links", use_link, "Use a link: the seat is mine from now on", rest.Seated, rest.UseLink,
              tag="links"),
    Operation("GET", "/api/records", records, "My finished matches, the latest first", rest.Records, tag="records",
              query=("after",)),
    Operation("POST", "/api/records", import_record,
              f"Keep a record for me alone, to review it; the latest {MAX_IMPORTS} stay, for {imports.KEPT_DAYS} days",
              rest.ImportedRecord, rest.NewReplay, 201, "records", most=rest.MAX_RECORD * 3),
    Operation("GET", "/api/imports", my_imports, "The records that I imported, the latest first", rest.Records,
              tag="records"),
    Operation("GET", "/api/records/{record}", record, "A finished match, one line of JSON; .json or .jsonl may follow",
              dict[str, Any], tag="records", media="application/x-ndjson"),
    Operation("GET", "/api/records/{record}/replay", my_replay, "A finished match of mine, step by step", Replay,
              tag="records", is_long=True),
    Operation("DELETE", "/api/records/{record}", delete_record, "Remove a match from my list", status=204,
              tag="records"),
    Operation("POST", "/api/replays", replay, "Verify a record and return its steps", Replay, rest.NewReplay,
              tag="records", needs_guest=False, most=rest.MAX_RECORD * 3, is_long=True),
    Operation("GET", "/api/statistics", statistics, "My statistics, per edition", rest.StatisticsAnswer, tag="records"),
    *OIDC_OPERATIONS,
    *MATCH_OPERATIONS,
    *SHARING_OPERATIONS,
    *REVIEW_OPERATIONS,
    *PLAY_ON_OPERATIONS,
    *PUZZLE_OPERATIONS,
    *DAILY_OPERATIONS,
    *ACCOUNT_OPERATIONS,
    *EVERYTHING_OPERATIONS,
    *NUDGE_OPERATIONS,
    *PEOPLE_OPERATIONS,
)  # fmt: skip
