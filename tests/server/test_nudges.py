"""Nudges: once for each turn, only when wanted, encrypted and signed, never to private addresses, never a card."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from atout.server.live import deliver
from atout.server.live.deliver import NotAllowed, check_url, is_public, post
from atout.server.live.nudges import NudgeSettings, quiet_until
from tests.server.authenticator import to_base64
from tests.server.background import Background, serve_in_background, start
from tests.server.client import Party, Person, Socket
from tests.server.scenarios import by_name, keep, sign_in
from tests.server.test_people import act, befriend, id_of
from tests.store.server import Postgres

Json = dict[str, Any]
DAYS: Json = {"edition": "niet-2015", "clock": {"kind": "days", "time": 1}}


def from_base64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Endpoint:
    """A push service and a webhook on this machine; it answers with `status`."""

    def __init__(self) -> None:
        self.received: list[tuple[str, dict[str, str], bytes]] = []
        self.status = 201
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                endpoint.received.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                self.send_response(endpoint.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    async def wait(self, count: int) -> None:
        while len(self.received) < count:
            await asyncio.sleep(0.1)


class Browser:
    """A subscription, and the decryption of what comes (RFC 8291), written apart from the server's library."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), b"0123456789abcdef"
        self.endpoint = endpoint

    @property
    def point(self) -> bytes:
        return self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )

    def subscription(self) -> Json:
        keys = {"p256dh": to_base64(self.point), "auth": to_base64(self.auth)}
        return {"url": f"{self.endpoint.url}/push/1", "keys": keys}

    def read(self, body: bytes) -> Json:
        salt, length = body[:16], body[20]
        theirs = body[21 : 21 + length]
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
        shared = self.key.exchange(ec.ECDH(), public)
        secret = derive(self.auth, shared, b"WebPush: info\0" + self.point + theirs, 32)
        key = derive(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derive(salt, secret, b"Content-Encoding: nonce\0", 12)
        plain = AESGCM(key).decrypt(nonce, body[21 + length :], None)
        found: Json = json.loads(plain.rstrip(b"\0").removesuffix(b"\x02"))
        return found


def derive(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    """HKDF with SHA-256, one block."""
    pseudo = hmac.digest(salt, secret, hashlib.sha256)
    return hmac.digest(pseudo, info + b"\x01", hashlib.sha256)[:length]


def check_vapid(header: str, public: str, audience: str) -> None:
    """The signature of RFC 8292, checked apart from the server's library."""
    values = dict(part.strip().split("=", 1) for part in header.removeprefix("vapid ").split(","))
    assert values["k"] == public
    head, claims, signature = values["t"].split(".")
    raw = from_base64(signature)
    der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_base64(public))
    key.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    assert json.loads(from_base64(claims))["aud"] == audience


@pytest.fixture(scope="module")
def nudging(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Background]:
    folder: Path = tmp_path_factory.mktemp("nudges")
    url = f"sqlite:///{folder}/atout.db"
    with serve_in_background(url, folder, nudge_seconds=0.3, nudge_private=True, absent_seconds=0.2) as server:
        yield server


async def gone(watching: Socket, seat: int) -> None:
    """Wait until a seat is away."""
    while watching.view["seats"][seat].get("is_here", True):
        await watching.receive()


async def nudged_elsewhere(party: Party, person: Person) -> str:
    """Have a person be nudged at a new table, which is returned: whatever was due before is sent before that."""
    other = await party.guest("Other")
    table = await person.open_table(players=2, **DAYS)
    assert (await person.http.post(f"/api/tables/{table}/nudges", json={"choice": "always"})).is_success
    sockets = [await one.connect(table) for one in (person, other)]
    for seat, socket in enumerate(sockets):
        await socket.do("sit", name=f"Guest {seat}", seat=seat)
    await sockets[1].play_on(random.Random(1), lambda view: 0 in view.get("asked", ()))
    return table


@pytest.mark.slow
def test_a_push_message_for_each_turn(nudging: Background) -> None:
    endpoint = Endpoint()

    async def scenario() -> None:
        async with Party(nudging.url) as party:
            table, people, sockets = await party.table(2, **DAYS)
            seat = sockets[0].view["asked"][0]
            mine, other = people[seat], people[1 - seat]
            browser = Browser(endpoint)
            for person in (mine, other):
                await person.post(
                    "/api/nudges/channels", browser.subscription() | {"url": f"{endpoint.url}/{people.index(person)}"}
                )
                await person.http.post("/api/nudges", json={"language": "de"})
            for socket in sockets:
                await socket.close()
            # the turn began before anything could reach them: the next event plans the nudge
            again = await mine.connect(table)
            await again.do("say", text="hello")
            await again.close()
            await endpoint.wait(1)
            path, headers, body = endpoint.received[0]
            assert path == f"/{seat}"
            message = browser.read(body)
            assert message["title"] == f"Du bist dran, an einem Tisch von {other.name}"
            assert message["path"] == f"/table/{table}"
            check_vapid(headers["authorization"], (await mine.get("/api/nudges"))["key"], endpoint.url)
            assert (headers["content-encoding"], bool(int(headers["ttl"]))) == ("aes128gcm", True)
            for card in again.view["game"]["hand"]:
                assert str(card) not in message["body"].replace("Runde 1", "")
            channel = (await mine.get("/api/nudges"))["channels"][0]
            assert (channel["sent"] is not None, channel["delivered"]) == (True, None), "taken by the push service"
            received = f"/api/nudges/channels/{message['channel']}/received"
            assert (await other.http.post(received)).status_code == 404, "nobody else can say so"
            assert (await mine.http.post(received)).status_code == 204
            assert (await mine.get("/api/nudges"))["channels"][0]["delivered"] is not None, "the browser has it"
            again = await mine.connect(table)
            await again.do("say", text="still thinking")
            await again.close()
            await gone(await other.connect(table), seat)
            elsewhere = await nudged_elsewhere(party, mine)
            await endpoint.wait(2)
            assert browser.read(endpoint.received[1][2])["path"] == f"/table/{elsewhere}", "one nudge per turn"
            endpoint.status = 410
            trial = f"/api/nudges/channels/{channel['id']}/test"
            while (answer := await mine.http.post(trial)).json().get("code") == "too-many-deliveries":
                await asyncio.sleep(0.1)  # the nudge has arrived, but the server is not done with it
            assert answer.json() == {"delivered": False}
            assert (await mine.get("/api/nudges"))["channels"] == [], "a subscription that is gone is removed"

    asyncio.run(scenario())


def test_never_is_never(nudging: Background) -> None:
    endpoint = Endpoint()

    async def scenario() -> None:
        async with Party(nudging.url) as party:
            table, people, sockets = await party.table(2, **DAYS)
            seat = sockets[0].view["asked"][0]
            for person in people:
                await person.post("/api/nudges/channels", {"url": f"{endpoint.url}/hook"})
            assert (await people[seat].get(f"/api/tables/{table}/nudges")) == {"choice": "away"}
            await people[seat].http.post(f"/api/tables/{table}/nudges", json={"choice": "never"})
            await sockets[seat].do("say", text="hello")
            await sockets[seat].close()
            await gone(sockets[1 - seat], seat)
            elsewhere = await nudged_elsewhere(party, people[seat])
            await endpoint.wait(1)
            assert json.loads(endpoint.received[0][2])["path"] == f"/table/{elsewhere}"
            await people[seat].http.post(f"/api/tables/{table}/nudges", json={"choice": "always"})
            again = await people[seat].connect(table)
            await again.play_on(random.Random(1), lambda view: seat not in view["asked"])
            await people[1 - seat].http.post(f"/api/tables/{table}/nudges", json={"choice": "always"})
            await endpoint.wait(2)
            payload = json.loads(endpoint.received[1][2])
            assert (payload["title"][:9], payload["path"]) == ("Your turn", f"/table/{table}")
            bad = await people[0].http.post("/api/nudges", json={"zone": "Nowhere/Land"})
            assert bad.status_code == 422

    asyncio.run(scenario())


def test_an_invitation_is_told_once(nudging: Background) -> None:
    """However often it is repeated, also after it was declined; and not at all by somebody who was muted."""
    endpoint = Endpoint()

    async def scenario() -> None:
        async with Party(nudging.url) as party:
            ann, bob, cid = [await party.guest(name) for name in ("Ann", "Bob", "Cid")]
            for host in (ann, cid):
                await befriend(host, bob)
            await bob.post("/api/nudges/channels", {"url": f"{endpoint.url}/bob"})

            async def invite(host: Person, table: str) -> int:
                body = {"person": await id_of(host, "friends", "Bob")}
                return (await host.http.post(f"/api/tables/{table}/invitations", json=body)).status_code

            first, second = [await ann.open_table(edition="niet-2015", players=3) for _ in range(2)]
            for _ in range(3):
                assert await invite(ann, first) == 204
            assert (await bob.http.delete(f"/api/invitations/{first}")).status_code == 204
            assert await invite(ann, first) == 204
            await act(bob, "mute", on=True, person=await id_of(bob, "friends", "Cid"))
            muted = await cid.open_table(edition="niet-2015", players=3)
            assert await invite(cid, muted) == 204, "nobody is told that they were muted"
            assert await invite(ann, second) == 204
            await endpoint.wait(2)  # the second table's is the last: whatever else was sent to Bob came before it
            payloads = [json.loads(body) for _, _, body in endpoint.received]
            assert [one["path"].rpartition("/")[2] for one in payloads] == [first, second]
            assert payloads[0]["title"] == "Ann invites you to a table"
            listed = [one["table"]["table"] for one in (await bob.get("/api/people/news"))["invitations"]]
            assert sorted(listed) == sorted([first, second, muted])

    asyncio.run(scenario())


def test_private_addresses_are_refused() -> None:
    endpoint = Endpoint()
    for url in (f"{endpoint.url}/x", f"http://localhost:{endpoint.server.server_port}/x", "https://127.0.0.1/x",
                "https://10.0.0.7/x", "https://[::1]/x",
                "https://169.254.169.254/latest", "https://localhost/x"):  # fmt: skip
        with pytest.raises(NotAllowed):
            asyncio.run(post(url, b"{}", {}, False))
    for url in ("ftp://play.example/x", "https://user@play.example/", "https:///x", "https://play.example:99999/"):
        with pytest.raises(NotAllowed):
            check_url(url, True)
    assert asyncio.run(post(f"{endpoint.url}/x", b"{}", {}, True)) == 201
    assert len(endpoint.received) == 1
    assert not any(map(is_public, ("::ffff:10.0.0.1", "fe80::1%eth0", "100.64.0.1", "2002:7f00:1::")))
    in_disguise = ("64:ff9b::a9fe:a9fe", "64:ff9b:1::7f00:1", "fec0::1", "::127.0.0.1", "::ffff:0:127.0.0.1", "::1")
    assert not any(map(is_public, in_disguise))
    assert all(map(is_public, ("93.184.216.34", "2606:4700::1111", "64:ff9b::5db8:d822")))


class SlowEndpoint:
    """A webhook that answers a byte at a time, without end."""

    def __init__(self) -> None:
        self.open, self.closed = 0, asyncio.Event()
        self.url = ""

    async def __aenter__(self) -> SlowEndpoint:
        self.server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_error: object) -> None:
        self.server.close()

    async def _answer(self, _reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open += 1
        try:
            writer.write(b"HTTP/1.1 200 OK\r\n")
            while True:
                writer.write(b"X")
                await writer.drain()
                await asyncio.sleep(0.05)
        except ConnectionError:
            pass
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
            self.closed.set()


def test_a_delivery_has_a_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deliver, "SECONDS", 0.3)

    async def scenario() -> None:
        async with SlowEndpoint() as slow:
            with pytest.raises(TimeoutError):
                await post(f"{slow.url}/x", b"{}", {}, True)
            await slow.closed.wait()

    asyncio.run(scenario())


@pytest.mark.slow
def test_a_slow_receiver_holds_up_nobody_else(tmp_path: Path) -> None:
    """Not other guests' deliveries, not a guest who wants to be forgotten, and not the end of the server."""
    good = Endpoint()

    async def scenario(server: Background) -> None:
        async with Party(server.url) as party, SlowEndpoint() as slow:
            eve, vic, zed = [await party.guest(name) for name in ("Eve", "Vic", "Zed")]
            hooks = [await eve.post("/api/nudges/channels", {"url": f"{slow.url}/{i}"}) for i in range(3)]
            tests = [f"/api/nudges/channels/{hook['id']}/test" for hook in hooks]
            held = asyncio.create_task(eve.http.post(tests[0]))
            while not slow.open:
                await asyncio.sleep(0.01)
            refused = await eve.http.post(tests[1])
            assert (refused.status_code, refused.json()["code"]) == (429, "too-many-deliveries")
            hook = await vic.post("/api/nudges/channels", {"url": f"{good.url}/vic"})
            assert (await vic.post(f"/api/nudges/channels/{hook['id']}/test")) == {"delivered": True}
            table = await vic.open_table(edition="niet-2015", players=4)
            for person in (vic, zed):
                await (await person.connect(table)).do("sit", name=person.name)
            assert (await zed.http.delete("/api/guest")).is_success
            assert (await vic.sockets[0].do("say", text="hello"))["type"] == "told"
            assert (slow.open, held.done()) == (1, False)
            server.process.send_signal(signal.SIGTERM)
            assert await asyncio.to_thread(server.process.wait, 60) == 0
            held.cancel()

    server = start(f"sqlite:///{tmp_path}/atout.db", tmp_path, nudge_private=True, drain_seconds=1)
    try:
        asyncio.run(scenario(server))
    finally:
        server.kill()


@pytest.mark.slow
def test_a_thread_that_hangs_does_not_keep_the_process() -> None:
    hangs = "import threading, time; threading.Thread(target=time.sleep, args=(600,)).start()"
    ends = "from atout.server.run import end_after; end_after(0.1)"
    assert subprocess.run([sys.executable, "-c", f"{hangs}; {ends}"], timeout=60, check=False).returncode == 0


def test_quiet_hours() -> None:
    berlin = NudgeSettings(zone="Europe/Berlin", quiet_from=22 * 60, quiet_to=7 * 60)

    def at(day: int, hour: int) -> float:
        return datetime(2026, 11, day, hour, tzinfo=ZoneInfo("Europe/Berlin")).timestamp()

    assert quiet_until(berlin, at(17, 23)) == at(18, 7)
    assert quiet_until(berlin, at(17, 3)) == at(17, 7)
    assert quiet_until(berlin, at(17, 12)) is None
    assert quiet_until(NudgeSettings(), at(17, 3)) is None


@pytest.mark.slow
def test_two_workers_nudge_once_and_know_the_same_people(postgres: Postgres, tmp_path: Path) -> None:
    """Two servers on one PostgreSQL: a name is kept on one and signed in to on the other; a turn is nudged once."""
    endpoint, url = Endpoint(), asyncio.run(postgres.new_url())
    settings: Json = {"nudge_seconds": 0.3, "nudge_private": True, "absent_seconds": 0.2, "sign_ins_per_hour": 10_000}

    async def scenario(first: Background, second: Background) -> None:
        async with Party(first.url) as party:
            ann, phone = await party.guest("Ann"), Person(second.url, "")
            party.people.append(phone)
            passkey = await keep(ann, first)
            passkey.origin = by_name(phone, second)  # the same host, another port
            answer = await sign_in(phone, second, passkey)
            assert answer.json() == {"name": "Ann", "joined": False}
            here = next(one for one in (await ann.get("/api/account"))["sessions"] if not one["is_here"])
            assert (await ann.http.delete(f"/api/account/sessions/{here['session']}")).status_code == 204
            assert (await phone.http.get("/api/guest")).status_code == 401, "ended on the other worker, too"

            table, people, sockets = await party.table(2, **DAYS)
            seat = sockets[0].view["asked"][0]
            for person in people:
                await person.post("/api/nudges/channels", {"url": f"{endpoint.url}/{person.name.replace(' ', '-')}"})
                await person.http.post(f"/api/tables/{table}/nudges", json={"choice": "always"})
            there = await people[seat].connect(table, url=second.url)  # both workers have the table, and plan the nudge
            await there.do("say", text="hello")
            await sockets[seat].do("say", text="hello from here")
            await endpoint.wait(1)
            await asyncio.sleep(8.0)  # both workers have looked again
            assert [path for path, *_ in endpoint.received] == [f"/Guest-{seat}"], "nobody is nudged twice"
            await phone.http.post("/api/guest", json={"name": "Phone"})
            await phone.http.post("/api/guest", json={"name": "Phone"})  # the first one takes the void cookie away
            keys = [(await person.get("/api/nudges"))["key"] for person in (people[seat], phone)]
            assert keys[0] == keys[1], "push messages are signed by one key"

    with (
        serve_in_background(url, tmp_path, **settings) as first,
        serve_in_background(url, tmp_path, **settings) as second,
    ):
        asyncio.run(scenario(first, second))
