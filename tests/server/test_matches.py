"""Whole matches over real sockets, on both databases."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path

import pytest

from atout.records import Verifier
from atout.tables import check_fair
from tests.server.background import serve_in_background
from tests.server.client import Json, Party


@pytest.mark.parametrize("edition", ["niet-2015", "nichtig"])
def test_four_clients_play_a_whole_match(url: str, tmp_path: Path, edition: str) -> None:
    async def play(server: str) -> None:
        async with Party(server) as party:
            table, people, sockets = await party.table(edition=edition)
            await asyncio.gather(*(socket.play_on(random.Random(seat)) for seat, socket in enumerate(sockets)))
            for socket in sockets:
                assert socket.view["status"] == "over"
                assert socket.numbers == sorted(set(socket.numbers))
            fresh = await people[2].connect(table)
            assert fresh.view == told_in_full(sockets[2].view, fresh.view)
            (entry,) = (await people[1].get("/api/records"))["records"]
            assert entry["id"] == table
            answer = await people[1].http.get(f"/api/records/{table}.jsonl")
            recorded = Verifier().check(answer.content)
            assert check_fair(json.loads(answer.content)) == len(recorded.rounds)
            (sums,) = (await people[3].get("/api/statistics"))["statistics"]
            assert (sums["edition"], sums["matches"]) == (edition, 1)

    with serve_in_background(url, tmp_path) as server:
        asyncio.run(play(server.url))


def told_in_full(told: Json, fresh: Json) -> Json:
    """A view kept up to date by changes says explicitly what a fresh one leaves out because it is the default."""
    extra = {name: value for name, value in told.items() if name not in fresh}
    assert all(value in (None, False, [], "", {}) for value in extra.values()), extra
    return {name: value for name, value in told.items() if name in fresh}
