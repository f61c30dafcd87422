"""Deltas add up: after every event of a match, the sum of all messages is the view."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from atout.errors import Refused
from atout.server.live.delta import Delta
from atout.tables import Clock, Event
from atout.tables import commands as c
from tests.properties.matches import PLACES
from tests.server.client import kinds
from tests.server.test_secrets import whole
from tests.tables.players import Driver, people


class Reader:
    """A client that applies the messages it is sent."""

    def __init__(self, delta: Delta, table: Driver, guest: str) -> None:
        self.guest = guest
        self.view: dict[str, Any] = whole(delta.snapshot(table.table, guest))

    def take(self, message: dict[str, Any]) -> None:
        self.view |= message["view"]
        if message["game"]:
            self.view["game"] |= message["game"]
        for name, more in message.get("more", {}).items():
            self.view["game"][name] = self.view["game"][name] + more


@pytest.mark.parametrize(("edition", "players"), PLACES)
def test_changes_add_up_to_the_view(edition: str, players: int) -> None:
    """With takebacks, chat, players who leave and come back, and a spectator who may see a hand."""
    table = people(edition, players, spectators="leave", stand_in="random", grace=0, clock=Clock("decision", 3600))
    delta, rng = Delta(), random.Random(f"{edition} {players}")
    guests = [*(f"g{seat}" for seat in range(players)), "watcher"]
    readers = [Reader(delta, table, guest) for guest in guests]
    seen: set[str] = set()

    def send(events: list[Event]) -> None:
        changes = delta.changes(table.table, events)
        for reader in readers:
            change = changes[reader.guest]
            assert isinstance(change, dict)
            message = msgspec.json.decode(msgspec.json.encode(change))
            seen.update(kinds(message))
            reader.take(message)
            assert reader.view == whole(table.table.view_for(reader.guest, table.table.last_at))

    send(table.do(c.Watch(seat=0, name="Watcher"), "watcher"))
    send(table.do(c.Show(watcher=0, yes=True), "g0"))
    for step in range(100):
        before = len(table.log)
        if not table.step(rng):
            break
        send([*table.events[before:]])
        for command in whims(rng, step):
            seat = rng.randrange(players)
            try:
                send(table.do(command, f"g{seat}" if not isinstance(command, c.Tick) else None))
            except Refused:
                continue
    assert {"acted"} <= seen


def whims(rng: random.Random, step: int) -> list[c.Command]:
    """What people do besides playing."""
    if rng.random() > 0.1:
        return []
    return [
        rng.choice(
            [c.Say(text=f"{step}"), c.Offer(what="takeback"), c.Leave(), c.Reclaim(), c.Answer(yes=True), c.Withdraw()]
        ),
        c.Tick(),
    ]


def test_a_snapshot_does_not_change() -> None:
    """A snapshot stays as it is, whatever happens at the table afterwards."""
    table, rng, delta = people("niet-2015", 4, chat=True), random.Random(3), Delta()
    view = delta.snapshot(table.table, "g0")
    kept = msgspec.json.encode(view)
    for _ in range(12):
        before = len(table.log)
        assert table.step(rng)
        delta.changes(table.table, table.events[before:])
    assert msgspec.json.encode(view) == kept
