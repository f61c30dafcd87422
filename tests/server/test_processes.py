"""Processes come and go: crashes, restarts, several workers on one database."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import websockets

from atout.cli import main
from atout.records import Verifier
from atout.tables import check_fair
from tests.depth import first
from tests.server.background import PATIENCE, Background, serve_in_background, start
from tests.server.client import Closed, Party, Person, Socket, kinds, metric
from tests.server.test_reconnect import one_move, settle
from tests.store.server import Postgres


@pytest.mark.parametrize("url", first(["postgresql", "sqlite"], 0), indirect=True)
def test_a_killed_server_loses_nothing_it_acknowledged(url: str, tmp_path: Path) -> None:
    """SIGKILL amid play; a new process on the same port; everybody resumes where they were, bots go on."""

    async def play(server: Background) -> None:
        async with Party(server.url) as party:
            table, people, sockets = await party.table()
            alone = await party.guest("Solo")
            botted = await alone.open_table(edition="nichtig", players=3, seats=["open", "novice", "random"])
            solo = await alone.connect(botted)
            await solo.do("sit", name="Solo")
            rng = random.Random(1)
            for _ in range(12):
                await one_move(sockets, rng)
            acknowledged = sockets[0].view["number"]
            server.kill()
            again = start(url, tmp_path, port=int(server.url.rsplit(":", 1)[1]))
            try:
                await resume(table, people, sockets, acknowledged, rng)
                solo = await alone.connect(botted, seen=solo.view["number"])
                await solo.play_on(rng)
                assert solo.view["status"] == "over"
            finally:
                assert again.stop() == 0

    async def resume(
        table: str, people: list[Person], sockets: list[Socket], acknowledged: int, rng: random.Random
    ) -> None:
        back = [
            await person.connect(table, seen=socket.view["number"])
            for person, socket in zip(people, sockets, strict=True)
        ]
        assert all(socket.heard[0]["resumed"] for socket in back)
        assert all(socket.view["number"] >= acknowledged for socket in back)
        await asyncio.gather(*(socket.play_on(rng) for socket in back))
        answer = await people[0].http.get(f"/api/records/{table}.jsonl")
        recorded = Verifier().check(answer.content)
        assert check_fair(json.loads(answer.content)) == len(recorded.rounds)

    asyncio.run(play(start(url, tmp_path)))


@pytest.mark.slow
def test_a_match_that_only_bots_have_to_finish_goes_on_after_a_crash(tmp_path: Path) -> None:
    """Nobody connects again: the store knows that the table is due."""
    url = f"sqlite:///{tmp_path}/a.db"

    async def begin(server: Background) -> tuple[str, Person]:
        async with Party(server.url) as party:
            ann = await party.guest()
            table = await ann.open_table(
                edition="nichtig",
                players=3,
                seats=["open", "random", "random"],
                stand_in="random",
                clock={"kind": "decision", "time": 3600},
            )
            socket = await ann.connect(table)
            await socket.do("sit", name="Ann")
            await socket.do("stand-in")
            return table, ann

    async def follow(server: Background, ann: Person) -> None:
        async with Party(server.url) as party:
            person = Person(server.url, "Ann")
            party.people.append(person)
            person.http.cookies.set("atout", ann.http.cookies["atout"])
            while not (await person.get("/api/records"))["records"]:
                await asyncio.sleep(0.1)

    server = start(url, tmp_path)
    _, ann = asyncio.run(begin(server))
    bot_turns = children(server.process.pid)
    server.kill()
    while any(Path(f"/proc/{pid}").exists() for pid in bot_turns):  # processes of a killed server end by themselves
        time.sleep(0.1)
    with serve_in_background(url, tmp_path) as again:
        asyncio.run(asyncio.wait_for(follow(again, ann), PATIENCE))


@pytest.mark.slow
def test_stopping_says_so_and_ends_well(tmp_path: Path) -> None:
    """Sockets are told, the process ends by itself with 0."""

    async def play(server: Background) -> None:
        async with Party(server.url) as party:
            _, _, sockets = await party.table()
            server.process.send_signal(signal.SIGTERM)
            with pytest.raises(Closed):
                await sockets[0].until(lambda message: False)
            assert sockets[0].bye is not None
            assert (sockets[0].bye["code"], sockets[0].bye.get("again", True)) == ("restart", True)
            assert sockets[0].websocket.close_code == 1012

    server = start(f"sqlite:///{tmp_path}/a.db", tmp_path)
    asyncio.run(play(server))
    assert server.process.wait(PATIENCE) == 0
    assert '"level":"error"' not in server.log_text


@pytest.mark.slow
def test_two_workers_share_the_tables(postgres: Postgres, tmp_path: Path) -> None:
    """Clients spread over two servers on one database: one match, the same for all; presence crosses over too."""
    url = asyncio.run(postgres.new_url())

    async def play(one: Background, two: Background) -> None:
        async with Party(one.url) as party:
            people = [await party.guest(f"Guest {seat}") for seat in range(4)]
            table = await people[0].open_table(edition="nichtig", players=4)
            sockets = [
                await person.connect(table, url=(one if seat % 2 else two).url) for seat, person in enumerate(people)
            ]
            for seat, socket in enumerate(sockets):
                await socket.do("sit", name=f"Guest {seat}", seat=seat)
            sockets[1].websocket.transport.abort()
            await sockets[0].until(lambda message: "went-away" in kinds(message))
            sockets[1] = await people[1].connect(table, seen=sockets[1].view["number"])
            await asyncio.gather(*(socket.play_on(random.Random(seat)) for seat, socket in enumerate(sockets)))
            await settle(sockets, max(socket.view["number"] for socket in sockets))
            assert {socket.view["status"] for socket in sockets} == {"over"}
            assert len({json.dumps(socket.game["totals"]) for socket in sockets}) == 1
            for socket in sockets:
                assert socket.numbers == sorted(set(socket.numbers))
            (entry,) = (await people[0].get("/api/records"))["records"]
            assert entry["id"] == table

    with serve_in_background(url, tmp_path) as one, serve_in_background(url, tmp_path) as two:
        asyncio.run(play(one, two))


@pytest.mark.slow
def test_workers_behind_one_port(postgres: Postgres, tmp_path: Path) -> None:
    """`--workers 2`: one address, one match, figures added up; a killed worker is replaced."""
    url = asyncio.run(postgres.new_url())

    async def play(server: Background) -> None:
        async with Party(server.url) as party:
            table, people, sockets = await party.table()
            rng = random.Random(2)
            for _ in range(8):
                await one_move(sockets, rng)
            victim = next(iter(children(server.process.pid)))
            os.kill(victim, signal.SIGKILL)
            back = []
            for person, socket in zip(people, sockets, strict=True):
                back.append(await patient(person, table, socket.view["number"]))
            await asyncio.gather(*(socket.play_on(rng, lambda view: view["game"]["round"] > 1) for socket in back))

    with serve_in_background(url, tmp_path, workers=2) as server:
        asyncio.run(play(server))
        while metric(server, "atout_events_total") <= 50:
            time.sleep(0.2)


async def patient(person: Person, table: str, seen: int) -> Socket:
    """A killed worker takes its sockets along, and some that were on their way to it."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                return await person.connect(table, seen=seen)
            except (Closed, OSError, websockets.WebSocketException):
                await asyncio.sleep(0.1)


def children(pid: int) -> set[int]:
    """The processes a server has started: its workers, or those in which its bots think. Waits for the first."""
    found: set[int] = set()
    while not found:
        command = ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(pid)]
        listed = subprocess.run(command, capture_output=True, text=True, check=True)
        lines = [line.split(None, 1) for line in listed.stdout.splitlines()]
        found = {int(pid) for pid, what in lines if "spawn_main" in what}
        time.sleep(0.05)
    return found


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--workers", "2"], "SQLite"),
        (["--port", "99999"], "port"),
        (["--database", "mysql://x"], "no store for mysql"),
        (["--database", "postgresql://user:hunter2@/x?host=/nowhere", "--workers", "0"], "workers"),
        (
            ["--host", "203.0.113.7"],
            "; --host names an address of this machine, 0.0.0.0 all of them",
        ),
    ],
)
def test_wrong_settings_are_named(
    arguments: list[str], said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    output = refusal(arguments, monkeypatch, capfd)
    assert said in " ".join(output.split())
    assert "hunter2" not in output


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("ATOUT_BOT_SECONDS", "soon", "expected a number above 0, at most 60"),
        ("ATOUT_KEYS", "short", "32 letters at least"),
        ("ATOUT_SECURE", "maybe", "expected auto, always or never"),
        ("ATOUT_BOT_WARM", "maybe", "expected true or false"),
        ("ATOUT_METRICS_TOKEN", "short", "expected 16 letters or more"),
        ("ATOUT_WORKERS", "65", "expected a whole number from 1 to 64"),
    ],
)
def test_wrong_variables_are_named(
    name: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(name, value)
    output = " ".join(refusal(["--port", "0"], monkeypatch, capfd).split())
    assert name in output
    assert said in output


def refusal(arguments: list[str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> str:
    """What `atout serve` says when it does not start."""
    monkeypatch.setattr(sys, "argv", ["atout", "serve", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    return capfd.readouterr().err


@pytest.mark.slow
def test_a_bot_process_that_dies_costs_nothing(tmp_path: Path) -> None:
    """Its thought is asked for again, in a new process."""

    async def play(server: Background) -> None:
        async with Party(server.url) as party:
            ann = await party.guest()
            table = await ann.open_table(edition="nichtig", players=3, seats=["open", "club", "club"])
            socket = await ann.connect(table)
            await socket.do("sit", name="Ann")
            rng = random.Random(1)
            await socket.play_on(rng, lambda view: view["number"] > 12)
            for _ in range(3):
                for pid in children(server.process.pid):
                    os.kill(pid, signal.SIGKILL)
                number = socket.view["number"]
                await socket.play_on(rng, lambda view, number=number: view["number"] > number + 8)
            heard = [event for message in socket.heard for event in message.get("events", ())]
            assert any(event.get("bot") == "club" for event in heard)
            assert not any(event.get("forfeit") for event in heard)

    with serve_in_background(f"sqlite:///{tmp_path}/a.db", tmp_path) as server:
        asyncio.run(play(server))
