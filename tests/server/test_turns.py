"""Replays are computed one at a time; few wait, nobody twice, and nobody who has hung up."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from atout.protocol import rest
from atout.server.errors import ApiError
from atout.server.http import operations
from atout.server.http.call import Call
from atout.server.http.responses import LEAST_COMPRESSED, compress
from atout.server.matches.turns import MAX_OF_NETWORK, MAX_WAITING, RETRY_SECONDS, Turns
from tests.server.background import PATIENCE


async def never() -> None:
    await asyncio.Event().wait()


class Line:
    """Callers who take a turn and keep it until they are told to go."""

    def __init__(self) -> None:
        self.turns, self.served = Turns(), list[str]()
        self._done = asyncio.Event()

    async def come(
        self, caller: str, hung_up: Callable[[], Coroutine[Any, Any, None]] = never, network: str = ""
    ) -> asyncio.Task[None]:
        """Everybody comes from a network of their own, unless it is named."""
        task = asyncio.create_task(self._take(caller, network or caller, hung_up))
        for _ in range(5):
            await asyncio.sleep(0)
        return task

    async def _take(self, caller: str, network: str, hung_up: Callable[[], Coroutine[Any, Any, None]]) -> None:
        async with self.turns.take(caller, network, hung_up):
            self.served.append(caller)
            await self._done.wait()

    def go_on(self) -> None:
        self._done.set()


def test_a_few_wait_and_the_others_are_told_when_to_come_back() -> None:
    async def ask() -> None:
        line = Line()
        tasks = [await line.come(f"guest {i}") for i in range(MAX_WAITING + 1)]
        assert (line.served, line.turns.waiting) == (["guest 0"], MAX_WAITING)
        with pytest.raises(ApiError) as refused:
            await (await line.come("guest x"))
        assert (refused.value.status, refused.value.code) == (429, "too-many-replays")
        assert refused.value.parameters == {"seconds": RETRY_SECONDS}
        line.go_on()
        await asyncio.gather(*tasks)
        assert line.served == [f"guest {i}" for i in range(MAX_WAITING + 1)]
        await (await line.come("guest x"))
        assert line.turns.waiting == 0

    asyncio.run(ask())


def test_nobody_waits_twice() -> None:
    async def ask() -> None:
        line = Line()
        tasks = [await line.come("guest 0"), await line.come("guest 0")]
        with pytest.raises(ApiError, match="too many replays"):
            await (await line.come("guest 0"))
        assert line.turns.waiting == 1
        line.go_on()
        await asyncio.gather(*tasks)

    asyncio.run(ask())


def test_one_address_leaves_room_for_others() -> None:
    async def ask() -> None:
        line = Line()
        tasks = [await line.come(f"guest {i}", network="192.0.2.1") for i in range(MAX_OF_NETWORK + 1)]
        with pytest.raises(ApiError, match="too many replays"):
            await (await line.come("guest x", network="192.0.2.1"))
        tasks.append(await line.come("neighbour", network="192.0.2.2"))
        assert line.turns.waiting == MAX_OF_NETWORK + 1
        line.go_on()
        await asyncio.gather(*tasks)
        assert line.served[-1] == "neighbour"
        await (await line.come("guest x", network="192.0.2.1"))

    asyncio.run(ask())


def test_whoever_hangs_up_while_waiting_loses_the_place() -> None:
    async def ask() -> None:
        line, gone = Line(), asyncio.Event()

        async def hung_up() -> None:
            await gone.wait()

        first = await line.come("guest 0")
        waiting = [await line.come(f"guest {i}", hung_up) for i in range(1, MAX_WAITING + 1)]
        gone.set()
        for task in waiting:
            with pytest.raises(ClientDisconnect):
                await task
        assert line.turns.waiting == 0
        last = await line.come("guest x")
        last.cancel()
        with pytest.raises(asyncio.CancelledError):
            await last
        line.go_on()
        await first
        await (await line.come("guest y"))
        assert line.served == ["guest 0", "guest y"]

    asyncio.run(ask())


def test_a_turn_that_comes_as_the_client_hangs_up_is_passed_on() -> None:
    async def ask() -> None:
        line, gone = Line(), asyncio.Event()

        async def hung_up() -> None:
            await gone.wait()

        first = await line.come("guest 0")
        second, third = await line.come("guest 1", hung_up), await line.come("guest 2")
        line.go_on()
        gone.set()
        await first
        with pytest.raises(ClientDisconnect):
            await second
        await third
        assert line.served == ["guest 0", "guest 2"]

    asyncio.run(ask())


def test_an_abandoned_request_is_never_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    """One is computed, one waits and hangs up, then another one may wait."""
    computed, turns = list[str](), Turns()
    begun, end = threading.Event(), threading.Event()

    def slow(text: str, *, most: int) -> str:
        assert most == operations.MAX_UPLOADED
        computed.append(text)
        begun.set()
        assert end.wait(PATIENCE)
        return text

    monkeypatch.setattr(operations, "make_replay", slow)
    context: Any = SimpleNamespace(
        turns=None,  # uploads do not wait for stored matches, nor those for uploads
        upload_turns=turns,
        caller=lambda _: "address",
        network=lambda _: "address",
        hub=SimpleNamespace(store=None),
    )

    async def ask(record: str, gone: asyncio.Event) -> Response:
        async def receive() -> dict[str, Any]:
            await gone.wait()
            return {"type": "http.disconnect"}

        request = Request({"type": "http"}, receive)
        return await operations.replay(Call(context, request, rest.NewReplay(record)))

    async def play() -> None:
        gone = asyncio.Event()
        first = asyncio.create_task(ask("first", asyncio.Event()))
        await asyncio.to_thread(begun.wait, PATIENCE)
        abandoned = asyncio.create_task(ask("abandoned", gone))
        while not turns.waiting:
            await asyncio.sleep(0)
        gone.set()
        with pytest.raises(ClientDisconnect):
            await abandoned
        last = asyncio.create_task(ask("last", asyncio.Event()))
        while not turns.waiting:
            await asyncio.sleep(0)
        with pytest.raises(ApiError, match="too many replays"):
            await ask("refused", asyncio.Event())
        end.set()
        assert [bytes((await one).body) for one in (first, last)] == [b'"first"', b'"last"']
        assert computed == ["first", "last"]

    asyncio.run(play())


def test_long_answers_are_compressed_for_those_who_read_that() -> None:
    body = msgspec.json.encode(["Null & nichtig"] * 1000)
    plain = compress(Response(body), {})
    assert (plain.body, plain.headers.get("content-encoding")) == (body, None)
    packed = compress(Response(body), {"accept-encoding": "br, gzip"})
    assert (packed.headers["content-encoding"], packed.headers["vary"]) == ("gzip", "Accept-Encoding")
    assert int(packed.headers["content-length"]) == len(packed.body) < len(body) / 10
    short = compress(Response(b"x" * (LEAST_COMPRESSED - 1)), {"accept-encoding": "gzip"})
    assert "content-encoding" not in short.headers
