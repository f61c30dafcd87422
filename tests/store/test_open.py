"""Wrong database URLs are explained; a backup can be opened as a store."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from atout.errors import StoreError, UsageError
from atout.store import Append, LobbyCard, open_store
from tests.store.server import Postgres

CARD = LobbyCard(public=True, open_seats=0, edition="niet-2015", state="on", active=1.0)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("atout.db", "no scheme"),
        ("mysql://me:secret@host/atout", "no store for mysql"),
        ("sqlite://atout.db", "names a host"),
        ("sqlite://", "names no file"),
        ("sqlite:///:memory:", "names no file"),
        ("sqlite:////no/such/folder/atout.db", "existing folder"),
        ("postgresql://me:secret@host:port/atout", "cannot be read"),
        ("postgresql://me:secret/sauce@host/atout", "cannot be read"),
    ],
)
def test_an_address_that_is_wrong_is_explained(url: str, words: str) -> None:
    with pytest.raises(StoreError, match=words) as error:
        asyncio.run(open_store(url))
    assert "expected" in str(error.value)
    assert "secret" not in str(error.value)


def test_a_database_that_is_not_there_is_named(postgres: Postgres) -> None:
    async def scenario() -> None:
        url = (await postgres.new_url()).replace("/postgres?", "/nowhere?")
        with pytest.raises(StoreError, match="nowhere"):
            await open_store(url)

    asyncio.run(scenario())


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear reader, " * 100)
    with pytest.raises(StoreError, match="no SQLite database"):
        asyncio.run(open_store(f"sqlite:///{path}"))
    assert path.read_text() == "Dear reader, " * 100


def another_table(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.execute("CREATE TABLE sitting (other INTEGER)")


def newer_version(path: Path) -> None:
    asyncio.run(open_and_close(path))
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE alembic_version SET version_num = '9999'")


def no_database(path: Path) -> None:
    path.write_text("Dear reader, " * 100)


async def open_and_close(path: Path) -> None:
    await (await open_store(f"sqlite:///{path}")).close()


@pytest.mark.parametrize("prepare", [another_table, newer_version, no_database])
def test_a_store_that_cannot_be_opened_leaves_no_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prepare: Callable[[Path], None]
) -> None:
    opened: list[sqlite3.Connection] = []
    closed: list[sqlite3.Connection] = []

    class Watched(sqlite3.Connection):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            opened.append(self)

        def close(self) -> None:
            super().close()
            closed.append(self)

    path = tmp_path / "atout.db"
    prepare(path)
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Watched))
    with pytest.raises(StoreError):
        asyncio.run(open_store(f"sqlite:///{path}"))
    assert opened
    assert all(any(one is other for other in closed) for one in opened)


def test_a_backup_taken_under_load_is_a_store(tmp_path: Path) -> None:
    """It holds what was acknowledged before it began, and every table in it is whole."""

    async def scenario() -> None:
        store = await open_store(f"sqlite:///{tmp_path}/atout.db")
        tables = [f"t{i}" for i in range(5)]
        for table in tables:
            await store.create_table(table, CARD, [b"1"])

        async def grow(table: str) -> None:
            for number in range(2, 40):
                await store.append(Append(table, number, (b"%d" % number,)))

        growing = asyncio.gather(*[grow(table) for table in tables])
        await asyncio.sleep(0.05)
        before = [await store.head(table) for table in tables]
        await store.backup(tmp_path / "backup.db")
        await growing
        with pytest.raises(UsageError, match="new file"):
            await store.backup(tmp_path / "backup.db")
        await store.close()
        copy = await open_store(f"sqlite:///{tmp_path}/backup.db")
        for table, head in zip(tables, before, strict=True):
            events = await copy.events(table)
            assert len(events) >= head
            assert events == [b"%d" % number for number in range(1, len(events) + 1)]
        await copy.close()

    asyncio.run(scenario())


def test_a_backup_of_postgresql_is_left_to_its_tools(postgres: Postgres, tmp_path: Path) -> None:
    async def scenario() -> None:
        store = await open_store(await postgres.new_url())
        with pytest.raises(UsageError, match="pg_dump"):
            await store.backup(tmp_path / "backup.db")
        await store.close()

    asyncio.run(scenario())


def test_only_postgresql_is_for_several_processes(url: str) -> None:
    async def scenario() -> None:
        store = await open_store(url)
        assert store.shared == url.startswith("postgresql")
        await store.close()

    asyncio.run(scenario())
