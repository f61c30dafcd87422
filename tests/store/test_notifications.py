"""Worker processes hear of each other's appends; a missing notification costs promptness and nothing else."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import Any

import pytest

from atout.store import Append, TableChanged
from atout.store.kit.appends import next_change
from atout.store.postgres import PostgresStore, notifications
from atout.store.postgres.notifications import Listener
from atout.store.watch import Subscriptions
from tests.store.load import CARD
from tests.store.server import Postgres

APPEND = """
import asyncio, os, sys
from atout.store import Append, open_store
from atout.store.postgres.notifications import Notifier

async def main(url, crashes):
    store = await open_store(url)
    if crashes == "crash":
        Notifier.notify = lambda self, heads: os._exit(9)  # after the commit, before NOTIFY
    await store.append(Append("a", 2, (b"2",)))
    await store.close()

asyncio.run(main(*sys.argv[1:]))
"""


def append_in_a_process(url: str, crashes: str) -> int:
    return subprocess.run([sys.executable, "-c", APPEND, url, crashes], check=False).returncode


def test_another_process_hears_of_an_append(postgres: Postgres) -> None:
    async def scenario() -> None:
        url = await postgres.new_url()
        store = await PostgresStore.open(url)
        await store.create_table("a", CARD, [b"1"])
        subscription = store.watch()
        assert await asyncio.to_thread(append_in_a_process, url, "no") == 0
        assert await next_change(subscription, after=1) == TableChanged("a", 2)
        await store.close()

    asyncio.run(scenario())


def test_a_crash_before_notify_is_made_good_by_the_next_worker_that_starts(postgres: Postgres) -> None:
    async def scenario() -> None:
        url = await postgres.new_url()
        store = await PostgresStore.open(url)
        await store.create_table("a", CARD, [b"1"])
        assert await asyncio.to_thread(append_in_a_process, url, "crash") == 9
        subscription = store.watch()
        assert await store.events("a") == [b"1", b"2"], "the event is stored"
        replacement = await PostgresStore.open(url)
        assert await anext(subscription) is None, "everybody is told to read again"
        await replacement.close()
        await store.close()

    asyncio.run(scenario())


def test_notifications_of_a_group_share_a_transaction(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        store = await PostgresStore.open(await postgres.new_url())
        tables = [f"t{i}" for i in range(20)]
        for table in tables:
            await store.create_table(table, CARD, [])
        subscription, sent = store.watch(), []
        send = notifications.Notifier._send

        async def counted(self: Any, heads: dict[str, int]) -> bool:
            sent.append(len(heads))
            return await send(self, heads)

        monkeypatch.setattr(notifications.Notifier, "_send", counted)
        await asyncio.gather(*[store.append(Append(table, 1, (b"1",))) for table in tables])
        heard = {(await next_change(subscription)) for _ in tables}
        assert heard == {TableChanged(table, 1) for table in tables}
        assert sum(sent) == len(tables)
        assert len(sent) < len(tables)
        await store.close()

    asyncio.run(scenario())


class Silent:
    """A connection on which LISTEN is never answered."""

    is_terminated = False

    def add_termination_listener(self, _call: Any) -> None:
        pass

    async def add_listener(self, _channel: str, _call: Any) -> None:
        await asyncio.Event().wait()

    def terminate(self) -> None:
        self.is_terminated = True


def test_a_listener_stopped_before_it_listens_closes_its_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    connection = Silent()

    async def connect(_url: str) -> Any:
        return connection

    async def scenario() -> None:
        starting = asyncio.create_task(Listener("", Subscriptions()).start())
        await asyncio.sleep(0)
        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting

    monkeypatch.setattr(notifications, "connect", connect)
    asyncio.run(scenario())
    assert connection.is_terminated
