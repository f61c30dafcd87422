"""One timer beats for all connections of a worker."""

from __future__ import annotations

import asyncio

import pytest

from atout.server.ws import heartbeat
from atout.server.ws.heartbeat import SLOTS, Heartbeat, Slot


class Connection:
    def __init__(self) -> None:
        self.beats = 0

    def beat(self) -> None:
        self.beats += 1


class ShortConnection(Connection):
    """Ends with its first beat."""

    slot: Slot

    def beat(self) -> None:
        super().beat()
        self.slot.remove(self)


def advance(beats: Heartbeat, count: int) -> None:
    for _ in range(count):
        beats.advance()


def test_every_connection_is_called_once_per_beat() -> None:
    beats, early, late = Heartbeat(), Connection(), Connection()
    beats.add(early)
    advance(beats, SLOTS // 2)
    beats.add(late)
    advance(beats, SLOTS // 2 - 1)
    assert (early.beats, late.beats) == (0, 0)
    advance(beats, 1)
    assert (early.beats, late.beats) == (1, 0)
    advance(beats, SLOTS - 1)
    assert (early.beats, late.beats) == (1, 1)


def test_a_connection_that_has_ended_is_not_called_again() -> None:
    beats, stays, ends = Heartbeat(), Connection(), ShortConnection()
    ends.slot = beats.add(ends)
    beats.add(stays)
    advance(beats, 2 * SLOTS)
    assert (stays.beats, ends.beats) == (2, 1)


def test_it_beats_by_itself_until_it_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeat, "PING_SECONDS", 0.0)

    async def run() -> None:
        beats, connection = Heartbeat(), Connection()
        beats.add(connection)
        running = asyncio.create_task(beats.run())
        while connection.beats < 3:
            await asyncio.sleep(0)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        seen = connection.beats
        for _ in range(3 * SLOTS):
            await asyncio.sleep(0)
        assert connection.beats == seen

    asyncio.run(run())
