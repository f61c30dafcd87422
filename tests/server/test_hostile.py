"""What a server meets on a bad day: no crash, no 500, no leak, nothing secret in the logs."""

from __future__ import annotations

import asyncio
import json
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets

from atout.server.identity import Signer
from tests.depth import first
from tests.server.background import PATIENCE, Background, serve_in_background
from tests.server.client import Closed, Party, Person, metric

FOREIGN = "https://evil.example"


def test_bad_requests_get_typed_answers(server: Background) -> None:
    async def ask() -> None:
        async with Party(server.url) as party:
            ann = await party.guest()
            json_type = {"Content-Type": "application/json"}
            settings = {"edition": "niet-2015", "players": 4}
            cases: list[tuple[str, str, Any, int, str]] = [
                ("POST", "/api/tables", b"{", 400, "bad-json"),
                ("POST", "/api/tables", b"\xff\xfe", 400, "bad-json"),
                ("POST", "/api/tables", b"[" * 30_000, 422, "bad-request"),
                ("POST", "/api/tables", b'{"settings":{"edition":{"id":' + b"[" * 30_000, 400, "bad-json"),
                ("POST", "/api/tables", b"{}", 422, "bad-request"),
                ("POST", "/api/tables", {"settings": {**settings, "x": 1}}, 422, "bad-request"),
                ("POST", "/api/tables", {"settings": {**settings, "players": 9}}, 422, "bad-settings"),
                ("POST", "/api/tables", {"settings": {**settings, "edition": "../x"}}, 422, "bad-settings"),
                ("POST", "/api/tables", {"settings": {**settings, "edition": {"id": 1}}}, 422, "bad-settings"),
                ("POST", "/api/tables", {"settings": {**settings, "seats": ["os:system"] * 4}}, 422, "bad-settings"),
                ("POST", "/api/tables", b" " * 70_000, 413, "too-large"),
                ("POST", "/api/guest", {"name": " \n "}, 422, "bad-name"),
                ("POST", "/api/guest", {"name": "x" * 31}, 422, "bad-request"),
                ("POST", "/api/guest", {"name": "Ann", "settings": {"x": "y" * 5000}}, 422, "too-large"),
                (
                    "POST",
                    "/api/guest",
                    b'{"name":"Ann","settings":{"x":' + b"[" * 900 + b"]" * 900 + b"}}",
                    422,
                    "too-deep",
                ),
                ("GET", "/api/tables/nothing", None, 404, "no-table"),
                ("GET", "/api/nothing", None, 404, "not-found"),
                ("DELETE", "/api/tables", None, 405, "bad-method"),
                ("GET", "/api/records/nothing", None, 404, "no-record"),
                ("GET", "/api/records?after=x", None, 400, "bad-query"),
                ("DELETE", "/api/records/nothing", None, 404, "no-record"),
                ("POST", "/api/links", {"token": "x~1~y"}, 404, "no-table"),
            ]
            for method, path, body, status, code in cases:
                content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
                answer = await ann.http.request(method, path, content=content, headers=json_type)
                assert (answer.status_code, answer.json()["code"]) == (status, code), (path, body, answer.text)
                assert answer.json()["message"]
            form = await ann.http.post("/api/tables", data={"settings": "x"})
            assert (form.status_code, form.json()["code"]) == (415, "not-json")

    asyncio.run(ask())


def test_a_cookie_cannot_be_forged(server: Background) -> None:
    """Another's id, an old signature, another key, rubbish: none of them is anybody."""

    async def ask() -> None:
        async with Party(server.url) as party:
            ann, bob = await party.guest(), await party.guest("Bob")
            mine, his = ann.http.cookies["atout"], bob.http.cookies["atout"]
            guest, when, mac = mine.split(".")
            forged = [
                f"{his.split('.')[0]}.{when}.{mac}",
                f"{guest}.{int(when) + 1}.{mac}",
                Signer([b"k" * 32]).sign(guest, float(when)),
                f"{guest}.{when}.",
                "..",
                "é" * 10,
                "x" * 4000,
            ]
            for cookie in forged:
                headers = {b"Cookie": f"atout={cookie}".encode("latin-1")}
                async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as http:
                    assert (await http.get("/api/guest", headers=headers)).status_code == 401
                with pytest.raises(websockets.InvalidStatus) as refused:
                    await websockets.connect(
                        f"{server.sockets}/ws/x",
                        additional_headers={"Cookie": f"atout={cookie[:300]}"},
                        open_timeout=PATIENCE,
                    )
                assert refused.value.response.status_code == 401
            assert (await ann.http.get("/api/guest")).json()["name"] == "Ann"

    asyncio.run(ask())


def test_keys_can_be_rotated() -> None:
    old, new = b"o" * 32, b"n" * 32
    cookie = Signer([old]).sign("g" * 22, 1000.0)
    assert Signer([new, old]).guest(cookie, 1001.0) == "g" * 22
    assert Signer([new]).guest(cookie, 1001.0) is None
    assert Signer([old]).guest(cookie, 1000.0 + 401 * 86_400) is None


def test_the_cookie_is_for_the_server_alone(lone: Background) -> None:
    plain = httpx.post(f"{lone.url}/api/guest", json={"name": "Ann"}, timeout=PATIENCE).headers["set-cookie"]
    assert "HttpOnly" in plain
    assert "samesite=lax" in plain.lower()
    assert "Secure" not in plain
    https = httpx.post(
        f"{lone.url}/api/guest", json={"name": "Ann"}, headers={"X-Forwarded-Proto": "https"}, timeout=PATIENCE
    )
    assert "Secure" in https.headers["set-cookie"]


def test_pages_of_other_sites_are_kept_out(lone: Background) -> None:
    async def ask() -> None:
        async with Party(lone.url) as party:
            ann = await party.guest()
            for headers in ({"Origin": FOREIGN}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
                answer = await ann.http.post("/api/tables", json={}, headers=headers)
                assert (answer.status_code, answer.json()["code"]) == (403, "foreign-origin")
            own = await ann.http.post("/api/guest", json={"name": "Ann"}, headers={"Origin": lone.url})
            assert own.status_code == 200
            for origin, status in ((FOREIGN, 403), ("http://[", 403)):
                with pytest.raises(websockets.InvalidStatus) as refused:
                    await websockets.connect(
                        f"{lone.sockets}/ws/x",
                        additional_headers={"Cookie": ann.cookie, "Origin": origin},
                        open_timeout=PATIENCE,
                    )
                assert refused.value.response.status_code == status

    asyncio.run(ask())


def test_every_answer_has_the_usual_headers(lone: Background) -> None:
    for path in ("/", "/api/tables", "/api/nothing", "/healthz", "/metrics", "/api/openapi.json"):
        headers = httpx.get(lone.url + path, timeout=PATIENCE).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers


MALFORMED = [
    "",
    "{",
    "[]",
    "null",
    '{"do":"dance"}',
    '{"do":"act"}',
    '{"do":"act","action":7}',
    '{"do":"open","table":"x","settings":{"edition":"nichtig","players":3},"secret":"' + "00" * 32 + '"}',
    '{"do":"tick"}',
    '{"do":"move-seat","seat":0,"guest":"me"}',
    '{"do":"away","seat":0}',
    '{"do":"act","id":{"x":1},"action":"0 play R1"}',
    '{"do":"sit","name":"x","seat":99}',
    '{"do":"say","text":"\\ud800"}',
    "[" * 4000,
    '{"do":"hello","seen":-1}',
    '{"do":"sit","name":"Eve","entropy":"zz"}',
]


def test_malformed_messages_are_refused_and_the_line_stays(server: Background) -> None:
    async def play() -> None:
        async with Party(server.url) as party:
            table, people, sockets = await party.table()
            before = sockets[1].view["number"]
            for text in MALFORMED:
                await sockets[0].websocket.send(text)
                assert (await sockets[0].receive())["type"] == "refusal", text
            await sockets[0].websocket.send(b"\xff\x00")
            assert (await sockets[0].receive())["code"] == "bad-message"
            fresh = await people[1].connect(table)
            assert fresh.view["number"] == before

    asyncio.run(play())


def test_refusals_name_code_and_paragraph(lone: Background) -> None:
    async def play() -> None:
        async with Party(lone.url) as party:
            _, _, sockets = await party.table()
            seat = sockets[0].view["asked"][0]
            other = sockets[(seat + 1) % 4]
            early = await other.do("act", action=f"{(seat + 1) % 4} veto trump red")
            assert (early["type"], early["code"]) == ("refusal", "not-your-turn")
            assert early["paragraph"] == "niet-2015 §3.2"
            theirs = await other.do("act", action=sockets[seat].legal[0])
            assert (theirs["code"], theirs["parameters"]) == ("not-your-seat", {"seat": (seat + 1) % 4})

    asyncio.run(play())


def test_an_oversize_message_ends_the_line_and_nothing_else(lone: Background) -> None:
    async def play() -> None:
        async with Party(lone.url) as party:
            table, people, sockets = await party.table()
            await sockets[0].websocket.send("x" * 100_000)
            with pytest.raises(Closed):
                await sockets[0].until(lambda message: False)
            again = await people[0].connect(table)
            assert again.view["status"] == "playing"

    asyncio.run(play())


@pytest.mark.parametrize("messages", first([60, 300]))
def test_random_and_mutated_messages(lone: Background, messages: int) -> None:
    """A taste of the long run: whatever is sent, the answer is a message of the protocol or a closed line."""

    async def play() -> None:
        rng = random.Random(5)
        async with Party(lone.url) as party:
            table, people, sockets = await party.table()
            good = [
                json.dumps({"do": "say", "text": "hello"}),
                json.dumps({"do": "act", "action": "0 play R1"}),
                *MALFORMED,
            ]
            socket = sockets[0]
            for _ in range(messages):
                text = list(rng.choice(good)) or ["x"]
                for _ in range(rng.randrange(4)):
                    text[rng.randrange(len(text))] = chr(
                        rng.choice([0, 34, 92, 123, 125, 0x20AC, rng.randrange(0x250)])
                    )
                try:
                    await socket.websocket.send("".join(text))
                    await socket.receive()
                except (Closed, websockets.ConnectionClosed):
                    socket = await people[0].connect(table)
            assert (await people[1].connect(table)).view["status"] == "playing"

    asyncio.run(play())


def test_limits(tmp_path: Path) -> None:
    """Connections, rate, new guests and tables: each is refused with its name, and it passes."""
    settings: dict[str, object] = {
        "guests_per_hour": 3,
        "tables_per_hour": 2,
        "connections_per_guest": 2,
        "commands_per_second": 2,
        "hello_seconds": 0.3,
    }

    async def play(server: Background) -> None:
        async with Party(server.url) as party:
            ann, _bob, _cid = await party.guest("Ann"), await party.guest("Bob"), await party.guest("Cid")
            async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as http:
                full = await http.post("/api/guest", json={"name": "Dan"})
            assert (full.status_code, full.json()["code"]) == (429, "too-many-guests")
            assert int(full.headers["retry-after"]) > 0
            table = await ann.open_table(edition="nichtig", players=3)
            await ann.open_table(edition="nichtig", players=3)
            third = await ann.http.post("/api/tables", json={"settings": {"edition": "nichtig", "players": 3}})
            assert third.json()["code"] == "too-many-new-tables"
            first = await ann.connect(table)
            await ann.connect(table)
            refused = await ann.connect(table)
            assert refused.bye is not None
            assert refused.bye["code"] == "too-many-connections"
            answers = [await first.do("say", text="hello") for _ in range(8)]
            assert {answer["code"] for answer in answers} == {"no-seat", "too-many"}
            bob = party.people[1]
            websocket = await websockets.connect(
                f"{server.sockets}/ws/{table}", additional_headers={"Cookie": bob.cookie}, open_timeout=PATIENCE
            )
            assert json.loads(await websocket.recv())["code"] == "no-hello"
            await websocket.close()

    with serve_in_background(f"sqlite:///{tmp_path}/a.db", tmp_path, **settings) as server:
        asyncio.run(play(server))


@pytest.mark.slow
def test_a_slow_reader_is_dropped_and_resumes(tmp_path: Path) -> None:
    """It stops reading; the others play on; when it comes back it hears what it missed."""

    async def play(server: Background) -> None:
        async with Party(server.url) as party:
            table, _, _ = await party.table(spectators="public")
            slow = await party.guest("Slow")
            stuck = await slow.connect(table)
            seen = stuck.view["number"]
            stuck.websocket.transport.pause_reading()
            with suppress(websockets.ConnectionClosed):
                for _ in range(10_000):
                    await stuck.websocket.send('{"do":"resync"}')
            assert metric(server, "atout_slow_readers_total") == 1
            again = await slow.connect(table, seen=seen)
            assert again.heard[0]["resumed"]

    with serve_in_background(f"sqlite:///{tmp_path}/a.db", tmp_path, unread_bytes=16_384) as server:
        asyncio.run(play(server))


def test_no_secret_in_the_log(tmp_path: Path) -> None:
    """Cookies, tokens, table ids, names and chat: none of them, even at the most talkative level."""

    async def play(server: Background) -> list[str]:
        async with Party(server.url) as party:
            table, people, sockets = await party.table()
            link: Any = await people[0].post(f"/api/tables/{table}/links")
            await sockets[0].do("say", text="chattering")
            await people[1].http.post("/api/links", json={"token": link["token"] + "x"})
            await people[1].http.get(f"/api/tables/{table}")
            await websocket_error(people[0], server, table)
            cookies = [person.http.cookies["atout"] for person in people]
            return [
                table,
                link["token"],
                "chattering",
                "Guest 1",
                *cookies,
                *(cookie.split(".")[0] for cookie in cookies),
            ]

    with serve_in_background(f"sqlite:///{tmp_path}/a.db", tmp_path, log_level="debug") as server:
        secrets = asyncio.run(play(server))
        key = (tmp_path / "key").read_text().strip()
    lines = server.log_text.splitlines()
    assert len(lines) >= 10
    assert all(json.loads(line)["event"] for line in lines)
    for secret in [*secrets, key]:
        assert secret not in server.log_text


async def websocket_error(person: Person, server: Background, table: str) -> None:
    websocket = await websockets.connect(
        f"{server.sockets}/ws/{table}", additional_headers={"Cookie": person.cookie}, open_timeout=PATIENCE
    )
    await websocket.send("x" * 50_000)
    await websocket.wait_closed()


def test_the_key_file_is_for_its_owner_alone(lone: Background) -> None:
    path = lone.log.parent / "key"
    assert path.stat().st_mode & 0o777 == 0o600
