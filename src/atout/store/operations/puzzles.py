"""Operations on puzzles: attempts of guests, their ratings, and the ratings of the puzzles."""

from __future__ import annotations

from collections.abc import Callable

from atout.store.model import Attempt, PuzzleSkill, SkillNumbers, Tried
from atout.store.operations import Operation
from atout.store.operations.guests import lock

Rate = Callable[[SkillNumbers, SkillNumbers], tuple[SkillNumbers, SkillNumbers]]
"""From the skills of a guest and a puzzle to those after the attempt."""


def attempt(
    guest: str, tried: Attempt, guest_start: SkillNumbers, puzzle_start: SkillNumbers, rate: Rate
) -> Operation[Tried]:
    """Keep an attempt. The first at a puzzle is rated; later ones count for a day's puzzle at most.

    `GuestForgotten` if the guest asked to be forgotten.
    """
    yield from lock([guest])
    parameters = {"guest": guest, "puzzle": tried.puzzle, "day": tried.day, "at": tried.at, "solved": tried.solved}
    known = yield "SELECT 1 FROM attempts WHERE guest = :guest AND puzzle = :puzzle", parameters
    yield (
        "INSERT INTO attempts (guest, puzzle, day, at, solved) VALUES (:guest, :puzzle, :day, :at, :solved) "
        "ON CONFLICT DO NOTHING",
        parameters,
    )
    before = (yield from skill_of(guest)) or guest_start
    if known:
        return Tried(False, before, before)
    # The row is locked by the update, so that of two attempts at the same time both count.
    mu, sigma = puzzle_start
    puzzle = {"id": tried.puzzle, "mu": mu, "sigma": sigma}
    yield (
        "INSERT INTO puzzles (id, mu, sigma, tried, solved) VALUES (:id, :mu, :sigma, 0, 0) ON CONFLICT DO NOTHING",
        puzzle,
    )
    rows = yield (
        "UPDATE puzzles SET tried = tried + 1, solved = solved + :more WHERE id = :id RETURNING mu, sigma",
        {"id": tried.puzzle, "more": int(tried.solved)},
    )
    after, (mu, sigma) = rate(before, (rows[0][0], rows[0][1]))
    yield "UPDATE puzzles SET mu = :mu, sigma = :sigma WHERE id = :id", {**puzzle, "mu": mu, "sigma": sigma}
    yield (
        "INSERT INTO solvers (guest, mu, sigma) VALUES (:guest, :mu, :sigma) "
        "ON CONFLICT (guest) DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma",
        {"guest": guest, "mu": after[0], "sigma": after[1]},
    )
    return Tried(True, before, after)


def skill_of(guest: str) -> Operation[SkillNumbers | None]:
    """The rating of a guest, if they tried a puzzle."""
    rows = yield "SELECT mu, sigma FROM solvers WHERE guest = :guest", {"guest": guest}
    return (rows[0][0], rows[0][1]) if rows else None


def attempts_of(guest: str) -> Operation[list[Attempt]]:
    """The attempts of a guest, the first first."""
    rows = yield "SELECT puzzle, day, at, solved FROM attempts WHERE guest = :guest ORDER BY at, day", {"guest": guest}
    return [Attempt(puzzle, day, at, bool(solved)) for puzzle, day, at, solved in rows]


def puzzle_skill(puzzle: str) -> Operation[PuzzleSkill | None]:
    """What is known of a puzzle that was tried."""
    rows = yield "SELECT mu, sigma, tried, solved FROM puzzles WHERE id = :id", {"id": puzzle}
    return PuzzleSkill(*rows[0]) if rows else None
