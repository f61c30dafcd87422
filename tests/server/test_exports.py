"""Give me everything: one file at a time for each guest, a few for each address; logs are read off the event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import Request

from atout.server.errors import ApiError
from atout.server.http import everything as module
from atout.server.http.call import Call
from atout.server.http.context import EXPORTS_OF_NETWORK, Context
from atout.server.identity import Challenges, Signer
from atout.server.settings import ServerSettings
from atout.tables import decode, encode
from atout.tables import events as e


class Exporting:
    """Guests who ask for their files; each file ends when it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *bodies: bytes) -> None:
        async def events(_table: str) -> list[bytes]:
            return list(bodies)

        hub: Any = SimpleNamespace(store=SimpleNamespace(events=events))
        self.context = Context(hub, ServerSettings(), Signer([b"k" * 32]), Challenges([b"k" * 32]))
        self.end = asyncio.Event()
        monkeypatch.setattr(module, "_parts", self._parts)

    async def _parts(self, _call: Call, _guest: str) -> AsyncIterator[tuple[str, dict[str, Any]]]:
        yield "profile", {}
        await self.end.wait()

    def call(self, guest: str, address: str) -> Call:
        call = Call(self.context, Request({"type": "http", "headers": [], "client": (address, 1)}), None)
        call.known = guest
        return call

    async def ask(self, guest: str, address: str) -> asyncio.Task[str]:
        """Status and code of the refusal, or nothing."""
        task = asyncio.create_task(self._ask(guest, address))
        for _ in range(5):
            await asyncio.sleep(0)
        return task

    async def _ask(self, guest: str, address: str) -> str:
        async def receive() -> dict[str, Any]:
            await asyncio.Event().wait()
            return {}

        async def send(_message: Any) -> None:
            pass

        response = await module.everything(self.call(guest, address))
        try:
            await response({"type": "http", "asgi": {"spec_version": "2.4"}}, receive, send)
        except ApiError as error:
            return f"{error.status} {error.code}"
        return ""


def test_one_file_for_a_guest_and_few_for_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        exporting = Exporting(monkeypatch)
        first = [await exporting.ask(f"guest {i}", "192.0.2.1") for i in range(EXPORTS_OF_NETWORK)]
        for guest, address in (("guest 0", "192.0.2.1"), ("guest 0", "192.0.2.2"), ("another", "192.0.2.1")):
            refused = await exporting.ask(guest, address)
            assert await refused == "429 too-many-exports"
        elsewhere = await exporting.ask("another", "192.0.2.2")
        assert not elsewhere.done()
        first[0].cancel()  # as when the client hangs up
        await asyncio.wait(first[:1])
        again = await exporting.ask("guest 0", "192.0.2.1")
        assert not again.done()
        exporting.end.set()
        assert await asyncio.gather(*first[1:], elsewhere, again) == [""] * (EXPORTS_OF_NETWORK + 1)
        assert await (await exporting.ask("guest 0", "192.0.2.1")) == ""

    asyncio.run(scenario())


def test_event_logs_are_read_in_the_thread_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[str] = []

    def noted(body: bytes) -> e.Event:
        decoded.append(threading.current_thread().name)
        return decode(body)

    monkeypatch.setattr(module, "decode", noted)
    log = [encode(e.Said(number=i, at=1.0, by=by, seat=0, text=by)) for i, by in enumerate(("ann", "ann+1", "bob"), 1)]

    async def scenario() -> dict[str, Any]:
        exporting = Exporting(monkeypatch, *log)
        return await module._table(exporting.call("ann", "192.0.2.1"), "ann", "t")

    assert [said["text"] for said in asyncio.run(scenario())["said"]] == ["ann", "ann+1"]
    assert [name.partition("_")[0] for name in decoded] == ["event-logs"] * 2, "others' events are not even decoded"
