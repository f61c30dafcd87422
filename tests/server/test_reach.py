"""Where other devices reach a server: what it tells its own page, what `atout serve` prints, and that they get in."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets

from atout.server.reach import own_addresses
from tests.server.background import PATIENCE, QUICK, Background, serve_in_background
from tests.server.client import Party

EVERYWHERE = "0.0.0.0"  # noqa: S104 — what is tested
PHONE = "192.168.1.7"
"""An address by which a phone calls the server, in `Host`: this machine may have another one."""


def addresses(server: Background, **headers: str) -> dict[str, Any]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = httpx.get(f"{server.url}/api/addresses", headers=named, timeout=PATIENCE)
    assert answer.is_success, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_server_for_this_machine_says_so(lone: Background) -> None:
    assert addresses(lone) == {"origins": [], "is_local": True}


def test_others_come_in_by_the_address_that_is_told(tmp_path: Path) -> None:
    """A phone in the same network: a guest with a cookie over http, at a table by WebSocket."""

    async def come(server: Background, origin: str) -> None:
        async with Party(origin) as party:
            ann = await party.guest()
            ann.http.headers["Origin"] = origin
            table = await ann.open_table(edition="nichtig", players=3)
            assert (await ann.connect(table)).view["is_host"]

    async def call(server: Background) -> None:
        """By an address that this machine may not have: only what it is called counts."""
        port = server.url.rpartition(":")[2]
        named = {"Host": f"{PHONE}:{port}", "Origin": f"http://{PHONE}:{port}"}
        async with httpx.AsyncClient(base_url=server.url, headers=named, timeout=PATIENCE) as http:
            answer = await http.post("/api/guest", json={"name": "Bob"})
            assert answer.is_success
            cookie, _, attributes = answer.headers["set-cookie"].partition(";")
            assert cookie.startswith("atout=")
            assert "secure" not in attributes.lower(), "there is no https at home"
            http.headers["Cookie"] = cookie
            table = (await http.post("/api/tables", json={"settings": {"edition": "nichtig", "players": 3}})).json()
        async with websockets.connect(
            f"ws://{PHONE}:{port}/ws/{table['table']}",
            host="127.0.0.1",
            port=int(port),
            additional_headers={"Cookie": cookie, "Origin": named["Origin"]},
            open_timeout=PATIENCE,
        ):
            pass

    with serve_in_background(f"sqlite:///{tmp_path}/a.db", tmp_path, host=EVERYWHERE) as server:
        port = server.url.rpartition(":")[2]
        told = addresses(server)
        assert told == {"origins": [f"http://{one}:{port}" for one in own_addresses(EVERYWHERE)], "is_local": False}
        for origin in told["origins"]:
            asyncio.run(come(server, origin))
        asyncio.run(call(server))
        for elsewhere in ({"Host": f"{PHONE}:{port}"}, {"X_Forwarded_For": PHONE}):
            assert addresses(server, **elsewhere) == {"origins": [], "is_local": False}, "not everybody's business"


def test_a_public_url_is_the_address(tmp_path: Path) -> None:
    url = "https://play.example"
    with serve_in_background(f"sqlite:///{tmp_path}/a.db", tmp_path, public_url=url + "/") as server:
        assert addresses(server) == {"origins": [url], "is_local": False}
        assert addresses(server, X_Forwarded_For=PHONE) == {"origins": [url], "is_local": False}


@pytest.mark.parametrize("host", ["127.0.0.1", EVERYWHERE])
def test_the_start_says_how_others_come_in(host: str, tmp_path: Path) -> None:
    environment = {**os.environ, **QUICK, "ATOUT_KEY_FILE": str(tmp_path / "key")}
    command = [sys.executable, "-m", "atout", "serve", "--port", "0", "--host", host]
    process = subprocess.Popen(
        [*command, "--database", f"sqlite:///{tmp_path}/a.db"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        with process.stdout as output:
            here, others = os.read(output.fileno(), 4096).decode().splitlines()  # they are written at once
        assert here.startswith("Atout serves at http://127.0.0.1:")
        port = here.strip().rpartition(":")[2]
        found = own_addresses(EVERYWHERE)
        if host == EVERYWHERE and found:
            assert others.split(" open ")[1].split() == " or ".join(f"http://{one}:{port}" for one in found).split()
        elif host == EVERYWHERE:
            assert "in no network" in others
        else:
            assert "--host 0.0.0.0" in others
    finally:
        process.terminate()
        process.wait(PATIENCE)


class Machine:
    """A machine with these addresses: for each family the one from which it would send, and those of its name."""

    def __init__(self, routes: dict[int, str], named: list[str]) -> None:
        self.routes, self.named = routes, named

    def socket(self, family: int, _kind: int) -> Any:
        machine = self

        class Probe:
            def __enter__(self) -> Probe:
                return self

            def __exit__(self, *_error: object) -> None:
                pass

            def connect(self, _place: tuple[str, int]) -> None:
                if family not in machine.routes:
                    raise OSError("Network is unreachable")

            def getsockname(self) -> tuple[str, int]:
                return machine.routes[family], 1

        return Probe()

    def getaddrinfo(self, *_name: object, **_more: object) -> list[tuple[Any, ...]]:
        kinds = [(socket.AF_INET6 if ":" in one else socket.AF_INET, one) for one in self.named]
        return [(family, socket.SOCK_DGRAM, 17, "", (one, 0)) for family, one in kinds]


V4, V6 = socket.AF_INET, socket.AF_INET6


@pytest.mark.parametrize(
    ("routes", "named", "host", "found"),
    [
        ({V4: "192.168.1.7", V6: "fd00::7"}, [], EVERYWHERE, ["192.168.1.7"]),
        ({V4: "192.168.1.7", V6: "2001:db8::7"}, [], "::", ["192.168.1.7", "2001:db8::7"]),
        ({V4: "127.0.0.1", V6: "fe80::7%eth0"}, [], "::", []),
        ({}, ["127.0.1.1", "10.0.0.7", "fe80::1"], "::", ["10.0.0.7"]),
        ({}, ["10.0.0.7", "fd00::7"], EVERYWHERE, ["10.0.0.7"]),
        ({}, [], EVERYWHERE, []),
    ],
)
def test_addresses_that_lead_nowhere_are_left_out(
    routes: dict[int, str], named: list[str], host: str, found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(routes, named)
    monkeypatch.setattr(socket, "socket", machine.socket)
    monkeypatch.setattr(socket, "getaddrinfo", machine.getaddrinfo)
    assert own_addresses(host) == found
