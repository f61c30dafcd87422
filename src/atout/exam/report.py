"""The report of an examination, as plain data."""

from __future__ import annotations

from msgspec import Struct

from atout.game import View

CHECKS = {
    "answers": "an answer comes, and no exception",
    "type": "the answer is a Choice",
    "legal": "the action is one of the legal ones",
    "estimates": "they are for legal actions, a number for every seat",
    "reasons": "each is a code with parameters ready for JSON",
    "untouched": "the view is as it was before",
    "repeatable": "same view, seed and nodes: same choice, also from a second instance",
    "wire": "same choice when the view came through JSON",
    "view only": "same choice when only hidden cards differ",
    "elsewhere": "same choice in another process, with other hashes",
    "budget": "a budget of seconds is kept, in the median",
    "coverage": "every phase of every table was reached",
}
"""Every check, in the order they are made."""
MAX_FAILURES = 5
"""Failures of a check that are kept in full."""


class Failure(Struct, frozen=True):
    """A failed check, with everything that is needed to reproduce it."""

    check: str
    detail: str
    """What was wrong, and what would be right."""
    edition: str | None = None
    """None, as the following, for a failure that is not about one answer."""
    players: int | None = None
    phase: str | None = None
    seed: int | None = None
    """The seed of the match, and of the bot's random source."""
    moves: int | None = None
    """The number of actions before the question."""
    last: tuple[str, ...] = ()
    """The last actions the seat saw."""
    said: str = ""
    allowed: tuple[str, ...] = ()
    view: View | None = None
    """The view that the bot got."""


class CheckResult(Struct):
    """How often a check was made, and how often it failed."""

    check: str
    made: int = 0
    failed: int = 0
    note: str = ""
    """Why it was skipped, or could not be decided."""


class Timing(Struct, frozen=True):
    """How long decisions with a budget of seconds took."""

    what: str
    """A setup, or a phase of a game."""
    decisions: int
    median: float
    longest: float
    allowed: float

    @property
    def is_kept(self) -> bool:
        return self.median <= self.allowed


class Covered(Struct, frozen=True):
    """How many questions a setup had, by phase."""

    edition: str
    players: int
    decisions: dict[str, int]


class Report(Struct):
    """The whole examination."""

    bot: str
    nodes: int
    seconds: float | None
    seed: int
    checks: list[CheckResult]
    coverage: list[Covered]
    timings: list[Timing]
    failures: list[Failure]
    """At most `MAX_FAILURES` for each check."""

    @property
    def passed(self) -> bool:
        return not any(result.failed for result in self.checks)

    @property
    def failed_checks(self) -> list[str]:
        return [result.check for result in self.checks if result.failed]
