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
import ifaddr
import pytest
import websockets

from atout.server.reach import own_addresses
from atout.server.run import database_line, for_others
from atout.server.settings import ServerSettings
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


def test_the_page_of_this_machine_has_many_names(tmp_path: Path) -> None:
    """Some systems open 0.0.0.0 as this machine, and people type what they have just told the server."""
    with serve_in_background(f"sqlite:///{tmp_path}/a.db", tmp_path, host=EVERYWHERE) as server:
        port = server.url.rpartition(":")[2]
        assert addresses(server, Host=f"{EVERYWHERE}:{port}") == addresses(server)


@pytest.mark.parametrize(
    "url", ["https://play.example/atout", "http://kitchen.local:8000 x", "http://u:p@kitchen.local", "kitchen.local"]
)
def test_a_public_url_that_cannot_work_is_named(url: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "atout", "serve", "--port", "0", "--database", f"sqlite:///{tmp_path}/a.db"]
    environment = {**os.environ, "ATOUT_PUBLIC_URL": url}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert f"public_url (ATOUT_PUBLIC_URL): {url!r} is not allowed" in " ".join(ended.stderr.split())
    assert list(tmp_path.iterdir()) == []


def test_a_public_url_is_the_address(tmp_path: Path) -> None:
    url = "https://play.example"
    with serve_in_background(f"sqlite:///{tmp_path}/a.db", tmp_path, public_url=url + "/") as server:
        assert addresses(server) == {"origins": [url], "is_local": False}
        assert addresses(server, X_Forwarded_For=PHONE) == {"origins": [url], "is_local": False}


@pytest.mark.parametrize("host", ["127.0.0.1", EVERYWHERE])
def test_the_start_says_how_others_come_in(host: str, tmp_path: Path) -> None:
    environment = {**os.environ, **QUICK, "ATOUT_KEY_FILE": str(tmp_path / "key"), "ATOUT_COMMAND": ".venv/bin/atout"}
    arguments = ["serve", "--port", "0", "--host", host, "--database", f"sqlite:///{tmp_path}/a.db"]
    process = subprocess.Popen(
        [sys.executable, "-m", "atout", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        with process.stdout as output:
            here, others, database = os.read(output.fileno(), 4096).decode().splitlines()  # they are written at once
        assert here.startswith("Atout serves at http://127.0.0.1:")
        assert database == f"Database {tmp_path}/a.db (new: nobody is known here yet)"
        port = here.strip().rpartition(":")[2]
        found = own_addresses(EVERYWHERE)
        if host == EVERYWHERE and found:
            assert others.split(" open ")[1].split() == " or ".join(f"http://{one}:{port}" for one in found).split()
        elif host == EVERYWHERE:
            assert "in no network" in others
        else:
            assert others.endswith(f": .venv/bin/atout {' '.join(arguments)} --host 0.0.0.0"), "as it can be typed"
    finally:
        process.terminate()
        process.wait(PATIENCE)


@pytest.mark.parametrize("written", [["--database", "{}"], ["--database={}"], ["-d{}"]])
def test_the_start_prints_no_password(written: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    url = "postgresql://ann:s3cret@localhost/atout"
    monkeypatch.setattr(sys, "argv", ["atout", "serve", *(part.format(url) for part in written)])
    settings = ServerSettings(database=url)
    for line in (for_others(settings), database_line(settings, is_new=False)):
        assert "postgresql://ann:***@localhost/atout" in line
        assert "s3cret" not in line


class Machine:
    """A machine with these addresses: for each adapter, and for each family the one from which it would send."""

    def __init__(self, routes: dict[int, str], adapters: dict[str, list[str]]) -> None:
        self.routes, self.adapters = routes, adapters

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

    def get_adapters(self) -> list[ifaddr.Adapter]:
        def ip(address: str, adapter: str) -> ifaddr.IP:
            return ifaddr.IP((address, 0, 0) if ":" in address else address, 24, adapter)

        return [ifaddr.Adapter(name, name, [ip(one, name) for one in ips]) for name, ips in self.adapters.items()]


V4, V6 = socket.AF_INET, socket.AF_INET6
LAN, VPN, GUESTS = "192.168.1.7", "10.8.0.2", "172.17.0.1"


@pytest.mark.parametrize(
    ("routes", "adapters", "host", "found"),
    [
        ({V4: LAN, V6: "fd00::7"}, {"lo": ["127.0.0.1"], "wlan0": [LAN]}, EVERYWHERE, [LAN]),
        ({V4: LAN, V6: "fd00::7"}, {"wlan0": [LAN, "fd00::7", "fe80::7"]}, "::", [LAN, "fd00::7"]),
        ({V4: VPN}, {"tun0": [VPN], "wlan0": [LAN]}, EVERYWHERE, [LAN, VPN]),
        ({V4: VPN}, {"tun0": [VPN]}, EVERYWHERE, [VPN]),
        ({V4: LAN}, {"docker0": [GUESTS], "eth1": ["10.0.0.7"], "eth0": [LAN]}, EVERYWHERE, [LAN, "10.0.0.7"]),
        ({}, {"lo": ["127.0.0.1"], "wlan0": [LAN]}, EVERYWHERE, [LAN]),
        ({}, {"lo": ["127.0.0.1"], "docker0": [GUESTS]}, EVERYWHERE, [GUESTS]),
        ({V4: LAN}, {}, EVERYWHERE, [LAN]),
        ({V4: "127.0.0.1"}, {"lo": ["127.0.0.1"], "eth0": ["169.254.3.4", "fe80::1"]}, "::", []),
        ({}, {}, EVERYWHERE, []),
    ],
    ids=[
        *("one", "both kinds", "a VPN comes last", "a VPN alone", "no containers", "no way out of the house"),
        *("containers alone", "adapters unknown", "nothing that leads here", "none"),
    ],
)
def test_addresses_that_others_can_open_come_first(
    routes: dict[int, str], adapters: dict[str, list[str]], host: str, found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(routes, adapters)
    monkeypatch.setattr(socket, "socket", machine.socket)
    monkeypatch.setattr(ifaddr, "get_adapters", machine.get_adapters)
    assert own_addresses(host) == found


def test_a_machine_with_ipv6_alone_is_told_how_others_come_in(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine({V6: "fd00::7"}, {"wlan0": ["fd00::7"]})
    monkeypatch.setattr(socket, "socket", machine.socket)
    monkeypatch.setattr(ifaddr, "get_adapters", machine.get_adapters)
    assert "with --host :: " in for_others(ServerSettings(host=EVERYWHERE))
    assert for_others(ServerSettings(host="::")) == "Other devices open http://[fd00::7]:8000"
