"""Forget me: the cookie opens nothing on any worker, the database's bytes do not name the guest, and others go on."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from atout.records import Verifier
from atout.store import open_store
from atout.tables import check_fair
from tests.depth import first
from tests.server.background import PATIENCE, Background, serve_in_background
from tests.server.client import Party, Person, Socket
from tests.server.scenarios import GAME, NAME, WORDS, ended, finished_match, sit, stored


def traces(url: str, guest: str) -> list[str]:
    """What of a guest is in the database."""
    found = stored(url)
    return [word for word in (guest, NAME, WORDS) if word.encode() in found]


async def is_nobody(server: Background, cookie: str, table: str) -> None:
    """A cookie opens nothing at this server."""
    headers = {"Cookie": cookie}
    async with httpx.AsyncClient(base_url=server.url, headers=headers, timeout=PATIENCE) as http:
        for path in ("/api/guest", "/api/tables/mine", "/api/records", "/api/statistics", f"/api/records/{table}"):
            assert (await http.get(path)).status_code == 401, path
        assert (await http.post("/api/tables", json={"settings": GAME})).status_code == 401
        assert (await http.delete("/api/guest")).status_code == 401
    old = Person(server.url, NAME)
    old.http.cookies.set("atout", cookie.partition("=")[2])
    socket = await old.connect(table)
    assert socket.bye is not None
    assert (socket.bye["code"], socket.bye["again"], socket.view) == ("no-guest", False, {})
    answer = await old.http.post("/api/guest", json={"name": "New"})
    assert (answer.status_code, answer.json()["code"]) == (401, "no-guest"), "a void cookie makes nobody new"
    assert "Max-Age=0" in answer.headers["set-cookie"]
    old.http.cookies.clear()
    answer = await old.http.post("/api/guest", json={"name": "New"})
    assert answer.is_success, "they may come again, as somebody else"
    assert answer.headers["set-cookie"].partition(".")[0] != cookie.partition(".")[0]
    await old.go()


async def can_be_verified(bob: Person, id: str, other: str = "Bob") -> None:
    line = (await bob.http.get(f"/api/records/{id}.json")).content
    record = json.loads(line)
    assert record["names"] == ["Somebody", other, "random"]
    Verifier().check(line)
    check_fair(record)
    entries = {entry["id"]: entry["summary"]["names"] for entry in (await bob.get("/api/records"))["records"]}
    assert entries[id] == record["names"]


DATABASES = pytest.mark.parametrize("url", first(["sqlite", "postgresql"]), indirect=True)


@pytest.mark.slow
@DATABASES
def test_a_name_at_a_seat_that_was_handed_over_is_forgotten(url: str, tmp_path: Path) -> None:
    """Ann hands her seat to Bob, before or during the match: then her name is in his record and rematch."""

    async def scenario(server: Background, is_before: bool) -> str:
        async with Party(server.url) as party:
            ann, bob, cid = [await party.guest(name) for name in (NAME, "Bob", "Cid")]
            table = await cid.open_table(**GAME)
            hers, third = await ann.connect(table), await cid.connect(table)
            await sit(hers, NAME)
            if not is_before:
                await sit(third, "Cid")
            token = (await ann.post(f"/api/tables/{table}/links"))["token"]
            await bob.post("/api/links", {"token": token})
            his = await bob.connect(table)
            if is_before:
                await sit(third, "Cid")
            await asyncio.gather(his.play_on(random.Random(1)), third.play_on(random.Random(2)))
            assert (await his.do("rematch"))["type"] == "told"
            rematch = his.view["rematch"]
            assert (await bob.connect(rematch)).view["seats"][0]["name"] == NAME
            record = (await bob.http.get(f"/api/records/{table}")).text
            assert NAME in record, "the name stays with the seat"
            assert (await ann.get("/api/records"))["records"] == [], "it is not her match"
            assert (await bob.get(f"/api/records/{table}/sharing"))["waiting"] == 1, "only Cid is asked, too"
            cookie = ann.cookie

            assert (await ann.http.delete("/api/guest")).status_code == 204
            kept = (await bob.connect(rematch)).view["seats"][0]
            assert (kept["name"], kept["kind"]) == ("Somebody", "kept")
            assert (await (await bob.connect(rematch)).do("sit", name="Bob", entropy="ab"))["type"] == "told"
            await can_be_verified(bob, table, "Cid")
            return cookie.removeprefix("atout=").partition(".")[0]

    with serve_in_background(url, tmp_path) as server:
        ids = [asyncio.run(scenario(server, is_before)) for is_before in (True, False)]
        for id in ids:
            assert traces(url, id) == []


@DATABASES
def test_nothing_of_a_forgotten_guest_is_left(url: str, tmp_path: Path) -> None:
    """With PostgreSQL two servers have the same database: what one of them is told holds at once at the other."""

    async def scenario(first: Background, second: Background) -> str:
        async with Party(first.url) as party:
            ann, bob = await party.guest(NAME), await party.guest("Bob")
            cookie = ann.cookie
            over, rematch = await finished_match(ann, bob)
            struck, _ = await finished_match(ann, bob)
            assert (await ann.http.delete(f"/api/records/{struck}")).status_code == 204
            going = await ann.open_table(**GAME, spectators="leave")
            hers, his = await ann.connect(going), await bob.connect(going, url=second.url)
            await sit(hers, "Ann")
            assert (await hers.do("rename", name=NAME))["type"] == "told"
            assert (await hers.do("say", text=WORDS))["type"] == "told"
            await sit(his, "Bob")
            token = (await ann.post(f"/api/tables/{going}/links"))["token"]
            watched = await bob.open_table(**GAME, spectators="leave")
            looking = await ann.connect(watched, url=second.url)
            assert (await looking.do("watch", seat=0, name=NAME))["type"] == "told"
            alone = await ann.open_table(**GAME, visibility="public")

            assert (await ann.http.delete("/api/guest")).status_code == 204
            for server in (first, second):
                await is_nobody(server, cookie, going)
            await ended(hers)
            await ended(looking)
            assert (await bob.http.post("/api/links", json={"token": token})).json()["code"] in ("no-link",)
            await goes_on(his)
            for record in (over, struck):
                await can_be_verified(bob, record)
            again = await bob.connect(rematch)
            assert [seat["kind"] for seat in again.view["seats"]] == ["open", "kept", "bot"]
            lobby = (await bob.get("/api/tables"))["tables"]
            assert alone not in [card["table"] for card in lobby]
            return cookie.removeprefix("atout=").partition(".")[0]

    async def goes_on(his: Socket) -> None:
        """Bob is told at once who is gone, and lets a bot play on."""
        while his.view["seats"][0]["name"] == NAME:
            await his.receive()
        assert NAME not in json.dumps(his.view)
        assert WORDS not in json.dumps(his.view)
        assert his.view["seats"][0]["has_left"]
        assert (await his.do("offer", what="stand-in", whom=0))["type"] == "told"
        await his.play_on(random.Random(3))
        assert his.view["status"] == "over"

    with ExitStack() as stack:
        first = stack.enter_context(serve_in_background(url, tmp_path))
        second = first if url.startswith("sqlite") else stack.enter_context(serve_in_background(url, tmp_path))
        guest = asyncio.run(scenario(first, second))
        assert traces(url, guest) == []
    assert traces(url, guest) == []


@pytest.mark.slow
def test_what_a_killed_server_left_is_finished_by_the_next(tmp_path: Path) -> None:
    """The database names the guest until then; that also shows that the search finds what is there."""
    url = f"sqlite:///{tmp_path}/atout.db"

    async def play(server: Background) -> str:
        async with Party(server.url) as party:
            ann, bob = await party.guest(NAME), await party.guest("Bob")
            await finished_match(ann, bob)
            return ann.http.cookies["atout"].partition(".")[0]

    async def delete(guest: str) -> None:
        store = await open_store(url)
        await store.delete_guest(guest)
        assert await store.half_forgotten() == [(guest, "")]
        await store.close()

    async def wait() -> None:
        connection = sqlite3.connect(tmp_path / "atout.db")
        while connection.execute("SELECT 1 FROM forgotten WHERE guest IS NOT NULL").fetchall():
            await asyncio.sleep(0.05)
        connection.close()

    with serve_in_background(url, tmp_path) as server:
        guest = asyncio.run(play(server))
    asyncio.run(delete(guest))
    assert traces(url, guest) == [guest, NAME, WORDS]
    with serve_in_background(url, tmp_path):
        asyncio.run(asyncio.wait_for(wait(), PATIENCE))
    assert traces(url, guest) == []
