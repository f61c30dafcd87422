"""When groups of writes go, and when the event loop rests between them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import pytest

from atout.errors import Unavailable
from atout.store.group import BUSY_GROUP, Grouper, Job, Outcome
from atout.store.model import Append

GATHER = 0.05


class Scene:
    """A grouper whose groups are durable in the next turn of the loop."""

    def __init__(self, rests: bool) -> None:
        self.sizes: list[int] = []
        self.outcomes: list[Outcome] = []
        self.sent: list[str] = []
        self.grouper = Grouper(self._commit, GATHER, rests)

    def _commit(self, jobs: Sequence[Job], settle: Callable[[Sequence[Outcome]], None]) -> None:
        self.sizes.append(len(jobs))
        asyncio.get_running_loop().call_soon(settle, [None] * len(jobs))

    def write(self, *tables: str) -> None:
        for table in tables:
            self.grouper.submit(Append(table, 1, (b"1",)), self.hear)

    def hear(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        asyncio.get_running_loop().call_soon(self.sent.append, "sent")


def play(scenario: Callable[[Scene], Coroutine[Any, Any, None]], rests: bool = True) -> Scene:
    async def run() -> Scene:
        scene = Scene(rests)
        await scenario(scene)
        await scene.grouper.close()
        return scene

    return asyncio.run(run())


TABLES = [f"t{i}" for i in range(BUSY_GROUP)]


@pytest.fixture
def rests(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long the event loop slept; it does."""
    slept: list[float] = []
    sleep = time.sleep

    def note(seconds: float) -> None:
        slept.append(seconds)
        sleep(seconds)

    monkeypatch.setattr(time, "sleep", note)
    return slept


def test_a_busy_loop_rests_until_the_next_group_and_takes_all_that_came(rests: list[float]) -> None:
    async def scenario(scene: Scene) -> None:
        scene.write(*TABLES)
        while not rests:
            await asyncio.sleep(0)
        assert scene.sent == ["sent"] * BUSY_GROUP, "they were told before the rest"
        scene.write("a")
        scene.write("b")
        while len(scene.outcomes) < BUSY_GROUP + 2:
            await asyncio.sleep(0)

    scene = play(scenario)
    assert scene.sizes == [BUSY_GROUP, 2]
    assert len(rests) == 1
    assert 0.0 < rests[0] < GATHER


def test_a_quiet_loop_never_rests(rests: list[float]) -> None:
    async def scenario(scene: Scene) -> None:
        scene.write(*TABLES[1:])
        while len(scene.outcomes) < BUSY_GROUP - 1:
            await asyncio.sleep(0)

    assert play(scenario).sizes == [BUSY_GROUP - 1]
    assert rests == []


def test_whoever_does_not_rest_takes_the_next_group_as_it_comes(rests: list[float]) -> None:
    async def scenario(scene: Scene) -> None:
        scene.write(*TABLES)
        while len(scene.outcomes) < BUSY_GROUP:
            await asyncio.sleep(0)
        scene.write(*TABLES)
        while len(scene.outcomes) < 2 * BUSY_GROUP:
            await asyncio.sleep(0)

    assert play(scenario, rests=False).sizes == [BUSY_GROUP, BUSY_GROUP]
    assert rests == []


def test_a_late_loop_does_not_rest_but_goes_on(rests: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    """Telling took longer than the groups are apart."""

    async def scenario(scene: Scene) -> None:
        monkeypatch.setattr(scene.grouper, "_gather", 0.0)
        for count in (1, 2):
            scene.write(*TABLES)
            while len(scene.outcomes) < count * BUSY_GROUP:
                await asyncio.sleep(0)

    assert play(scenario).sizes == [BUSY_GROUP, BUSY_GROUP]
    assert rests == []


def test_what_waits_at_the_end_is_written_after_the_rest(rests: list[float]) -> None:
    async def scenario(scene: Scene) -> None:
        scene.write(*TABLES)
        while len(scene.outcomes) < BUSY_GROUP:
            await asyncio.sleep(0)
        scene.write("a")

    scene = play(scenario)
    assert scene.sizes == [BUSY_GROUP, 1]
    with pytest.raises(Unavailable, match="closed"):
        scene.write("b")
