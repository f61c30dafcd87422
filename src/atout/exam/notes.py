"""The examiner's notes: what was asked, what failed, and why something was not asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from atout.bots import Choice
from atout.exam.answers import Answer
from atout.exam.questions import Question, phases_of
from atout.exam.report import CHECKS, MOST, Covered, Failure, Timing, Verdict
from atout.game import Setup

SINGLE = ("answers", "type", "legal", "estimates", "reasons", "untouched")
"""Checks of one answer by itself, in their order."""
UNSURE = ("wire", "view only")
"""Checks that mean something only for a repeatable bot."""
LAST = 6
"""Actions before a question that a failure shows."""


class Notes:
    """Counts every check, and keeps the first failures of each in full."""

    def __init__(self) -> None:
        self.verdicts = {check: Verdict(check) for check in CHECKS}
        self.failures: list[Failure] = []
        self._asked: Counter[tuple[str, str]] = Counter()

    def accept(self, question: Question, answer: Answer) -> bool:
        """Whether the answer is good in itself; checks after the first fault are not made."""
        self._asked[question.setup.name, question.phase] += 1
        for check in SINGLE:
            if answer.fault is not None and answer.fault.check == check:
                self.fail(check, answer.fault.detail, question, answer)
                return False
            self.verdicts[check].made += 1
        return True

    def same(self, check: str, question: Question, first: Answer, other: Answer | Choice, how: str) -> bool:
        """Whether the same question, asked in another way, got the same answer."""
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
        self.verdicts[check].made += 1
        return True

    def judge(self, timing: Timing) -> None:
        """A budget of seconds."""
        if timing.is_kept:
            self.verdicts["budget"].made += 1
            return
        self.fail(
            "budget",
            f"{timing.what}: a median of {timing.median:.3f} s in {timing.decisions} decisions; right would be at most "
            f"{timing.allowed:.3f} s",
        )

    def coverage(self, tables: Sequence[Setup]) -> list[Covered]:
        """How often each phase of each table was asked about; never is a failure."""
        covered = []
        for setup in tables:
            decisions = {phase: self._asked[setup.name, phase] for phase in phases_of(setup)}
            covered.append(Covered(setup.edition.id, setup.players, decisions))
            for phase, count in decisions.items():
                if count:
                    self.verdicts["coverage"].made += 1
                else:
                    self.fail("coverage", f"{setup.name}: no question of the phase {phase}")
        return covered

    def skip(self, check: str, note: str) -> None:
        self.verdicts[check].note = note

    def fail(self, check: str, detail: str, question: Question | None = None, answer: Answer | None = None) -> None:
        verdict = self.verdicts[check]
        verdict.made += 1
        verdict.failed += 1
        if verdict.failed > MOST:
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

    def forget_what_cannot_be_judged(self) -> None:
        """Whoever answers the same question differently does so with other hidden cards too, without having peeked."""
        if not self.verdicts["repeatable"].failed:
            return
        for check in UNSURE:
            self.verdicts[check] = Verdict(check, note="cannot be judged: the bot is not repeatable")
        self.failures = [failure for failure in self.failures if failure.check not in UNSURE]


def difference(one: Choice, other: Choice) -> str:
    """In what two choices differ; nothing when they are the same, estimates and reasons included.

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
