"""PostgreSQL goes away and comes back; connections break at the worst moment."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator

import pytest

from atout.errors import Conflict, Unavailable
from atout.store import Append, TableChanged
from atout.store.postgres import PostgresStore
from tests.store.breaker import Breaker
from tests.store.load import CARD, TABLES, Acknowledged, begin, grow
from tests.store.server import Postgres, running


@pytest.fixture
def own_postgres() -> Iterator[Postgres]:
    """A server that a test may stop."""
    with running() as server:
        yield server


@pytest.mark.slow
def test_restarts_under_load_lose_nothing(own_postgres: Postgres) -> None:
    """Fast shutdowns and crashes, while two stores write to the same tables; the only errors are conflicts."""

    async def scenario() -> None:
        url = await own_postgres.new_url()
        stores = [await PostgresStore.open(url, patience=60.0) for _ in range(2)]
        await begin(stores[0])
        acknowledged, watching = Acknowledged(), stores[1].watch()
        writers = [asyncio.create_task(grow(store, table, acknowledged.add)) for store in stores for table in TABLES]
        for how in (signal.SIGINT, signal.SIGQUIT, signal.SIGINT):
            await asyncio.sleep(0.5)
            before = len(acknowledged.events)
            await asyncio.to_thread(own_postgres.stop, how)
            own_postgres.start()
            while len(acknowledged.events) < before + 50:
                await asyncio.sleep(0.05)
                assert not any(writer.done() for writer in writers), [w.exception() for w in writers if w.done()]
        for writer in writers:
            writer.cancel()
        await asyncio.gather(*writers, return_exceptions=True)
        for store in stores:
            await store.close()  # writes that still wait are carried out
        last = await PostgresStore.open(url)
        await acknowledged.compare(last)
        await last.close()
        assert None in [news async for news in watching], "subscribers were told to read again"

    asyncio.run(scenario())


@pytest.mark.slow
def test_a_database_that_stays_away_is_unavailable_and_comes_back(own_postgres: Postgres) -> None:
    async def scenario() -> None:
        url = await own_postgres.new_url()
        store = await PostgresStore.open(url, patience=0.3)
        await store.create_table("a", CARD, [])
        await asyncio.to_thread(own_postgres.stop)
        for call in (store.append(Append("a", 1, (b"1",))), store.events("a"), store.delete_table("a"), store.check()):
            with pytest.raises(Unavailable):
                await call
        with pytest.raises(Unavailable):
            await PostgresStore.open(url, patience=0.3)
        own_postgres.start()
        await own_postgres.new_url()
        await answer_of(store)
        await store.append(Append("a", 1, (b"1",)))
        assert await store.events("a") == [b"1"]
        await store.close()

    asyncio.run(scenario())


async def answer_of(store: PostgresStore) -> None:
    """Wait until it has a connection again: a busy machine may need longer for one than this store's patience."""
    while True:
        try:
            return await store.check()
        except Unavailable:
            await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    ("guests", "request_lost"),
    [(None, b"two of a"), (("g",), b"two of a"), (("g",), b"COMMIT")],
    ids=["one statement, committed", "a transaction, before its end", "a transaction, committed"],
)
def test_a_lost_answer_is_recovered(postgres: Postgres, guests: tuple[str, ...] | None, request_lost: bytes) -> None:
    """The answer to a group never arrives: the group must be stored once, and acknowledged."""

    async def scenario() -> None:
        async with Breaker.before(await postgres.new_url()) as breaker:
            store = await PostgresStore.open(breaker.url)
            for table in ("a", "b"):
                await store.create_table(table, CARD, [b"1"])
            breaker.lose_answer_to(request_lost)
            appends = [
                Append("a", 2, (b"two of a", b"3"), guests=guests),
                Append("b", 2, (b"two of b",), guests=guests),
            ]
            await asyncio.gather(*[store.append(append) for append in appends])
            assert breaker.lost == 1
            assert await store.events("a") == [b"1", b"two of a", b"3"]
            assert await store.events("b") == [b"1", b"two of b"]
            await store.close()

    asyncio.run(scenario())


def test_a_group_may_be_lost_between_writing_and_refusing(postgres: Postgres) -> None:
    """One append is written, and the wire breaks while the other's refusal is looked up: both answers stay right."""

    async def scenario() -> None:
        async with Breaker.before(await postgres.new_url()) as breaker:
            store = await PostgresStore.open(breaker.url)
            for table in ("a", "b"):
                await store.create_table(table, CARD, [b"1"])
            breaker.lose_answer_to(b"SELECT head FROM tables")
            fits, late = Append("a", 2, (b"2",)), Append("b", 1, (b"2",))
            outcomes = await asyncio.gather(store.append(fits), store.append(late), return_exceptions=True)
            assert breaker.lost == 1
            assert outcomes[0] is None
            assert isinstance(outcomes[1], Conflict)
            assert await store.events("a") == [b"1", b"2"]
            await store.close()

    asyncio.run(scenario())


def test_a_lost_answer_does_not_hide_a_conflict(postgres: Postgres) -> None:
    """Our group is lost and another store's event takes its number: that is a conflict, not an acknowledgement."""

    async def scenario() -> None:
        url = await postgres.new_url()
        async with Breaker.before(url) as breaker:
            ours, theirs = await PostgresStore.open(breaker.url), await PostgresStore.open(url)
            await ours.create_table("a", CARD, [])
            await ours.append(Append("a", 1, (b"1",)))
            breaker.refuse()
            lost = asyncio.create_task(ours.append(Append("a", 2, (b"ours",))))
            await asyncio.sleep(0.1)
            await theirs.append(Append("a", 2, (b"theirs",)))
            breaker.allow()
            with pytest.raises(Conflict):
                await lost
            assert await ours.events("a") == [b"1", b"theirs"]
            for store in (ours, theirs):
                await store.close()

    asyncio.run(scenario())


def test_a_listener_that_lost_its_connection_says_so(postgres: Postgres) -> None:
    async def scenario() -> None:
        url = await postgres.new_url()
        async with Breaker.before(url) as breaker:
            store, other = await PostgresStore.open(breaker.url), await PostgresStore.open(url)
            await other.create_table("a", CARD, [])
            watching = store.watch()
            breaker.refuse()
            await other.append(Append("a", 1, (b"1",)))
            breaker.allow()
            assert await anext(watching) is None
            head = 1
            change: TableChanged | None = None
            while change is None:  # on a busy machine the new connection may be cut, too
                head += 1
                await other.append(Append("a", head, (b"%d" % head,)))
                change = await anext(watching)
                while change is not None and change.head < head:  # it is sent after the append, so it may come late
                    change = await anext(watching)
            assert change == TableChanged("a", head)
            for each in (store, other):
                await each.close()

    asyncio.run(scenario())
