"""A server started on a database of an older version goes on with its tables, guests and cookies."""

from __future__ import annotations

import asyncio
import random
import shutil
from pathlib import Path

from tests.server.background import Background, serve_in_background
from tests.server.client import Party, Person, Socket
from tests.store.test_old_database import COUNTS, DATA, NOTES, TABLES


def test_guests_come_back_and_play_on(tmp_path: Path) -> None:
    shutil.copy(DATA / "old.db", tmp_path / "old.db")
    (tmp_path / "key").write_text(NOTES["key"] + "\n")

    async def connect(party: Party, name: str, table: str) -> Socket:
        person = Person(party.url, name)
        party.people.append(person)
        person.http.cookies.set("atout", NOTES["cookies"][name])
        assert (await person.get("/api/guest"))["name"] == name
        return await person.connect(TABLES[table])

    async def play(server: Background) -> None:
        async with Party(server.url) as party:
            rng = random.Random(1)
            alone = await connect(party, "Ann", "tricks")
            assert alone.view["number"] >= COUNTS["tricks"]
            await alone.play_on(rng, lambda view: view["number"] > COUNTS["tricks"] + 10)
            (record,) = (await party.people[0].get("/api/records"))["records"]
            assert record["id"] == TABLES["finished"]
            sockets = [await connect(party, f"Guest {seat}", "veto") for seat in range(4)]

            async def go_on(socket: Socket) -> None:
                await socket.play_on(rng, lambda view: view["game"]["phase"] == "play")

            await asyncio.gather(*map(go_on, sockets))
            assert {socket.game["phase"] for socket in sockets} == {"play"}

    with serve_in_background(f"sqlite:///{tmp_path}/old.db", tmp_path) as server:
        asyncio.run(play(server))
