"""Keeping a name: passkeys, recovery codes, sessions, joining; and what attackers try with them."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from atout.puzzles import of_day, today
from atout.server.identity import CODE_LETTERS, Challenges, new_code
from atout.server.passkeys import site_of
from tests.server.authenticator import Authenticator, to_base64
from tests.server.background import Background, serve_in_background
from tests.server.client import Closed, Party, Person
from tests.server.scenarios import GAME, NAME, WORDS, by_name, ended, finished_match, keep, sign_in, stored
from tests.server.test_imports import played, text_of

Json = dict[str, Any]


@pytest.fixture(scope="module")
def open_door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Background, str]]:
    """A server that does not count attempts to sign in."""
    folder: Path = tmp_path_factory.mktemp("accounts")
    url = f"sqlite:///{folder}/atout.db"
    with serve_in_background(url, folder, sign_ins_per_hour=100_000) as server:
        yield server, url


@pytest.mark.slow
def test_one_name_on_two_devices(open_door: tuple[Background, str]) -> None:
    """What the second device had is joined once that was said, seats in running matches too; old cookies are void."""
    server, url = open_door

    async def scenario() -> None:
        async with Party(server.url) as party:
            ann, phone, bob = [await party.guest(name) for name in ("Ann", "Phone", "Bob")]
            await finished_match(ann, bob)
            old_cookie = ann.cookie
            passkey = await keep(ann, server)
            account = await ann.get("/api/account")
            assert (account["is_kept"], account["matches"], len(account["passkeys"])) == (True, 1, 1)
            assert [session["is_here"] for session in account["sessions"]] == [True]
            async with httpx.AsyncClient(base_url=server.url, headers={"Cookie": old_cookie}) as thief:
                assert (await thief.get("/api/tables/mine")).status_code == 401, "the cookie from before is void"

            await finished_match(phone, bob)
            table = await phone.open_table(**GAME)
            seat = await phone.connect(table)
            await seat.do("sit", name="Phone", entropy="ab" * 8)
            other = await bob.connect(table)
            await other.do("sit", name="Bob", entropy="ab" * 8)
            before = phone.cookie
            phone_id = before.partition("=")[2].partition(".")[0]
            asked = await sign_in(phone, server, passkey)
            assert (asked.status_code, asked.json()["code"]) == (409, "join-first")
            assert asked.json()["parameters"] == {"name": "Phone", "into": "Ann", "has": ["tables", "matches"]}
            assert len((await phone.get("/api/records"))["records"]) == 1, "nothing was done"
            done = await sign_in(phone, server, passkey, join="join")
            assert done.json() == {"name": "Ann", "joined": True}
            await ended(seat)
            for device in (ann, phone):
                assert (await device.get("/api/account"))["matches"] == 2
                assert table in [card["table"] for card in (await device.get("/api/tables/mine"))["tables"]]
                assert len((await device.get("/api/records"))["records"]) == 2
            again = await ann.connect(table)
            assert again.view["is_yours"], "the seat followed to the other device"
            assert again.view["seats"][again.view["seat"]]["name"] == "Phone"
            assert phone_id.encode() not in stored(url), "nothing names the guest who is no more"
            async with httpx.AsyncClient(base_url=server.url, headers={"Cookie": before}) as thief:
                assert (await thief.get("/api/tables/mine")).status_code == 401

    asyncio.run(scenario())


async def unkept(person: Person, table: str) -> None:
    """A guest without an account, who has a table and can go on as before."""
    account = await person.get("/api/account")
    assert (account["is_kept"], account["passkeys"], account["sessions"]) == (False, [], [])
    assert [card["table"] for card in (await person.get("/api/tables/mine"))["tables"]] == [table]
    id = person.cookie.partition(".")[0]
    await person.post("/api/guest", {"name": person.name})
    assert person.cookie.partition(".")[0] == id, "still the same guest"


def test_a_refused_passkey_changes_nothing(server: Background) -> None:
    """The natural mistake on a second device: the passkey keeps another name already."""

    async def attempt(person: Person, passkey: Authenticator) -> int:
        options = (await person.post("/api/account/passkeys/options"))["options"]
        body = {"credential": passkey.create(options), "name": "Phone"}
        answer = await person.http.post("/api/account/passkeys", json=body)
        assert answer.status_code == 201 or answer.json()["code"] == "passkey-known", answer.text
        return answer.status_code

    async def scenario() -> None:
        async with Party(server.url) as party:
            ann, bob, cid = [await party.guest(name) for name in ("Ann", "Bob", "Cid")]
            tables = {person: await person.open_table(**GAME) for person in (bob, cid)}
            passkey = await keep(ann, server)
            passkey.origin = by_name(bob, server)
            before = bob.cookie
            assert await attempt(bob, passkey) == 409
            assert bob.cookie == before
            await unkept(bob, tables[bob])
            assert (await bob.http.delete("/api/account/code")).status_code == 404
            await unkept(bob, tables[bob])

            at_once = Authenticator(by_name(cid, server))
            answers = await asyncio.gather(*(attempt(person, at_once) for person in (bob, cid)))
            assert sorted(answers) == [201, 409]
            refused, kept = (bob, cid) if answers[0] == 409 else (cid, bob)
            await unkept(refused, tables[refused])
            assert (await kept.get("/api/account"))["is_kept"]

    asyncio.run(scenario())


def test_a_recovery_code_whose_answer_is_lost_changes_nothing(open_door: tuple[Background, str]) -> None:
    """Nobody has that code: an account with it would lead nowhere, and a code that is in use would be void."""
    server, _url = open_door

    async def scenario() -> None:
        async with Party(server.url) as party:
            ann, bob, other = [await party.guest(name) for name in ("Ann", "Bob", "Other")]
            table = await ann.open_table(**GAME)
            lost = await ann.post("/api/account/code")
            await unkept(ann, table)
            of_bob = await bob.post("/api/account/code")
            wrong = [
                of_bob,
                lost | {"code": of_bob["code"]},
                lost | {"proof": of_bob["proof"]},
                lost | {"proof": "x~y"},
            ]
            for body in wrong:
                refused = await ann.http.post("/api/account/code/keep", json=body)
                assert (refused.status_code, refused.json()["code"]) == (403, "code-expired")
            await unkept(ann, table)

            noted = await ann.make_code()
            assert (await ann.get("/api/account"))["is_kept"]
            await ann.post("/api/account/code")  # a new one that nobody hears of
            assert (await other.post("/api/sign-in", {"code": noted, "join": "forget"}))["name"] == "Ann"
            await ann.make_code()
            refused = await bob.http.post("/api/sign-in", json={"code": noted})
            assert (refused.status_code, refused.json()["code"]) == (403, "bad-code"), "the new one replaced it"

    asyncio.run(scenario())


async def gain(person: Person, kind: str) -> None:
    """Get something of a kind, and nothing else."""
    if kind == "puzzles":
        puzzle = of_day(today())
        await person.post(f"/api/puzzles/{puzzle.id}/attempts", {"action": puzzle.best[0]})
    elif kind == "imports":
        await person.post("/api/records", {"record": text_of(played())})
    elif kind == "nudges":
        await person.post("/api/nudges/channels", {"url": "https://hooks.example/atout"})
    elif kind == "people":
        await person.post("/api/people/link")


async def has(person: Person, kind: str) -> bool:
    if kind == "puzzles":
        return bool((await person.get("/api/puzzles/me"))["tried"])
    if kind == "imports":
        return bool((await person.get("/api/imports"))["records"])
    if kind == "nudges":
        return bool((await person.get("/api/nudges"))["channels"])
    return bool((await person.get("/api/people"))["link"])


@pytest.mark.parametrize("kind", ["puzzles", "imports", "nudges", "people"])
def test_whoever_signs_in_is_asked_what_becomes_of_it(open_door: tuple[Background, str], kind: str) -> None:
    """Also when it is not a match: nothing is deleted unless somebody chose that."""
    server, _url = open_door

    async def scenario() -> None:
        async with Party(server.url) as party:
            ann, phone, tablet, empty = [await party.guest(name) for name in ("Ann", "Phone", "Tablet", "Empty")]
            code = await ann.make_code()
            for person in (phone, tablet):
                await gain(person, kind)
            for body in ({"code": code}, {"code": code, "join": "ask"}):
                asked = await phone.http.post("/api/sign-in", json=body)
                assert asked.status_code == 409, f"nobody was asked: {asked.text}"
                assert asked.json()["code"] == "join-first"
                assert asked.json()["parameters"] == {"name": "Phone", "into": "Ann", "has": [kind]}
            assert ((await phone.get("/api/guest"))["name"], await has(phone, kind)) == ("Phone", True), "not lost"
            assert (await phone.http.post("/api/sign-in", json={"code": code, "join": "no"})).status_code == 422
            signed_in = await tablet.post("/api/sign-in", {"code": code, "join": "forget"})
            assert (signed_in, await has(ann, kind)) == ({"name": "Ann", "joined": False}, False), "as was chosen"
            assert await phone.post("/api/sign-in", {"code": code, "join": "join"}) == {"name": "Ann", "joined": True}
            for person in (ann, phone):
                assert await has(person, kind), "it is the account's now"
            signed_in = await empty.post("/api/sign-in", {"code": code})
            assert signed_in == {"name": "Ann", "joined": False}, "nobody is asked about nothing"

    asyncio.run(scenario())


def test_two_hands_of_a_match_are_not_joined(open_door: tuple[Background, str]) -> None:
    server, _url = open_door

    async def scenario() -> None:
        async with Party(server.url) as party:
            ann, phone = [await party.guest(name) for name in ("Ann", "Phone")]
            passkey = await keep(ann, server)
            table = await ann.open_table(**GAME)
            for person in (ann, phone):
                await (await person.connect(table)).do("sit", name=person.name, entropy="ab" * 8)
            answer = await sign_in(phone, server, passkey, join="join")
            assert (answer.status_code, answer.json()["code"]) == (409, "same-table")
            assert (await phone.get("/api/guest"))["name"] == "Phone", "still themselves"

    asyncio.run(scenario())


def test_sessions_are_listed_and_ended(open_door: tuple[Background, str]) -> None:
    server, _url = open_door

    async def scenario() -> None:
        async with Party(server.url) as party:
            ann, phone = await party.guest("Ann"), Person(server.url, "")
            party.people.append(phone)
            phone.http.headers["User-Agent"] = "Mozilla/5.0 (Linux; Android 16) Chrome/140.0 Mobile Safari/537.36"
            passkey = await keep(ann, server)
            assert (await sign_in(phone, server, passkey)).is_success
            table = await ann.open_table(**GAME)
            socket = await phone.connect(table)
            listed = (await ann.get("/api/account"))["sessions"]
            theirs = next(one for one in listed if not one["is_here"])
            assert (len(listed), theirs["device"]) == (2, "Chrome, Android")
            gone = await ann.http.delete(f"/api/account/sessions/{theirs['session']}")
            assert gone.status_code == 204
            await ended(socket)
            assert (await phone.http.get("/api/guest")).status_code == 401
            assert (await ann.get("/api/guest"))["name"] == "Ann"
            stranger = await party.guest("Eve")
            mine = (await ann.get("/api/account"))["sessions"][0]["session"]
            assert (await stranger.http.delete(f"/api/account/sessions/{mine}")).status_code == 404
            assert (await ann.http.post("/api/sign-out")).status_code == 204
            assert (await ann.http.get("/api/guest")).status_code == 401

    asyncio.run(scenario())


def test_a_connection_from_before_the_account_ends(open_door: tuple[Background, str]) -> None:
    """It belongs to no session, so nobody could end it; the browser that keeps its name connects again."""
    server, _url = open_door

    async def scenario() -> None:
        async with Party(server.url) as party:
            ann, thief = await party.guest("Ann"), Person(server.url, "")
            party.people.append(thief)
            table = await ann.open_table(**GAME)
            before = await ann.connect(table)
            await before.do("sit", name="Ann", entropy="ab" * 8)
            thief.http.cookies.set("atout", ann.http.cookies["atout"])
            await ann.make_code()
            with pytest.raises(Closed):
                await before.until(lambda message: False)
            assert before.bye is not None
            assert (before.bye["code"], before.bye.get("again", True)) == ("signed-in", True)
            late = await thief.connect(table)
            assert late.bye is not None, "the old cookie opens nothing any more"
            assert late.bye["code"] == "signed-in"
            again = await ann.connect(table)
            assert again.view["is_yours"]
            assert (await again.do("say", text="back"))["type"] == "told"
            await ann.make_code()
            assert (await again.do("say", text="a second code ends nothing"))["type"] == "told"

    asyncio.run(scenario())


def test_a_recovery_code_leads_back_and_the_last_way_stays(open_door: tuple[Background, str]) -> None:
    server, url = open_door

    async def scenario() -> None:
        async with Party(server.url) as party:
            ann, found = await party.guest("Ann"), Person(server.url, "")
            party.people.append(found)
            passkey = await keep(ann, server)
            id = (await ann.get("/api/account"))["passkeys"][0]["id"]
            assert (await ann.http.post(f"/api/account/passkeys/{id}", json={"name": "Key ring"})).status_code == 204
            assert (await ann.get("/api/account"))["passkeys"][0]["name"] == "Key ring"
            refused = await ann.http.delete(f"/api/account/passkeys/{id}")
            assert (refused.status_code, refused.json()["code"]) == (409, "last-way")
            first = await ann.make_code()
            code = await ann.make_code()
            for text in (code, code.replace("-", "")):
                assert text.encode() not in stored(url), "only its hash is stored"
            assert (await ann.http.delete(f"/api/account/passkeys/{id}")).status_code == 204
            assert (await sign_in(found, server, passkey)).json()["code"] == "bad-passkey", "it was removed"
            wrong = await found.http.post("/api/sign-in", json={"code": first})
            assert (wrong.status_code, wrong.json()["code"]) == (403, "bad-code"), "a newer one replaced it"
            typed = code.lower().replace("-", " ").replace("0", "o").replace("1", "l")
            assert (await found.post("/api/sign-in", {"code": typed}))["name"] == "Ann"
            assert (await ann.http.delete("/api/account/code")).json()["code"] == "last-way"

    asyncio.run(scenario())


def test_attacks_with_passkeys(open_door: tuple[Background, str]) -> None:
    server, _url = open_door

    async def scenario() -> None:
        async with Party(server.url) as party:
            ann, eve = await party.guest("Ann"), Person(server.url, "")
            party.people.append(eve)
            passkey = await keep(ann, server)
            origin = by_name(eve, server)

            async def attempt(credential: Json, **more: str) -> str:
                answer = await eve.http.post("/api/sign-in", json={"credential": credential, **more})
                assert answer.status_code == 403, answer.text
                return str(answer.json()["message"])

            async def options() -> Json:
                found: Json = (await eve.post("/api/sign-in/options"))["options"]
                return found

            synced = Authenticator(origin)
            synced.counts = False
            made = (await ann.post("/api/account/passkeys/options"))["options"]
            await ann.post("/api/account/passkeys", {"credential": synced.create(made), "name": "Synced"})
            used = synced.get(await options())
            assert (await eve.http.post("/api/sign-in", json={"credential": used})).is_success
            eve.http.cookies.delete("atout")
            assert "used before" in await attempt(used), "a replay"

            passkey.origin = "https://evil.example"
            assert "origin" in (await attempt(passkey.get(await options()))).lower()
            passkey.origin, passkey.host = origin, "evil.example"
            assert "RP ID" in await attempt(passkey.get(await options()))
            passkey.host = "localhost"

            unused = passkey.get(await options())
            async with httpx.AsyncClient(base_url=server.url, headers=eve.http.headers) as other_browser:
                for _ in range(2):
                    answer = await other_browser.post("/api/sign-in", json={"credential": unused})
                    assert "challenge" in answer.json()["message"], "made for another browser, though nobody is known"
                    await other_browser.post("/api/sign-in/options")  # it has a cookie of its own then

            forged = Challenges([b"e" * 32]).make("use", "", 1e10)
            made_up = {"challenge": to_base64(forged)}
            assert "challenge" in await attempt(passkey.get(made_up))
            wrong_purpose = (await ann.post("/api/account/passkeys/options"))["options"]
            assert "challenge" in await attempt(passkey.get(wrong_purpose))

            stolen = passkey.get(await options())
            guest = await party.guest("Guest")
            by_name(guest, server)
            answer = await guest.http.post("/api/sign-in", json={"credential": stolen, "join": "join"})
            assert "challenge" in answer.json()["message"], "an answer made in another browser joins nobody here"

            other = Authenticator(origin)
            other.id, other.count = passkey.id, 1000
            assert "signature" in (await attempt(other.get(await options()))).lower()
            assert (await sign_in(eve, server, passkey)).is_success
            eve.http.cookies.clear()
            passkey.count = 0
            assert "count" in (await attempt(passkey.get(await options()))), "a copy of the passkey"
            broken: tuple[Json, ...] = ({}, {"rawId": 1}, {"response": {"clientDataJSON": "!"}}, {"response": []})
            for rubbish in broken:
                await attempt(rubbish)
            foreign = await eve.http.post(
                "/api/sign-in", json={"code": "x"}, headers={"Origin": "https://evil.example"}
            )
            assert foreign.json()["code"] == "foreign-origin"

    asyncio.run(scenario())


def test_codes_cannot_be_guessed(tmp_path: Path) -> None:
    """Ten attempts at once from an address, then a few an hour: a code has 125 bits."""
    with (
        serve_in_background(f"sqlite:///{tmp_path}/atout.db", tmp_path) as server,
        httpx.Client(base_url=server.url) as http,
    ):
        answers = [http.post("/api/sign-in", json={"code": new_code()}).status_code for _ in range(14)]
        assert answers == [403] * 10 + [429] * 4


def test_a_deleted_account_leaves_no_bytes(open_door: tuple[Background, str]) -> None:
    server, url = open_door

    async def scenario() -> None:
        async with Party(server.url) as party:
            ann, phone = await party.guest("Ann Marzipanova"), Person(server.url, "")
            party.people.append(phone)
            passkey = await keep(ann, server, "Marzipanova’s key")
            assert (await sign_in(phone, server, passkey)).is_success
            guest = ann.cookie.partition("=")[2].partition("~")[0]
            assert guest.encode() in stored(url)
            assert (await ann.http.delete("/api/guest")).status_code == 204
            assert (await phone.http.get("/api/guest")).status_code == 401, "every device is signed out"
            found = stored(url)
            for word in (guest.encode(), b"Marzipanova", passkey.id):
                assert word not in found
            assert (await sign_in(phone, server, passkey)).status_code == 403

    asyncio.run(scenario())


def test_everything_in_one_file(open_door: tuple[Background, str]) -> None:
    """Their own part alone: nobody else's words or choices, no hash, no key."""
    server, _url = open_door

    async def scenario() -> None:
        async with Party(server.url) as party:
            ann, bob = [await party.guest(name) for name in ("Ann", "Bob")]
            table, _rematch = await finished_match(ann, bob)
            passkey = await keep(ann, server)
            answer = await ann.http.get("/api/guest/everything")
            lines = [json.loads(line) for line in answer.text.splitlines()]
            kinds = [line["kind"] for line in lines]
            for kind in ("profile", "account", "passkey", "session", "statistics", "record", "table"):
                assert kind in kinds, kind
            played = next(line for line in lines if line["kind"] == "table" and line["table"] == table)
            assert [said["text"] for said in played["said"]] == [WORDS]
            assert (played["names"], bool(played["acted"])) == ([NAME], True)
            record = next(line for line in lines if line["kind"] == "record")
            assert record["record"]["names"] == [NAME, "Bob", "random"]
            assert to_base64(passkey.id) not in answer.text
            assert WORDS not in (await bob.http.get("/api/guest/everything")).text
            async with httpx.AsyncClient(base_url=server.url) as nobody:
                assert (await nobody.get("/api/guest/everything")).status_code == 401

    asyncio.run(scenario())


def test_every_table_with_guests_is_joined_and_forgotten() -> None:
    """A new table of the database with a guest in it needs its lines in `join` and `delete`."""
    from atout.store.operations import accounts, guests
    from atout.store.schema import metadata

    asked: list[str] = []
    for operation in (guests.delete("a", 0.0), accounts.join("a", "b", 0.0)):
        said: list[str] = []
        try:
            statement = next(operation)
            while True:
                said.append(statement[0])
                statement = operation.send([])
        except StopIteration:
            pass
        asked.append("\n".join(said))
    later = {"visitors", "played", "named"}  # after the event logs and records were rewritten
    with_guest = {name for name, table in metadata.tables.items() if "guest" in table.c}
    for name in sorted(with_guest - {"forgotten"}):
        assert name in later or f"FROM {name} WHERE guest" in asked[0], name
        own = name in accounts.OWN or name == "visitors"
        assert own or f"{name} " in asked[1], name


NOT_GUESTS = {
    "action", "address", "channel", "choice", "day", "device", "edition", "evaluator", "id", "issuer", "kind",
    "link", "name", "position", "puzzle", "record_id", "report", "secret", "shows", "state", "subject", "table_id",
    "text", "type",
}  # fmt: skip
"""Names of columns with text that is no guest's id."""


def test_every_column_with_guests_is_asked_about_or_left_out_on_purpose() -> None:
    """Whoever adds a table or a column says whether a sign-in that would lose it asks first (`accounts.HAS`)."""
    from atout.store.operations.accounts import HAS, HAS_NOT, MOVED
    from atout.store.schema import metadata

    texts = [column for table in metadata.tables.values() for column in table.c if isinstance(column.type, sa.Text)]
    with_guests = {str(column) for column in texts if column.name not in NOT_GUESTS} | {"guests.id"}
    counted = set()
    for where in (where for wheres in HAS.values() for where in wheres):
        found = re.match(r"(\w+) WHERE (\w+) = :guest", where)
        assert found is not None, where
        counted.add(f"{found[1]}.{found[2]}")
    assert counted | set(HAS_NOT) == with_guests, "count it in HAS, or say in HAS_NOT why not"
    assert not counted & set(HAS_NOT)
    assert {f"{table}.guest" for table in MOVED} <= counted, "what can be joined can be lost"


def test_a_site_is_a_name() -> None:
    assert site_of("localhost:8000", "http", []).origins == ("http://localhost:8000", "https://localhost:8000")
    more = site_of("play.example", "https", ["https://play.example:444", "https://other.example"])
    assert more.origins == ("https://play.example", "https://play.example:444")
    assert set(new_code()) <= set(CODE_LETTERS) | {"-"}
    assert sqlite3.sqlite_version_info > (3, 35)
