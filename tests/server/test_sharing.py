"""Public matches: shown when everybody who played agreed, as they agreed, and otherwise as if they did not exist."""

from __future__ import annotations

import asyncio
import json
import re
import struct
from pathlib import Path

import httpx
import pytest

from atout.drawing.parts import symbols
from atout.editions import PUBLISHED, edition_name, load
from atout.errors import RecordError
from atout.protocol import rest
from atout.records import Verifier, make_replay
from atout.server.matches import cards, picture
from atout.store import open_store
from atout.tables import check_fair
from tests.records.samples import whole
from tests.server.background import PATIENCE, Background
from tests.server.client import Party, Person
from tests.server.scenarios import alone, says, together

WEB = Path(__file__).parents[2] / "web" / "src"


def stranger(server: Background, path: str) -> httpx.Response:
    """Without a cookie."""
    return httpx.get(server.url + path, timeout=PATIENCE)


def everything(address: str) -> list[str]:
    shared = f"/api/shared/{address}"
    return [
        shared,
        f"{shared}/replay",
        f"{shared}/replay?seat=0",
        f"{shared}/record",
        f"/m/{address}",
        f"/m/{address}.png",
    ]


def is_secret(server: Background, address: str) -> None:
    """It answers like an address that nothing is at."""
    for here, nowhere in zip(everything(address), everything("AAAAAAAAAAAA"), strict=True):
        mine, other = stranger(server, here), stranger(server, nowhere)
        assert (mine.status_code, mine.content) == (404, other.content), here
        assert {**mine.headers, "date": ""} == {**other.headers, "date": ""}, here


@pytest.mark.slow
def test_who_plays_with_bots_shares_from_the_start(lone: Background) -> None:
    async def play() -> None:
        async with Party(lone.url) as party:
            ann, table = await alone(party, "Ann <b>&")
            mine = await ann.get(f"/api/records/{table}/sharing")
            assert (mine["shows"], mine["is_public"], mine["is_open"]) == ("open", True, True)
            assert mine["address"] != table, "whoever knows the table's id may enter it"
            shared = [stranger(lone, path) for path in everything(mine["address"])]
            assert [answer.status_code for answer in shared] == [200] * 6
            match, replay, own, record, page, png = shared
            assert match.json()["summary"]["names"][0] == replay.json()["names"][0] == "", "nobody agreed to the name"
            assert not any("Ann" in answer.text for answer in (match, replay, own, record, page))
            assert (await says(ann, table, "open"))["named"]
            match, replay, own, record, page, png = (stranger(lone, path) for path in everything(mine["address"]))
            assert match.json()["summary"]["names"][0] == replay.json()["names"][0] == "Ann <b>&"
            assert set(replay.json()["steps"][0]["hands"]) == {"0", "1", "2"}
            assert set(own.json()["steps"][0]["hands"]) == {"0"}
            assert all(table not in answer.text for answer in (match, replay, own, record, page))
            assert Verifier().check(record.content.strip()).players == 3
            with pytest.raises(RecordError, match="fair: missing"):
                check_fair(record.json())
            assert '<meta property="og:title" content="' in page.text
            assert f"{lone.url}/m/{mine['address']}.png" in page.text
            assert "Ann &lt;b&gt;&amp; " in page.text
            assert "Ann <b>" not in page.text
            assert (png.headers["content-type"], struct.unpack(">II", png.content[16:24])) == ("image/png", (1200, 630))

            said = await says(ann, table, "no")
            assert (said["shows"], said["is_public"], said["can_be_public"]) == ("no", False, True)
            is_secret(lone, mine["address"])
            assert (await says(ann, table, "open", named=False))["address"] == mine["address"], "it comes back"
            assert stranger(lone, f"/api/shared/{mine['address']}").json()["summary"]["names"][0] == ""
            assert stranger(lone, f"/api/shared/{mine['address']}/record").json()["names"][0] == "Player 1"
            assert (await ann.http.delete(f"/api/records/{table}")).status_code == 204
            is_secret(lone, mine["address"])

    asyncio.run(play())


def test_several_people_have_to_agree_each(lone: Background) -> None:
    async def play() -> None:
        async with Party(lone.url) as party:
            ann, bob, table = await together(party)
            mine = await ann.get(f"/api/records/{table}/sharing")
            assert (mine["shows"], mine["is_public"], mine["waiting"], mine["others"]) == ("", False, 1, 1)
            assert (mine["named"], mine["agreed"], mine["not_agreed"]) == (False, [], ["Bob"])
            said = await says(ann, table, "open")
            assert not said["is_public"]
            is_secret(lone, said["address"])
            said = await says(bob, table, "own", named=False)
            assert (said["is_public"], said["is_open"], said["waiting"]) == (True, False, 0)
            assert (said["agreed"], said["not_agreed"]) == (["Ann"], [])
            base = f"/api/shared/{said['address']}"
            match = stranger(lone, base).json()
            assert (match["summary"]["names"], match["seats"]) == (["Ann", "", "random"], [0, 1])
            for secret in (f"{base}/replay", f"{base}/replay?seat=2", f"{base}/record"):
                assert stranger(lone, secret).status_code == 404, secret
            replay = stranger(lone, f"{base}/replay?seat=1").json()
            assert {seat for step in replay["steps"] for seat in step.get("hands", {})} == {"1"}
            assert replay["names"] == ["Ann", "", "random"]
            assert (await says(bob, table, "open"))["is_open"]
            assert stranger(lone, f"{base}/record").json()["names"] == ["Ann", "Bob", "random"]
            assert (await ann.http.delete("/api/guest")).status_code == 204
            is_secret(lone, said["address"])
            left = await bob.get(f"/api/records/{table}/sharing")
            assert (left["is_public"], left["can_be_public"]) == (False, False)
            refused = await bob.http.post(f"/api/records/{table}/sharing", json={"shows": "open"})
            assert (refused.status_code, refused.json()["code"]) == (409, "cannot-share")

    asyncio.run(play())


def test_only_who_played_may_say(lone: Background) -> None:
    async def play() -> None:
        async with Party(lone.url) as party:
            _, table = await alone(party)
            cid = await party.guest("Cid")
            for answer in (
                await cid.http.get(f"/api/records/{table}/sharing"),
                await cid.http.post(f"/api/records/{table}/sharing", json={"shows": "open"}),
                await cid.http.get("/api/records/nothing/sharing"),
            ):
                assert (answer.status_code, answer.json()["code"]) == (404, "no-record")

    asyncio.run(play())


@pytest.mark.parametrize(("edition", "players"), [("niet-2015", 4), ("njet-1997", 3), ("nichtig", 4)])
def test_the_replay_of_a_seat_has_no_card_that_it_did_not_see(edition: str, players: int) -> None:
    text = json.dumps(whole(edition, players))
    opened, hidden = make_replay(text), 0
    for seat in range(players):
        own = make_replay(text, seat)
        for all_cards, step in zip(opened.steps, own.steps, strict=True):
            assert set(step.hands) | set(step.chosen) <= {str(seat)}
            assert step.hands.get(str(seat)) == all_cards.hands.get(str(seat))
            assert (step.view, step.board, step.trick) == (all_cards.view, all_cards.board, all_cards.trick)
            if step.action != all_cards.action:
                who, verb, cards = step.action.split(" ", 2)
                assert (who != str(seat), verb in ("discard", "pass"), cards) == (True, True, "?")
                hidden += 1
    assert (hidden > 0) == (edition != "nichtig"), "lay-outs are public by the end of the round"


def test_the_drawings_of_the_picture_are_those_of_the_page() -> None:
    page = (WEB / "art" / "shapes.ts").read_text(encoding="utf-8")
    outlines = re.findall(r' d="([^"]+)"', symbols())
    assert len(outlines) > 20
    for outline in outlines:
        assert outline in page, outline


@pytest.mark.parametrize("language", picture.LANGUAGES)
def test_the_picture_calls_bots_and_editions_as_the_page_does(language: picture.Language) -> None:
    catalogue = (WEB / "i18n" / f"{language}.ts").read_text(encoding="utf-8")
    for seat, name in enumerate(picture.BOT_NAMES[language]):
        assert f'"bot.name.{seat}": "{name}"' in catalogue
    player = picture.WORDS[language]["player"]
    assert f'"sheet.player": "{player}"' in catalogue
    for edition in ("niet-2015", "njet-2007", "njet-1997", "nichtig"):
        assert f'"edition.{edition}": "{edition_name(edition)}"' in catalogue


def test_names_are_text_in_the_picture() -> None:
    names = ['</text><image href="/etc/passwd"/>', "Ünsal", "王小明"]
    summary = rest.RecordSummary(3, names, [5, -3, 2], [0], 1, [None, None, None], margins=[3, -8, -3])
    match = rest.SharedMatch("a", "nichtig", 1.0, summary, True, [0, 1, 2])
    drawn = picture.draw(match)
    assert "<image" not in drawn
    assert ("Ünsal" in drawn, "Player 3" in drawn) == (True, True), "the fonts have no Chinese letters"


@pytest.mark.parametrize(
    ("language", "margin", "rounds", "headline", "about"),
    [
        ("en", 3, 1, "A wins by 3 points", "Null & nichtig, 3 players, 1 round"),
        ("fr", 1, 2, "A gagne de 1 point", "Null & nichtig, 3 joueurs, 2 manches"),
        ("de", 19, 1, "A gewinnt mit 19 Punkten Vorsprung", "Null & nichtig, 3 Spieler, 1 Runde"),
        ("de", 1, 3, "A gewinnt mit 1 Punkt Vorsprung", "Null & nichtig, 3 Spieler, 3 Runden"),
    ],
)
def test_the_words_of_the_picture_agree_with_their_numbers(
    language: picture.Language, margin: int, rounds: int, headline: str, about: str
) -> None:
    summary = rest.RecordSummary(3, ["A", "B", "C"], [5, -3, 2], [0], rounds, margins=[margin, -8, -3])
    match = rest.SharedMatch("a", "nichtig", 1.0, summary, True, [0, 1, 2])
    assert " ".join(picture.headline(match, language, ["A", "B", "C"])) == headline
    assert picture.about(match, language) == about


@pytest.mark.parametrize("edition", ["niet-2015", "njet-2007", "njet-1997", "nichtig", "my-own-rules"])
def test_the_picture_shows_cards_of_the_game(edition: str) -> None:
    shown = cards.cards_of(edition, 3)
    deck = load(edition if edition in PUBLISHED else "nichtig").deck
    assert {card.colour for card in shown} <= set(deck.colours)
    assert {card.value for card in shown} <= set(deck.values)
    assert any(card.is_supertrump for card in shown) == edition.startswith(("niet", "njet"))
    for name in re.findall(r'href="#([\w-]+)"', "".join(cards.draw_cards(edition, 3))):
        assert f'id="{name}"' in symbols()


@pytest.mark.slow
def test_a_record_of_an_older_version_can_be_shared_if_one_person_played(tmp_path: Path) -> None:
    """Nobody was asked about it, so it is not public; who sat where was not noted."""
    import shutil

    from tests.server.background import serve_in_background
    from tests.store.test_old_database import DATA, NOTES, TABLES

    shutil.copy(DATA / "old.db", tmp_path / "old.db")
    (tmp_path / "key").write_text(NOTES["key"] + "\n")

    async def ask(server: Background) -> None:
        async with Party(server.url) as party:
            ann = Person(server.url, "Ann")
            party.people.append(ann)
            ann.http.cookies.set("atout", NOTES["cookies"]["Ann"])
            table = TABLES["finished"]
            mine = await ann.get(f"/api/records/{table}/sharing")
            assert (mine["shows"], mine["address"], mine["is_public"]) == ("", "", False)
            [match] = (await ann.get("/api/matches"))["matches"]
            assert match["seats"] == [0]
            assert len(match["gains"]) == len(match["summary"]["round_points"]) == match["summary"]["rounds"]
            assert mine["can_be_public"]
            said = await says(ann, table, "open")
            assert stranger(server, f"/m/{said['address']}").status_code == 200

    with serve_in_background(f"sqlite:///{tmp_path}/old.db", tmp_path) as server:
        asyncio.run(ask(server))

    async def look() -> None:
        store = await open_store(f"sqlite:///{tmp_path}/old.db")
        record = await store.record(TABLES["finished"])
        assert record is not None
        assert json.loads(record.summary)["round_points"], "it was worked out once and stored"
        await store.close()

    asyncio.run(look())
