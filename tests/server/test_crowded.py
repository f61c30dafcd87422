"""A table with too many connections: host and players get in, strangers make room or are refused."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.server.background import Background, serve_in_background
from tests.server.client import Party, Socket

MOST = 7


def code(socket: Socket) -> str:
    return "" if socket.bye is None else str(socket.bye["code"])


@pytest.mark.slow
def test_strangers_cannot_lock_players_out(tmp_path: Path) -> None:
    async def talk(server: Background) -> None:
        async with Party(server.url) as party:
            ann, bob = await party.guest("Ann"), await party.guest("Bob")
            table = await ann.open_table(edition="nichtig", players=3, spectators="public", visibility="public")
            his = await bob.connect(table)
            assert (await his.do("sit", name="Bob", entropy="ab"))["type"] == "told"
            await his.close()
            strangers = [await party.guest(f"Eve {i}") for i in range(3)]
            inside = [await eve.connect(table) for eve in strangers for _ in range(3)]
            assert [code(socket) for socket in inside].count("too-many-connections") == len(inside) - MOST
            for _ in range(3):
                for member in (bob, ann):
                    mine = await member.connect(table)
                    assert code(mine) == ""
                    assert mine.view["table"] == table
            assert (await inside[6].until(lambda message: message["type"] == "bye"))["code"] == "too-many-connections"
            assert (await inside[0].do("say", text="hello"))["code"] == "no-seat", "the oldest stays"
            late = await (await party.guest("Fay")).connect(table)
            assert code(late) == "too-many-connections"

    with serve_in_background(f"sqlite:///{tmp_path}/a.db", tmp_path, connections_per_table=MOST) as server:
        asyncio.run(talk(server))


def test_a_stranger_has_few_sockets_at_a_table(lone: Background) -> None:
    async def talk() -> None:
        async with Party(lone.url) as party:
            ann, eve = await party.guest("Ann"), await party.guest("Eve")
            table = await ann.open_table(edition="nichtig", players=3, visibility="public")
            sockets = [await eve.connect(table) for _ in range(4)]
            assert [code(socket) for socket in sockets] == ["", "", "", "too-many-connections"]
            await sockets[0].do("sit", name="Eve", entropy="ab")
            assert code(await eve.connect(table)) == "", "a player has more"

    asyncio.run(talk())
