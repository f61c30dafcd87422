"""Mails: only to confirmed addresses, with a link that stops them for anybody who has it, seldom, and never a card."""

from __future__ import annotations

import asyncio
import json
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import httpx
import pytest
from aiosmtpd.smtp import AuthResult

from atout.errors import UsageError
from atout.server.live import mail
from atout.server.live.mail import (
    DELIVERED,
    NO_SERVER,
    Mailer,
    StopLinks,
    check_mail,
    known_as,
    mail_server,
    tidied_address,
)
from atout.server.settings import ServerSettings
from tests.server.background import PATIENCE, Background, serve_in_background
from tests.server.busy_pool import busy_pool
from tests.server.client import Party, Person
from tests.server.postbox import Postbox, link_in, open_postbox, text_of
from tests.server.scenarios import stored
from tests.server.test_nudges import DAYS, nudged_elsewhere

KEYS = [b"k" * 32]
NUDGE = {"title": "Your turn", "body": "At a table of Bob's", "path": "/table/1"}


@pytest.fixture(scope="module")
def postbox() -> Iterator[Postbox]:
    with open_postbox() as box:
        yield box


@pytest.fixture(scope="module")
def mailing(tmp_path_factory: pytest.TempPathFactory, postbox: Postbox) -> Iterator[tuple[Background, str]]:
    folder: Path = tmp_path_factory.mktemp("mail")
    url = f"sqlite:///{folder}/atout.db"
    with serve_in_background(
        url, folder, smtp=postbox.url, smtp_from="atout@play.example", public_url="https://play.example/",
        nudge_seconds=0.3, absent_seconds=0.2, sign_ins_per_hour=100_000, mail_asks_per_hour=100_000,
    ) as server:  # fmt: skip
        yield server, url


async def confirmed(person: Person, postbox: Postbox, address: str) -> EmailMessage:
    """Have a person confirm an address; returns the request."""
    before = len(postbox.mails)
    assert (await person.http.post("/api/nudges/mail", json={"address": address})).status_code == 204
    assert len(postbox.mails) == before + 1
    to, mail = postbox.mails[-1]
    assert to == address
    async with httpx.AsyncClient(base_url=person.http.base_url) as phone:  # the link is opened where nobody is known
        answer = await phone.post("/api/mail/confirm", json={"token": link_in(mail, "confirm")})
        assert answer.json() == {"address": address}
    return mail


@pytest.mark.slow
def test_a_nudge_by_mail_until_somebody_stops_it(mailing: tuple[Background, str], postbox: Postbox) -> None:
    server, url = mailing

    async def scenario() -> None:
        async with Party(server.url) as party:
            table, people, sockets = await party.table(2, **DAYS)
            seat = sockets[0].view["asked"][0]
            mine, other = people[seat], people[1 - seat]
            await mine.http.post("/api/nudges", json={"language": "fr"})
            assert (await mine.get("/api/nudges"))["has_mail"]
            before = len(postbox.mails)
            assert (await mine.http.post("/api/nudges/mail", json={"address": "ann@mail.example"})).status_code == 204
            found = await mine.get("/api/nudges")
            assert (found["channels"], found["unconfirmed"]) == ([], ["ann@mail.example"])
            await mine.http.post(f"/api/tables/{table}/nudges", json={"choice": "always"})
            again = await mine.connect(table)
            await again.do("say", text="hello")
            later = await party.guest("Later")
            await confirmed(later, postbox, "later@mail.example")
            await nudged_elsewhere(party, later)
            await postbox.wait(before + 3)
            sent_to = [to for to, _ in postbox.mails[before:]]
            assert sent_to == ["ann@mail.example", "later@mail.example", "later@mail.example"], "only what is confirmed"
            await mine.http.post(f"/api/tables/{table}/nudges", json={"choice": "away"})
            asked = postbox.mails[before][1]
            assert mine.name not in asked.as_string(), "nothing that whoever asks could choose"
            token = link_in(asked, "confirm")
            assert token.encode() not in stored(url), "only its hash is stored"
            async with httpx.AsyncClient(base_url=server.url) as stranger:
                answer = await stranger.post("/api/mail/confirm", json={"token": token})
                assert answer.json() == {"address": "ann@mail.example"}
                second = await stranger.post("/api/mail/confirm", json={"token": token})
                assert (second.status_code, second.json()["code"]) == (404, "no-mail-link")
            found = await mine.get("/api/nudges")
            assert ([one["to"] for one in found["channels"]], found["unconfirmed"]) == (["ann@mail.example"], [])
            await again.do("say", text="hello again")
            await again.close()
            for socket in sockets:
                await socket.close()
            await postbox.wait(before + 4)
            to, mail = postbox.mails[-1]
            assert (to, mail["From"]) == ("ann@mail.example", "Atout <atout@play.example>")
            assert mail["Subject"] == f"À vous de jouer à une table avec {other.name}"
            text = text_of(mail)
            assert f"https://play.example/table/{table}\n" in text
            for card in again.view["game"]["hand"]:
                assert str(card) not in text.split("http")[0].replace("manche 1", "")
            while (found := (await mine.get("/api/nudges"))["channels"][0])["delivered"] is None:
                await asyncio.sleep(0.05)  # it is noted after the mail server has taken the mail
            assert found["type"] == "mail"
            assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
            stop = mail["List-Unsubscribe"].strip("<>").removeprefix("https://play.example")
            assert stop == f"/api/mail/stop/{link_in(mail, 'stop')}"
            head = f"List-Unsubscribe: <https://play.example{stop}>\r\n"
            assert head.encode() in postbox.raw, "neither encoded nor folded"
            async with httpx.AsyncClient(base_url=server.url) as program:  # as RFC 8058 says: no cookie, no JSON
                what, signature = stop.rsplit(".", 1)
                forged = await program.post(f"{what}.{'B' if signature[0] == 'A' else 'A'}{signature[1:]}")
                assert forged.status_code == 404
                assert len((await mine.get("/api/nudges"))["channels"]) == 1
                for _ in range(2):
                    answer = await program.post(stop, data={"List-Unsubscribe": "One-Click"})
                    assert answer.status_code == 204
            assert (await mine.get("/api/nudges"))["channels"] == []
            assert "ann@mail" not in server.log_text

    asyncio.run(scenario())


def test_strangers_are_left_alone(mailing: tuple[Background, str], postbox: Postbox) -> None:
    """Three requests to an address in a day, however it is spelled and whoever asks; none once its owner said no."""
    server, url = mailing

    async def scenario() -> None:
        async with Party(server.url) as party:
            eve, mallory = [await party.guest(name) for name in ("Eve", "Mallory")]

            async def ask(person: Person, address: str) -> tuple[int, str]:
                answer = await person.http.post("/api/nudges/mail", json={"address": address})
                return answer.status_code, "" if answer.status_code == 204 else answer.json()["code"]

            before = len(postbox.mails)
            asked = [await ask(who, to) for who, to in (
                (eve, "bob@mail.example"), (eve, "BOB@mail.example"), (mallory, "bob+1@MAIL.example"),
                (mallory, "bob@mail.example"), (eve, "bob+2@mail.example"),
            )]  # fmt: skip
            assert asked == [(204, "")] * 3 + [(429, "too-many-mails")] * 2
            assert len(postbox.mails) == before + 3
            assert (await ask(eve, "cid@mail.example"))[0] == 204
            refuse = link_in(postbox.mails[-1][1], "refuse")
            confirm = link_in(postbox.mails[-1][1], "confirm")
            async with httpx.AsyncClient(base_url=server.url) as nobody:
                assert (await nobody.post(f"/api/mail/stop/{refuse}")).status_code == 204
                late = await nobody.post("/api/mail/confirm", json={"token": confirm})
                assert late.status_code == 404, "the request is void"
            assert await ask(mallory, "cid@mail.example") == (409, "mail-refused")
            with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as database:
                kept = [address for (address,) in database.execute("SELECT address FROM unconfirmed_mails")]
            assert "BOB@mail.example" in kept
            assert "cid@mail.example" not in kept
            for address in ("bob", "bob@", "bob@localhost", "a b@mail.example", "bob@mail.example\nBcc: x@y.example"):
                assert (await ask(mallory, address))[0] == 422, address
            answers = [await ask(eve, f"n{number}@mail.example") for number in range(12)]
            assert answers[-1] == (429, "too-many-mails"), "a guest cannot write to the world"
            assert await ask(mallory, "dan@gone.example") == (502, "mail-failed")

    asyncio.run(scenario())


def test_a_mailbox_that_is_gone_is_removed(mailing: tuple[Background, str], postbox: Postbox) -> None:
    """The mail server says 550: nothing more is sent there, and the page shows it no longer."""
    server, _url = mailing

    async def scenario() -> None:
        async with Party(server.url) as party:
            ann = await party.guest("Ann")
            await confirmed(ann, postbox, "closed@mail.example")
            await confirmed(ann, postbox, "open@mail.example")
            found = {one["to"]: one["id"] for one in (await ann.get("/api/nudges"))["channels"]}
            postbox.gone.add("closed@mail.example")
            assert not (await ann.post(f"/api/nudges/channels/{found['closed@mail.example']}/test"))["delivered"]
            assert (await ann.post(f"/api/nudges/channels/{found['open@mail.example']}/test"))["delivered"]
            assert [one["to"] for one in (await ann.get("/api/nudges"))["channels"]] == ["open@mail.example"]

    asyncio.run(scenario())


def test_a_deleted_guest_leaves_no_address(mailing: tuple[Background, str], postbox: Postbox) -> None:
    server, url = mailing

    async def scenario() -> None:
        async with Party(server.url) as party:
            ann = await party.guest("Ann")
            await confirmed(ann, postbox, "marzipan@mail.example")
            assert (await ann.http.post("/api/nudges/mail", json={"address": "nougat@mail.example"})).is_success
            everything = (await ann.http.get("/api/guest/everything")).text
            assert "marzipan@mail.example" in everything
            assert "nougat@mail.example" in everything
            channel = (await ann.get("/api/nudges"))["channels"][0]
            assert (await ann.post(f"/api/nudges/channels/{channel['id']}/test"))["delivered"]
            assert b"marzipan@mail.example" in stored(url)
            assert (await ann.http.delete("/api/guest")).status_code == 204
            found = stored(url)
            for word in (b"marzipan@mail", b"nougat@mail"):
                assert word not in found

    asyncio.run(scenario())


def test_a_mail_waits_for_no_shared_thread(postbox: Postbox) -> None:
    """A lookup can hang for minutes; a pool full of them would hold up everything else."""
    smtp = postbox.url.replace("127.0.0.1", "localhost")
    mailer = Mailer(ServerSettings(smtp=smtp, smtp_from="atout@play.example", public_url="https://play.example"), KEYS)

    async def scenario() -> list[int]:
        with busy_pool():
            return [await mailer.send(mailer.nudge("ann@mail.example", "1", NUDGE, "en")) for _ in range(2)]

    before = len(postbox.mails)
    assert asyncio.run(scenario()) == [DELIVERED, DELIVERED]
    assert [to for to, _ in postbox.mails[before:]] == ["ann@mail.example"] * 2


def test_a_mail_server_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def send(smtp: str) -> int:
        settings = ServerSettings(smtp=smtp, smtp_from="atout@play.example", public_url="https://play.example")
        mailer = Mailer(settings, KEYS)
        return asyncio.run(mailer.send(mailer.nudge("ann@mail.example", "1", NUDGE, "en")))

    with socket.create_server(("127.0.0.1", 0)) as closed:
        port: int = closed.getsockname()[1]
    assert send(f"smtp://127.0.0.1:{port}") == NO_SERVER, "nobody listens"
    assert send(f"smtp://{'x' * 64}.example") == NO_SERVER, "no name"
    monkeypatch.setattr(mail, "SECONDS", 0.1)
    end = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: end.wait() and [])
    assert send("smtp://mail.example") == NO_SERVER, "a lookup that hangs"
    end.set()


def test_the_log_says_why_a_mail_server_takes_no_mail(tmp_path: Path) -> None:
    """Whoever asked is not sent to look for a mistake in the address."""

    def refuse(*_: Any) -> AuthResult:
        return AuthResult(success=False, handled=False, message="535 5.7.8 no ann@play.example with secret1 here")

    def ask() -> tuple[int, str, str]:
        with httpx.Client(base_url=server.url, timeout=PATIENCE) as ann:
            ann.post("/api/guest", json={"name": "Ann"})
            answer = ann.post("/api/nudges/mail", json={"address": "ann@mail.example"})
            return answer.status_code, answer.json()["code"], answer.json()["message"]

    box = Postbox(authenticator=refuse, auth_require_tls=False)
    smtp = box.url.replace("//", "//ann%40play.example:secret1@")
    with serve_in_background(
        f"sqlite:///{tmp_path}/atout.db", tmp_path,
        smtp=smtp, smtp_from="atout@play.example", public_url="https://play.example",
    ) as server:  # fmt: skip
        box.controller.start()
        try:
            answers = [ask()]
        finally:
            box.controller.stop()
        answers.append(ask())
        lines = [json.loads(line) for line in server.log_text.splitlines()]
    for status, code, message in answers:
        assert (status, code) == (502, "mail-server-failed")
        assert "operator" in message
    reasons = [(line["error"], line["reason"]) for line in lines if line["event"] == "a mail could not be sent"]
    assert reasons[0] == ("SMTPAuthenticationError", "535 5.7.8 no … with … here")
    assert reasons[1][0] == "ConnectionRefusedError"
    assert len(reasons) == 2


@pytest.mark.slow
def test_mails_are_off_unless_the_operator_says_so(tmp_path: Path) -> None:
    settings = ServerSettings.read({})
    check_mail(settings)
    with pytest.raises(UsageError, match="smtp_from"):
        ServerSettings.read({"ATOUT_SMTP": "smtp://mail.example"})
    with pytest.raises(UsageError, match="public_url"):
        ServerSettings.read({"ATOUT_SMTP": "smtp://mail.example", "ATOUT_SMTP_FROM": "a@b.example"})
    for url in ("mail.example", "smtp://", "smtp://mail.example:x", "http://mail.example"):
        with pytest.raises(UsageError, match="ATOUT_SMTP"):
            mail_server(url)
    assert mail_server("smtp://mail.example").needs_starttls, "a password never crosses a network in the clear"
    assert mail_server("smtp://localhost:25").needs_starttls is None
    links = StopLinks([b"k" * 32])
    assert links.read(links.make("stop", "1")) == ("stop", "1")
    assert links.read(StopLinks([b"e" * 32]).make("stop", "1")) is None
    assert known_as(tidied_address("Ann+x@MAIL.example")) == known_as("ann@mail.example")
    with (
        serve_in_background(f"sqlite:///{tmp_path}/atout.db", tmp_path) as server,
        httpx.Client(base_url=server.url) as http,
    ):
        http.post("/api/guest", json={"name": "Ann"})
        assert not http.get("/api/nudges").json()["has_mail"]
        answer = http.post("/api/nudges/mail", json={"address": "ann@mail.example"})
        assert (answer.status_code, answer.json()["code"]) == (409, "no-mail")
