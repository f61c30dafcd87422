"""The connection that hears of other workers is nobody's until it listens: whatever goes wrong before, it is closed."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from atout.store.postgres import listener
from atout.store.postgres.listener import Listener
from atout.store.watch import Watchers


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
        starting = asyncio.create_task(Listener("", Watchers()).start())
        await asyncio.sleep(0)
        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting

    monkeypatch.setattr(listener, "connect", connect)
    asyncio.run(scenario())
    assert connection.is_terminated
