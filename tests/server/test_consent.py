"""Whoever confirms a mail address is told every kind of mail that then comes, and how often: in the mail that asks, on
the pages that ask, confirm and stop, in the settings, in every language.

A new kind is a new word of `KINDS`: it has no line in `CONSENT` then, and these tests fail until the texts name it.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from atout.i18n import LANGUAGES, Texts
from atout.server.live import mail as mails
from atout.store.operations.mail import DAY, REFUSED_SECONDS
from tests.server.background import Background, serve_in_background
from tests.server.client import Party
from tests.server.postbox import Postbox, open_postbox, text_of
from tests.server.test_mail import confirmed
from tests.server.test_nudges import nudged_elsewhere
from tests.server.test_people import befriend, id_of

CONSENT: dict[str, dict[str, tuple[str, ...]]] = {
    "turn": {
        "en": ("turn at a table where a move may take days", "at most once per turn"),
        "fr": ("à une table où un coup peut prendre des jours", "au plus une fois par tour"),
        "de": ("an einem Tisch mit Tagen als Bedenkzeit", "höchstens einmal je Zug"),
    },
    "invitation": {
        "en": ("a friend invites", "at most once a week per table"),
        "fr": ("amis", "invite", "au plus une fois par semaine et par table"),
        "de": ("Freunde", "einladen", "höchstens einmal pro Woche und Tisch"),
    },
    "test": {"en": ("test",), "fr": ("essai",), "de": ("test",)},
}
"""By kind and language what a text must say that asks for consent. A test comes as often as one asks for it."""
SHORT: dict[str, dict[str, str]] = {
    "turn": {"en": "turns", "fr": "votre tour", "de": "am Zug|Züge"},
    "invitation": {"en": "invitations", "fr": "invitations", "de": "Einladungen"},
    "test": {"en": "tests", "fr": "essais", "de": "Tests"},
}
"""The same for a text that says what a link stops."""
PAGES = Path(__file__).parents[2] / "web/src/i18n/nudges"


def page_texts(language: str) -> dict[str, str]:
    """The texts of the settings and of the pages that links in mails open."""
    lines = re.findall(r'^  ("[^"]+": ".*"),$', (PAGES / f"{language}.ts").read_text(encoding="utf-8"), re.MULTILINE)
    found: dict[str, str] = json.loads(f"{{{','.join(lines)}}}")
    return found


def missing(text: str, language: str, kinds: tuple[str, ...] = ("turn", "invitation", "test")) -> list[str]:
    """The phrases of the kinds that a text does not have."""
    said = text.lower()
    return [phrase for kind in kinds for phrase in CONSENT[kind][language] if phrase.lower() not in said]


@pytest.fixture(scope="module")
def postbox() -> Iterator[Postbox]:
    with open_postbox() as box:
        yield box


@pytest.fixture(scope="module")
def mailing(tmp_path_factory: pytest.TempPathFactory, postbox: Postbox) -> Iterator[Background]:
    folder = tmp_path_factory.mktemp("consent")
    with serve_in_background(
        f"sqlite:///{folder}/atout.db", folder, smtp=postbox.url, smtp_from="atout@play.example",
        public_url="https://play.example/", nudge_seconds=0.3, absent_seconds=0.2,
    ) as server:  # fmt: skip
        yield server


def test_a_confirmed_address_gets_what_was_named_and_nothing_else(mailing: Background, postbox: Postbox) -> None:
    """By the server's own mails: the request to confirm, then one of each kind. All say what their link stops."""

    async def scenario() -> None:
        async with Party(mailing.url) as party:
            ann, bob = await party.guest("Ann"), await party.guest("Bob")
            asked = text_of(await confirmed(ann, postbox, "ann@mail.example"))
            before = len(postbox.mails)
            table = await nudged_elsewhere(party, ann)
            await postbox.wait(before + 1)
            await befriend(bob, ann)
            hosted = await bob.open_table(edition="niet-2015", players=3)
            body = {"person": await id_of(bob, "friends", "Ann")}
            assert (await bob.http.post(f"/api/tables/{hosted}/invitations", json=body)).status_code == 204
            await postbox.wait(before + 2)
            channel = (await ann.get("/api/nudges"))["channels"][0]["id"]
            trial = f"/api/nudges/channels/{channel}/test"
            while (answer := await ann.http.post(trial)).json().get("code") == "too-many-deliveries":
                await asyncio.sleep(0.1)  # the invitation has arrived, but the server is not done with it
            assert answer.json() == {"delivered": True}
            got = [mail for _, mail in postbox.mails[before:]]
            paths = (f"/table/{table}\n", f"/table/{hosted}\n", "/settings\n")
            assert len(got) == len(paths)
            for mail, path in zip(got, paths, strict=True):
                text = text_of(mail)
                assert f"https://play.example{path}" in text
                footer = text.rpartition("\n-- \n")[2]
                assert all(re.search(SHORT[kind]["en"], footer) for kind in SHORT), footer
            assert missing(asked, "en") == []

    asyncio.run(scenario())


def test_the_request_to_confirm_names_every_kind_in_every_language(mailing: Background, postbox: Postbox) -> None:
    async def scenario() -> dict[str, str]:
        found = {}
        async with Party(mailing.url) as party:
            for language in LANGUAGES:
                guest = await party.guest(f"Guest {language}")
                assert (await guest.http.post("/api/nudges", json={"language": language})).is_success
                body = {"address": f"{language}@mail.example"}
                assert (await guest.http.post("/api/nudges/mail", json=body)).status_code == 204
                found[language] = text_of(postbox.mails[-1][1])
        return found

    found = asyncio.run(scenario())
    assert {language: missing(text, language) for language, text in found.items()} == {key: [] for key in LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_and_the_settings_name_every_kind(language: str) -> None:
    texts = page_texts(language)
    assert missing(texts["mail.confirm.text"], language) == []
    # push messages and webhooks get the same; a test is a button in the same place of the settings
    assert missing(texts["nudges.text"], language, ("turn", "invitation")) == []
    stopped = (texts["mail.stop.text"], Texts(language).t("mail.stop"))
    for text in stopped:
        assert [kind for kind in SHORT if not re.search(SHORT[kind][language], text)] == [], text
    days = str(round(REFUSED_SECONDS / DAY))
    assert days in texts["mail.refuse.text"]
    assert days in texts["mail.refuse.done"]


def test_every_kind_in_the_code_is_named() -> None:
    """`Nudges.send` takes no message without its kind, so this is all that is ever sent."""
    assert set(mails.KINDS) == set(CONSENT) == set(SHORT)
