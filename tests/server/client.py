"""A client as somebody else would write it: it knows the protocol, but no rules and nothing of the server's code."""

from __future__ import annotations

import asyncio
import json
import random
from contextlib import suppress
from typing import Any

import httpx
import websockets
from websockets.asyncio.client import ClientConnection

from tests.server.background import PATIENCE, Background

Json = dict[str, Any]


class Party:
    """The people of a test; all their connections are closed at its end."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.people: list[Person] = []

    async def __aenter__(self) -> Party:
        return self

    async def __aexit__(self, *_error: object) -> None:
        for person in self.people:
            await person.go()

    async def guest(self, name: str = "Ann", url: str | None = None) -> Person:
        person = Person(url or self.url, name)
        self.people.append(person)
        (await person.http.post("/api/guest", json={"name": name})).raise_for_status()
        return person

    async def table(self, players: int = 4, **settings: Any) -> tuple[str, list[Person], list[Socket]]:
        """A table full of people, each connected; the match has begun."""
        people = [await self.guest(f"Guest {seat}") for seat in range(players)]
        table = await people[0].open_table(players=players, **{"edition": "niet-2015", **settings})
        sockets = [await person.connect(table) for person in people]
        for seat, socket in enumerate(sockets):
            answer = await socket.do("sit", name=f"Guest {seat}", seat=seat, entropy="ab" * 8)
            assert answer["type"] == "told", answer
        for socket in sockets:
            while socket.view["status"] == "waiting":
                await socket.receive()
        return table, people, sockets


class Person:
    """A guest with a cookie."""

    def __init__(self, url: str, name: str) -> None:
        self.url, self.name = url, name
        self.http = httpx.AsyncClient(base_url=url, timeout=PATIENCE)
        self.sockets: list[Socket] = []

    async def go(self) -> None:
        for socket in self.sockets:
            await socket.close()
        await self.http.aclose()

    @property
    def cookie(self) -> str:
        return f"atout={self.http.cookies['atout']}"

    async def post(self, path: str, body: Json | None = None) -> Any:
        answer = await self.http.post(path, json=body)
        assert answer.is_success, answer.text
        return answer.json()

    async def get(self, path: str) -> Any:
        answer = await self.http.get(path)
        assert answer.is_success, answer.text
        return answer.json()

    async def make_code(self) -> str:
        """Keep the name by a new recovery code."""
        made = await self.post("/api/account/code")
        kept = await self.http.post("/api/account/code/keep", json=made)
        assert kept.status_code == 204, kept.text
        return str(made["code"])

    async def open_table(self, **settings: Any) -> str:
        table: str = (await self.post("/api/tables", {"settings": settings}))["table"]
        return table

    async def connect(self, table: str, seen: int | None = None, url: str | None = None, player: int = 0) -> Socket:
        address = f"{(url or self.url).replace('http', 'ws', 1)}/ws/{table}"
        websocket = await websockets.connect(
            address,
            additional_headers={"Cookie": self.cookie},
            max_size=None,
            open_timeout=PATIENCE,
            ping_interval=None,
        )
        socket = Socket(websocket)
        self.sockets.append(socket)
        with suppress(websockets.ConnectionClosed):  # a connection too many is closed before its hello
            await socket.send({"do": "hello", "seen": seen, "player": player})
        await socket.until(lambda message: message["type"] in ("welcome", "bye"))
        return socket


class Closed(Exception):
    """The server said good-bye, or the connection broke."""


class Socket:
    """Keeps its view up to date with the messages it receives."""

    def __init__(self, websocket: ClientConnection) -> None:
        self.websocket = websocket
        self.view: Json = {}
        self.heard: list[Json] = []
        self.raw: list[str] = []
        self.numbers: list[int] = []
        self.bye: Json | None = None
        self._ids = 0

    async def send(self, message: Json) -> None:
        await self.websocket.send(json.dumps(message))

    async def receive(self) -> Json:
        try:
            text = await asyncio.wait_for(self.websocket.recv(), PATIENCE)
        except websockets.ConnectionClosed as closed:
            raise Closed(str(closed)) from None
        assert isinstance(text, str)
        self.raw.append(text)
        message: Json = json.loads(text)
        self.heard.append(message)
        self.take(message)
        return message

    def take(self, message: Json) -> None:
        self.numbers += [event["number"] for event in message.get("events", ())]
        if message["type"] == "welcome":
            self.view = message["view"]
        elif message["type"] == "told":
            self.view |= message["view"]
            if message.get("game"):
                self.view["game"] |= message["game"]
            for name, more in message.get("more", {}).items():
                self.view["game"][name] = self.view["game"][name] + more
        elif message["type"] == "bye":
            self.bye = message

    async def until(self, found: Any) -> Json:
        while True:
            message = await self.receive()
            if found(message):
                return message

    async def do(self, what: str, /, **more: Any) -> Json:
        """The acknowledgement or the refusal."""
        self._ids += 1
        id = more.pop("id", f"{id_of(self)}-{self._ids}")
        await self.send({"do": what, "id": id, **more})
        return await self.until(
            lambda message: (
                message.get("done") == id or (message["type"] in ("refusal", "advice") and message.get("id") == id)
            )
        )

    @property
    def game(self) -> Json:
        game: Json = self.view["game"]
        return game

    @property
    def legal(self) -> list[str]:
        legal: list[str] = (self.view.get("game") or {}).get("legal", [])
        return legal

    async def act(self, action: str) -> Json:
        return await self.do("act", action=action, decision=self.view["decision"])

    async def play_on(self, rng: random.Random, until: Any = lambda view: False) -> None:
        """Decide at random whenever asked, until the match is over or the view is as wanted."""
        while self.view["status"] not in ("over", "closed") and not until(self.view):
            if self.legal and self.view.get("decision") is not None and self.view["status"] == "playing":
                answer = await self.act(rng.choice(self.legal))
                assert answer["type"] == "told" or answer["code"] == "stale", answer
            else:
                await self.receive()

    async def close(self) -> None:
        await self.websocket.close()


def id_of(socket: Socket) -> str:
    return f"{id(socket):x}"[-8:]


def kinds(message: Json) -> set[str]:
    """The kinds of the events in a message."""
    return {event["kind"] for event in message.get("events", ())}


def metric(server: Background, name: str) -> float:
    """The value of a metric of a server."""
    text = httpx.get(f"{server.url}/metrics", timeout=PATIENCE).text
    return next(float(line.split()[1]) for line in text.splitlines() if line.startswith(f"{name} "))
