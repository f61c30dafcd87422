"""Records imported to be reviewed: checked, private, bounded, and as good as one's own matches for a review."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import msgspec
import pytest

from atout import Game
from atout.editions import from_tree, published, to_tree
from atout.errors import RecordError
from atout.server.live import review_work
from atout.server.matches import imports
from atout.server.matches.imports import imported
from tests.server.background import Background
from tests.server.client import Party, Person
from tests.server.test_reviews import whole_review

SHORT = {"length": {"target": 1}}


def played(seed: int = 1, **more: Any) -> dict[str, Any]:
    """The record of a short match at random."""
    game, chance = Game.new("nichtig", 3, seed, options=SHORT), random.Random(seed)
    while not game.is_over:
        game.play(chance.choice(game.legal()))
    return {**game.record(), **more}


def text_of(record: dict[str, Any]) -> str:
    return msgspec.json.encode(record).decode()


def test_an_imported_record_has_no_names_and_nothing_that_somebody_added() -> None:
    record = played(names=["Ann", "Bob", "Cid"], bots=["Ann", "expert", 7], diary="of somebody", fair={"seed": "x"})
    record["rules"] = {"base": "niet-2015", "id": "Ann"}
    kept = imported(text_of(record), "ann", 5.0, 1000)
    body = msgspec.json.decode(kept.body)
    assert (body["names"], body["bots"]) == (["", "", ""], [None, "expert", None])
    assert body["rounds"] == record["rounds"]
    assert not {"diary", "fair", "times", "rules"} & set(body)
    assert (kept.imported_by, kept.table, kept.edition) == ("ann", "", "nichtig")
    assert msgspec.json.decode(kept.summary)["totals"] == record["totals"]
    assert imported(text_of(record), "ann", 9.0, 1000).id == kept.id
    assert imported(text_of(record), "bob", 5.0, 1000).id != kept.id
    assert imported(text_of(played(2)), "ann", 5.0, 1000).id != kept.id


def test_an_unfinished_match_is_imported_too() -> None:
    record = played()
    record["rounds"] = [{key: record["rounds"][0][key] for key in ("leader", "hands", "actions")}]
    record["rounds"][0]["actions"] = record["rounds"][0]["actions"][:7]
    del record["totals"], record["winners"]
    summary = msgspec.json.decode(imported(text_of(record), "ann", 5.0, 1000).summary)
    assert (summary["winners"], summary["rounds"]) == ([], 1)


def test_one_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RecordError, match="expected at most 5"):
        imported(text_of(played()), "ann", 5.0, 5)
    monkeypatch.setattr(imports, "MAX_BYTES", 100)
    with pytest.raises(RecordError, match="expected at most 100"):
        imported(text_of(played()), "ann", 5.0, 1000)


async def import_record(person: Person, record: dict[str, Any]) -> str:
    return str((await person.post("/api/records", {"record": text_of(record)}))["record"])


def test_it_is_reviewed_at_every_seat_and_is_nobody_elses(lone: Background) -> None:
    async def play() -> None:
        async with Party(lone.url) as party:
            ann, eve = await party.guest("Ann"), await party.guest("Eve")
            record = played(names=["Mia", "Noa", "Ole"])
            id = await import_record(ann, record)
            assert await import_record(ann, record) == id, "the same again is the same"
            path = f"/api/records/{id}"
            for other in ("", "/review", "/replay", "/sharing"):
                assert (await eve.http.get(path + other)).status_code == 404
            assert (await eve.http.post(f"{path}/review")).status_code == 404
            assert (await ann.get(f"{path}/replay"))["names"] == ["", "", ""]
            begun = await ann.get(f"{path}/review")
            assert (begun["seats"], begun["mine"], begun["state"]) == ([0, 1, 2], [], "none")
            decisions = await whole_review(ann, f"{path}/review", 2)
            assert {one["seat"] for one in decisions} == {2}
            assert (await ann.get("/api/mistakes"))["count"] == 0, "nobody knows who made them"
            assert (await ann.get("/api/records"))["records"] == [], "it is no match of mine"
            assert [one["id"] for one in (await ann.get("/api/imports"))["records"]] == [id]
            assert (await eve.get("/api/imports"))["records"] == []
            assert (await ann.http.get(f"{path}/sharing")).status_code == 404
            first = {"round": 0, "index": decisions[0]["index"]}
            assert (await ann.http.post(f"{path}/play-on", json=first)).status_code == 201
            lines = (await ann.http.get("/api/guest/everything")).text.splitlines()
            kinds = [msgspec.json.decode(line) for line in lines]
            assert [one["id"] for one in kinds if one["kind"] == "imported"] == [id]
            assert (await ann.http.delete(path)).status_code == 204
            assert (await ann.http.get(f"{path}/replay")).status_code == 404

    asyncio.run(play())


def test_a_bad_record_and_a_stranger_are_refused(lone: Background) -> None:
    async def play() -> None:
        async with Party(lone.url) as party:
            ann = await party.guest("Ann")
            record = played()
            record["rounds"][0]["actions"][3] = "0 play G99"
            refused = await ann.http.post("/api/records", json={"record": text_of(record)})
            assert (refused.status_code, refused.json()["code"]) == (422, "bad-record")
            assert refused.json()["parameters"]["round"] == 1
            assert "G99" in refused.json()["message"]
            for body in ({"record": ""}, {}, {"record": "x", "more": 1}):
                assert (await ann.http.post("/api/records", json=body)).status_code == 422
            ann.http.cookies.clear()
            stranger = await ann.http.post("/api/records", json={"record": text_of(played())})
            assert (stranger.status_code, stranger.json()["code"]) == (401, "no-guest")

    asyncio.run(play())


def forced() -> dict[str, Any]:
    """A match of house rules with one card for each player, so that nobody ever has a choice."""
    tree = to_tree(published("nichtig"))
    tree |= {"id": "tiny", "name": "Tiny"}
    tree["players"] = {"3": {**tree["players"]["3"], "hand": 1, "lay": 0, "rounds": 1}}
    game = Game.new(from_tree(tree, "rules"), 3, 1)
    while not game.is_over:
        game.play(game.legal()[0])
    return {**game.record()}


def test_where_nobody_had_a_choice_there_is_nothing_to_review() -> None:
    kept = imported(text_of(forced()), "ann", 5.0, 1000)
    assert msgspec.json.decode(kept.body)["rules"]["id"] == "tiny"
    assert review_work.outline(kept.body, 0) == "nothing-played"
