"""One timer beats for all sockets."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from atout.server.ws.heartbeat import PARTS, Part, Pulse


class One:
    def __init__(self) -> None:
        self.beats = 0

    def beat(self) -> None:
        self.beats += 1


class Last(One):
    """Ends with its first beat."""

    part: Part

    def beat(self) -> None:
        super().beat()
        self.part.remove(self)


def steps(beats: Pulse, count: int) -> None:
    for _ in range(count):
        beats._next()


def test_everybody_is_called_once_a_beat() -> None:
    async def live() -> None:
        beats, early, late = Pulse(), One(), One()
        beats.join(early)
        steps(beats, PARTS // 2)
        beats.join(late)
        steps(beats, PARTS // 2 - 1)
        assert (early.beats, late.beats) == (0, 0)
        steps(beats, 1)
        assert (early.beats, late.beats) == (1, 0)
        steps(beats, PARTS - 1)
        assert (early.beats, late.beats) == (1, 1)

    asyncio.run(live())


def test_who_has_ended_is_not_called_again() -> None:
    async def live() -> None:
        beats, stays, leaves = Pulse(), One(), Last()
        leaves.part = beats.join(leaves)
        beats.join(stays)
        steps(beats, 2 * PARTS)
        assert (stays.beats, leaves.beats) == (2, 1)

    asyncio.run(live())


def test_it_stands_still_when_nobody_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    async def live() -> None:
        timers: list[Any] = []
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(loop, "call_later", lambda _seconds, call: timers.append(call))
        beats, leaves = Pulse(), Last()
        leaves.part = beats.join(leaves)
        for _ in range(3 * PARTS):
            if timers:
                timers.pop()()
        assert (leaves.beats, timers) == (1, [])
        beats.join(One())
        assert len(timers) == 1

    asyncio.run(live())
