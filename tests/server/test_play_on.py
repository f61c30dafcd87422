"""Playing on from a decision of a finished match: who may, what they see, and that it counts for nothing."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import httpx

from atout.game.view import SECRET_NAMES
from atout.puzzles import shipped
from tests.server.background import Background
from tests.server.client import Party
from tests.server.scenarios import alone, says, together


def decisions_of(record: dict[str, Any], seat: int) -> list[tuple[int, int]]:
    return [
        (number, index)
        for number, round in enumerate(record["rounds"])
        for index, action in enumerate(round["actions"])
        if int(action.split()[0]) == seat
    ]


def test_a_match_is_played_on_and_not_counted(lone: Background) -> None:
    async def play() -> None:
        async with Party(lone.url) as party:
            ann, played = await alone(party)
            record = json.loads((await ann.http.get(f"/api/records/{played}.jsonl")).text)
            statistics = await ann.get("/api/statistics")
            round, index = decisions_of(record, 0)[-2]
            path = f"/api/records/{played}/play-on"
            table = (await ann.post(path, {"round": round, "index": index}))["table"]
            assert table != played
            socket = await ann.connect(table)
            await socket.do("sit", name="Ann", entropy="cd" * 8)
            assert socket.view["origin"] == {"source": f"records/{played}", "seat": 0, "round": round}
            mine = {one["table"]: one for one in (await ann.get("/api/tables/mine"))["tables"]}
            assert mine[table]["detail"]["origin"] == {"source": "", "seat": 0, "round": round}, (
                "the list says what it is"
            )
            assert record["rounds"][round]["actions"][index] in socket.legal
            assert socket.view["settings"]["seats"] == ["open", "random", "random"]
            others = {hand for seat, hand in enumerate(record["rounds"][round]["hands"]) if seat}
            await socket.play_on(random.Random(1))
            running = [text for text in socket.raw if '"status":"over"' not in text]
            assert not any(hand in text for hand in others for text in running), "no other hand before the end"
            assert [one["id"] for one in (await ann.get("/api/records"))["records"]] == [played]
            assert await ann.get("/api/statistics") == statistics
            assert (await ann.http.get(f"/api/records/{table}.jsonl")).status_code == 404

            for wanted, seat in (({}, 0), ({"seat": 2}, 2)):
                start = {"round": 0, "index": 0, "next": True, **wanted}
                socket = await ann.connect((await ann.post(path, start))["table"])
                await socket.do("sit", name="Ann", entropy="cd" * 8)
                assert socket.view["seat"] == seat, "mine, if I do not say whose"
            last, end = len(record["rounds"]) - 1, len(record["rounds"][-1]["actions"])
            none = await ann.http.post(path, json={"round": last, "index": end, "next": True})
            assert (none.status_code, none.json()["code"]) == (404, "no-decision")

            for wrong, status in (
                ({"round": 99, "index": 0}, 404),
                ({"round": 0, "index": 999}, 404),
                ({"round": -1, "index": 0}, 422),
                ({"round": 0}, 422),
            ):
                answer = await ann.http.post(path, json=wrong)
                assert answer.status_code == status, (wrong, answer.text)
            missing = (await ann.http.post(path, json={"round": 0, "index": 999})).json()
            assert missing["code"] == "no-decision"
            assert "expected 0 to" in missing["message"]

    asyncio.run(play())


def test_a_table_to_play_on_does_not_lead_to_the_match(lone: Background) -> None:
    """Whoever has the link of the new table learns nothing of the old one, and could not enter it."""

    async def play() -> None:
        async with Party(lone.url) as party:
            ann, bob, played = await together(party)
            eve = await party.guest("Eve")
            record = json.loads((await ann.http.get(f"/api/records/{played}.jsonl")).text)
            round, index = decisions_of(record, 0)[0]
            table = (await ann.post(f"/api/records/{played}/play-on", {"round": round, "index": index}))["table"]
            looking, hers = await eve.connect(table), await ann.connect(table)
            assert looking.view["origin"] == {"source": "", "seat": 0, "round": round}
            assert hers.view["origin"]["source"] == f"records/{played}"
            await looking.do("sit", name="Eve", entropy="cd" * 8)
            assert looking.view["is_yours"]
            assert not any(played in text for text in looking.raw)
            async with httpx.AsyncClient(base_url=lone.url) as nobody:
                for client in (eve.http, nobody):
                    card = await client.get(f"/api/tables/{played}")
                    assert (card.status_code, card.json()["code"]) == (403, "is-private")
            entered = await eve.connect(played)
            assert entered.bye is not None, "chat, names and hands are for those who played"
            assert (entered.bye["code"], entered.view) == ("is-private", {})
            for path in ("rounds/1", "people"):
                assert (await eve.http.get(f"/api/tables/{played}/{path}")).status_code == 403
            assert (await bob.connect(played)).view["hands"], "they played"
            assert (await bob.get(f"/api/tables/{played}"))["state"] == "over"

    asyncio.run(play())


def test_only_decisions_that_may_be_reviewed_are_played_on(lone: Background) -> None:
    async def play() -> None:
        async with Party(lone.url) as party:
            ann, bob, played = await together(party)
            eve = await party.guest("Eve")
            record = json.loads((await ann.http.get(f"/api/records/{played}.jsonl")).text)
            path = f"/api/records/{played}/play-on"
            places = [dict(zip(("round", "index"), decisions_of(record, seat)[0], strict=True)) for seat in range(3)]

            async def status(person: Any, where: str) -> list[int]:
                return [(await person.http.post(where, json=place)).status_code for place in places]

            assert await status(ann, path) == [201, 403, 403]
            for person, seat in ((ann, 0), (bob, 1)):
                theirs = {**places[2], "next": True}
                socket = await person.connect((await person.post(path, theirs))["table"])
                await socket.do("sit", name="Me", entropy="cd" * 8)
                assert socket.view["seat"] == seat, "my own next decision, though a bot is to move"
            bots = await ann.http.post(path, json={**places[2], "next": True, "seat": 2})
            assert bots.status_code == 403
            assert await status(bob, path) == [403, 201, 403]
            assert await status(eve, path) == [404] * 3
            said = await says(ann, played, "open")
            shared = f"/api/shared/{said['address']}/play-on"
            await says(bob, played, "own")
            assert await status(eve, shared) == [404] * 3
            await says(bob, played, "open")
            assert await status(eve, shared) == [201] * 3
            assert await status(bob, path) == [201] * 3

            table = (await eve.post(shared, places[1]))["table"]
            socket = await eve.connect(table)
            await socket.do("sit", name="Eve", entropy="cd" * 8)
            assert socket.view["seat"] == 1
            assert socket.view["settings"]["seats"] == ["learned", "open", "random"]

    asyncio.run(play())


def test_a_puzzle_is_played_on(lone: Background) -> None:
    """From what its seat sees. Where all choose at once, from before the first choice."""
    phases = ("veto", "partners", "cards", "piles", "tricks")

    async def play() -> None:
        async with Party(lone.url) as party:
            ann = await party.guest("Ann")
            for phase in phases:
                puzzle = next(one for one in shipped() if one.phase == phase)
                table = (await ann.post(f"/api/puzzles/{puzzle.id}/play-on", {}))["table"]
                socket = await ann.connect(table)
                await socket.do("sit", name="Ann", entropy="cd" * 8)
                view = puzzle.view()
                assert socket.view["origin"] == {"source": f"puzzles/{puzzle.id}", "seat": puzzle.seat, "round": 0}
                game = socket.view["game"]
                if game["phase"] in SECRET_NAMES:
                    assert set(view["hand"]) <= set(game["hand"])
                else:
                    assert (game["hand"], set(socket.legal)) == (view["hand"], set(view["legal"]))
                assert puzzle.best[0] in socket.legal
                others = [hand for seat, hand in enumerate(puzzle.record["rounds"][0]["hands"]) if seat != puzzle.seat]
                assert not any(hand in text for hand in others for text in socket.raw)
            missing = await ann.http.post("/api/puzzles/none/play-on", json={})
            assert (missing.status_code, missing.json()["code"]) == (404, "no-puzzle")

    asyncio.run(play())
