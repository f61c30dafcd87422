"""SQLite writes events to `recent` first and moves them later: callers cannot tell the difference."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine

from atout.errors import Conflict, NoTable
from atout.store import Append, open_store
from atout.store.kit.opener import card
from atout.store.sqlite import appends
from tests.store.load import CARD

TABLES = [f"table{i}" for i in range(7)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "atout.db"


def count(file: Path, table: str) -> int:
    with closing(sqlite3.connect(file)) as connection:
        found: int = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608
    return found


@pytest.mark.parametrize("most", [1, 5, 1000])
def test_events_are_read_wherever_they_are(file: Path, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(appends, "MAX_RECENT", most)

    async def scenario() -> None:
        store = await open_store(f"sqlite:///{file}")
        for table in TABLES:
            await store.create_table(table, CARD, [b"1"])
        for number in range(2, 12, 2):
            bodies = b"%d" % number, b"%d" % (number + 1)
            await asyncio.gather(*[store.append(Append(table, number, bodies)) for table in TABLES])
            for table in TABLES:
                assert await store.events(table) == [b"%d" % n for n in range(1, number + 2)]
                assert await store.events(table, number) == [b"%d" % (number + 1)]
                assert await store.head(table) == number + 1
            with pytest.raises(Conflict):
                await store.append(Append(TABLES[0], number, (b"x",)))
        placed = count(file, "events")
        assert (placed == len(TABLES)) if most == 1000 else (placed > len(TABLES))
        await store.close()

    asyncio.run(scenario())
    assert count(file, "events") == 11 * len(TABLES), "a closed store leaves nothing in `recent`"
    assert count(file, "recent") == 0


def test_a_deleted_table_is_forgotten(file: Path) -> None:
    async def scenario() -> None:
        store = await open_store(f"sqlite:///{file}")
        for table in TABLES:
            await store.create_table(table, CARD, [])
            await store.append(Append(table, 1, (b"1",)))
        assert await store.delete_table(TABLES[0])
        with pytest.raises(NoTable):
            await store.append(Append(TABLES[0], 2, (b"2",)))
        await store.append(Append(TABLES[1], 2, (b"2",)))
        await store.create_table(TABLES[0], CARD, [])
        assert await store.events(TABLES[0]) == []
        await store.append(Append(TABLES[0], 1, (b"new",)))
        assert await store.events(TABLES[0]) == [b"new"]
        await store.close()

    asyncio.run(scenario())


def test_a_group_that_was_rolled_back_is_forgotten(file: Path) -> None:
    """One of its members cannot be stored, so that all are written one by one."""

    async def scenario() -> None:
        store = await open_store(f"sqlite:///{file}")
        for table in TABLES:
            await store.create_table(table, CARD, [])
        bad = card(state="\ud800")
        for number in (1, 2, 3):
            good = [store.append(Append(table, number, (b"%d" % number,))) for table in TABLES[1:]]
            outcomes = await asyncio.gather(
                store.append(Append(TABLES[0], 1, (b"x",), bad)), *good, return_exceptions=True
            )
            assert isinstance(outcomes[0], Exception)
            assert outcomes[1:] == [None] * len(good)
        assert await store.events(TABLES[0]) == []
        for table in TABLES[1:]:
            assert await store.events(table) == [b"1", b"2", b"3"]
        await store.close()

    asyncio.run(scenario())


def test_a_database_without_recent_is_migrated(file: Path) -> None:
    config = Config()
    config.set_main_option("script_location", "atout.store:migrations")
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        connection.exec_driver_sql(
            "INSERT INTO tables VALUES ('a', 2, 1.0, NULL, 0, 0, 'niet-2015', 'playing', 1.0, x'7b7d')"
        )
        connection.exec_driver_sql("INSERT INTO events VALUES ('a', 1, x'31'), ('a', 2, x'32')")
    engine.dispose()

    async def scenario() -> None:
        store = await open_store(f"sqlite:///{file}")
        await store.append(Append("a", 3, (b"3",)))
        assert await store.events("a") == [b"1", b"2", b"3"]
        await store.close()

    asyncio.run(scenario())
