"""The first process that opens a database creates or migrates its schema, and no other does."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import asyncpg
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.ext.asyncio import create_async_engine

from atout import store
from atout.errors import StoreError
from atout.store import open_store
from atout.store.migrate import REVISION
from atout.store.schema import metadata

WORKERS = 3


async def open_and_close(url: str) -> None:
    opened = await open_store(url)
    await opened.check()
    await opened.close()


def test_the_revision_we_ask_for_is_the_newest() -> None:
    folder = Path(store.__file__).parent / "migrations"
    assert ScriptDirectory(str(folder)).get_current_head() == REVISION


def test_what_migrations_make_is_what_the_schema_says(url: str) -> None:
    def differences(connection: sa.Connection) -> list[Any]:
        database = connection.dialect.name

        def belongs(item: Any, _name: str | None, kind: str, _reflected: bool, _other: Any) -> bool:
            return kind != "table" or item.info.get("only", database) == database

        context = MigrationContext.configure(connection, opts={"include_object": belongs})
        return list(compare_metadata(context, metadata))

    async def on_postgres() -> list[Any]:
        engine = create_async_engine("postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(url))
        async with engine.connect() as connection:
            found = await connection.run_sync(differences)
        await engine.dispose()
        return found

    asyncio.run(open_and_close(url))
    if url.startswith("postgresql"):
        assert asyncio.run(on_postgres()) == []
    else:
        engine = sa.create_engine(url)
        with engine.connect() as connection:
            assert differences(connection) == []
        engine.dispose()


def test_workers_that_start_at_once_migrate_once(url: str) -> None:
    """Several processes, and several stores in each, on an empty database."""
    program = (
        "import asyncio, sys\n"
        "from atout.store import open_store\n"
        "async def main():\n"
        "    for store in await asyncio.gather(*[open_store(sys.argv[1]) for _ in range(2)]):\n"
        "        await store.check()\n"
        "        await store.close()\n"
        "asyncio.run(main())"
    )
    workers = [
        subprocess.Popen([sys.executable, "-c", program, url], stderr=subprocess.PIPE, text=True)
        for _ in range(WORKERS)
    ]
    for worker in workers:
        _, errors = worker.communicate()
        assert worker.returncode == 0, errors


def test_a_database_of_a_newer_version_is_left_alone(url: str) -> None:
    async def scenario() -> None:
        await open_and_close(url)
        await _execute(url, "UPDATE alembic_version SET version_num = '9999'")
        with pytest.raises(StoreError, match="another version of Atout"):
            await open_store(url)

    asyncio.run(scenario())


def test_a_migration_that_fails_leaves_nothing(url: str) -> None:
    """A table of the same name is in the way of the third one made; none of the first two may stay."""

    async def scenario() -> None:
        await _execute(url, "CREATE TABLE sitting (other INTEGER)")
        with pytest.raises(StoreError, match="sitting"):
            await open_store(url)
        await _execute(url, "DROP TABLE sitting")
        await open_and_close(url)

    asyncio.run(scenario())


async def _execute(url: str, statement: str) -> None:
    if url.startswith("postgresql"):
        connection = await asyncpg.connect(url)
        await connection.execute(statement)
        await connection.close()
    else:
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as file, file:
            file.execute(statement)
