"""The notes of an examination: what was asked, what failed, and which checks were skipped and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from atout.bots import Choice
from atout.exam.answers import Answer
from atout.exam.questions import Question, phases_of
from atout.exam.report import CHECKS, MAX_FAILURES, CheckResult, Covered, Failure, Timing
from atout.game import Setup

SINGLE = ("answers", "type", "legal", "estimates", "reasons", "untouched")
"""Checks of a single answer, in their order."""
NEED_REPEATABLE = ("wire", "view only")
"""Checks that are meaningful only for a repeatable bot."""
LAST = 6
"""Earlier actions that a failure shows."""


class Notes:
    """Counts every check, and keeps the first failures of each in full."""

    def __init__(self) -> None:
        self.checks = {check: CheckResult(check) for check in CHECKS}
        self.failures: list[Failure] = []
        self._asked: Counter[tuple[str, str]] = Counter()

    def accept(self, question: Question, answer: Answer) -> bool:
        """Whether the answer passes the checks of a single answer; after the first failure the rest is skipped."""
        self._asked[question.setup.name, question.phase] += 1
        for check in SINGLE:
            if answer.fault is not None and answer.fault.check == check:
                self.fail(check, answer.fault.detail, question, answer)
                return False
            self.checks[check].made += 1
        return True

    def same(self, check: str, question: Question, first: Answer, other: Answer | Choice, how: str) -> bool:
        """Whether the same question, asked in another way, has the same answer."""
        if isinstance(other, Answer) and other.fault is not None:
            self.fail(check, f"{how}: {other.fault.detail}", question, first)
            return False
        choice = other.choice if isinstance(other, Answer) else other
        assert first.choice is not None
        assert choice is not None, "without a fault there is a choice"
        detail = difference(first.choice, choice)
        if detail:
            self.fail(check, f"{how}: {detail}", question, first)
            return False
        self.checks[check].made += 1
        return True

    def check_timing(self, timing: Timing) -> None:
        """Whether a budget of seconds was kept."""
        if timing.is_kept:
            self.checks["budget"].made += 1
            return
        self.fail(
            "budget",
            f"{timing.what}: a median of {timing.median:.3f} s in {timing.decisions} decisions; expected at most "
            f"{timing.allowed:.3f} s",
        )

    def coverage(self, setups: Sequence[Setup]) -> list[Covered]:
        """How many questions each phase of each setup had; none is a failure."""
        covered = []
        for setup in setups:
            decisions = {phase: self._asked[setup.name, phase] for phase in phases_of(setup)}
            covered.append(Covered(setup.edition.id, setup.players, decisions))
            for phase, count in decisions.items():
                if count:
                    self.checks["coverage"].made += 1
                else:
                    self.fail("coverage", f"{setup.name}: no question of the phase {phase}")
        return covered

    def skip(self, check: str, note: str) -> None:
        self.checks[check].note = note

    def fail(self, check: str, detail: str, question: Question | None = None, answer: Answer | None = None) -> None:
        result = self.checks[check]
        result.made += 1
        result.failed += 1
        if result.failed > MAX_FAILURES:
            return
        failure = Failure(check, detail)
        if question is not None and answer is not None:
            failure = Failure(
                check=check,
                detail=detail,
                edition=question.setup.edition.id,
                players=question.setup.players,
                phase=question.phase,
                seed=question.seed,
                moves=len(question.moves),
                last=tuple(answer.view["actions"][-LAST:]),
                said=answer.said,
                allowed=tuple(answer.view["legal"]),
                view=answer.view,
            )
        self.failures.append(failure)

    def drop_undecidable(self) -> None:
        """Drop checks that say nothing about a bot that is not repeatable: its answers differ anyway."""
        if not self.checks["repeatable"].failed:
            return
        for check in NEED_REPEATABLE:
            self.checks[check] = CheckResult(check, note="cannot be decided: the bot is not repeatable")
        self.failures = [failure for failure in self.failures if failure.check not in NEED_REPEATABLE]


def difference(one: Choice, other: Choice) -> str:
    """How two choices differ; empty when they are the same, with estimates and reasons.

    >>> difference(Choice("0 play R1"), Choice("0 play R2"))
    "it answered '0 play R2' instead"
    """
    if other.action != one.action:
        return f"it answered {other.action!r} instead"
    plain, others = msgspec.to_builtins(one), msgspec.to_builtins(other)
    for part in ("estimates", "reasons"):
        if plain[part] != others[part]:
            return f"the same action, but other {part}"
    return ""
