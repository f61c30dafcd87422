"""Who may ask for what: names of the server, and readers of its metrics."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import httpx
import pytest
import websockets
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from atout.errors import Unavailable, UsageError
from atout.server import app
from atout.server.app import Application
from atout.server.http.context import Context
from atout.server.settings import ServerSettings
from tests.server.background import PATIENCE, Background, serve_in_background
from tests.server.client import Party
from tests.server.raw import Raw, ask

EVIL = "evil.example"
LOOSE = ("[::1].evil.example", "[::1]evil.example", "localhost:80@evil.example", "localhost:80:80", "localhost/")
TOKEN = "a-token-for-prometheus"  # noqa: S105 — of this test


def get(server: Background, path: str, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.get(server.url + path, headers=named, timeout=PATIENCE)


@pytest.mark.parametrize("path", ["/", "/api/tables", "/healthz", "/metrics"])
def test_a_name_that_is_not_ours_is_refused(lone: Background, path: str) -> None:
    """A page whose name an attacker points to this machine reads nothing (DNS rebinding)."""
    for host in (EVIL, f"{EVIL}:8000", "localhost.evil.example", "192.168.1.7", *LOOSE):
        answer = get(lone, path, Host=host)
        assert (answer.status_code, answer.json()["code"]) == (421, "unknown-host"), host
        assert "ATOUT_HOSTS" in answer.json()["message"]
    for host in ("localhost", "LOCALHOST:1", "127.0.0.1:8000", "[::1]:8000"):
        assert get(lone, path, Host=host).status_code == 200, host


def test_a_websocket_to_another_name_is_refused(lone: Background) -> None:
    """Also if the origin agrees with it, as it does when a name was let point here."""

    async def talk() -> None:
        async with Party(lone.url) as party:
            ann = await party.guest()
            upgrade = (
                f"GET /ws/x HTTP/1.1\r\nHost: {EVIL}\r\nOrigin: http://{EVIL}\r\nCookie: {ann.cookie}\r\n"
                "Connection: Upgrade\r\nUpgrade: websocket\r\n"
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
            )
            assert await ask(lone.url, upgrade.encode()) == (421, "unknown-host")
            async with websockets.connect(
                f"{lone.sockets}/ws/x", additional_headers={"Cookie": ann.cookie}, open_timeout=PATIENCE
            ):
                pass

    asyncio.run(talk())


def test_a_websocket_of_an_http_page_is_refused_where_a_proxy_has_https() -> None:
    """As it is for other requests; whoever is no proxy cannot say that."""
    server = Application(ServerSettings(hosts="play.example", proxies="10.0.0.1"))
    server.context = cast("Context", SimpleNamespace(identity_of=lambda _: None))

    def knock(page: str, client: str, proto: str) -> int:
        headers = {"host": "play.example", "origin": f"{page}://play.example", "x-forwarded-proto": proto}
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "websocket", "path": "/ws/x", "headers": raw, "client": (client, 1)}
        answer = server.accept(HTTPConnection(scope))
        assert isinstance(answer, Response)
        return answer.status_code

    introduce = 401  # it may connect, as soon as it is a guest's
    assert knock("http", "10.0.0.1", "https") == 403
    assert knock("https", "10.0.0.1", "https") == introduce
    assert knock("http", "10.0.0.1", "http") == introduce
    assert knock("http", "10.0.0.2", "https") == introduce


def test_health_is_asked_of_the_store_once_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    server, asked = Application(ServerSettings()), 0

    async def check() -> None:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0)
        if asked > 1:
            raise Unavailable("no store")

    async def ask_often() -> None:
        store = SimpleNamespace(check=check)
        server.context = cast("Context", SimpleNamespace(hub=SimpleNamespace(store=store)))
        request = Request({"type": "http"})
        for _ in range(3):
            answers = await asyncio.gather(*(server.health(request) for _ in range(10)))
            assert {answer.status_code for answer in answers} == {200}
        assert asked == 1
        monkeypatch.setattr(app, "HEALTH_SECONDS", 0.0)
        for number in (2, 3):
            with pytest.raises(Unavailable):
                await server.health(request)
            assert asked == number

    asyncio.run(ask_often())


@pytest.mark.slow
def test_an_origin_is_a_scheme_and_a_host(lone: Background) -> None:
    host = lone.url.partition("://")[2]

    def post(origin: str, **headers: str) -> int:
        sent = {"Origin": origin, **headers}
        return httpx.post(f"{lone.url}/api/guest", json={"name": "Ann"}, headers=sent, timeout=PATIENCE).status_code

    for origin in (f"http://{host}", f"https://{host}"):
        assert post(origin) == 200
    for origin in (
        f"ftp://{host}",
        f"http://{host}/path",
        f"http://a@{host}",
        f"//{host}",
        host,
        "null",
        "http://",
        "",
    ):
        assert post(origin) == 403, origin
    https = {"X-Forwarded-Proto": "https"}
    assert (post(f"https://{host}", **https), post(f"http://{host}", **https)) == (200, 403)


def test_a_target_names_the_same_host(lone: Background) -> None:
    async def talk() -> None:
        for target in (f"http://{EVIL}/healthz", f"HTTP://{EVIL}", "ftp://localhost/healthz", "http://a@localhost/"):
            request = f"GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
            assert await ask(lone.url, request) in ((421, "unknown-host"), (400, "bad-request")), target
        raw = await Raw.open(lone.url)
        await raw.send(b"GET http://localhost/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert (await raw.answer())[0] == 200
        raw.close()

    asyncio.run(talk())


def test_a_request_has_one_host(lone: Background) -> None:
    async def talk() -> None:
        assert await ask(lone.url, b"GET / HTTP/1.1\r\n\r\n") == (400, "no-host")
        two = b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"
        assert await ask(lone.url, two) == (400, "no-host")
        raw = await Raw.open(lone.url)
        await raw.send(b"GET /healthz HTTP/1.0\r\n\r\n")
        assert (await raw.answer())[0] == 200
        raw.close()

    asyncio.run(talk())


@pytest.mark.slow
def test_names_of_the_settings_and_the_token(tmp_path: Path) -> None:
    settings: dict[str, object] = {"hosts": "play.example", "origins": "https://cards.example", "metrics_token": TOKEN}
    with serve_in_background(f"sqlite:///{tmp_path}/a.db", tmp_path, **settings) as server:
        for host in ("play.example", "cards.example", "localhost"):
            assert get(server, "/healthz", Host=host).status_code == 200
        assert get(server, "/healthz", Host=EVIL).status_code == 421
        proxied = {"Host": "play.example", "X_Forwarded_For": "192.0.2.1"}
        assert get(server, "/metrics", **proxied).status_code == 403
        assert get(server, "/metrics", **proxied, Authorization="Bearer another-token-here").status_code == 403
        assert get(server, "/metrics", **proxied, Authorization=f"Basic {TOKEN}").status_code == 403
        assert "atout_errors_total" in get(server, "/metrics", **proxied, Authorization=f"Bearer {TOKEN}").text
    assert TOKEN not in server.log_text


def test_metrics_are_for_this_machine(lone: Background) -> None:
    """Not for what comes through a proxy on it."""
    assert get(lone, "/metrics").status_code == 200
    for header in ("X_Forwarded_For", "X_Forwarded_Proto", "X_Real_IP", "Via", "Forwarded"):
        answer = get(lone, "/metrics", **{header: "127.0.0.1"})
        assert (answer.status_code, answer.json()["code"]) == (403, "no-metrics"), header


@pytest.mark.slow
def test_metrics_of_a_server_for_the_network(tmp_path: Path) -> None:
    """On all addresses: called by any address, but not by a name that is not in the settings."""
    with serve_in_background(f"sqlite:///{tmp_path}/a.db", tmp_path, host="0.0.0.0") as server:  # noqa: S104
        assert get(server, "/healthz", Host="192.168.1.7:8000").status_code == 200
        assert get(server, "/healthz", Host=EVIL).status_code == 421
        assert get(server, "/metrics", Host="192.168.1.7:8000").status_code == 403
        assert get(server, "/metrics").status_code == 200


def test_a_token_that_could_be_guessed_is_refused() -> None:
    with pytest.raises(UsageError, match="metrics_token"):
        ServerSettings.read({"ATOUT_METRICS_TOKEN": "short"})
