"""Rate limits of requests: IPv6 counts by /64, and a guest has a budget that no neighbour can use up."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import HTTPConnection

from atout.server.errors import ApiError
from atout.server.http.context import Context
from atout.server.identity import Challenges, Signer
from atout.server.settings import ServerSettings
from tests.server.background import PATIENCE, Background, serve_in_background


def client(server: Background, address: str) -> httpx.AsyncClient:
    """Somebody behind the proxy."""
    return httpx.AsyncClient(base_url=server.url, headers={"X-Forwarded-For": address}, timeout=PATIENCE)


async def introduce(server: Background, address: str) -> int:
    async with client(server, address) as http:
        return (await http.post("/api/guest", json={"name": "Ann"})).status_code


@pytest.mark.slow
def test_new_guests_are_counted_by_network(tmp_path: Path) -> None:
    async def talk(server: Background) -> None:
        found = [await introduce(server, f"2001:db8:0:7:{i:x}::{i:x}") for i in range(1, 13)]
        assert found == [200] * 3 + [429] * 9
        assert await introduce(server, "2001:db8:0:8::1") == 200
        mapped = [await introduce(server, address) for address in ["192.0.2.1", "::ffff:192.0.2.1"] * 2]
        assert mapped == [200, 200, 200, 429]
        assert await introduce(server, "::ffff:192.0.2.2") == 200

    with serve_in_background(f"sqlite:///{tmp_path}/a.db", tmp_path, guests_per_hour=3) as server:
        asyncio.run(talk(server))


@pytest.mark.slow
def test_a_neighbour_takes_nothing_from_a_guest(tmp_path: Path) -> None:
    """Behind the same address; it asks until it is refused."""

    async def talk(server: Background) -> None:
        address = "192.0.2.7"
        async with client(server, address) as ann, client(server, address) as eve:
            assert (await ann.post("/api/guest", json={"name": "Ann"})).status_code == 200
            found: set[int] = set()
            while 429 not in found:
                answers = await asyncio.gather(*(eve.get("/api/tables") for _ in range(10)))
                found |= {answer.status_code for answer in answers}
            assert (await ann.get("/api/guest")).status_code == 200

    with serve_in_background(f"sqlite:///{tmp_path}/a.db", tmp_path, requests_per_second=1) as server:
        asyncio.run(talk(server))


SIGNER = Signer([b"k" * 32])


def cookie(guest: str, signer: Signer = SIGNER, signed: float | None = None) -> str:
    return signer.sign(guest, time.time() if signed is None else signed)


def is_taken(context: Context, address: str, value: str = "") -> bool:
    """Whether a request is not refused for its rate."""
    headers = [(b"cookie", f"atout={value}".encode())] if value else []
    try:
        context.check_rate(HTTPConnection({"type": "http", "headers": headers, "client": (address, 4000)}))
    except ApiError as error:
        return (error.status, error.code, error.parameters["seconds"]) != (429, "too-many", 0.5)
    return True


def test_budgets() -> None:
    """One for each guest; one for each address, for all without a cookie that this server has signed and accepts."""
    hub: Any = None
    context = Context(hub, ServerSettings(requests_per_second=2), SIGNER, Challenges([b"k" * 32]), clock=lambda: 0.0)
    ann, bob = cookie("ann"), cookie("bob")
    rubbish = [
        "",
        "rubbish",
        cookie("ann", Signer([b"x" * 32])),
        ann.replace("ann", "bob"),
        cookie("ann", signed=0.0),
        f"{ann}x",
        cookie("eve", Signer([b"y" * 32])),
    ]
    assert [is_taken(context, "192.0.2.7", value) for value in rubbish] == [True] * 6 + [False]
    assert not is_taken(context, "::ffff:192.0.2.7")
    assert [is_taken(context, "192.0.2.7", ann) for _ in range(7)] == [True] * 6 + [False]
    assert not is_taken(context, "192.0.2.99", ann), "the same budget wherever a guest is"
    assert is_taken(context, "192.0.2.7", bob)
    assert is_taken(context, "192.0.2.8")
    assert [is_taken(context, f"2001:db8::{i}") for i in range(7)] == [True] * 6 + [False]
    assert is_taken(context, "2001:db8:0:1::1")


def test_requests_to_confirm_a_mail_address_are_few() -> None:
    """From one network, whoever asks, and from everybody together; each of two workers has half of that."""
    hub: Any = None
    settings = ServerSettings(
        mails_per_hour=3, mail_asks_per_hour=5, mail_asks_in_all=24, workers=2, database="postgresql://x"
    )
    context = Context(hub, settings, SIGNER, Challenges([b"k" * 32]), clock=lambda: 0.0)

    def asks(guest: str, address: str) -> str:
        request = HTTPConnection({"type": "http", "headers": [], "client": (address, 1)})
        try:
            context.check_mail(guest, request)
        except ApiError as error:
            return error.message.partition(";")[0]
        return ""

    assert [asks("ann", "192.0.2.1") for _ in range(4)] == ["", "", "", "too many mails were asked for"]
    assert [asks(f"guest {i}", "192.0.2.1") for i in range(3)] == ["", "", "too many mails from your address"]
    many = [asks(f"far {i}", f"198.51.100.{i}") for i in range(8)]
    assert many == [""] * 7 + ["this server sends no more such mails for now"]
