"""Connections break and resume, seats move to other devices, clocks run out: the match goes on."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from tests.server.background import Background
from tests.server.client import Closed, Party, Person, Socket, kinds
from tests.server.test_matches import without_extras

PHASES = {"niet-2015": {"veto", "team", "discard", "pass", "play"}, "nichtig": {"lay", "play"}}


@pytest.mark.parametrize("edition", list(PHASES))
def test_reconnect_in_every_phase(server: Background, edition: str) -> None:
    """A client that was cut off is sent all it missed, in order and once, and ends with the same view as the others."""

    async def play() -> None:
        async with Party(server.url) as party:
            table, people, sockets = await party.table(edition=edition)
            seen_phases: set[str] = set()
            rng = random.Random(3)
            moves = 0
            while sockets[0].view["status"] == "playing" and not PHASES[edition] <= seen_phases:
                phase = sockets[0].game["phase"]
                if phase not in seen_phases or moves % 25 == 0:
                    seen_phases.add(phase)
                    await break_and_resume(table, people, sockets, rng)
                await one_move(sockets, rng, "discard two" if "pass" in seen_phases else "discard pass-one")
                moves += 1
            assert seen_phases == PHASES[edition]

    asyncio.run(play())


async def break_and_resume(table: str, people: list[Person], sockets: list[Socket], rng: random.Random) -> None:
    seat = rng.randrange(4)
    before = sockets[seat]
    before.websocket.transport.abort()
    others = [socket for socket in sockets if socket is not before]
    await one_move(others, rng)
    last = max(before.numbers, default=before.view["number"])
    after = await people[seat].connect(table, seen=before.view["number"])
    welcome = after.heard[0]
    assert welcome["resumed"]
    assert [number for number in after.numbers if number <= last] == []
    fresh = await people[seat].connect(table)
    await settle([after, *others], fresh.view["number"])
    assert without_extras(after.view, fresh.view) == fresh.view
    await fresh.close()
    sockets[seat] = after


async def settle(sockets: list[Socket], number: int) -> None:
    for socket in sockets:
        while socket.view["number"] < number:
            await socket.receive()


async def one_move(sockets: list[Socket], rng: random.Random, uncovered: str = "") -> None:
    """Somebody of these decides, if one of them is asked; all of them hear of it. One cell is not covered."""
    asked = [socket for socket in sockets if socket.legal and socket.view.get("decision") is not None]
    if not asked:
        return
    socket = rng.choice(asked)
    wanted = [action for action in socket.legal if not (uncovered and action.endswith(uncovered))]
    answer = await socket.act(rng.choice(wanted or socket.legal))
    assert answer["type"] == "told", answer
    await settle(sockets, socket.view["number"])


def test_two_devices_on_one_seat(server: Background) -> None:
    """Both see the same and both may act; an answer to a decision that the other device has made is stale."""

    async def play() -> None:
        async with Party(server.url) as party:
            table, people, sockets = await party.table()
            seat = sockets[0].view["asked"][0]
            phone = await people[seat].connect(table)
            assert phone.view["game"]["hand"] == sockets[seat].game["hand"]
            decision = phone.view["decision"]
            action = phone.legal[0]
            assert (await phone.do("act", action=action, decision=decision))["type"] == "told"
            late = await sockets[seat].do("act", action=action, decision=decision)
            assert late["code"] == "stale"
            assert sockets[seat].view["number"] == phone.view["number"]
            other, watching = (seat + 1) % 4, sockets[(seat + 2) % 4]
            await sockets[seat].close()
            await sockets[other].close()
            await watching.until(lambda _: not watching.view["seats"][other].get("is_here", True))
            assert watching.view["seats"][seat].get("is_here", True), "the phone is there, though it was closed first"

    asyncio.run(play())


def test_the_same_command_twice(server: Background) -> None:
    async def play() -> None:
        async with Party(server.url) as party:
            table, people, sockets = await party.table()
            seat = sockets[0].view["asked"][0]
            command = {"action": sockets[seat].legal[0], "decision": sockets[seat].view["decision"], "id": "once"}
            first = await sockets[seat].do("act", **command)
            number = sockets[seat].view["number"]
            again = await sockets[seat].do("act", **command)
            other_line = await people[seat].connect(table)
            third = await other_line.do("act", **command)
            assert first["events"]
            assert (again["events"], third["events"]) == ([], [])
            assert sockets[seat].view["number"] == other_line.view["number"] == number

    asyncio.run(play())


def test_a_clock_and_a_bot_that_takes_over(server: Background) -> None:
    """One second for the match: a bot has the seat then. Who leaves is replaced after the grace, and comes back."""

    async def play() -> None:
        async with Party(server.url) as party:
            _, _, sockets = await party.table(clock={"kind": "game", "time": 1}, grace=0, stand_in="random")
            seat = sockets[0].view["asked"][0]
            watching = sockets[(seat + 1) % 4]
            await watching.until(
                lambda message: any(event["kind"] == "stood-in" for event in message.get("events", ()))
            )
            await watching.until(lambda message: any(event["kind"] == "acted" for event in message.get("events", ())))
            flagged = await sockets[seat].do("reclaim")
            assert flagged["code"] == "time-is-up"
            clock = {"kind": "decision", "time": 3600}
            _, _, sockets = await party.table(clock=clock, grace=0, stand_in="random")
            seat = sockets[0].view["asked"][0]
            await sockets[seat].do("leave")
            message = await sockets[seat].until(lambda message: kinds(message) & {"acted"})
            assert message["events"][0]["bot"] == "random"
            assert (await sockets[seat].do("reclaim"))["type"] == "told"
            assert not sockets[seat].view["seats"][seat].get("is_stood_in")

    asyncio.run(play())


def test_a_lost_connection_is_noticed_and_so_is_its_return(server: Background) -> None:
    async def play() -> None:
        async with Party(server.url) as party:
            table, people, sockets = await party.table()
            sockets[1].websocket.transport.abort()
            await sockets[0].until(lambda message: "went-away" in kinds(message))
            assert sockets[0].view["seats"][1]["is_here"] is False
            await people[1].connect(table)
            await sockets[0].until(lambda message: "came-back" in kinds(message))

    asyncio.run(play())


@pytest.mark.slow
def test_bots_wait_for_the_only_player(server: Background) -> None:
    """Without a clock nothing is played while only bots are left; the match goes on when its player is back."""

    async def play() -> None:
        async with Party(server.url) as party:
            ann, bob = await party.guest("Ann"), await party.guest("Bob")
            seats = ["open", "random", "random", "random"]
            table = await ann.open_table(
                edition="niet-2015", players=4, seats=seats, spectators="public", grace=0, stand_in="random"
            )
            hers = await ann.connect(table)
            await hers.do("sit", name="Ann")
            watching = await bob.connect(table)
            await hers.do("stand-in")
            hers.websocket.transport.abort()
            await watching.until(lambda message: "went-away" in kinds(message))
            assert watching.view["is_deserted"]
            assert watching.view["status"] == "playing"
            number = watching.view["number"]
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(watching.receive(), 1.0)
            (card,) = (await ann.get("/api/tables/mine"))["tables"]
            assert (card["table"], card["state"]) == (table, "playing")
            back = await ann.connect(table)
            assert number <= back.view["number"] <= number + 1, "nobody has played"
            assert (await back.do("reclaim"))["type"] == "told"
            await back.play_on(random.Random(1), lambda view: view["number"] > number + 20)
            assert (await ann.get("/api/statistics"))["statistics"] == []

    asyncio.run(play())


def test_choices_made_at_once(server: Background) -> None:
    """Others learn that a seat has chosen, not what; the last choice reveals them to all."""

    async def play() -> None:
        async with Party(server.url) as party:
            _, _, sockets = await party.table(edition="nichtig")
            assert sockets[0].game["phase"] == "lay"
            await asyncio.gather(*(choose(socket) for socket in sockets))
            for seat, socket in enumerate(sockets):
                while socket.game["phase"] == "lay":
                    await socket.receive()
                events = [event for message in socket.heard for event in message.get("events", ())]
                chosen = [event for event in events if event["kind"] == "chosen"]
                assert all(("action" in event) == (event["seat"] == seat) for event in chosen)
                (revealed,) = [event for event in events if event["kind"] == "revealed"]
                assert len(revealed["actions"]) == 4 * sockets[0].game["chosen_counts"][0]

    async def choose(socket: Socket) -> None:
        while socket.game["phase"] == "lay" and socket.legal:
            answer: Any = await socket.act(socket.legal[0])
            assert answer["type"] == "told", answer

    asyncio.run(play())


def test_a_seat_link_moves_a_seat(server: Background) -> None:
    """To another device, once; the device before is out. A link made by an earlier owner of the seat is void."""

    async def play() -> None:
        async with Party(server.url) as party:
            table, people, sockets = await party.table()
            stranger = await party.guest("Stranger")
            refused = await stranger.http.post(f"/api/tables/{table}/links")
            assert (refused.status_code, refused.json()["code"]) == (403, "no-seat")
            spare = await people[1].post(f"/api/tables/{table}/links")
            link = await people[1].post(f"/api/tables/{table}/links")
            revoked = await people[1].post(f"/api/tables/{table}/links")
            assert (await people[2].http.delete(f"/api/tables/{table}/links/{revoked['link']}")).status_code == 404
            assert (await people[1].http.delete(f"/api/tables/{table}/links/{revoked['link']}")).status_code == 204
            assert (await stranger.http.post("/api/links", json={"token": revoked["token"]})).status_code == 404
            seated = await people[2].http.post("/api/links", json={"token": link["token"]})
            assert seated.json()["code"] == "already-seated"
            hand = sockets[1].game["hand"]
            assert await stranger.post("/api/links", {"token": link["token"]}) == {"table": table, "seat": 1}
            with pytest.raises(Closed):
                await sockets[1].until(lambda message: False)
            assert sockets[1].bye is not None
            assert sockets[1].bye["code"] == "no-spectators"
            moved = await stranger.connect(table)
            assert (moved.view["seat"], moved.game["hand"]) == (1, hand)
            for token in (link["token"], spare["token"], spare["token"] + "x", "a~b~c", "~0~", f"{table}~9~x"):
                answer = await people[1].http.post("/api/links", json={"token": token})
                assert (answer.status_code, answer.json()["code"]) in [(404, "no-link"), (404, "no-table")]

    asyncio.run(play())


def test_hints_come_from_the_pool(lone: Background) -> None:
    async def play() -> None:
        async with Party(lone.url) as party:
            _, _, sockets = await party.table(hints=True)
            seat = sockets[0].view["asked"][0]
            advice = await sockets[seat].do("hint")
            assert advice["type"] == "advice"
            assert advice["action"] in sockets[seat].legal
            assert (await sockets[(seat + 1) % 4].do("hint"))["code"] == "not-asked"

    asyncio.run(play())
