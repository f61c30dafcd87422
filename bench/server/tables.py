"""Clients that keep tables busy: four WebSockets per table, one move per second and table or as fast as possible."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Any

import httpx
import msgspec
import websockets
from msgspec import Struct
from websockets.asyncio.client import ClientConnection

SEATS = 4
EDITION = "niet-2015"
AT_ONCE = 8
"""Tables that are opened concurrently."""
LOST_SECONDS = 30.0
"""A move without an answer after this is lost, and the run fails."""


class Changes(Struct, frozen=True):
    """The fields of a view, or of its changes, that a player needs; the others are ignored."""

    status: str | None = None
    decision: int | None = -1
    game: Playable | None = None


class Playable(Struct, frozen=True):
    legal: list[str] | None = None


class Numbered(Struct, frozen=True):
    number: int


class ServerMessage(Struct, frozen=True):
    """A message of the server, as far as it is needed here."""

    type: str
    done: str = ""
    view: Changes = Changes()
    game: Playable = Playable()
    events: list[Numbered] = []
    code: str = ""
    message: str = ""


_read = msgspec.json.Decoder(ServerMessage).decode
_write = msgspec.json.Encoder().encode


class Figures:
    """Measurements of the moves since the last `clear`."""

    def __init__(self) -> None:
        self.acknowledged: list[float] = []
        """Seconds from sending a move until its player knows that it is stored."""
        self.seen_by_all: list[float] = []
        """Seconds until the last of the other players has it, if it is public."""
        self.refusals: list[str] = []
        self.bytes = 0

    @property
    def moves(self) -> int:
        return len(self.acknowledged)

    def clear(self) -> None:
        self.__init__()  # type: ignore[misc]


class Player:
    """One WebSocket, and what its view says about the next decision."""

    def __init__(self, table: PlayedTable, cookie: str) -> None:
        self.table, self.cookie = table, cookie
        self.status, self.decision, self.legal = "", None, []  # type: str, int | None, list[str]
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None

    async def join(self, address: str, seat: int) -> None:
        headers = {"Cookie": self.cookie}
        self._socket = await websockets.connect(
            address, additional_headers=headers, compression=None, ping_interval=None
        )
        await self.send({"do": "hello"})
        self._take(_read(await self._socket.recv()))
        await self.send({"do": "sit", "id": "sit", "name": f"Guest {seat}", "seat": seat, "entropy": "ab" * 8})
        self._task = asyncio.create_task(self._listen())

    async def leave(self) -> None:
        if self._task is not None:
            self._task.cancel()
        if self._socket is not None:
            await self._socket.close()

    async def send(self, message: dict[str, Any]) -> None:
        assert self._socket is not None
        await self._socket.send(_write(message), text=True)

    async def _listen(self) -> None:
        assert self._socket is not None
        figures = self.table.figures
        async for text in self._socket:
            now = time.perf_counter()
            message = _read(text)
            figures.bytes += len(text)
            self._take(message)
            if message.type in ("refusal", "bye"):
                figures.refusals.append(f"{message.code}: {message.message}")
            self.table.take(self, message, now)

    def _take(self, message: ServerMessage) -> None:
        view = message.view
        if view.status is not None:
            self.status = view.status
        if message.type == "welcome":
            self.decision = None
        if view.decision != -1:
            self.decision = view.decision
        for game in (view.game, message.game):
            if game is not None and game.legal is not None:
                self.legal = game.legal


class Move:
    """The latest move of a table."""

    def __init__(self, id: str, by: Player, sent: float, after: int) -> None:
        self.id, self.by, self.sent, self.after = id, by, sent, after
        """`after` is the number of the last event before it."""
        self.is_acknowledged = False
        self.others = 0
        """Other players who have been sent it."""


class PlayedTable:
    """Four players who make random moves: one per second, or the next as soon as the last is acknowledged."""

    def __init__(self, url: str, http: httpx.AsyncClient, figures: Figures, rng: random.Random, paced: bool) -> None:
        self.url, self.http, self.figures, self.rng, self.paced = url, http, figures, rng, paced
        self.players: list[Player] = []
        self._moves = 0
        self._move: Move | None = None
        self._number = 0
        """Number of the last event that any player has seen."""
        self._changed = asyncio.Event()

    async def introduce(self) -> None:
        """Four new guests, each from an address of their own, as behind a proxy."""
        for seat in range(SEATS):
            address = {"X-Forwarded-For": f"10.{'.'.join(str(part) for part in self.rng.randbytes(3))}"}
            answer = await self.http.post("/api/guest", json={"name": f"Guest {seat}"}, headers=address)
            answer.raise_for_status()
            self.players.append(Player(self, answer.headers["set-cookie"].partition(";")[0]))
            self.http.cookies.clear()

    async def open(self) -> None:
        body = {"settings": {"edition": EDITION, "players": SEATS}}
        opened = await self.http.post("/api/tables", json=body, headers={"Cookie": self.players[0].cookie})
        table = opened.raise_for_status().json()["table"]
        for seat, player in enumerate(self.players):
            await player.join(f"{self.url.replace('http', 'ws', 1)}/ws/{table}", seat)
        while any(player.status != "playing" for player in self.players):
            await asyncio.sleep(0.01)

    async def play(self) -> None:
        """Play match after match until cancelled."""
        await asyncio.sleep(self.rng.random())
        due = time.perf_counter()
        while True:
            if any(player.status == "over" for player in self.players):
                await self.close()
                await self.open()
            await self.move()
            if self.paced:
                due += 1.0
                await asyncio.sleep(max(due - time.perf_counter(), 0.0))
            while not (self.paced or self.is_ready):
                self._changed.clear()
                async with asyncio.timeout(LOST_SECONDS):
                    await self._changed.wait()

    @property
    def asked(self) -> list[Player]:
        return [player for player in self.players if player.decision is not None and player.legal]

    @property
    def is_ready(self) -> bool:
        """The last move is acknowledged, and somebody knows that it is their turn, or all is over."""
        if self._move is not None and not self._move.is_acknowledged:
            return False
        return bool(self.asked) or any(player.status == "over" for player in self.players)

    async def move(self) -> None:
        """Send the next move, unless the last one is not acknowledged yet."""
        if not self.asked or (self._move is not None and not self._move.is_acknowledged):
            return
        player = self.rng.choice(self.asked)
        self._moves += 1
        message = {"do": "act", "id": f"m{self._moves}", "action": self.rng.choice(player.legal)}
        self._move = Move(f"m{self._moves}", player, time.perf_counter(), self._number)
        await player.send({**message, "decision": player.decision})

    def take(self, player: Player, message: ServerMessage, now: float) -> None:
        self._changed.set()
        number = message.events[-1].number if message.events else 0
        self._number = max(self._number, number)
        move = self._move
        if move is None:
            return
        if message.done == move.id:
            move.is_acknowledged = True
            self.figures.acknowledged.append(now - move.sent)
        elif player is not move.by and number > move.after:
            move.others += 1
            if move.others == SEATS - 1:
                self.figures.seen_by_all.append(now - move.sent)

    async def close(self) -> None:
        for player in self.players:
            await player.leave()
        self._move, self._number = None, 0
