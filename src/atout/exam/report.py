"""What an examination found, as plain data."""

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
MOST = 5
"""Failures of a check that are told in full."""


class Failure(Struct, frozen=True):
    """A failed check, with all that is needed to look at it again."""

    check: str
    detail: str
    """What was wrong, and what would be right."""
    edition: str | None = None
    """What follows is None for a failure that is not about one answer."""
    players: int | None = None
    phase: str | None = None
    seed: int | None = None
    """Of the match, and of the bot's chance."""
    moves: int | None = None
    """Actions of the match before."""
    last: tuple[str, ...] = ()
    """The last actions the seat saw."""
    said: str = ""
    allowed: tuple[str, ...] = ()
    view: View | None = None
    """What the bot was given."""


class Verdict(Struct):
    """How often a check was made, and how often it failed."""

    check: str
    made: int = 0
    failed: int = 0
    note: str = ""
    """Why it was not made, or not judged."""


class Timing(Struct, frozen=True):
    """How long decisions took that had a budget of seconds."""

    what: str
    """A table, or a phase of a game."""
    decisions: int
    median: float
    longest: float
    allowed: float

    @property
    def is_kept(self) -> bool:
        return self.median <= self.allowed


class Covered(Struct, frozen=True):
    """How often a bot was asked at a table, by phase."""

    edition: str
    players: int
    decisions: dict[str, int]


class Report(Struct):
    """The whole examination; `passed` says it in a word."""

    bot: str
    nodes: int
    seconds: float | None
    seed: int
    verdicts: list[Verdict]
    coverage: list[Covered]
    timings: list[Timing]
    failures: list[Failure]
    """At most `MOST` of each check."""

    @property
    def passed(self) -> bool:
        return not any(verdict.failed for verdict in self.verdicts)

    @property
    def failed_checks(self) -> list[str]:
        return [verdict.check for verdict in self.verdicts if verdict.failed]
