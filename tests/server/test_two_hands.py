"""Two hands of one match, tried over the wire: by seat links and by leave to watch."""

from __future__ import annotations

import asyncio

from tests.server.background import Background
from tests.server.client import Party


def test_who_gave_a_seat_away_sees_no_other_hand(lone: Background) -> None:
    async def play() -> None:
        async with Party(lone.url) as party:
            table, people, _ = await party.table(spectators="leave")
            friend, other = await party.guest("Friend"), await party.guest("Other")
            given = await people[0].post(f"/api/tables/{table}/links")
            await friend.post("/api/links", {"token": given["token"]})
            spectator = await people[0].connect(table)
            assert spectator.view.get("seat") is None
            refused = await spectator.do("watch", seat=1, name="Ann")
            assert (refused["type"], refused["code"], refused["parameters"]) == ("refusal", "one-hand", {"seat": 0})
            token = (await people[1].post(f"/api/tables/{table}/links"))["token"]
            for person in (people[0], friend):
                answer = await person.http.post("/api/links", json={"token": token})
                assert answer.status_code == 409
                assert answer.json()["code"] == ("one-hand" if person is people[0] else "already-seated")
            assert await other.post("/api/links", {"token": token}) == {"table": table, "seat": 1}, "it is not used up"
            assert spectator.game["hand"] == []

    asyncio.run(play())
