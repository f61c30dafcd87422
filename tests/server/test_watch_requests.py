"""Requests of spectators to see a seat's cards: declined once, declined for all, and never more than so many."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tests.server.background import Background
from tests.server.client import Party, Socket

ROGUE = "\u202eW\u200b\u2066" + "W" * 26
"""A name that would turn the words around it, and is as wide as a name can be."""


async def ask(party: Party, table: str, name: str, seat: int = 0) -> Socket:
    """A stranger who asks a seat."""
    socket = await (await party.guest("Stranger")).connect(table)
    answer = await socket.do("watch", seat=seat, name=name)
    assert answer["type"] == "told", answer
    return socket


async def until(socket: Socket, found: Any) -> None:
    while not found(socket.view):
        await socket.receive()


async def refusal(socket: Socket, what: str, **more: Any) -> str:
    answer = await socket.do(what, **more)
    assert answer["type"] == "refusal", answer
    code: str = answer["code"]
    return code


def names(socket: Socket) -> list[str]:
    return [one["name"] for one in socket.view.get("watchers", [])]


def declined(view: dict[str, Any]) -> list[int]:
    """The seats of which a spectator is told that they said no."""
    return [one["seat"] for one in view.get("watchers", []) if one.get("declined")]


def takes_requests(view: dict[str, Any], seat: int = 0) -> bool:
    taken: bool = view["seats"][seat].get("takes_requests", True)
    return taken


def test_who_is_declined_is_told_so_and_cannot_ask_that_seat_again(lone: Background) -> None:
    async def play() -> None:
        async with Party(lone.url) as party:
            table, _, sockets = await party.table(spectators="leave")
            ann = sockets[0]
            eve, fay = await ask(party, table, "Eve"), await ask(party, table, "Fay")
            await until(ann, lambda view: len(view.get("watchers", [])) == 2)
            await ann.do("show", watcher=ann.view["watchers"][0]["watcher"], yes=False)
            assert names(ann) == ["Fay"], "the one that was declined asks no longer"
            await until(eve, declined)
            assert (declined(eve.view), eve.view.get("seat"), eve.game["hand"]) == ([0], None, [])
            number = ann.view["number"]
            for name in ("Eve", "Somebody else", "Eve"):
                assert await refusal(eve, "watch", seat=0, name=name) == "watch-declined"
            again = await party.people[4].connect(table)
            assert declined(again.view) == [0], "who comes back is told, too"
            assert await refusal(again, "watch", seat=0, name="New") == "watch-declined"
            assert (await sockets[1].do("say", text="hello"))["view"]["number"] == number + 1, "nothing was stored"
            assert (await eve.do("watch", seat=1, name="Eve"))["type"] == "told", "another seat decides for itself"
            await ann.do("show", watcher=ann.view["watchers"][0]["watcher"], yes=True)
            await until(fay, lambda view: view.get("seat") == 0)
            assert (len(fay.game["hand"]), eve.game["hand"]) == (len(ann.game["hand"]), [])

    asyncio.run(play())


@pytest.mark.parametrize("way", ["left to a bot", "forgotten", "handed over", "handed over in the match"])
def test_leave_to_watch_ends_when_the_seat_changes_hands(lone: Background, way: str) -> None:
    """Whoever has the seat from now on, or whose bot, has shown their cards to nobody."""

    async def play() -> None:
        async with Party(lone.url) as party:
            host, ann, bob, wanda = [await party.guest(name) for name in ("Host", "Ann", "Bob", "Wanda")]
            table = await host.open_table(
                edition="nichtig", players=3, spectators="leave", seats=["open", "open", "random"]
            )
            hers, hosts = await ann.connect(table), await host.connect(table)
            assert (await hers.do("sit", seat=0, name="Ann", entropy="ab" * 8))["type"] == "told"
            if way == "handed over in the match":
                await hosts.do("sit", seat=1, name="Host", entropy="ab" * 8)
            watching = await wanda.connect(table)
            assert (await watching.do("watch", seat=0, name="Wanda"))["type"] == "told"
            await until(hers, lambda view: view.get("watchers"))
            assert (await hers.do("show", watcher=0, yes=True))["type"] == "told"
            await until(watching, lambda view: view.get("seat") == 0)

            if way.startswith("handed over"):
                token = (await ann.post(f"/api/tables/{table}/links"))["token"]
                await bob.post("/api/links", {"token": token})
            elif way == "forgotten":
                assert (await ann.http.delete("/api/guest")).status_code == 204
            else:
                await hers.do("leave")
            await until(watching, lambda view: view.get("seat") is None)
            if way in ("left to a bot", "forgotten"):
                assert (await hosts.do("set-seat", seat=0, to="random"))["type"] == "told"
            if way != "handed over in the match":
                await hosts.do("sit", seat=1, name="Host", entropy="ab" * 8)
            again = await wanda.connect(table)
            for socket in (watching, again):
                await until(socket, lambda view: view["status"] == "playing")
                assert (socket.view.get("seat"), socket.game["hand"]) == (None, [])
            if way == "left to a bot":
                assert await refusal(again, "watch", seat=0, name="Wanda") == "takes-no-requests", "a bot never answers"

    asyncio.run(play())


def test_no_to_all_declines_who_asks_and_whoever_would_until_it_is_allowed_again(lone: Background) -> None:
    async def play() -> None:
        async with Party(lone.url) as party:
            table, _, sockets = await party.table(spectators="leave")
            ann = sockets[0]
            guest = await ask(party, table, "Gus")
            await until(ann, lambda view: view.get("watchers"))
            await ann.do("show", watcher=0, yes=True)
            strangers = [await ask(party, table, name) for name in ("Eve", "Fay", "Hal")]
            await until(ann, lambda view: len(view["watchers"]) == 4)
            answer = await ann.do("take-requests", yes=False)
            assert answer["type"] == "told"
            assert (names(ann), takes_requests(ann.view)) == (["Gus"], False), "who was shown the hand still sees it"
            for stranger in strangers:
                await until(stranger, declined)
                assert await refusal(stranger, "watch", seat=0, name="Eve") == "watch-declined"
            late = await (await party.guest("Late")).connect(table)
            assert not takes_requests(late.view)
            assert await refusal(late, "watch", seat=0, name="Late") == "takes-no-requests"
            assert [one["name"] for one in guest.view["watchers"]] == ["Gus"]
            assert not any(name in text for socket in (*sockets[1:], late) for name in ("Eve", "Fay", "Hal")
                           for text in socket.raw)  # fmt: skip
            await ann.do("take-requests", yes=True)
            await until(late, takes_requests)
            assert (await late.do("watch", seat=0, name="Late"))["type"] == "told"
            await until(strangers[0], takes_requests)
            assert declined(strangers[0].view) == []
            assert (await strangers[0].do("watch", seat=0, name="Eve"))["type"] == "told"
            await until(ann, lambda view: len(view["watchers"]) == 3)
            assert sorted(names(ann)) == ["Eve", "Gus", "Late"]

    asyncio.run(play())


def test_many_requests_are_bounded_and_their_names_are_short_and_plain(lone: Background) -> None:
    async def play() -> None:
        async with Party(lone.url) as party:
            table, _, sockets = await party.table(spectators="leave")
            ann, first = sockets[0], await ask(party, table, ROGUE)
            number = first.view["number"]
            for seat in (0, 1, 2, 3, 0):
                assert await refusal(first, "watch", seat=seat, name="Eve") == "asks-already"
            assert first.view["number"] == number, "asking again stores nothing"
            stranger = await (await party.guest("Stranger")).connect(table)
            for name in ("x" * 31, "W" * 40, "\u202e\u200b", "\u3164" * 5):
                assert await refusal(stranger, "watch", seat=0, name=name) == "bad-name"
            for _ in range(19):
                await ask(party, table, "W" * 30)
            assert await refusal(stranger, "watch", seat=0, name="Late") == "too-many-spectators"
            await until(ann, lambda view: len(view.get("watchers", [])) == 20)
            assert names(ann)[0] == "W " + "W" * 26
            assert max(len(json.dumps(one)) for one in ann.view["watchers"]) < 100
            await ann.do("take-requests", yes=False)
            assert names(ann) == []

    asyncio.run(play())


def test_only_a_player_decides_about_requests_to_their_own_seat(lone: Background) -> None:
    async def play() -> None:
        async with Party(lone.url) as party:
            table, _, sockets = await party.table(spectators="leave")
            eve = await ask(party, table, "Eve")
            assert await refusal(eve, "take-requests", yes=False) == "no-seat"
            assert await refusal(sockets[1], "show", watcher=0, yes=False) == "no-such-watcher"
            assert (await sockets[1].do("take-requests", yes=False))["type"] == "told"
            await until(sockets[0], lambda view: not takes_requests(view, 1))
            assert takes_requests(sockets[0].view)
            await until(sockets[0], lambda view: view.get("watchers"))
            closed, _, other = await party.table(spectators="public")
            assert closed != table
            assert await refusal(other[0], "take-requests", yes=False) == "no-leave"

    asyncio.run(play())


def test_who_is_blocked_after_a_no_is_told_what_anybody_is_told(lone: Background) -> None:
    """Else the answer would tell that they were blocked."""

    async def play() -> None:
        async with Party(lone.url) as party:
            table, people, sockets = await party.table(spectators="leave")
            ann, eve = sockets[0], await ask(party, table, "Eve")
            await until(ann, lambda view: view.get("watchers"))
            await ann.do("show", watcher=0, yes=False)
            hers = await party.people[-1].open_table(edition="niet-2015", players=4)
            await (await party.people[-1].connect(hers)).do("sit", name="Eve", seat=0, entropy="ab")
            blocked = await people[0].http.post("/api/people/block", json={"on": True, "table": hers, "seat": 0})
            assert blocked.is_success, blocked.text
            assert await refusal(eve, "watch", seat=0, name="Eve") == "watch-declined"

    asyncio.run(play())
