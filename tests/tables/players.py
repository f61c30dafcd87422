"""A table driven by commands the way a server does it, with a clock of the tests' own."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import msgspec

from atout.tables import AnyEvent, Event, Table, TableSettings, TableView, decode, encode
from atout.tables import commands as c

SECRET = "5e" * 32


class Driver:
    """Decides, keeps the log as bytes, applies; everything a server does but the network."""

    def __init__(self, settings: TableSettings, host: str = "g0", secret: str = SECRET, table: str = "t1") -> None:
        self.table = Table()
        self.log: list[bytes] = []
        self.now = 1000.0
        self.ids = 0
        self.do(c.Open(table=table, settings=settings, secret=secret), host)

    def do(self, command: c.Command, by: str | None) -> list[Event]:
        events = self.table.decide(command, by, self.now)
        for event in events:
            self.log.append(encode(event))
            self.table.apply(decode(self.log[-1]))
        return events

    @property
    def events(self) -> list[AnyEvent]:
        return [decode(line) for line in self.log]

    def fill(self) -> Driver:
        """A person in every open seat: g0, g1, …; the last one starts the match."""
        for seat, level in enumerate(self.table.settings.levels()):
            if level == "open":
                self.do(c.Sit(name=f"Guest {seat}", seat=seat, entropy=f"{seat:02x}" * 8), f"g{seat}")
        return self

    @property
    def status(self) -> str:
        return self.table.status

    def view(self, guest: str | None) -> TableView:
        return self.table.view_for(guest, self.now)

    def legal(self, guest: str) -> list[str]:
        game = self.view(guest).game
        return [] if game is None else game["legal"]

    def act(self, guest: str, action: str) -> list[Event]:
        return self.do(c.Act(action=action, decision=self.view(guest).decision), guest)

    def asked(self) -> list[int]:
        return self.view(guest_of(self.table, 0)).asked

    def step(self, rng: random.Random) -> bool:
        """Somebody who is asked decides at random, a person or a bot; False when nobody is."""
        self.now += rng.random()
        due = {thought.seat: thought for thought in self.table.bot_turns()}
        asked = self.asked()
        if not asked:
            return False
        seat = rng.choice(asked)
        if seat in due:
            thought = due[seat]
            self.do(c.Act(action=rng.choice(thought.legal), decision=thought.decision), None)
        else:
            guest = guest_of(self.table, seat)
            assert guest is not None
            self.act(guest, rng.choice(self.legal(guest)))
        return True

    def play_until(self, phase: str, rng: random.Random) -> Driver:
        while self.phase != phase and self.step(rng):
            pass
        assert self.phase == phase
        return self

    def playout(self, rng: random.Random) -> Driver:
        while self.step(rng):
            pass
        return self

    @property
    def phase(self) -> str:
        game = self.view(guest_of(self.table, 0)).game
        assert game is not None
        return game["phase"]


def guest_of(table: Table, seat: int) -> str | None:
    return table.guests[seat]


def people(edition: str = "niet-2015", players: int = 4, **more: Any) -> Driver:
    """A table full of people, the match started."""
    return Driver(TableSettings(edition, players, **more)).fill()


def as_json(value: Any) -> bytes:
    return msgspec.json.encode(value)


def visible_to(table: Table, events: Iterable[Event], guest: str | None) -> list[bytes]:
    """The events as a guest may see them, encoded."""
    heard = [table.visible_event(event, guest) for event in events]
    return [as_json(event) for event in heard if event is not None]
