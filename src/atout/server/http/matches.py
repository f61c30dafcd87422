"""My finished matches over REST: the list with conditions, and statistics."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.concurrency import run_in_threadpool

from atout.errors import RecordError
from atout.protocol import rest
from atout.server.errors import ApiError
from atout.server.http.call import Call, Operation, number_of
from atout.server.matches.mine import MatchFilter, error_rate, errors_by_match, match_of, statistics_of
from atout.server.matches.summary import completed
from atout.store import ListedRecord

PAGE = 20
SCANNED = 200
"""How many summaries are read at a time."""
MAX_SCANNED = 2000
"""How many of a guest's latest matches are searched and counted; older ones are only listed."""
MAX_COMPLETED = 50
"""Summaries of older versions that one request completes: each costs some milliseconds."""
QUERY = ("edition", "players", "against")


async def my_matches(call: Call) -> rest.MyMatches:
    """A page of my matches that meet the conditions; the latest first."""
    wanted, after = _wanted_matches(call), call.request.query_params.get("after", "")
    at = entry_after(after) if after else None
    found: list[rest.MyMatch] = []
    errors = errors_by_match(await call.store.review_errors(call.guest))
    scanned = 0
    while scanned < MAX_SCANNED:
        page = await call.store.records(call.guest, at, SCANNED if wanted != MatchFilter() else PAGE)
        if not page:
            return rest.MyMatches(found)
        for listed in page:
            at = listed
            if wanted.fit(match_of(listed)):
                (whole,), _ = await complete(call, [listed], 1)
                found.append(match_of(whole))
                found[-1].error_rate = error_rate(found[-1], errors)
                if len(found) == PAGE:
                    return rest.MyMatches(found, after_of(at))
        scanned += len(page)
    return rest.MyMatches(found, after_of(at) if at is not None else "")


async def match_statistics(call: Call) -> rest.MatchStatistics:
    listed: list[ListedRecord] = []
    while len(listed) < MAX_SCANNED:
        page = await call.store.records(call.guest, listed[-1] if listed else None, SCANNED)
        listed += page
        if len(page) < SCANNED:
            break
    whole, left = await complete(call, listed, MAX_COMPLETED)
    errors = errors_by_match(await call.store.review_errors(call.guest))
    return await run_in_threadpool(statistics_of, map(match_of, whole), _wanted_matches(call), left, errors)


async def complete(call: Call, listed: Sequence[ListedRecord], most: int) -> tuple[list[ListedRecord], int]:
    """The entries with complete summaries, and how many are not: at most `most` are worked out and stored."""
    found, left = list(listed), 0
    for i, one in enumerate(found):
        if b'"round_points":[' in one.summary:
            continue
        if most == 0:
            left += 1
            continue
        most -= 1
        record = await call.store.record(one.id)
        if record is None:
            continue
        try:
            async with call.replay_turn():
                summary = await run_in_threadpool(completed, record.summary, record.body)
        except RecordError:
            continue  # its rules are not known to this version
        except ApiError:
            most, left = 0, left + 1  # too many wait: another time
            continue
        await call.store.replace_summary(one.id, record.summary, summary)
        found[i] = ListedRecord(one.id, one.edition, one.finished, summary, one.seats)
    return found, left


def _wanted_matches(call: Call) -> MatchFilter:
    query = call.request.query_params
    players = number_of(query.get("players") or "0", 1)
    if players is None:
        raise ApiError(400, "bad-query", "players: expected a number of players")
    return MatchFilter(
        edition=query.get("edition", ""),
        players=players,
        against=query.get("against", ""),
        result=query.get("result", ""),
    )


def entry_after(after: str) -> ListedRecord:
    """The place in a list that `next` of the page before names."""
    finished, _, id = after.partition("~")
    try:
        return ListedRecord(id, "", float(finished), b"")
    except ValueError:
        raise ApiError(400, "bad-query", "after: expected what `next` gave") from None


def after_of(listed: ListedRecord) -> str:
    return f"{listed.finished!r}~{listed.id}"


MATCH_OPERATIONS = (
    Operation("GET", "/api/matches", my_matches, "My finished matches as they went for me, the latest first",
              rest.MyMatches, tag="matches", query=(*QUERY, "result", "after"), is_long=True),
    Operation("GET", "/api/matches/statistics", match_statistics,
              "Sums over my matches: by week, edition, level of the bots and partner", rest.MatchStatistics,
              tag="matches", query=(*QUERY, "result"), is_long=True),
)  # fmt: skip
