"""Checks of puzzles, and of mistakes that come back."""

from __future__ import annotations

import asyncio

from atout.errors import GuestForgotten
from atout.store.kit.accounts import ANN, record
from atout.store.kit.opener import CARD, Opener, opened, raised
from atout.store.model import Attempt, Guest, PuzzleSkill, Result, SkillNumbers

START, HARD = (25.0, 8.0), (30.0, 4.0)


def rate(person: SkillNumbers, puzzle: SkillNumbers) -> tuple[SkillNumbers, SkillNumbers]:
    """One more for the guest, one less for the puzzle."""
    return (person[0] + 1, person[1]), (puzzle[0] - 1, puzzle[1])


async def only_the_first_attempt_is_rated(open: Opener) -> None:
    async with opened(open) as store:
        await store.save_guest(ANN)
        first = await store.try_puzzle("ann", Attempt("p", "", 1.0, True), START, HARD, rate)
        assert (first.is_first, first.before, first.after) == (True, START, (26.0, 8.0))
        again = await store.try_puzzle("ann", Attempt("p", "", 2.0, False), START, HARD, rate)
        assert (again.is_first, again.before, again.after) == (False, (26.0, 8.0), (26.0, 8.0))
        await store.try_puzzle("ann", Attempt("p", "2026-11-17", 3.0, True), START, HARD, rate)
        await store.try_puzzle("ann", Attempt("p", "2026-11-17", 4.0, False), START, HARD, rate)
        kept = [Attempt("p", "", 1.0, True), Attempt("p", "2026-11-17", 3.0, True)]
        assert await store.attempts("ann") == kept, "the first of a day, too"
        assert await store.puzzle_rating("ann") == (26.0, 8.0)
        assert await store.puzzle_skill("p") == PuzzleSkill(29.0, 4.0, 1, 1)
        assert await store.puzzle_skill("q") is None
        assert await store.puzzle_rating("bob") is None


async def attempts_at_once_all_count(open: Opener) -> None:
    names = [f"g{i}" for i in range(6)]
    async with opened(open) as store:
        for name in names:
            await store.save_guest(Guest(name, 1.0, 1.0, name))
        await asyncio.gather(
            *(store.try_puzzle(name, Attempt("p", "", 1.0, False), START, HARD, rate) for name in names)
        )
        assert await store.puzzle_skill("p") == PuzzleSkill(24.0, 4.0, 6, 0)


async def mistakes_come_back(open: Opener) -> None:
    async with opened(open) as store:
        await store.create_table("t", CARD, [])
        await store.save_record(record("r"), [Result("ann", True, 1, 1, (0,)), Result("bob", False, 1, 0, (1,))])
        assert await store.begin_review("r", 0, "e", b"outline")
        for number in range(4):
            await store.add_reviewed("r", 0, "e", number, b"%d" % number)
        assert (await store.mistake_counts("ann", 9e12)).count == 0, "not before the review is complete"
        await store.finish_review("r", 0, "e", b"ledger", b"{}", [1, 3])
        due = await store.mistakes_due("ann", 9e12)
        assert [(one.record, one.seat, one.number, one.attempts) for one in due] == [("r", 0, 1, 0), ("r", 0, 3, 0)]
        assert await store.mistakes_due("bob", 9e12) == [], "only those of one's own seat"
        assert await store.mistakes_due("ann", 1.0) == []
        found = await store.mistake("ann", "r", 0, 1)
        assert found is not None
        assert (found.decision, found.record, found.card) == (b"1", record("r").body, b"")
        assert await store.mistake("bob", "r", 0, 1) is None
        assert await store.mistake("ann", "r", 0, 2) is None
        assert await store.schedule_mistake("ann", "r", 0, 1, 8e12, b"card")
        assert not await store.schedule_mistake("bob", "r", 0, 1, 8e12, b"card")
        counts = await store.mistake_counts("ann", 7e12)
        assert (counts.count, counts.next) == (2, 8e12)
        await store.begin_review("r", 0, "new", b"outline")
        await store.add_reviewed("r", 0, "new", 1, b"one")
        await store.finish_review("r", 0, "new", b"ledger", b"{}", [1])
        found = await store.mistake("ann", "r", 0, 1)
        assert found is not None
        assert (found.decision, found.card, found.attempts) == (b"one", b"card", 1), "its turn stays"
        assert (await store.mistake_counts("ann", 0.0)).count == 1, "the other one was none"
        assert await store.delete_record("ann", "r")
        assert (await store.mistake_counts("ann", 0.0)).count == 0
        assert await store.mistake("ann", "r", 0, 1) is None


async def a_deleted_guest_leaves_no_attempts(open: Opener) -> None:
    async with opened(open) as store:
        await store.save_guest(ANN)
        await store.create_table("t", CARD, [])
        await store.save_record(record("r"), [Result("ann", True, 1, 1, (0,)), Result("bob", False, 1, 0, (1,))])
        await store.begin_review("r", 0, "e", b"outline")
        await store.finish_review("r", 0, "e", b"ledger", b"{}", [1])
        await store.try_puzzle("ann", Attempt("p", "", 1.0, True), START, HARD, rate)
        await store.delete_guest("ann")
        assert await store.attempts("ann") == []
        assert await store.puzzle_rating("ann") is None
        assert (await store.mistake_counts("ann", 0.0)).count == 0
        tried = store.try_puzzle("ann", Attempt("q", "", 1.0, True), START, HARD, rate)
        assert isinstance(await raised(tried), GuestForgotten)
