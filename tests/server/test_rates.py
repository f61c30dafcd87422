"""Rate limits of requests: IPv6 counts by /64, and a guest has a budget that no neighbour can use up."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx

from atout.server.identity import Signer
from tests.server.background import PATIENCE, Background, serve_in_background


def client(server: Background, address: str) -> httpx.AsyncClient:
    """Somebody behind the proxy."""
    return httpx.AsyncClient(base_url=server.url, headers={"X-Forwarded-For": address}, timeout=PATIENCE)


async def introduce(server: Background, address: str) -> int:
    async with client(server, address) as http:
        return (await http.post("/api/guest", json={"name": "Ann"})).status_code


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


def test_a_guest_has_a_budget_of_their_own(tmp_path: Path) -> None:
    """A neighbour behind the same address, with no cookie, forged ones or another guest's, takes nothing from it."""
    asked = 20

    async def talk(server: Background) -> None:
        address = "192.0.2.7"
        async with client(server, address) as ann, client(server, address) as eve:
            assert (await ann.post("/api/guest", json={"name": "Ann"})).status_code == 200
            signed = ann.cookies["atout"].split(".")
            forged = [
                "",
                Signer([b"k" * 32]).sign(signed[0], float(signed[1])),
                f"x{signed[0]}.{signed[1]}.{signed[2]}",
            ]
            statuses = []
            for number in range(asked):
                headers = {"Cookie": f"atout={forged[number % len(forged)]}"}
                statuses.append((await eve.get("/api/tables", headers=headers)).status_code)
            assert statuses == [200] * 2 + [429] * (asked - 2), "one budget for all without a valid cookie"
            mine = [(await ann.get("/api/guest")).status_code for _ in range(asked)]
            assert mine == [200] * 3 + [429] * (asked - 3), "a budget like theirs, and no more"
        async with client(server, "192.0.2.8") as other:
            assert (await other.get("/api/tables")).status_code == 200

    with serve_in_background(f"sqlite:///{tmp_path}/a.db", tmp_path, requests_per_second=0.9) as server:
        asyncio.run(talk(server))
