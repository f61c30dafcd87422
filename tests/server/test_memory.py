"""Memory is freed by reference counts: the garbage collector seldom looks at old objects (`server/app.py`)."""

from __future__ import annotations

import asyncio
import gc
import random
import sys
import time
import weakref
from types import SimpleNamespace
from typing import Any

import pytest

from atout.game import Game
from atout.protocol import Bye
from atout.server.live.table import LiveTable
from atout.server.metrics import Metrics
from atout.store import Append
from atout.tables import Clock, Table
from atout.tables import commands as c
from tests.tables.players import people


class Quiet:
    """A connection nobody reads."""

    def __init__(self, guest: str) -> None:
        self.guest = guest

    def send(self, text: bytes) -> None:
        assert text.startswith(b"{")

    def end(self, bye: Bye) -> None:
        raise AssertionError(bye)


class Forgetful:
    """A store that keeps nothing."""

    async def append(self, append: Append) -> None:
        pass


def hub() -> Any:
    settings = SimpleNamespace(reload_seconds=1000.0, absent_seconds=1000.0)
    return SimpleNamespace(
        nudges=SimpleNamespace(plan=lambda table: None),
        store=Forgetful(),
        now=time.time,
        metrics=Metrics(),
        is_closing=False,
        settings=settings,
        later=lambda *_: None,
        start=lambda work: work.close(),
    )


async def move(live: LiveTable, line: Quiet, rng: random.Random, number: int) -> None:
    table = live.table
    view = table.view_for(line.guest, table.last_at)
    assert view.game is not None
    command = c.Act(id=f"m{number}", action=rng.choice(view.game["legal"]), decision=view.decision)
    await live.do(command, line.guest, line)


@pytest.mark.parametrize("clock", [Clock(), Clock(kind="decision", time=60.0)])
def test_a_table_is_gone_when_it_is_forgotten(clock: Clock) -> None:
    async def play() -> list[weakref.ref[Any]]:
        driver = people("niet-2015", 4, clock=clock)
        table = LiveTable(hub(), "t", Table.from_events(driver.events))
        lines = [Quiet(f"g{seat}") for seat in range(4)]
        for line in lines:
            await table.join(line, None)
        rng = random.Random(1)
        for number in range(80):
            seat = rng.choice(table.table.asked)
            await move(table, lines[seat], rng, number)
        for line in lines:
            table.leave(line)
        gc.collect()
        gc.disable()
        table.close()
        return [weakref.ref(table), weakref.ref(table.table)]

    try:
        assert [kept() for kept in asyncio.run(play())] == [None, None]
    finally:
        gc.enable()


def test_a_finished_round_is_small() -> None:
    """A server keeps thousands of matches: a finished round is a deal, a packed log and a text."""
    game = Game.new("niet-2015", players=4, seed=1)
    rng = random.Random(2)
    for _ in range(300):
        game.play(rng.choice(game.legal()))
    game.past()
    finished = [played for played in game._rounds if played.is_over]
    assert len(finished) > 2
    assert all(size_of(played) < 1000 for played in finished)


def size_of(thing: Any) -> int:
    """Bytes of an object and of all that only it refers to, as far as Python knows."""
    seen: set[int] = set()
    waiting, total = [thing], 0
    while waiting:
        one = waiting.pop()
        if id(one) not in seen and not isinstance(one, type):
            seen.add(id(one))
            total += sys.getsizeof(one)
            waiting += gc.get_referents(one)
    return total
