"""Bring a database up to date, by Alembic; several processes may start at once, one does it and the others wait.

Stores ask for the revision themselves first: a database that is up to date costs no import of Alembic.
"""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from atout.errors import StoreError

if TYPE_CHECKING:
    from sqlalchemy import Connection

REVISION = "0002"  # the newest file in migrations/versions
LOCK = 0x41746F7574  # "Atout": the advisory lock of PostgreSQL that migrating takes

_ALONE = threading.Lock()  # Alembic keeps its context in globals


def migrate_sqlite(path: Path) -> None:
    """In one transaction that nobody else can write during."""
    from sqlalchemy import NullPool, create_engine, event

    engine = create_engine("sqlite://", creator=lambda: _plain(path), poolclass=NullPool)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    with engine.begin() as connection:
        _upgrade(connection)


def _plain(path: Path) -> Any:
    """A connection on which SQLAlchemy begins transactions, not sqlite3; long patience for others who migrate."""
    import sqlite3

    return sqlite3.connect(path, isolation_level=None, timeout=60.0)


def migrate_postgres(url: str) -> None:
    """In one transaction under an advisory lock, in an event loop of its own: call it in a thread."""
    asyncio.run(_migrate_postgres(url))


async def _migrate_postgres(url: str) -> None:
    import asyncpg
    from sqlalchemy import NullPool, text
    from sqlalchemy.ext.asyncio import create_async_engine

    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(url), poolclass=NullPool
    )
    async with engine.begin() as connection:
        await connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        await connection.run_sync(_upgrade)
    await engine.dispose()


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError
    from sqlalchemy.exc import DBAPIError

    config = Config()
    config.set_main_option("script_location", "atout.store:migrations")
    config.attributes["connection"] = connection
    try:
        with _ALONE:
            command.upgrade(config, "head")
    except CommandError as error:
        raise StoreError(
            f"the database was made by another version of Atout ({error}); right would be that version, or a newer one"
        ) from None
    except DBAPIError as error:
        raise StoreError(
            f"the database cannot be brought up to date: {error.orig}; right would be a database for Atout alone, "
            "and a user who may create tables in it"
        ) from error
