"""Checks of the deal of the day: one secret, one try a guest, and the field."""

from __future__ import annotations

import asyncio

from atout.errors import GuestForgotten
from atout.store.kit.accounts import ANN
from atout.store.kit.opener import Opener, opened, raised
from atout.store.model import DailyChoice, DailyDeal, DailyResult, FieldChoice, Guest
from atout.store.store import Store

DAY, NEXT = "2026-11-17", "2026-11-18"
BOB = Guest("bob", 1.0, 1.0, "Bob")


async def play(store: Store, guest: str, gain: float, action: str, day: str = DAY, counted: bool = True) -> bool:
    """A try from begin to end, with one choice; whether it was kept."""
    table = await store.begin_daily(guest, day, f"{guest} {day}")
    result = DailyResult(guest, day, table, 0.0, 9.0, counted, gain, b"[1,2]")
    return await store.finish_daily(result, [DailyChoice(0, "start", action)])


async def the_first_secret_of_a_day_stays(open: Opener) -> None:
    made = [DailyDeal(DAY, f"secret {i}", b"{}") for i in range(4)]
    async with opened(open) as store:
        assert await store.find_daily_deal(DAY) is None
        found = await asyncio.gather(*(store.daily_deal(one) for one in made))
        assert len(set(found)) == 1
        assert found[0] in made
        assert await store.find_daily_deal(DAY) == found[0]
        other = DailyDeal(NEXT, "another", b"{}")
        assert await store.daily_deal(other) == other, "each day has its own"
        assert await store.find_daily_deal(DAY) == found[0]


async def a_guest_has_one_try_a_day(open: Opener) -> None:
    async with opened(open) as store:
        await store.save_guest(ANN)
        tables = await asyncio.gather(*(store.begin_daily("ann", DAY, f"t{i}") for i in range(4)))
        assert len(set(tables)) == 1
        table = tables[0]
        assert await store.begin_daily("ann", DAY, "later") == table
        assert await store.begin_daily("ann", NEXT, "next") == "next"
        wrong = DailyResult("ann", DAY, "later", 0.0, 8.0, True, 50.0, b"[]")
        assert not await store.finish_daily(wrong, []), "that is not the table of the try"
        result = DailyResult("ann", DAY, table, 0.0, 9.0, True, 3.5, b"[1,2.5]")
        assert await store.finish_daily(result, [DailyChoice(0, "start", "a")])
        assert not await store.finish_daily(result, [DailyChoice(0, "start", "b")]), "once"
        (kept,) = await store.daily_results("ann", DAY)
        assert (kept.table, kept.finished, kept.counted, kept.gain, kept.gains) == (table, 9.0, True, 3.5, b"[1,2.5]")
        assert [one.day for one in await store.daily_results("ann")] == [NEXT, DAY], "the latest first"


async def the_field_is_that_of_its_day(open: Opener) -> None:
    async with opened(open) as store:
        for name in ("ann", "bob", "cid", "dan"):
            await store.save_guest(Guest(name, 1.0, 1.0, name))
        await play(store, "ann", 3.0, "a")
        await play(store, "bob", -2.0, "a")
        await play(store, "cid", 3.0, "b")
        await play(store, "dan", 99.0, "b", counted=False)
        await play(store, "ann", 7.0, "c", NEXT)
        assert await store.daily_field(DAY) == [(-2.0, 1), (3.0, 2)]
        assert await store.daily_field(NEXT) == [(7.0, 1)]
        assert await store.daily_field("2026-11-19") == []
        assert await store.field_choices("ann", DAY) == [FieldChoice(0, "a", 2, 0.5), FieldChoice(0, "b", 1, 3.0)]
        assert await store.field_choices("ann", NEXT) == [FieldChoice(0, "c", 1, 7.0)]


async def a_joined_guest_keeps_the_result(open: Opener) -> None:
    async with opened(open) as store:
        await store.save_guest(ANN)
        await store.save_guest(BOB)
        await play(store, "ann", 3.0, "a")
        assert await store.join_guest("ann", "bob") == "joined"
        assert await store.daily_results("ann") == []
        (kept,) = await store.daily_results("bob", DAY)
        assert (kept.table, kept.gain, kept.counted) == (f"ann {DAY}", 3.0, True)
        assert await store.daily_field(DAY) == [(3.0, 1)]
        assert await store.field_choices("bob", DAY) == [FieldChoice(0, "a", 1, 3.0)]


async def two_results_do_not_become_one_persons(open: Opener) -> None:
    """A finished try stays, the account's own if both are; the field counts no second hand. Other days are kept."""
    async with opened(open) as store:
        for guest in (ANN, BOB):
            await store.save_guest(guest)
        await play(store, "ann", 3.0, "a")
        await play(store, "ann", 4.0, "d", NEXT)
        await play(store, "bob", -2.0, "b")
        assert await store.begin_daily("bob", "2026-11-19", "open") == "open"
        await play(store, "ann", 30.0, "e", "2026-11-19")
        assert await store.join_guest("ann", "bob") == "joined"
        mine = await store.daily_results("bob")
        assert [(one.day, one.gain) for one in mine] == [("2026-11-19", 30.0), (NEXT, 4.0), (DAY, -2.0)]
        assert await store.daily_field(DAY) == [(-2.0, 1)], "one person counts once"
        assert await store.daily_field("2026-11-19") == [], "the second hand counts for nothing"
        assert await store.field_choices("bob", DAY) == [FieldChoice(0, "b", 1, -2.0)]
        assert [one.action for one in await store.daily_choices("bob", "2026-11-19")] == ["e"]
        assert await store.field_choices("bob", "2026-11-19") == []


async def a_try_goes_on_after_joining(open: Opener) -> None:
    async with opened(open) as store:
        await store.save_guest(ANN)
        await store.save_guest(BOB)
        table = await store.begin_daily("ann", DAY, "t")
        await store.join_guest("ann", "bob")
        assert await store.begin_daily("bob", DAY, "other") == table
        assert await store.finish_daily(DailyResult("bob", DAY, table, 0.0, 9.0, True, 1.0, b"[1]"), [])
        assert await store.daily_field(DAY) == [(1.0, 1)]


async def a_deleted_guest_leaves_the_field(open: Opener) -> None:
    async with opened(open) as store:
        await store.save_guest(ANN)
        await store.save_guest(BOB)
        await play(store, "ann", 3.0, "a")
        await play(store, "bob", 1.0, "a")
        await store.delete_guest("ann")
        assert await store.daily_field(DAY) == [(1.0, 1)]
        assert await store.field_choices("bob", DAY) == [FieldChoice(0, "a", 1, 1.0)]
        assert isinstance(await raised(store.begin_daily("ann", NEXT, "t")), GuestForgotten)
