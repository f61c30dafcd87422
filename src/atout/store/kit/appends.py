"""Checks of the event log: numbered, whole, grouped, in order, reported to subscribers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from atout.errors import Conflict, NoTable, StoreError, Unavailable
from atout.store.kit.opener import CARD, Opener, card, opened, raised
from atout.store.model import Append, TableChanged


async def events_come_back_as_they_were(open: Opener) -> None:
    bodies = [b"{}", b"", bytes(range(256)), "ä…\0".encode(), b"x" * 100_000]
    async with opened(open) as store:
        await store.create_table("a", CARD, bodies[:2])
        await store.append(Append("a", 3, tuple(bodies[2:4])))
        await store.append(Append("a", 5, tuple(bodies[4:])))
        assert await store.events("a") == bodies
        assert await store.events("a", after=3) == bodies[3:]
        assert await store.events("a", after=5) == await store.events("a", after=9) == []
        assert await store.head("a") == 5
    async with opened(open) as store:
        assert await store.events("a") == bodies, "and after opening the store again"


async def a_number_is_taken_once_and_none_left_out(open: Opener) -> None:
    async with opened(open) as store:
        await store.create_table("a", CARD, [b"1", b"2"])
        for first in (1, 2, 4, 0, -1):
            error = await raised(store.append(Append("a", first, (b"x", b"y"), card(state="no"), 5.0, ("g",))))
            assert isinstance(error, Conflict), first
            assert (error.table, error.first, error.head) == ("a", first, 2)
        assert await store.events("a") == [b"1", b"2"]
        listed = await store.table("a")
        assert listed is not None
        assert (listed.card, listed.due) == (CARD, None), "a refused append changes nothing"
        assert await store.head("a") == 2
        assert await store.tables_of("g") == []


async def a_table_is_created_once(open: Opener) -> None:
    async with opened(open) as store:
        await store.create_table("a", CARD, [b"1"])
        error = await raised(store.create_table("a", card(state="no"), [b"1", b"2"], guests=["g"]))
        assert isinstance(error, Conflict)
        assert await store.events("a") == [b"1"]
        assert await store.tables_of("g") == []


async def a_missing_table_is_named(open: Opener) -> None:
    async with opened(open) as store:
        calls = store.events("a"), store.head("a"), store.append(Append("a", 1, (b"1",)))
        for error in [await raised(call) for call in calls]:
            assert isinstance(error, NoTable)
            assert error.table == "a"
        assert await store.table("a") is None
        assert not await store.delete_table("a")


async def an_append_may_change_the_card_alone(open: Opener) -> None:
    async with opened(open) as store:
        await store.create_table("a", CARD, [b"1"])
        await store.append(Append("a", 2, (), card(state="paused")))
        listed = await store.table("a")
        assert listed is not None
        assert listed.card.state == "paused"
        assert await store.head("a") == 1
        assert isinstance(await raised(store.append(Append("a", 1, (), CARD))), Conflict)


async def a_refused_append_fails_alone(open: Opener) -> None:
    """Many appends at once, some with a wrong number, a missing table, or a value that no database stores."""
    async with opened(open) as store:
        names = [f"t{i}" for i in range(30)]
        await asyncio.gather(*[store.create_table(name, CARD, [b"1"]) for name in names])
        good = [store.append(Append(name, 2, (b"2", b"3"))) for name in names[:20]]
        wrong = [store.append(Append(name, 5, (b"2",))) for name in names[20:28]]
        odd = store.append(Append(names[28], 2, (b"2",), card(state="\ud800"))), store.append(Append("no", 2, (b"2",)))
        outcomes = await asyncio.gather(*good, *wrong, *odd, return_exceptions=True)
        assert outcomes[:20] == [None] * 20
        assert all(isinstance(outcome, Conflict) for outcome in outcomes[20:28])
        assert isinstance(outcomes[28], StoreError)
        assert isinstance(outcomes[29], NoTable)
        for name in names:
            assert await store.events(name) == ([b"1", b"2", b"3"] if name in names[:20] else [b"1"])
        await store.append(Append(names[28], 2, (b"2",)))


async def appends_to_one_table_keep_their_order(open: Opener) -> None:
    async with opened(open) as store:
        await store.create_table("a", CARD, [])
        await asyncio.gather(*[store.append(Append("a", n, (b"%d" % n,))) for n in range(1, 21)])
        assert await store.events("a") == [b"%d" % n for n in range(1, 21)]


async def one_of_two_stores_wins_each_number(open: Opener) -> None:
    async with opened(open) as one, opened(open) as two:
        tables = [f"t{i}" for i in range(8)]
        for table in tables:
            await one.create_table(table, CARD, [])
        wins: dict[tuple[str, int], bytes] = {}

        async def race(mark: bytes, table: str) -> None:
            store, number = (one, 1) if mark == b"one" else (two, 1)
            while number <= 20:
                error = await raised(store.append(Append(table, number, (mark,))))
                if error is None:
                    assert (table, number) not in wins
                    wins[table, number] = mark
                else:
                    assert isinstance(error, Conflict), error
                number += 1

        await asyncio.gather(*[race(mark, table) for table in tables for mark in (b"one", b"two")])
        for table in tables:
            assert await one.events(table) == [wins[table, number] for number in range(1, 21)]


async def a_cancelled_caller_disturbs_no_other(open: Opener) -> None:
    async with opened(open) as store:
        await store.create_table("a", CARD, [])
        await store.create_table("b", CARD, [])
        leaving = asyncio.create_task(store.append(Append("a", 1, (b"1",))))
        staying = asyncio.create_task(store.append(Append("b", 1, (b"1",))))
        await asyncio.sleep(0)
        leaving.cancel()
        await staying
        await store.append(Append("b", 2, (b"2",)))
        assert await store.events("a") in ([], [b"1"])


async def subscribers_are_notified(open: Opener) -> None:
    async with opened(open) as store, opened(open) as other:
        await store.create_table("a", CARD, [b"1"])
        subscription = store.watch()
        writer = other if store.shared else store
        await writer.append(Append("a", 2, (b"2", b"3")))
        assert await next_change(subscription, after=1) == TableChanged("a", 3)
        await raised(writer.append(Append("a", 2, (b"x",))))
        await writer.append(Append("a", 4, (b"4",)))
        assert await next_change(subscription) == TableChanged("a", 4), "a refused append is not reported"
    assert [change async for change in subscription] == [], "the iterator ends with the store"


async def next_change(subscription: AsyncIterator[TableChanged | None], after: int = 0) -> TableChanged | None:
    """The next notification of an event after this one. Notifications are sent after the commit, so those of earlier
    events may come late, and a request to read everything again may come at any time.
    """
    while (change := await anext(subscription)) is None or change.head <= after:
        pass
    return change


async def a_closed_store_refuses_calls(open: Opener) -> None:
    store = await open()
    await store.create_table("a", CARD, [])
    last = asyncio.create_task(store.append(Append("a", 1, (b"1",))))
    await asyncio.sleep(0)
    await store.close()
    await last
    calls = store.append(Append("a", 2, (b"2",))), store.events("a"), store.delete_table("a"), store.check()
    for error in [await raised(call) for call in calls]:
        assert isinstance(error, Unavailable)
    async with opened(open) as again:
        assert await again.events("a") == [b"1"], "the append that had begun is stored"
