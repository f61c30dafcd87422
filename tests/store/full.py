"""Fill a disk until the store refuses, make room, write again, compare. Run as a program by `test_full.py`.

python -m tests.store.full limit FOLDER        SQLite; no file may grow beyond a limit, which is then raised
python -m tests.store.full sqlite FOLDER       the folder is a tiny file system; beside the database is ballast
python -m tests.store.full postgresql FOLDER   the same for the tables of a PostgreSQL; its own log is elsewhere
"""

from __future__ import annotations

import asyncio
import os
import pwd
import resource
import signal
import sys
from pathlib import Path

import asyncpg

from atout.errors import StoreFull, Unavailable
from atout.store import Append, open_store
from tests.store.load import CARD
from tests.store.server import running

EVENT = os.urandom(8000)  # nothing to compress
LIMIT = 1_000_000
BALLAST = 1_500_000


async def on_sqlite(way: str, folder: Path) -> str:
    return await fill(way, folder, f"sqlite:///{folder}/atout.db")


async def on_postgres(way: str, folder: Path) -> str:
    with running() as server:
        url = await server.new_url()
        nobody = pwd.getpwnam("nobody")
        os.chown(folder, nobody.pw_uid, nobody.pw_gid)
        connection = await asyncpg.connect(url)
        await connection.execute(f"CREATE TABLESPACE tiny LOCATION '{folder}'")
        await connection.close()
        return await fill(way, folder, f"{url}&default_tablespace=tiny")


async def fill(way: str, folder: Path, url: str) -> str:
    """The name of the error that the full disk caused, after all checks."""
    store = await open_store(url)
    for table in ("a", "b"):
        await store.create_table(table, CARD, [])
    take_room(way, folder)
    written, fault = 0, None
    while fault is None:
        try:
            await store.append(Append("a", written + 1, (EVENT,)))
            written += 1
        except Unavailable as error:
            fault = error
    assert written > 3, "it was not full from the start"
    if way != "limit":
        assert isinstance(fault, StoreFull)
    together = [store.append(Append(table, written + 1 if table == "a" else 1, (EVENT * 20,))) for table in ("a", "b")]
    for outcome in await asyncio.gather(*together, return_exceptions=True):
        assert isinstance(outcome, Unavailable), outcome
    assert await store.events("a") == [EVENT] * written, "reading works, all that was acknowledged is there"
    make_room(way, folder)
    await store.append(Append("a", written + 1, (b"room",)))
    await store.append(Append("b", 1, (b"room",)))
    await store.close()
    store = await open_store(url)
    assert await store.events("a") == [*[EVENT] * written, b"room"]
    assert await store.events("b") == [b"room"]
    await store.close()
    return type(fault).__name__


def take_room(way: str, folder: Path) -> None:
    if way != "limit":
        (folder / "ballast").write_bytes(bytes(BALLAST))
    else:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, resource.RLIM_INFINITY))


def make_room(way: str, folder: Path) -> None:
    if way != "limit":
        (folder / "ballast").unlink()
    else:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


if __name__ == "__main__":
    way, folder = sys.argv[1], Path(sys.argv[2])
    print(asyncio.run((on_postgres if way == "postgresql" else on_sqlite)(way, folder)))
