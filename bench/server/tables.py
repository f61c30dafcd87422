"""Players at tables of our server, one connection each. A table makes one move per second, or as fast as it can."""

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
"""Number of tables opened concurrently."""
LOST_SECONDS = 30.0
"""Seconds after which an unanswered move counts as lost."""


class Changes(Struct, frozen=True):
    """The fields of a view or delta that a player needs; the others are skipped."""

    status: str | None = None
    decision: int | None = -1
    game: Playable | None = None


class Playable(Struct, frozen=True):
    legal: list[str] | None = None


class Numbered(Struct, frozen=True):
    number: int


class Heard(Struct, frozen=True):
    """A message of the server, with the fields needed here."""

    type: str
    done: str = ""
    view: Changes = Changes()
    game: Playable = Playable()
    events: list[Numbered] = []
    code: str = ""
    message: str = ""


_read = msgspec.json.Decoder(Heard).decode
_write = msgspec.json.Encoder().encode


class Figures:
    """What was seen of the moves since the last `clear`."""

    def __init__(self) -> None:
        self.acknowledged: list[float] = []
        """Seconds from sending a move until its player knows that it is stored."""
        self.seen_by_all: list[float] = []
        """Until the last of the others has it, where it is public."""
        self.refusals: list[str] = []
        self.bytes = 0

    @property
    def moves(self) -> int:
        return len(self.acknowledged)

    def clear(self) -> None:
        self.__init__()  # type: ignore[misc]


class Player:
    """One connection, and what its view says about decisions."""

    def __init__(self, table: PlayedTable, cookie: str) -> None:
        self.table, self.cookie = table, cookie
        self.status, self.decision, self.legal = "", None, []  # type: str, int | None, list[str]
        self._wire: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None

    async def join(self, address: str, seat: int) -> None:
        headers = {"Cookie": self.cookie}
        self._wire = await websockets.connect(address, additional_headers=headers, compression=None, ping_interval=None)
        await self.send({"do": "hello"})
        self._take(_read(await self._wire.recv()))
        await self.send({"do": "sit", "id": "sit", "name": f"Guest {seat}", "seat": seat, "entropy": "ab" * 8})
        self._task = asyncio.create_task(self._listen())

    async def leave(self) -> None:
        if self._task is not None:
            self._task.cancel()
        if self._wire is not None:
            await self._wire.close()

    async def send(self, message: dict[str, Any]) -> None:
        assert self._wire is not None
        await self._wire.send(_write(message), text=True)

    async def _listen(self) -> None:
        assert self._wire is not None
        figures = self.table.figures
        async for text in self._wire:
            now = time.perf_counter()
            heard = _read(text)
            figures.bytes += len(text)
            self._take(heard)
            if heard.type in ("refusal", "bye"):
                figures.refusals.append(f"{heard.code}: {heard.message}")
            self.table.hear(self, heard, now)

    def _take(self, heard: Heard) -> None:
        view = heard.view
        if view.status is not None:
            self.status = view.status
        if heard.type == "welcome":
            self.decision = None
        if view.decision != -1:
            self.decision = view.decision
        for game in (view.game, heard.game):
            if game is not None and game.legal is not None:
                self.legal = game.legal


class Move:
    """The latest move of a table."""

    def __init__(self, id: str, by: Player, sent: float, after: int) -> None:
        self.id, self.by, self.sent, self.after = id, by, sent, after
        """`after` is the number of the last event before it."""
        self.is_acknowledged = False
        self.others = 0
        """Players who have it, besides its own."""


class PlayedTable:
    """Four players who move at random, one move per second together, or as soon as all have the last one; match after
    match.
    """

    def __init__(self, url: str, http: httpx.AsyncClient, figures: Figures, rng: random.Random, paced: bool) -> None:
        self.url, self.http, self.figures, self.rng, self.paced = url, http, figures, rng, paced
        self.players: list[Player] = []
        self._moves = 0
        self._move: Move | None = None
        self._number = 0
        """The number of the last event that any player of the table has seen."""
        self._news = asyncio.Event()

    async def introduce(self) -> None:
        """Four new guests."""
        for seat in range(SEATS):
            answer = (await self.http.post("/api/guest", json={"name": f"Guest {seat}"})).raise_for_status()
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
        """Play until cancelled."""
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
                self._news.clear()
                async with asyncio.timeout(LOST_SECONDS):
                    await self._news.wait()

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
        """Make a move, unless the last one is still on its way."""
        if not self.asked or (self._move is not None and not self._move.is_acknowledged):
            return
        player = self.rng.choice(self.asked)
        self._moves += 1
        message = {"do": "act", "id": f"m{self._moves}", "action": self.rng.choice(player.legal)}
        self._move = Move(f"m{self._moves}", player, time.perf_counter(), self._number)
        await player.send({**message, "decision": player.decision})

    def hear(self, player: Player, heard: Heard, now: float) -> None:
        self._news.set()
        number = heard.events[-1].number if heard.events else 0
        self._number = max(self._number, number)
        move = self._move
        if move is None:
            return
        if heard.done == move.id:
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
