"""One device, several people: each with a seat, a connection and a view of their own."""

from __future__ import annotations

import asyncio
import random

from tests.server.background import Background
from tests.server.client import Closed, Party, Socket


def test_a_match_on_one_device(lone: Background) -> None:
    """Three people hand one device on: nobody's connection shows another's cards, and the match is listed once."""

    async def play() -> None:
        async with Party(lone.url) as party:
            ann = await party.guest("Ann")
            table = await ann.open_table(edition="nichtig", players=3, shared=True)
            sockets = [await ann.connect(table, player=player) for player in range(3)]
            for player, socket in enumerate(sockets):
                answer = await socket.do("sit", name=f"Person {player}")
                assert answer["type"] == "told", answer
            for player, socket in enumerate(sockets):
                while socket.view["status"] == "waiting":
                    await socket.receive()
                assert (socket.view["seat"], socket.view["is_yours"]) == (player, True)
            hands = [tuple(socket.game["hand"]) for socket in sockets]
            assert len(set(hands)) == 3
            back = await ann.connect(table, player=1)
            assert tuple(back.game["hand"]) == hands[1]
            await back.close()
            await asyncio.gather(*(socket.play_on(random.Random(seat)) for seat, socket in enumerate(sockets)))
            assert [socket.view["status"] for socket in sockets] == ["over"] * 3
            records = (await ann.get("/api/records"))["records"]
            assert [record["summary"]["names"] for record in records] == [["Person 0", "Person 1", "Person 2"]]
            assert [entry["matches"] for entry in (await ann.get("/api/statistics"))["statistics"]] == [1]

    asyncio.run(play())


def test_the_table_must_be_shared(lone: Background) -> None:
    async def knock() -> None:
        async with Party(lone.url) as party:
            ann = await party.guest("Ann")
            table = await ann.open_table(edition="nichtig", players=3)
            second = await ann.connect(table, player=1)
            assert second.bye is not None
            assert (second.bye["code"], second.bye["again"]) == ("not-shared", False)
            assert second.view == {}
            first = await ann.connect(table)
            assert (await first.do("sit", name="Ann"))["type"] == "told"
            await _is_closed(second)

    asyncio.run(knock())


def test_others_at_the_device_count_as_its_guest(lone: Background) -> None:
    """Their table is in the list of the device's guest, and a seat of theirs is no seat of the guest's."""

    async def look() -> None:
        async with Party(lone.url) as party:
            ann = await party.guest("Ann")
            table = await ann.open_table(edition="nichtig", players=3, shared=True)
            guest, friend = await ann.connect(table), await ann.connect(table, player=2)
            await friend.do("sit", name="Friend")
            mine = (await ann.get("/api/tables/mine"))["tables"]
            assert [card["table"] for card in mine] == [table]
            assert guest.view.get("seat") is None
            refused = await guest.do("leave")
            assert refused["code"] == "no-seat"

    asyncio.run(look())


async def _is_closed(socket: Socket) -> None:
    try:
        await socket.receive()
    except Closed:
        return
    raise AssertionError("the line is still open")
