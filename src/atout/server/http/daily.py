"""The deal of the day over REST: the same two rounds for everybody at this server (`tables/daily.py`).

A guest has one try. Nothing of the field is told before they have finished it.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime
from typing import Literal

import msgspec
from starlette.concurrency import run_in_threadpool

from atout.game.notation import PHASES
from atout.protocol import rest, study
from atout.server.errors import ApiError
from atout.server.http.call import Call, Operation
from atout.server.identity import new_id
from atout.server.live.archive import open_table
from atout.server.matches.daily import Decided, decisions_of
from atout.store import DailyDeal, DailyResult, FieldChoice
from atout.study.review import PHASE_OF
from atout.tables import TableSettings, new_secret
from atout.tables import commands as c
from atout.tables.daily import LEVEL, ROUNDS, SEAT, day_settings, shuffle_name
from atout.tables.shuffle import commitment


def _today(call: Call) -> date:
    return datetime.fromtimestamp(call.context.now(), UTC).date()


async def _deal_of_today(call: Call) -> DailyDeal:
    """The deal of today. Whoever asks first makes its secret; the settings stay, even if a new version is started."""
    today = _today(call)
    made = DailyDeal(today.isoformat(), new_secret(), msgspec.json.encode(day_settings(today)))
    return await call.store.find_daily_deal(made.day) or await call.store.daily_deal(made)


def _described(deal: DailyDeal, mine: DailyResult | None, played: int) -> study.DealOfDay:
    settings = msgspec.json.decode(deal.settings, type=TableSettings)
    state: Literal["new", "playing", "finished"] = "new"
    if mine is not None:
        state = "playing" if mine.finished is None else "finished"
    return study.DealOfDay(
        day=deal.day,
        edition=str(settings.edition),
        players=settings.players,
        rounds=ROUNDS,
        level=LEVEL,
        commitment=commitment(shuffle_name("", deal.day), deal.secret),
        played=played,
        state=state,
        table="" if mine is None else mine.table,
    )


async def _mine(call: Call, day: str) -> DailyResult | None:
    if call.known is None:
        return None
    found = await call.store.daily_results(call.known, day)
    return found[0] if found else None


async def deal_of_today(call: Call) -> study.DealOfDay:
    deal = await _deal_of_today(call)
    field = await call.store.daily_field(deal.day)
    return _described(deal, await _mine(call, deal.day), sum(count for _, count in field))


async def play_deal(call: Call) -> rest.OpenedTable:
    """My table of today: opened, with me at it, the first time; the same table ever after."""
    guest, deal = call.guest, await _deal_of_today(call)
    known = await call.store.guest(guest)
    if known is None:
        raise ApiError(401, "no-guest", "introduce yourself first: POST /api/guest")
    mine = await _mine(call, deal.day)
    if mine is None:
        call.context.check_new_table(guest)
        await call.context.hub.check_table_count(guest)
    table = await call.store.begin_daily(guest, deal.day, new_id())
    if await call.store.table(table) is None and (mine is None or mine.finished is None):
        settings = msgspec.json.decode(deal.settings, type=TableSettings)
        opening = c.Open(table=table, settings=settings, secret=deal.secret, daily=deal.day)
        await open_table(call.store, opening, guest, call.context.now(), c.Sit(name=known.name, seat=SEAT))
    return rest.OpenedTable(table=table)


async def deal_result(call: Call) -> study.DealResult:
    """My result and the field's."""
    guest, day = call.guest, call.path("day")
    mine = await _mine(call, day)
    deal = await call.store.find_daily_deal(day) if mine is not None else None
    if mine is None or deal is None:
        raise ApiError(404, "no-deal", "you did not play a deal of that day; POST /api/deal begins the one of today")
    if mine.finished is None:
        raise ApiError(409, "not-finished", "finish your two rounds first; the field is shown afterwards")
    field = await call.store.daily_field(day)
    record = await call.store.record(mine.table) if await call.store.has_record(guest, mine.table) else None
    decisions: list[study.DealDecision] = []
    if record is not None:
        async with call.replay_turn():
            decided = await run_in_threadpool(decisions_of, msgspec.json.decode(record.body))
        decisions = _decisions(decided, await call.store.field_choices(guest, day))
    settings = msgspec.json.decode(deal.settings, type=TableSettings)
    return study.DealResult(
        deal=_described(deal, mine, sum(count for _, count in field)),
        gain=mine.gain or 0.0,
        gains=msgspec.json.decode(mine.gains or b"[]", type=list[float]),
        counted=mine.counted,
        field=[study.FieldResult(gain, count) for gain, count in field],
        record="" if record is None else mine.table,
        seats=settings.levels(),
        decisions=decisions,
    )


def _decisions(decided: list[Decided], field: list[FieldChoice]) -> list[study.DealDecision]:
    found: list[study.DealDecision] = []
    counts: Counter[tuple[int, str]] = Counter()
    for one in decided:
        phase = PHASE_OF[PHASES.index(one.phase)]
        counts[one.round, phase] += 1
        found.append(
            study.DealDecision(
                round=one.round,
                index=one.index,
                phase=phase,
                ordinal=len(one.view["trick_winners"]) + 1 if phase == "tricks" else counts[one.round, phase],
                action=one.choice.action,
                hand=one.view["hand"],
                trick=one.view["trick"],
                conditions=one.view["conditions"],
                choices=[
                    study.FieldAction(other.action, other.count, round(other.gain, 2))
                    for other in field
                    if other.number == one.choice.number
                ],
            )
        )
    return found


DAILY_OPERATIONS = (
    Operation("GET", "/api/deal", deal_of_today, "The deal of today, without its cards", study.DealOfDay, tag="deal",
              needs_guest=False),
    Operation("POST", "/api/deal", play_deal, "Play the deal of today: my only table of it", rest.OpenedTable, None,
              201, "deal"),
    Operation("GET", "/api/deal/{day}", deal_result, "My result in a deal of the day, and the field's",
              study.DealResult, tag="deal", is_long=True),
)  # fmt: skip
