"""A load of people who do not give up: they play, are cut off, come back, and send again what was not answered."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from typing import Any

import httpx
import websockets

from tests.faults.client_log import ClientLog, Json, Notes
from tests.server.client import Closed, Person, Socket

BROKEN = (OSError, Closed, websockets.WebSocketException, httpx.HTTPError, TimeoutError)
TWICE = 0.1
"""How often a command is sent twice, as a client does that is not sure."""
TABLES: Sequence[Json] = (
    {"edition": "nichtig", "players": 3, "seats": ["open", "open", "random"]},
    {"edition": "niet-2015", "players": 4, "options": {"length": {"target": 10}}},
    {"edition": "njet-2007", "players": 2},
    {"edition": "njet-1997", "players": 4, "options": {"length": "short"}, "seats": ["open", "random"] * 2},
)
"""People and bots, choices at once and in turn."""


class Player(Person):
    """A guest who finds the way to whatever worker answers."""

    def __init__(self, urls: Sequence[str], name: str, rng: random.Random) -> None:
        super().__init__(urls[0], name)
        self.urls, self.rng = urls, rng
        self._sent = 0

    async def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """Until somebody answers, with something else than a fault that passes."""
        while True:
            try:
                answer = await self.http.request(method, self.rng.choice(self.urls) + path, json=body)
                if answer.status_code not in (429, 500, 503):
                    return answer
            except BROKEN:
                pass
            await asyncio.sleep(0.1)

    @property
    def guest(self) -> str:
        return self.http.cookies["atout"].split(".")[0]

    async def play(self, table: str, seat: int, client_log: ClientLog) -> None:
        """The whole match, over as many connections as it takes."""
        notes, pending, seen = client_log.notes(table, self.guest), None, None
        visit = Visit(self, seat, notes, client_log)
        while not visit.is_over:
            try:
                socket = await self.connect(table, seen, self.rng.choice(self.urls))
                visit.pending = pending
                await visit.talk(socket)
            except BROKEN:
                await asyncio.sleep(self.rng.uniform(0.02, 0.1))
            pending, seen = visit.pending, max(notes.received, default=None)
            for socket in self.sockets:
                socket.websocket.transport.abort()
            self.sockets.clear()

    def new_id(self) -> str:
        self._sent += 1
        return f"{self.name}-{self._sent}"


class Visit:
    """One player at one table."""

    def __init__(self, player: Player, seat: int, notes: Notes, client_log: ClientLog) -> None:
        self.player, self.seat, self.notes, self.client_log = player, seat, notes, client_log
        self.pending: Json | None = None
        """The command that was not answered yet."""
        self.is_over = False

    async def talk(self, socket: Socket) -> None:
        self._hear(socket.heard[-1])
        if self.pending is not None:
            await socket.send(self.pending)
        while not self.is_over:
            self.is_over = socket.view["status"] == "over"
            if self.pending is None and not self.is_over:
                self.pending = self._choose(socket)
                if self.pending is not None:
                    for _ in range(1 + (self.player.rng.random() < TWICE)):
                        await socket.send(self.pending)
            if not self.is_over:
                await self._listen(socket)

    async def _listen(self, socket: Socket) -> None:
        message = await socket.receive()
        socket.raw.clear()
        socket.heard.clear()
        self._hear(message)
        if self.pending is None:
            return
        id = self.pending["id"]
        if message.get("done") == id:
            self.notes.acknowledged.add(id)
            self.client_log.moves += 1
            self.pending = None
        elif message["type"] == "refusal" and message.get("id") == id:
            if message["code"] in ("try-again", "too-many"):
                await asyncio.sleep(0.2)
                await socket.send(self.pending)
            else:
                self.notes.refused.add(id)
                self.pending = None

    def _hear(self, message: Json) -> None:
        events = message.get("events", ())
        self.notes.hear(events)
        self.client_log.last += len(events)

    def _choose(self, socket: Socket) -> Json | None:
        view = socket.view
        if view.get("seat") is None and view["status"] == "waiting":
            return {"do": "sit", "id": self.player.new_id(), "name": self.player.name, "seat": self.seat}
        if socket.legal and view.get("decision") is not None and view["status"] == "playing":
            action = self.player.rng.choice(socket.legal)
            return {"do": "act", "id": self.player.new_id(), "action": action, "decision": view["decision"]}
        return None


class Load:
    """Circles of people, each at one table after the other until they are told that it is the last."""

    def __init__(self, urls: Sequence[str], rng: random.Random, circles: int, **settings: Any) -> None:
        self.client_log = ClientLog()
        self.is_last = False
        self._urls, self._rng = urls, rng
        self._tasks = [
            asyncio.create_task(self._circle(i, {**TABLES[i % len(TABLES)], **settings})) for i in range(circles)
        ]

    async def _circle(self, number: int, settings: Json) -> None:
        seats = [seat for seat in range(settings["players"]) if settings.get("seats", ["open"] * 6)[seat] == "open"]
        people = [Player(self._urls, f"p{number}{seat}", random.Random(self._rng.random())) for seat in seats]
        for player in people:
            await player.ask("POST", "/api/guest", {"name": player.name})
        try:
            while not self.is_last:
                answer = await people[0].ask("POST", "/api/tables", {"settings": settings})
                table = answer.json()["table"]
                await asyncio.gather(
                    *(p.play(table, seat, self.client_log) for p, seat in zip(people, seats, strict=True))
                )
        finally:
            for player in people:
                await player.go()

    def check(self) -> None:
        """Nobody has met with anything they could not cope with."""
        for task in self._tasks:
            if task.done() and not task.cancelled() and (error := task.exception()) is not None:
                raise error

    async def finish(self, patience: float) -> bool:
        """Let everybody play their match to its end; False if they cannot within `patience` seconds of silence."""
        self.is_last = True
        before = -1
        while not all(task.done() for task in self._tasks):
            self.check()
            if before == self.client_log.last:
                await self.abort()
                return False
            before = self.client_log.last
            await asyncio.wait(self._tasks, timeout=patience)
        self.check()
        return True

    async def abort(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
