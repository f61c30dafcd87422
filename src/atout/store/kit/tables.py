"""Checks of the lists of tables: the lobby, a guest's tables, due ones, idle ones."""

from __future__ import annotations

from collections.abc import Sequence

from atout.store.kit.opener import CARD, Opener, card, opened
from atout.store.model import Append, ListedTable, Result, SeatLink, StoredRecord


def names(listed: Sequence[ListedTable]) -> list[str]:
    return [entry.table for entry in listed]


async def the_lobby_shows_public_tables_with_open_seats(open: Opener) -> None:
    async with opened(open) as store:
        await store.create_table("old", card(active=1.0), [])
        await store.create_table("new", card(active=3.0), [])
        await store.create_table("full", card(open_seats=0), [])
        await store.create_table("private", card(public=False), [])
        assert names(await store.open_tables()) == ["new", "old"]
        assert names(await store.open_tables(limit=1)) == ["new"]
        await store.append(Append("new", 1, (b"1",), card(open_seats=0)))
        await store.append(Append("private", 1, (b"1",), card(active=2.5)))
        listed = await store.open_tables()
        assert names(listed) == ["private", "old"]
        assert listed[0].card == card(active=2.5)


async def a_guest_does_not_fill_the_lobby(open: Opener) -> None:
    async with opened(open) as store:
        for i in range(5):
            await store.create_table(f"eve{i}", card(active=10.0 + i), [], guests=["eve"])
        await store.create_table("full", card(active=30.0, open_seats=0), [], guests=["ann"])
        for i in range(2):
            await store.create_table(f"ann{i}", card(active=1.0 + i), [], guests=["eve", "ann"])
        await store.create_table("bob", card(active=0.5), [], guests=["bob"])
        await store.create_table("none", card(active=0.1), [])
        assert names(await store.open_tables()) == ["eve4", "eve3", "ann1", "ann0", "bob", "none"]
        await store.append(Append("eve4", 1, (b"1",), card(open_seats=0)))
        assert names(await store.open_tables(limit=3)) == ["eve3", "eve2", "ann1"]


async def a_guest_sees_their_tables(open: Opener) -> None:
    async with opened(open) as store:
        await store.create_table("a", card(active=1.0), [], guests=["ann", "bob", "ann"])
        await store.create_table("b", card(active=2.0, public=False), [], guests=["ann"])
        assert names(await store.tables_of("ann")) == ["b", "a"]
        assert names(await store.tables_of("ann", limit=1)) == ["b"]
        await store.append(Append("a", 1, (b"1",), guests=("bob", "cid")))
        await store.append(Append("b", 1, (b"1",)))
        assert names(await store.tables_of("ann")) == ["b"]
        assert names(await store.tables_of("bob")) == names(await store.tables_of("cid")) == ["a"]


async def due_tables_are_found_again(open: Opener) -> None:
    async with opened(open) as store:
        await store.create_table("late", CARD, [], due=30.25)
        await store.create_table("soon", CARD, [], due=10.0)
        await store.create_table("never", CARD, [])
        assert names(await store.due(9.9)) == []
        assert names(await store.due(30.25)) == ["soon", "late"]
        assert names(await store.due(99.0, limit=1)) == ["soon"]
        await store.append(Append("soon", 1, (b"1",), due=None))
        await store.append(Append("never", 1, (b"1",), due=20.0))
        await store.append(Append("late", 1, (b"1",), card(state="on")))
    async with opened(open) as store:
        assert [(entry.table, entry.due) for entry in await store.due(99.0)] == [("never", 20.0), ("late", 30.25)]


async def idle_tables_are_found_and_deleted_whole(open: Opener) -> None:
    async with opened(open) as store:
        await store.create_table("stale", card(active=1.0), [b"1"], due=1.0, guests=["ann"])
        await store.create_table("fresh", card(active=9.0), [b"1"], guests=["ann"])
        await store.add_link(SeatLink(b"hash", "stale", 0, 1.0))
        await store.save_record(StoredRecord("r", "stale", "nichtig", 1.0, b"{}", b"{}"), [Result("ann", True, 1, 2)])
        assert names(await store.idle_tables(9.0)) == ["stale"]
        assert await store.delete_table("stale")
        assert not await store.delete_table("stale")
        assert await store.table("stale") is None
        assert await store.due(99.0) == []
        assert names(await store.tables_of("ann")) == ["fresh"]
        assert await store.link(b"hash") is None
        assert await store.record("r") is not None, "records outlive their table"
        await store.create_table("stale", CARD, [])
        assert await store.events("stale") == [], "nothing of the deleted table comes back"
