"""Group commit: while one group is being written the next gathers, and nothing waits besides."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import pytest

from atout.errors import Conflict, Unavailable
from atout.store import group
from atout.store.group import GroupCommit, Job, Outcome, new_heads
from atout.store.model import Append


class Disk:
    """Groups that are written stay open until the test lets them become durable."""

    def __init__(self) -> None:
        self.groups: list[list[str]] = []
        self.outcome: Callable[[Append], Outcome] = lambda _: None
        self._durable: list[asyncio.Future[None]] = []
        self.commits = GroupCommit(self._commit)

    async def _commit(self, jobs: Sequence[Job]) -> Sequence[Outcome]:
        appends = [job.work for job in jobs if isinstance(job.work, Append)]
        self.groups.append([append.table for append in appends])
        self._durable.append(asyncio.get_running_loop().create_future())
        await self._durable[-1]
        return [self.outcome(append) for append in appends]

    def append(self, table: str, number: int = 1) -> asyncio.Task[Any]:
        return asyncio.create_task(self.commits.write(Append(table, number, (b"1",))))

    async def finish(self) -> None:
        """The group that is being written becomes durable, and everything that follows from it happens."""
        self._durable.pop().set_result(None)
        await turn()


async def turn() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def play(scenario: Callable[[Disk], Coroutine[Any, Any, None]]) -> Disk:
    async def run() -> Disk:
        disk = Disk()
        await scenario(disk)
        return disk

    return asyncio.run(run())


def test_a_first_append_is_written_at_once() -> None:
    async def scenario(disk: Disk) -> None:
        append = disk.append("a")
        await turn()
        assert disk.groups == [["a"]]
        assert not append.done(), "it is not durable yet"
        await disk.finish()
        assert append.done()

    play(scenario)


def test_what_comes_during_a_commit_is_the_next_group() -> None:
    async def scenario(disk: Disk) -> None:
        first = [disk.append("a"), disk.append("b")]
        await turn()
        later = []
        for table in ("c", "d", "e"):
            later.append(disk.append(table))
            await turn()
        assert disk.groups == [["a", "b"]], "one transaction at a time"
        await disk.finish()
        assert all(append.done() for append in first)
        assert disk.groups == [["a", "b"], ["c", "d", "e"]], "the next one began at once"
        assert not any(append.done() for append in later)
        await disk.finish()
        assert all(append.done() for append in later)

    play(scenario)


def test_one_append_per_table_and_group_in_their_order() -> None:
    async def scenario(disk: Disk) -> None:
        appends = [disk.append("a", 1), disk.append("a", 2), disk.append("b", 1), disk.append("a", 3)]
        await turn()
        for _ in range(3):
            await disk.finish()
        await asyncio.gather(*appends)

    assert play(scenario).groups == [["a", "b"], ["a"], ["a"]]


def test_a_group_has_a_largest_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group, "MAX_GROUP", 2)

    async def scenario(disk: Disk) -> None:
        appends = [disk.append(table) for table in "abcde"]
        await turn()
        for _ in range(3):
            await disk.finish()
        await asyncio.gather(*appends)

    assert play(scenario).groups == [["a", "b"], ["c", "d"], ["e"]]


def test_each_caller_gets_its_own_outcome() -> None:
    async def scenario(disk: Disk) -> None:
        disk.outcome = lambda append: Conflict(append.table, 1, 5) if append.table == "b" else None
        appends = [disk.append(table) for table in "abc"]
        await turn()
        await disk.finish()
        outcomes = await asyncio.gather(*appends, return_exceptions=True)
        assert outcomes[0] is None
        assert isinstance(outcomes[1], Conflict)
        assert outcomes[2] is None

    play(scenario)


def test_a_commit_that_raises_fails_its_group_and_no_other() -> None:
    async def scenario(disk: Disk) -> None:
        def fail(append: Append) -> Outcome:
            raise Unavailable("no disk")

        disk.outcome = fail
        failing = [disk.append("a"), disk.append("b")]
        await turn()
        await disk.finish()
        for append in failing:
            with pytest.raises(Unavailable, match="no disk"):
                await append
        disk.outcome = lambda _: None
        append = disk.append("a")
        await turn()
        await disk.finish()
        await append

    play(scenario)


def test_a_cancelled_caller_disturbs_nobody() -> None:
    async def scenario(disk: Disk) -> None:
        cancelled, other = disk.append("a"), disk.append("b")
        await turn()
        cancelled.cancel()
        await disk.finish()
        await other
        assert cancelled.cancelled()

    play(scenario)


def test_too_many_waiting_writes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group, "MAX_WAITING", 2)

    async def scenario(disk: Disk) -> None:
        taken = [disk.append("a")]
        await turn()
        taken += [disk.append("b"), disk.append("c")]
        await turn()
        with pytest.raises(Unavailable, match="try again later"):
            await disk.append("d")
        await disk.finish()
        await disk.finish()
        await asyncio.gather(*taken)

    play(scenario)


def test_closing_finishes_what_waits_and_refuses_the_rest() -> None:
    async def scenario(disk: Disk) -> None:
        appends = [disk.append("a", 1), disk.append("a", 2)]
        await turn()
        closing = asyncio.create_task(disk.commits.close())
        await turn()
        with pytest.raises(Unavailable, match="closed"):
            await disk.append("b")
        await disk.finish()
        assert not closing.done()
        await disk.finish()
        await closing
        assert all(append.done() for append in appends)

    assert play(scenario).groups == [["a"], ["a"]]


def test_only_tables_with_new_events_are_reported() -> None:
    async def scenario() -> None:
        future = asyncio.get_running_loop().create_future
        appends = [Append("a", 2, (b"2", b"3")), Append("b", 2, (b"2",)), Append("c", 7, ())]
        jobs = [Job(append, future()) for append in appends]
        assert new_heads(jobs, [None, Conflict("b", 2, 4), None]) == {"a": 3}

    asyncio.run(scenario())
