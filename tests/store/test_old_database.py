"""A database written by an older version is opened, migrated, and goes on. How it was made: `data/make_old.py`."""

from __future__ import annotations

import asyncio
import hashlib
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from atout.records import Verifier
from atout.store import Append, Store, open_store
from atout.store.migrate import REVISION
from atout.tables import Table, check_fair, decode, encode
from atout.tables import commands as c

DATA = Path(__file__).parent / "data"
NOTES: dict[str, Any] = json.loads((DATA / "old.json").read_text())
TABLES: dict[str, str] = NOTES["tables"]
COUNTS = {"lobby": 2, "veto": 9, "tricks": 37, "finished": 123}
"""Events of each table."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return Path(shutil.copy(DATA / "old.db", tmp_path / "old.db"))


def guest(name: str) -> str:
    """A guest's id, as the cookie holds it."""
    cookie: str = NOTES["cookies"][name]
    return cookie.partition(".")[0]


async def read(store: Store, name: str) -> Table:
    return Table.from_events(map(decode, await store.events(TABLES[name])))


async def carry_out(store: Store, table: Table, name: str, command: c.Command, by: str) -> None:
    events = table.decide(command, by, table.last_at + 1.0)
    for event in events:
        table.apply(event)
    await store.append(Append(TABLES[name], events[0].number, tuple(map(encode, events))))


async def move(store: Store, name: str, guests: list[str]) -> int:
    """One of these guests makes the first legal move; returns the number of the last event after it."""
    table = await read(store, name)
    for by in guests:
        view = table.view_for(by, table.last_at)
        if view.game is not None and view.game["legal"] and view.decision is not None:
            await carry_out(store, table, name, c.Act(action=view.game["legal"][0], decision=view.decision), by)
            return table.number
    raise AssertionError(f"nobody may move at the table {name}")


def test_it_is_as_old_as_it_says(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [("0002",)]
        assert connection.execute("SELECT count(*) FROM recent").fetchone()[0] > 100


def test_every_table_is_read_and_goes_on(path: Path) -> None:
    people = [guest(f"Guest {seat}") for seat in range(4)]

    async def go_on() -> dict[str, int]:
        store = await open_store(f"sqlite:///{path}")
        before = {name: await read(store, name) for name in TABLES}
        assert {name: table.number for name, table in before.items()} == COUNTS
        assert [before[name].status for name in TABLES] == ["waiting", "playing", "playing", "over"]
        heads = {"veto": await move(store, "veto", people), "tricks": await move(store, "tricks", [guest("Ann")])}
        await carry_out(store, before["lobby"], "lobby", c.Sit(name="Bob", seat=1), people[0])
        await store.close()
        return heads | {"lobby": before["lobby"].number, "finished": COUNTS["finished"]}

    async def read_again(heads: dict[str, int]) -> None:
        store = await open_store(f"sqlite:///{path}")
        for name, head in heads.items():
            assert (await read(store, name)).number == head >= COUNTS[name]
        await store.close()

    heads = asyncio.run(go_on())
    assert all(heads[name] > COUNTS[name] for name in ("lobby", "veto", "tricks"))
    asyncio.run(read_again(heads))
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(REVISION,)]


def test_records_guests_and_links_are_there(path: Path) -> None:
    async def look() -> None:
        store = await open_store(f"sqlite:///{path}")
        ann = await store.guest(guest("Ann"))
        assert ann is not None
        assert ann.name == "Ann"
        (listed,) = await store.records(ann.id)
        record = await store.record(listed.id)
        assert record is not None
        assert len(Verifier().check(record.body).rounds) == check_fair(json.loads(record.body)) > 0
        (sums,) = await store.statistics(ann.id)
        assert (sums.edition, sums.matches) == ("nichtig", 1)
        assert {entry.table for entry in await store.tables_of(ann.id)} >= {TABLES["tricks"], TABLES["lobby"]}
        assert [entry.table for entry in await store.open_tables()] == [TABLES["lobby"]]
        link = await store.link(hashlib.sha256(f"{NOTES['link']}~{guest('Guest 1')}".encode()).digest())
        assert link is not None
        assert (link.table, link.seat, link.revoked) == (TABLES["veto"], 1, False)
        await store.close()

    asyncio.run(look())
