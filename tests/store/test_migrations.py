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
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.ext.asyncio import create_async_engine

from atout import store
from atout.errors import StoreError
from atout.store import open_store
from atout.store.migrate import REVISION
from atout.store.schema import metadata

WORKERS = 3
RECORDS = ("done", "half")
LABEL = '{"label": "%s"}'


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


@pytest.mark.slow
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


def test_mistakes_of_old_reviews_come_back(url: str) -> None:
    """Revision 0008: mistakes and blunders of complete reviews, for the guest who had the seat, and nothing else."""
    done = [(0, 0, "fine"), (0, 1, "mistake"), (0, 2, "blunder"), (0, 3, "inaccuracy"), (1, 0, "blunder")]
    rows = [
        *(("done", seat, "e", number, label) for seat, number, label in done),
        ("done", 0, "earlier", 4, "blunder"),  # by an evaluator that did not come to the end
        ("half", 0, "e", 0, "blunder"),
    ]
    old = [
        *(f"records VALUES ('{id}', 't', 'nichtig', 1, {_bytes(url, '{}')}, {_bytes(url, '{}')})" for id in RECORDS),
        *(f"listings VALUES ('{guest}', 1, '{id}')" for guest in ("ann", "old", "bob") for id in RECORDS),
        "played VALUES ('done', 'ann', 0), ('half', 'ann', 0), ('done', 'old', -1)",
        *(f"reviews VALUES ('done', {seat}, 'e', {_bytes(url, '')}, {_bytes(url, '{}')}, NULL)" for seat in (0, 1)),
        f"reviews VALUES ('half', 0, 'e', {_bytes(url, '')}, NULL, NULL)",
        *(
            f"reviewed VALUES ('{record}', {seat}, '{evaluator}', {number}, {_bytes(url, LABEL % label)})"
            for record, seat, evaluator, number, label in rows
        ),
    ]

    async def scenario() -> None:
        await _upgrade(url, "0007")
        for statement in old:
            await _execute(url, f"INSERT INTO {statement}")
        opened = await open_store(url)
        due = await opened.mistakes_due("ann", 1.0)
        assert [(one.record, one.seat, one.number, one.attempts) for one in due] == [
            ("done", 0, 1, 0),
            ("done", 0, 2, 0),
        ]
        for guest in ("old", "bob"):
            assert (await opened.mistake_counts(guest, 1.0)).count == 0
        assert (await opened.mistake_counts("ann", 1.0)).count == 2
        found = await opened.mistake("ann", "done", 0, 1)
        assert found is not None
        assert (found.decision, found.card) == (b'{"label": "mistake"}', b"")
        await opened.close()

    asyncio.run(scenario())


def _bytes(url: str, text: str) -> str:
    """Bytes as the database writes them in a statement."""
    return f"'\\x{text.encode().hex()}'" if url.startswith("postgresql") else f"X'{text.encode().hex()}'"


async def _upgrade(url: str, revision: str) -> None:
    """Bring an empty database to an old revision."""

    def upgrade(connection: sa.Connection) -> None:
        config = Config()
        config.set_main_option("script_location", "atout.store:migrations")
        config.attributes["connection"] = connection
        command.upgrade(config, revision)

    if not url.startswith("postgresql"):
        engine = sa.create_engine(url)
        with engine.begin() as connection:
            upgrade(connection)
        engine.dispose()
        return
    server = create_async_engine("postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(url))
    async with server.begin() as on_server:
        await on_server.run_sync(upgrade)
    await server.dispose()
