"""Replays and lists of one's own tables over REST."""

from __future__ import annotations

import asyncio
import json
import random

import httpx
import pytest

from atout.editions import PUBLISHED, published
from atout.errors import RecordError
from atout.protocol import rest
from atout.records import make_replay
from atout.records.replay import MAX_MOVES
from atout.server.http.operations import MAX_UPLOADED
from tests.records.samples import whole
from tests.server.background import PATIENCE, Background
from tests.server.client import Party


def ask(server: Background, body: object) -> httpx.Response:
    return httpx.post(f"{server.url}/api/replays", json=body, timeout=PATIENCE)


def test_any_record_can_be_replayed(lone: Background) -> None:
    answer = ask(lone, {"record": json.dumps(whole("niet-2015", 4))})
    assert answer.status_code == 200
    assert answer.headers["content-encoding"] == "gzip"
    replay = answer.json()
    assert (replay["edition"], replay["players"]) == ("niet-2015", 4)
    assert replay["steps"][0]["view"]["phase"] == "veto"


def test_a_bad_record_gets_the_verifiers_words(lone: Background) -> None:
    record = whole("niet-2015", 4)
    record["rounds"][0]["actions"][2] = record["rounds"][0]["actions"][1]
    answer = ask(lone, {"record": json.dumps(record)})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-record")
    assert (answer.json()["parameters"]["round"], answer.json()["parameters"]["action"]) == (1, 3)
    assert answer.json()["message"].startswith("round 1, action 3: ")
    nothing = ask(lone, {"record": "no game"})
    assert nothing.json()["message"].startswith("not JSON")
    assert ask(lone, {"record": ""}).status_code == 422
    assert ask(lone, {"record": 7}).status_code == 422
    assert ask(lone, {"record": "x" * (rest.MAX_RECORD + 1)}).status_code == 422
    assert ask(lone, {"record": "x" * (3 * rest.MAX_RECORD + 1)}).status_code == 413
    assert ask(lone, {"record": "\0" * 100}).json()["code"] == "bad-record"


def test_an_uploaded_record_has_the_length_of_a_real_match() -> None:
    longest = max(
        sum(len(round["actions"]) for round in whole(edition, max(published(edition).counts))["rounds"])
        for edition in PUBLISHED
    )
    assert 1.25 * longest < MAX_UPLOADED < MAX_MOVES
    record = whole("nichtig", 3)
    record["rounds"] *= MAX_UPLOADED // sum(len(round["actions"]) for round in record["rounds"]) + 1
    with pytest.raises(RecordError, match=f"too many to show; expected at most {MAX_UPLOADED}"):
        make_replay(json.dumps(record), most=MAX_UPLOADED)


def test_a_field_of_somebody_elses_may_hold_any_number(lone: Background) -> None:
    """Fields that a record does not have are not read, so a number out of range in them is nobody's fault."""
    for more in ('"x":1e400', '"names":[1e400,"",""]', '"bots":-1e999'):
        record = f'{{"atout":1,"edition":"nichtig","players":3,"options":{{}},"first_dealer":0,"rounds":[],{more}}}'
        assert ask(lone, {"record": record}).status_code < 500


def test_my_tables_say_whose_turn_it_is(lone: Background) -> None:
    async def play() -> None:
        async with Party(lone.url) as party:
            table, people, sockets = await party.table(players=3, edition="nichtig")
            [card] = (await people[1].get("/api/tables/mine"))["tables"]
            assert card["mine"] == {
                "seats": [1], "asked": [0, 1, 2], "round": 1, "rounds": 3, "totals": [0, 0, 0], "due": None,
                "paused_until": None,
            }  # fmt: skip
            assert "mine" not in await people[1].get(f"/api/tables/{table}")
            while sockets[1].view["asked"] == [0, 1, 2]:
                await sockets[1].act(random.Random(1).choice(sockets[1].legal))
            [card] = (await people[1].get("/api/tables/mine"))["tables"]
            assert card["mine"]["asked"] == [0, 2]

    asyncio.run(play())


def test_a_sleeping_table_is_looked_into_without_waking_it(lone: Background) -> None:
    async def play() -> None:
        async with Party(lone.url) as party:
            ann = await party.guest()
            waiting = await ann.open_table(edition="nichtig", players=3)
            cards = {card["table"]: card for card in (await ann.get("/api/tables/mine"))["tables"]}
            assert "mine" not in cards[waiting], "its match has not begun"

    asyncio.run(play())


def test_a_finished_round_is_shown_as_each_player_saw_it(lone: Background) -> None:
    """While the match goes on: their own cards, of the others only how many; nothing of the round in play."""

    async def play() -> None:
        async with Party(lone.url) as party:
            table, people, sockets = await party.table(players=3, edition="nichtig", spectators="public")
            early = await people[0].http.get(f"/api/tables/{table}/rounds/1")
            assert (early.status_code, early.json()["code"]) == (404, "no-round")
            dealt = [socket.game["hand"] for socket in sockets]
            until = [
                socket.play_on(random.Random(seat), lambda view: len(view["game"]["past"]) == 1)
                for seat, socket in enumerate(sockets)
            ]
            await asyncio.gather(*until)
            for seat, person in enumerate(people):
                replay = await person.get(f"/api/tables/{table}/rounds/1")
                first = replay["steps"][0]["hands"]
                assert first[str(seat)].split() == dealt[seat]
                assert [set(first[str(other)].split()) for other in range(3) if other != seat] == [{"?"}] * 2
                assert replay["steps"][-1]["view"]["past"][0]["scores"] == sockets[seat].game["past"][0]["scores"]
            for number in ("2", "0", "99999999999", "one"):
                answer = await people[0].http.get(f"/api/tables/{table}/rounds/{number}")
                assert (answer.status_code, answer.json()["code"]) == (404, "no-round")
            missing = await people[0].http.get("/api/tables/nowhere/rounds/1")
            assert (missing.status_code, missing.json()["code"]) == (404, "no-table")
            stranger = await party.guest("Zoe")
            watched = await stranger.get(f"/api/tables/{table}/rounds/1")
            assert {card for hand in watched["steps"][0]["hands"].values() for card in hand.split()} == {"?"}
            await asyncio.gather(*(socket.play_on(random.Random(seat)) for seat, socket in enumerate(sockets)))
            for played in (1, 2, 3):
                replay = await people[0].get(f"/api/tables/{table}/rounds/{played}")
                assert {step["round"] for step in replay["steps"]} == {played}

    asyncio.run(play())


def test_those_who_share_a_device_are_shown_no_hand_of_a_round(lone: Background) -> None:
    async def play() -> None:
        async with Party(lone.url) as party:
            ann = await party.guest("Ann")
            table = await ann.open_table(edition="nichtig", players=3, shared=True, seats=["open", "open", "novice"])
            sockets = [await ann.connect(table, player=player) for player in range(2)]
            for player, socket in enumerate(sockets):
                await socket.do("sit", name=f"Person {player}")
            await asyncio.gather(
                *(
                    socket.play_on(random.Random(seat), lambda view: len((view.get("game") or {}).get("past", [])) == 1)
                    for seat, socket in enumerate(sockets)
                )
            )
            stranger = await (await party.guest("Zoe")).http.get(f"/api/tables/{table}/rounds/1")
            assert (stranger.status_code, stranger.json()["code"]) == (403, "no-spectators")
            replay = await ann.get(f"/api/tables/{table}/rounds/1")
            assert {card for hand in replay["steps"][0]["hands"].values() for card in hand.split()} == {"?"}

    asyncio.run(play())
