"""Puzzles over REST: the same for everybody, with their answers; the first attempt of a guest is rated."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx

from atout.puzzles import find, of_day, shipped, today
from tests.server.background import PATIENCE, Background
from tests.server.client import Party


def test_puzzles_come_with_the_view_of_a_seat_and_the_answer(lone: Background) -> None:
    with httpx.Client(base_url=lone.url, timeout=PATIENCE) as http:
        listed = http.get("/api/puzzles")
        assert "max-age" in listed.headers["cache-control"]
        page = listed.json()
        assert [one["id"] for one in page["puzzles"]] == [one.id for one in shipped()]
        assert page["today"] == of_day(today()).id, "at midnight, run it again"
        of_today = http.get("/api/puzzles/today").json()
        assert (of_today["id"], of_today["date"]) == (page["today"], page["date"])
        puzzle = find(page["today"])
        assert puzzle is not None
        view, answer = of_today["view"], of_today["answer"]
        assert view == puzzle.view()
        assert view["seat"] == view["turn"] == of_today["seat"]
        assert set(view["legal"]) == set(answer["values"])
        assert set(answer["best"]) < set(view["legal"])
        assert answer["reason"]
        assert answer["lead"] >= 3 * answer["se"]
        assert http.get("/api/puzzles/nothing").json()["code"] == "no-puzzle"
        assert http.get("/api/puzzles/me").status_code == 401


def test_the_first_attempt_is_rated(lone: Background) -> None:
    async def play() -> None:
        async with Party(lone.url) as party:
            ann = await party.guest("Ann")
            first, second = of_day(today()), next(one for one in shipped() if one != of_day(today()))
            path = f"/api/puzzles/{first.id}/attempts"
            wrong = next(action for action in first.values if action not in first.best)
            mine: dict[str, Any] = await ann.get("/api/puzzles/me")
            assert (mine["rating"], mine["tried"], mine["today"], mine["streak"]) == (1500, 0, "", 0)
            refused = await ann.http.post(path, json={"action": "0 play X9"})
            assert (refused.status_code, refused.json()["code"]) == (422, "bad-action")
            solved = await ann.post(path, {"action": first.best[0]})
            assert (solved["is_right"], solved["is_first"], solved["streak"]) == (True, True, 1)
            assert solved["rating"] == 1500 + solved["change"] > 1500
            again = await ann.post(path, {"action": wrong})
            assert (again["is_right"], again["is_first"], again["change"]) == (False, False, 0)
            assert again["streak"] == 1, "the day was won"
            wrong = next(action for action in second.values if action not in second.best)
            missed = await ann.post(f"/api/puzzles/{second.id}/attempts", {"action": wrong})
            assert missed["change"] < 0
            mine = await ann.get("/api/puzzles/me")
            assert (mine["rating"], mine["tried"], mine["solved"]) == (missed["rating"], 2, 1)
            assert (mine["today"], mine["streak"], mine["longest"]) == ("solved", 1, 1)
            assert mine["attempts"] == {first.id: True, second.id: False}
            assert mine["themes"][first.theme]["solved"] >= 1
            harder = await ann.get(f"/api/puzzles/{second.id}")
            assert harder["tried"] > harder.get("solved", 0)
            assert harder["rating"] > second.rating - 200
            bob = await party.guest("Bob")
            assert (await bob.get("/api/puzzles/me"))["tried"] == 0, "each guest for themselves"

    asyncio.run(play())
