"""A hundred thousand random and mutated messages: typed answers or closed connections, no fault, no secret sent."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import msgspec
import pytest
import websockets

from atout.protocol import ServerMessage
from tests.server.background import PATIENCE, serve_in_background
from tests.server.client import Party, Person
from tests.server.mutations import message

FEW, MANY = 2_000, 100_000
BATCH = 15
"""Messages until an answer is waited for; a connection is closed after 20 that cannot be read."""
ANSWER: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)


class Flooder:
    """Somebody at a table who sends anything."""

    def __init__(self, person: Person, table: str, seed: int) -> None:
        self.person, self.table, self.rng = person, table, random.Random(seed)
        self.sent: list[str | bytes] = []
        self.heard: list[str] = []
        self.lines = 0

    async def flood(self, count: int) -> None:
        while len(self.sent) < count:
            socket = await self.person.connect(self.table)
            self.lines += 1
            with suppress(websockets.ConnectionClosed):
                while len(self.sent) < count:
                    await self._batch(socket.websocket)
            await socket.close()
            self.person.sockets.remove(socket)

    async def _batch(self, websocket: websockets.ClientConnection) -> None:
        """Some messages; then one that is refused by name, to know that all were answered."""
        for _ in range(BATCH):
            text = message(self.rng, self.sent)
            self.sent.append(text)
            await websocket.send(text)
        mark = f"mark-{len(self.sent)}"
        await websocket.send(json.dumps({"do": "act", "id": mark, "action": "nothing"}))
        while True:
            answer = await asyncio.wait_for(websocket.recv(), PATIENCE)
            assert isinstance(answer, str)
            ANSWER.decode(answer)
            self.heard.append(answer)
            if f'"{mark}"' in answer:
                break


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
def test_a_flood_of_bad_messages(tmp_path: Path, count: int) -> None:
    """Players, a spectator and a stranger to a waiting table send; the match can still be played afterwards."""

    async def play() -> list[str]:
        async with Party(server.url) as party:
            table, people, sockets = await party.table(spectators="leave", hints=False)
            for socket in sockets:
                await socket.close()
            waiting = await people[0].open_table(edition="nichtig", players=3, autostart=False)
            watcher, stranger = await party.guest("Watcher"), await party.guest("Stranger")
            flooders = [Flooder(person, table, seed) for seed, person in enumerate([*people, watcher])]
            flooders.append(Flooder(stranger, waiting, 99))
            secrets = secrets_of(tmp_path, party)
            for start in range(0, count, 1000):
                end = min(start + 1000, count)
                await asyncio.gather(*(one.flood(end // len(flooders) + 1) for one in flooders))
                for one in flooders:
                    for secret in secrets - {one.person.cookie}:
                        assert not any(secret in answer for answer in one.heard)
                    one.heard.clear()
            assert sum(len(one.sent) for one in flooders) >= count
            assert all(one.lines for one in flooders)
            fresh = await people[1].connect(table)
            assert fresh.view["status"] in ("playing", "paused")
            return sorted(secrets)

    with serve_in_background(f"sqlite:///{tmp_path}/a.db", tmp_path, log_level="debug") as server:
        secrets = asyncio.run(play())
    for secret in secrets:
        assert secret not in server.log_text


def secrets_of(folder: Path, party: Party) -> set[str]:
    """What no answer and no log line may ever hold while the match lasts."""
    with closing(sqlite3.connect(folder / "a.db")) as database:
        bodies = [json.loads(body) for (body,) in database.execute("SELECT body FROM events")]
    shuffles = {event["secret"] for event in bodies if event["kind"] == "opened"}
    assert len(shuffles) == 2
    cookies = {person.http.cookies["atout"] for person in party.people}
    return shuffles | cookies | {cookie.split(".")[0] for cookie in cookies} | {(folder / "key").read_text().strip()}
