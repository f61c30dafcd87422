"""Whole matches over real sockets, on both databases."""

from __future__ import annotations

import asyncio
import json
import random

import pytest

from atout.records import Verifier
from atout.tables import check_fair
from tests.server.background import Background
from tests.server.client import Json, Party


@pytest.mark.parametrize("edition", ["niet-2015", "nichtig"])
def test_four_clients_play_a_whole_match(server: Background, edition: str) -> None:
    async def play() -> None:
        async with Party(server.url) as party:
            table, people, sockets = await party.table(edition=edition)
            await asyncio.gather(*(socket.play_on(random.Random(seat)) for seat, socket in enumerate(sockets)))
            for socket in sockets:
                assert socket.view["status"] == "over"
                assert socket.numbers == sorted(set(socket.numbers))
            fresh = await people[2].connect(table)
            assert fresh.view == without_extras(sockets[2].view, fresh.view)
            (entry,) = (await people[1].get("/api/records"))["records"]
            assert entry["id"] == table
            answer = await people[1].http.get(f"/api/records/{table}.jsonl")
            recorded = Verifier().check(answer.content)
            assert check_fair(json.loads(answer.content)) == len(recorded.rounds)
            (sums,) = (await people[3].get("/api/statistics"))["statistics"]
            assert (sums["edition"], sums["matches"]) == (edition, 1)

    asyncio.run(play())


def test_a_match_given_up_leaves_a_record_with_its_proof(server: Background) -> None:
    """Everybody who played finds it in their list; it counts for nobody's statistics."""

    async def play() -> None:
        async with Party(server.url) as party:
            table, people, sockets = await party.table(players=2)
            first = next(socket for socket in sockets if socket.legal and socket.view.get("decision") is not None)
            await first.act(first.legal[0])
            await sockets[0].do("offer", what="abort")
            await sockets[1].do("answer", yes=True)
            assert sockets[1].view["status"] == "closed"
            for person in people:
                (entry,) = (await person.get("/api/records"))["records"]
                assert (entry["id"], entry["summary"]["winners"], entry["summary"]["totals"]) == (table, [], [0, 0])
                answer = await person.http.get(f"/api/records/{table}.jsonl")
                recorded = Verifier().check(answer.content)
                assert [len(one.actions) for one in recorded.rounds] == [1]
                record = json.loads(answer.content)
                replay = f"/api/records/{table}/replay"
                assert (await person.get(replay))["names"] == record["names"]
                assert (await (await party.guest()).http.get(replay)).status_code == 404, "it is not in their list"
                assert check_fair(record) == 1
                assert "winners" not in record
                assert record["fair"]["commitment"] == sockets[0].view["commitment"]
                assert (await person.get("/api/statistics"))["statistics"] == []

    asyncio.run(play())


def test_people_and_bots_at_one_table(server: Background) -> None:
    """Every level plays along; the log names who decided."""

    async def play() -> None:
        async with Party(server.url) as party:
            ann = await party.guest()
            levels = ["random", "novice", "club"]
            table = await ann.open_table(
                edition="njet-1997", players=4, options={"length": "short"}, seats=["open", *levels]
            )
            socket = await ann.connect(table)
            await socket.do("sit", name="Ann")
            await socket.play_on(random.Random(1))
            acted = [
                event for message in socket.heard for event in message.get("events", ()) if event["kind"] == "acted"
            ]
            assert {event.get("bot", "") for event in acted} == {"", *levels}
            assert not any(event.get("forfeit") for event in acted)
            (entry,) = (await ann.get("/api/records"))["records"]
            assert entry["summary"]["names"] == ["Ann", *levels]

    asyncio.run(play())


def test_a_rematch(server: Background) -> None:
    async def play() -> None:
        async with Party(server.url) as party:
            ann = await party.guest()
            table = await ann.open_table(edition="nichtig", players=3, seats=["open", "random", "random"])
            socket = await ann.connect(table)
            await socket.do("sit", name="Ann")
            early = await socket.do("rematch")
            assert early["code"] == "not-over"
            await socket.play_on(random.Random(1))
            assert (await socket.do("rematch"))["type"] == "told"
            again = await ann.connect(socket.view["rematch"])
            assert again.view["previous"] == table
            assert again.view["seats"][0]["kind"] == "kept"
            await again.do("sit", name="Ann")
            assert again.view["status"] == "playing"

    asyncio.run(play())


def without_extras(view: Json, fresh: Json) -> Json:
    """A view kept up to date by changes says explicitly what a fresh one leaves out because it is the default."""
    extra = {name: value for name, value in view.items() if name not in fresh}
    assert all(value in (None, False, [], "", {}) for value in extra.values()), extra
    return {name: value for name, value in view.items() if name in fresh}
