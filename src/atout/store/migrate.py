"""Database migrations, by Alembic. When several processes start at once, one migrates and the others wait.

A store reads the revision itself first, so that an up-to-date database does not cost the import of Alembic.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from atout.errors import StoreError

if TYPE_CHECKING:
    from sqlalchemy import Connection

REVISION = "0014"
"""The newest file in migrations/versions."""
ADVISORY_LOCK = 0x41746F7574
"""The key of PostgreSQL's advisory lock that a migration holds: "Atout" in ASCII."""
SQLITE_SECONDS = 60.0
"""How long a migration of SQLite waits for another process that migrates."""

_ALEMBIC_LOCK = threading.Lock()  # Alembic keeps its context in globals


def migrate_sqlite(path: Path) -> None:
    """Migrate a file in one transaction that excludes other writers."""
    from sqlalchemy import NullPool, create_engine, event
    from sqlalchemy.exc import DBAPIError

    engine = create_engine("sqlite://", creator=lambda: _connect(path), poolclass=NullPool)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    try:
        with engine.begin() as connection:
            _upgrade(connection)
    except DBAPIError as error:  # the file is locked or cannot grow: no fault of the schema
        raise error.orig or error from None


def _connect(path: Path) -> Any:
    """A connection on which SQLAlchemy begins the transactions, not sqlite3."""
    return sqlite3.connect(path, isolation_level=None, timeout=SQLITE_SECONDS)


def migrate_postgres(url: str) -> None:
    """Migrate in one transaction under an advisory lock, in an event loop of its own: call it in a thread."""
    asyncio.run(_migrate_postgres(url))


async def _migrate_postgres(url: str) -> None:
    import asyncpg
    from sqlalchemy import NullPool, text
    from sqlalchemy.ext.asyncio import create_async_engine

    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(url), poolclass=NullPool
    )
    async with engine.begin() as connection:
        await connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": ADVISORY_LOCK})
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
        with _ALEMBIC_LOCK:
            command.upgrade(config, "head")
    except CommandError as error:
        raise StoreError(
            f"the database was made by another version of Atout ({error}); use that version, or a newer one"
        ) from None
    except DBAPIError as error:
        if getattr(error.orig, "sqlite_errorcode", sqlite3.SQLITE_ERROR) != sqlite3.SQLITE_ERROR:
            raise
        raise StoreError(
            f"the database cannot be migrated: {error.orig}; expected a database for Atout alone, "
            "and a user who may create tables in it"
        ) from error
