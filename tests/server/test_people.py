"""Friends by consent, the online state, invitations, mutes and blocks, reports; and what others try with them."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest

from atout.server.live.presence import NOTED_SECONDS, POLL_SECONDS, Presence
from atout.server.reports import list_reports, remove_report
from atout.store import Guest, open_store
from tests.server.background import Background, serve_in_background
from tests.server.client import Closed, Party, Person, Socket
from tests.server.scenarios import GAME, NAME, WORDS, ended, sit, stored
from tests.store.server import Postgres

Json = dict[str, Any]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Background, str]]:
    folder: Path = tmp_path_factory.mktemp("people")
    url = f"sqlite:///{folder}/atout.db"
    with serve_in_background(url, folder, reports_per_day=3) as server:
        yield server, url


async def people_of(person: Person) -> dict[str, list[str]]:
    """The names in the lists of a person, without empty ones."""
    lists = await person.get("/api/people")
    kinds = ("friends", "requests", "asked", "muted", "blocked")
    return {kind: [one["name"] for one in lists[kind]] for kind in kinds if lists[kind]}


async def id_of(person: Person, kind: str, name: str) -> str:
    found: str = next(one["id"] for one in (await person.get("/api/people"))[kind] if one["name"] == name)
    return found


async def code(person: Person, path: str, body: Json) -> tuple[int, str]:
    """The refusal of a request."""
    answer = await person.http.post(path, json=body)
    return answer.status_code, answer.json()["code"] if answer.content else ""


async def befriend(one: Person, two: Person) -> None:
    link = (await one.post("/api/people/link"))["link"]
    assert (await two.post("/api/people/ask", {"link": link}))["state"] == "asked"
    accepted = await one.post("/api/people/accept", {"person": await id_of(one, "requests", two.name)})
    assert accepted["state"] == "friends"


def kinds(socket: Socket) -> list[str]:
    """Who is at the seats, as somebody is shown them."""
    return [seat["kind"] for seat in socket.view["seats"]]


async def act(who: Person, what: str, /, **body: Any) -> None:
    answer = await who.http.post(f"/api/people/{what}", json=body)
    assert answer.status_code == 204, answer.text


@pytest.mark.slow
def test_friends_by_link_and_by_name(house: tuple[Background, str]) -> None:
    server, _url = house

    async def scenario() -> None:
        async with Party(server.url) as party:
            ann, bob, cid = [await party.guest(name) for name in ("Ann", "Bob", "Cid Kept")]
            link = (await ann.post("/api/people/link"))["link"]
            assert await bob.get(f"/api/people/link/{link}") == {"name": "Ann", "is_me": False}
            assert await code(ann, "/api/people/ask", {"link": link}) == (422, "yourself")
            assert (await bob.post("/api/people/ask", {"link": link}))["state"] == "asked"
            assert (await people_of(ann), await people_of(bob)) == ({"requests": ["Bob"]}, {"asked": ["Ann"]})
            assert (await ann.get("/api/people/news"))["requests"] == 1
            renewed = (await ann.post("/api/people/link"))["link"]
            for dead in (link, "x" * 22, "\0"):
                assert await code(cid, "/api/people/ask", {"link": dead}) == (404, "no-link"), "guessed, or no longer"
            request = await id_of(ann, "requests", "Bob")
            for thief in (bob, cid):
                assert await code(thief, "/api/people/accept", {"person": request}) == (404, "no-person")
            asked = await id_of(bob, "asked", "Ann")
            assert asked != request, "an id means nothing to anybody else"
            assert await code(bob, "/api/people/accept", {"person": asked}) == (404, "no-person"), "not his to accept"
            assert (await ann.post("/api/people/accept", {"person": request}))["state"] == "friends"
            assert (await people_of(ann), await people_of(bob)) == ({"friends": ["Bob"]}, {"friends": ["Ann"]})
            assert (await bob.post("/api/people/ask", {"link": renewed}))["state"] == "friends", "already"

            assert await code(ann, "/api/people/ask", {"name": "Cid Kept"}) == (404, "no-name"), "a guest is not found"
            await cid.make_code()
            assert (await ann.post("/api/people/ask", {"name": " Cid  Kept "}))["state"] == "asked"
            await act(cid, "remove", person=await id_of(cid, "requests", "Ann"))
            assert await people_of(cid) == {}
            assert await people_of(ann) == {"friends": ["Bob"]}, "it was refused"
            other = await party.guest("Cid Kept")
            await other.make_code()
            assert await code(ann, "/api/people/ask", {"name": "Cid Kept"}) == (409, "many-names")
            assert await code(ann, "/api/people/ask", {}) == (422, "bad-request")
            await act(bob, "remove", person=await id_of(bob, "friends", "Ann"))
            assert (await people_of(ann), await people_of(bob)) == ({}, {})

    asyncio.run(scenario())


def test_the_online_state_is_shown_to_friends_by_choice(house: tuple[Background, str]) -> None:
    server, _url = house

    async def scenario() -> None:
        async with Party(server.url) as party:
            ann, bob, cid = [await party.guest(name) for name in ("Ann", "Bob", "Cid")]
            await befriend(ann, bob)

            async def is_online() -> bool:
                found: bool = (await ann.get("/api/people"))["friends"][0]["is_online"]
                return found

            assert not await is_online(), "off, unless chosen"
            await act(bob, "online", on=True)
            assert await is_online()
            assert not (await bob.get("/api/people"))["friends"][0]["is_online"], "she did not choose it"
            link = (await bob.post("/api/people/link"))["link"]
            await cid.post("/api/people/ask", {"link": link})
            assert "is_online" not in (await cid.get("/api/people"))["asked"][0], "only friends see it"
            await act(bob, "online", on=False)
            assert not await is_online()

    asyncio.run(scenario())


@pytest.mark.slow
def test_two_workers_know_who_is_here(postgres: Postgres, tmp_path: Path) -> None:
    """A friend at a table of another worker is online; a name kept there ends connections without a session here."""
    url = asyncio.run(postgres.new_url())

    async def scenario(first: Background, second: Background) -> None:
        async with Party(first.url) as party:
            ann, bob = await party.guest("Ann"), await party.guest("Bob", second.url)
            await befriend(ann, bob)
            await act(bob, "online", on=True)

            async def is_online() -> bool:
                found: bool = (await ann.get("/api/people"))["friends"][0]["is_online"]
                return found

            assert await is_online()
            table = await bob.open_table(**GAME)
            await bob.connect(table)
            here = await bob.connect(table, url=first.url)
            await asyncio.sleep(POLL_SECONDS)  # the requests until now are looked at
            database = await asyncpg.connect(url)
            await database.execute("UPDATE people SET seen = seen - 1000")
            await database.close()
            assert not await is_online()
            async with asyncio.timeout(NOTED_SECONDS + 3 * POLL_SECONDS):
                while not await is_online():  # an open table is enough, on whatever worker it is
                    await asyncio.sleep(0.5)

            await bob.make_code()
            with pytest.raises(Closed):
                await here.until(lambda message: False)
            assert here.bye is not None
            assert here.bye["code"] == "signed-in"
            again = await bob.connect(table, url=first.url)
            session = (await bob.get("/api/account"))["sessions"][0]["session"]
            assert (await bob.http.delete(f"/api/account/sessions/{session}")).status_code == 204
            await ended(again)

    with serve_in_background(url, tmp_path) as first, serve_in_background(url, tmp_path) as second:
        asyncio.run(scenario(first, second))


def test_online_guests_are_noted_once_a_minute(tmp_path: Path) -> None:
    """Those who use the page and show it, at most once a minute; with a store that any worker reads."""

    class Hub:
        def __init__(self, store: Any) -> None:
            self.store, self.tables = store, dict[str, Any]()
            self.written: list[list[str]] = []
            store.saw_online = self.saw_online

        async def saw_online(self, guests: list[str], _when: float) -> None:
            self.written.append(list(guests))

        @staticmethod
        def now() -> float:
            return 5.0

    async def scenario() -> None:
        store = await open_store(f"sqlite:///{tmp_path}/atout.db")
        for guest in ("ann", "bob"):
            await store.save_guest(Guest(guest, 1.0, 1.0, guest))
        await store.set_online("ann", True)
        hub: Any = Hub(store)
        presence = Presence(hub)
        for _ in range(3):
            presence.note("ann")
            presence.note("bob")
            await presence.write()
        assert hub.written == [["ann"]]
        presence._noted = {guest: at - 61 for guest, at in presence._noted.items()}
        await presence.write()
        assert hub.written == [["ann"]], "nobody was here"
        presence.note("ann")
        await presence.write()
        assert hub.written == [["ann"], ["ann"]]
        await store.close()

    asyncio.run(scenario())


def test_a_friend_is_invited_and_sits_down(house: tuple[Background, str]) -> None:
    server, _url = house

    async def scenario() -> None:
        async with Party(server.url) as party:
            ann, bob, cid = [await party.guest(name) for name in ("Ann", "Bob", "Cid")]
            await befriend(ann, bob)
            table = await ann.open_table(**GAME)
            path, friend = f"/api/tables/{table}/invitations", await id_of(ann, "friends", "Bob")
            theirs = await id_of(bob, "friends", "Ann")
            assert await code(bob, path, {"person": theirs}) == (403, "no-seat"), "not his table"
            assert await code(ann, path, {"person": theirs}) == (404, "no-person"), "nobody of her lists"
            link = (await cid.post("/api/people/link"))["link"]
            await ann.post("/api/people/ask", {"link": link})
            asked = {"person": await id_of(ann, "asked", "Cid")}
            assert await code(ann, path, asked) == (409, "no-friend"), "asked is not enough"
            assert (await ann.http.post(path, json={"person": friend})).status_code == 204
            invited = (await bob.get("/api/people/news"))["invitations"]
            assert [(one["by"], one["table"]["table"]) for one in invited] == [("Ann", table)]
            assert (await cid.get("/api/people/news"))["invitations"] == []
            assert (await cid.http.delete(f"/api/invitations/{table}")).status_code == 404
            his = await bob.connect(table)
            await sit(his, "Bob")
            assert (await bob.get("/api/people/news"))["invitations"] == [], "he sits there"
            hers = await ann.connect(table)
            await sit(hers, "Ann")
            while his.view["status"] == "waiting":
                await his.receive()
            assert await code(ann, path, {"person": friend}) == (409, "no-free-seat")

            other = await ann.open_table(**GAME)
            await ann.http.post(f"/api/tables/{other}/invitations", json={"person": friend})
            assert (await bob.http.delete(f"/api/invitations/{other}")).status_code == 204
            assert (await bob.get("/api/people/news"))["invitations"] == []

            offered = await hers.do("offer", what="abort")
            assert offered["type"] == "told"
            await his.do("answer", yes=True)
            assert his.view["status"] == "closed"
            assert (await his.do("rematch"))["type"] == "told", "after a match that was given up, too"
            assert [one["table"]["table"] for one in (await bob.get("/api/people/news"))["invitations"]] == [
                his.view["rematch"]
            ]

    asyncio.run(scenario())


def test_a_block_is_kept_and_not_told(house: tuple[Background, str]) -> None:
    """To the blocked all answers are as before; they cannot sit down at tables of the other."""
    server, _url = house

    async def scenario() -> None:
        async with Party(server.url) as party:
            ann, bob, cid = [await party.guest(name) for name in ("Ann", "Bob", "Cid")]
            await befriend(ann, bob)
            table = await cid.open_table(**GAME)
            for person in (ann, bob):
                await sit(await person.connect(table), person.name)
            seats = (await ann.get(f"/api/tables/{table}/people"))["people"]
            assert [(one["name"], one["is_friend"], one["is_blocked"]) for one in seats] == [("Bob", True, False)]
            assert not any("id" in one or "guest" in one for one in seats)
            bobs = seats[0]["seat"]
            await act(ann, "mute", on=True, table=table, seat=bobs)
            assert (await ann.get(f"/api/tables/{table}/people"))["people"][0]["is_muted"]
            assert (await people_of(ann), await people_of(bob)) == (
                {"friends": ["Bob"], "muted": ["Bob"]},
                {"friends": ["Ann"]},
            )
            early = await ann.open_table(**GAME)
            there = await bob.connect(early)
            assert kinds(there) == ["open", "open", "bot"]
            await act(ann, "block", on=True, table=table, seat=bobs)
            assert (await there.do("sit", name="Bob", seat=0, entropy="ab" * 8))["code"] == "seat-kept"
            assert kinds(there) == ["kept", "kept", "bot"], "as if that had happened meanwhile"
            assert await people_of(ann) == {"muted": ["Bob"], "blocked": ["Bob"]}
            assert await people_of(bob) == {}
            link = (await ann.post("/api/people/link"))["link"]
            assert (await bob.post("/api/people/ask", {"link": link}))["state"] == "asked", "as from anybody"
            assert (await people_of(bob), "requests" in await people_of(ann)) == ({"asked": ["Ann"]}, False)
            assert (await ann.get("/api/people/news"))["requests"] == 0
            assert await code(ann, "/api/people/ask", {"table": table, "seat": bobs}) == (409, "is-blocked")
            hers = (await bob.get(f"/api/tables/{table}/people"))["people"][0]
            assert (hers["is_blocked"], hers["is_asked"]) == (False, True), "he sees his own marks alone"

            own = await ann.open_table(
                edition="nichtig", players=4, seats=[*["open"] * 3, "random"], spectators="leave"
            )
            his, hers = await bob.connect(own), await ann.connect(own)
            assert kinds(his) == ["kept", "kept", "kept", "bot"], "as the refusal says"
            await sit(hers, "Ann")
            await his.until(lambda message: his.view["seats"][0]["kind"] == "person")
            assert (kinds(his)[1:], kinds(hers)[1:]) == (["kept", "kept", "bot"], ["open", "open", "bot"])
            watch = await his.do("watch", seat=0, name="You stink, Ann!")
            assert (watch["type"], watch["code"]) == ("refusal", "too-many-spectators"), "a name is a text, too"
            refused = await his.do("sit", name="Bob", seat=1, entropy="ab" * 8)
            assert (refused["type"], refused["code"]) == ("refusal", "seat-kept")
            assert (await his.do("sit", name="Bob", entropy="ab" * 8))["code"] == "no-free-seat"
            await sit(await cid.connect(own), "Cid")
            token = (await cid.post(f"/api/tables/{own}/links"))["token"]
            assert await code(bob, "/api/links", {"token": token}) == (404, "no-link")
            await act(ann, "block", on=False, person=await id_of(ann, "blocked", "Bob"))
            assert await people_of(ann) == {"muted": ["Bob"], "requests": ["Bob"]}
            assert (await his.do("watch", seat=0, name="Toad"))["code"] == "too-many-spectators", "muted, still"
            assert hers.view.get("watchers", []) == []
            assert not any("stink" in text or "Toad" in text for text in hers.raw)
            dan = await (await party.guest("Dan")).connect(own)
            assert kinds(dan)[2] == "open"
            assert (await dan.do("watch", seat=0, name="Dan"))["type"] == "told"
            await hers.until(lambda message: hers.view.get("watchers"))
            await sit(his, "Bob")
            assert kinds(his) == ["person", "person", "person", "bot"]
            for body in ({"on": True}, {"on": True, "person": "x", "table": "y"}):
                assert await code(ann, "/api/people/block", body) == (422, "bad-request")
            assert await code(ann, "/api/people/mute", {"on": True, "table": table, "seat": 2}) == (404, "no-person")
            assert await code(ann, "/api/people/mute", {"on": True, "table": "none"}) == (404, "no-table")

    asyncio.run(scenario())


def test_the_lobby_shows_the_blocked_no_seat(house: tuple[Background, str]) -> None:
    """Tables of whoever blocked them are not listed, and a table's card shows what the table shows. Nobody is told."""
    server, _url = house

    async def scenario() -> None:
        async with Party(server.url) as party:
            ann, bob, cid = [await party.guest(name) for name in ("Ann", "Bob", "Cid")]
            met = await cid.open_table(**GAME)
            for person in (ann, bob):
                await sit(await person.connect(met), person.name)
            hers, his = [await person.open_table(**GAME, visibility="public") for person in (ann, cid)]
            await sit(await ann.connect(his), "Ann")

            async def listed(person: Person) -> set[str]:
                found = {card["table"]: card["open_seats"] for card in (await person.get("/api/tables"))["tables"]}
                assert all(found.values())
                return {hers, his} & set(found)

            async def seats(person: Person) -> tuple[int, list[str]]:
                card = await person.get(f"/api/tables/{hers}")
                return card["open_seats"], [seat["kind"] for seat in card["detail"]["seats"]]

            free = (2, ["open", "open", "bot"])
            assert (await listed(bob), await seats(bob)) == ({hers, his}, free)
            await act(ann, "block", on=True, table=met, seat=1)
            assert await listed(bob) == {his}, "only the host decides who may sit down"
            assert await seats(bob) == (0, ["kept", "kept", "bot"])
            for other in (ann, cid):
                assert (await listed(other), await seats(other)) == ({hers, his}, free)
            async with httpx.AsyncClient(base_url=server.url) as nobody:
                cards = (await nobody.get("/api/tables")).json()["tables"]
                assert {hers, his} <= {card["table"] for card in cards}
            await act(ann, "block", on=False, person=await id_of(ann, "blocked", "Bob"))
            assert (await listed(bob), await seats(bob)) == ({hers, his}, free)

    asyncio.run(scenario())


def test_who_watched_a_private_match_may_come_back(house: tuple[Background, str]) -> None:
    """After its end, too; whoever finds it then may not look, and who is forgotten leaves nothing in it."""
    server, url = house

    async def scenario() -> str:
        async with Party(server.url) as party:
            ann, early, later, stranger = [await party.guest(name) for name in ("Ann", "Early", "Later", "Stranger")]
            table = await ann.open_table(edition="nichtig", players=3, seats=["open", "random", "random"],
                                         spectators="public", autostart=False)  # fmt: skip
            hers, watching = await ann.connect(table), await early.connect(table)
            await sit(hers, "Ann")
            await hers.do("start")
            await watching.until(lambda message: watching.view["status"] == "playing")
            await (await later.connect(table)).close()
            await hers.play_on(random.Random(1))
            await watching.until(lambda message: watching.view["status"] == "over")
            await watching.close()
            for person in (early, later):
                again = await person.connect(table)
                assert again.view["hands"], person.name
                assert (await person.get(f"/api/tables/{table}"))["state"] == "over"
            refused = await stranger.connect(table)
            assert (refused.view, refused.bye and refused.bye["code"]) == ({}, "is-private")
            assert (await stranger.http.get(f"/api/tables/{table}")).status_code == 403
            gone: str = later.http.cookies["atout"].partition(".")[0]
            assert gone.encode() in stored(url)
            assert (await later.http.delete("/api/guest")).status_code == 204
            assert (await early.connect(table)).view["hands"], "others are not"
            return gone

    assert asyncio.run(scenario()).encode() not in stored(url)


def test_reports_go_to_the_operator(house: tuple[Background, str]) -> None:
    """With what was said, by whoever said it; a flood of them is refused; only who may look at the table reports."""
    server, url = house

    async def scenario() -> None:
        async with Party(server.url) as party:
            ann, bob, cid = [await party.guest(name) for name in ("Ann", "Bob", "Cid")]
            table = await ann.open_table(**{**GAME, "spectators": "off"})
            hers, his = await ann.connect(table), await bob.connect(table)
            await sit(his, "Bob")
            await his.do("say", text="you are a toad")
            await sit(hers, "Ann")
            body = {"table": table, "seat": 0, "kind": "insult", "text": "he said\nbad things"}
            assert await code(cid, "/api/people/report", body) == (403, "no-spectators")
            assert await code(bob, "/api/people/report", body) == (422, "yourself")
            for seat in (2, 5):
                assert await code(ann, "/api/people/report", {**body, "seat": seat}) == (404, "no-person")
            assert (await ann.http.post("/api/people/report", json={**body, "kind": "x"})).status_code == 422
            for _ in range(3):
                await act(ann, "report", **body)
            assert await code(ann, "/api/people/report", body) == (429, "too-many-reports")
            lines = await list_reports(url)
            text = "\n".join(lines)
            assert text.count("insult  'Bob'") == 3
            assert "  text   he said bad things" in lines
            assert "  > Bob: you are a toad" in lines
            id = next(line.split()[1] for line in lines if line.startswith("  report"))
            await remove_report(url, id)
            assert id not in "\n".join(await list_reports(url))
            everything = [json.loads(line) for line in (await ann.http.get("/api/guest/everything")).text.splitlines()]
            mine = [line for line in everything if line["kind"] == "report"]
            assert [(line["about"], line["type"], line["text"]) for line in mine] == [
                ("Bob", "insult", "he said bad things")
            ] * 2

    asyncio.run(scenario())


@pytest.mark.slow
def test_asking_is_limited(tmp_path: Path) -> None:
    async def scenario(server: Background) -> None:
        async with Party(server.url) as party:
            ann = await party.guest("Ann")
            answers = [await code(ann, "/api/people/ask", {"name": f"Nobody {i}"}) for i in range(4)]
            assert answers == [(404, "no-name")] * 3 + [(429, "too-many-asks")]

    with serve_in_background(f"sqlite:///{tmp_path}/atout.db", tmp_path, asks_per_hour=3) as server:
        asyncio.run(scenario(server))


def test_forget_me_takes_everything_out_of_others_lists(house: tuple[Background, str]) -> None:
    """Ann has friends, invitations, a report by her and one about her: afterwards no byte of the database names her."""
    server, url = house

    async def scenario() -> str:
        async with Party(server.url) as party:
            ann, bob, cid = [await party.guest(name) for name in (NAME, "Bob", "Cid")]
            for friend in (bob, cid):
                await befriend(ann, friend)
            await act(ann, "online", on=True)
            await act(bob, "mute", on=True, person=await id_of(bob, "friends", NAME))
            table = await ann.open_table(**GAME)
            person = await id_of(ann, "friends", "Cid")
            await ann.http.post(f"/api/tables/{table}/invitations", json={"person": person})
            hers, his = await ann.connect(table), await bob.connect(table)
            await sit(hers, NAME)
            await hers.do("say", text=WORDS)
            await sit(his, "Bob")
            await act(bob, "report", table=table, seat=0, kind="name", text="")
            await act(ann, "report", table=table, seat=1, kind="other", text=WORDS)
            kinds = [
                json.loads(line)["kind"]
                for line in (await ann.http.get("/api/guest/everything")).text.split("\n")
                if line
            ]
            assert {"people", "friend", "report"} <= set(kinds)
            guest = ann.cookie.removeprefix("atout=").partition(".")[0]
            before = stored(url)
            assert all(word.encode() in before for word in (guest, NAME, WORDS))
            assert (await ann.http.delete("/api/guest")).status_code == 204
            assert (await people_of(bob), await people_of(cid)) == ({}, {})
            assert (await cid.get("/api/people/news"))["invitations"] == []
            return guest

    guest = asyncio.run(scenario())
    found = stored(url)
    assert [word for word in (guest, NAME, WORDS) if word.encode() in found] == []


def test_joining_brings_the_friends_of_the_guest(house: tuple[Background, str]) -> None:
    server, url = house

    async def scenario() -> None:
        async with Party(server.url) as party:
            ann, phone, bob = [await party.guest(name) for name in ("Ann", "Phone", "Bob")]
            await befriend(phone, bob)
            await act(phone, "online", on=True)
            recovery = await ann.make_code()
            old = phone.cookie.removeprefix("atout=").partition(".")[0]
            await phone.post("/api/sign-in", {"code": recovery, "join": "join"})
            assert (await people_of(ann), await people_of(phone), await people_of(bob)) == (
                {"friends": ["Bob"]}, {"friends": ["Bob"]}, {"friends": ["Ann"]},
            )  # fmt: skip
            assert (await ann.get("/api/people"))["shows_online"]
            assert old.encode() not in stored(url)

    asyncio.run(scenario())
