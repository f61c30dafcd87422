"""The positions of the exam as positions of a study, with an action that was taken there.

Those late in a match are left out: a review values points, and there the match decides.
"""

from __future__ import annotations

from atout.exam.blunder_suite import suite
from atout.exam.position import ExamPosition
from atout.game.notation import notation_of
from atout.nets.spreads import spread_of
from atout.rules import entries
from atout.study.effort import Effort, effort_of
from atout.study.evaluator import DecisionEvaluator
from atout.study.model import Decision
from atout.study.positions import Position, played_rounds
from atout.study.review import review_decision

POSITIONS = [position for position in suite() if not position.totals]


def taken(position: ExamPosition, action: str) -> Position:
    """The moment before the action."""
    *_, played = played_rounds(position.game.record())
    setup = position.game.setup
    assert entries.legal(played.end, setup.rules).bit_count() > 1
    entry = notation_of(setup).entry_of[action]
    return Position(setup, played.number, len(played.log), played.end, played.log, entry)


def judged(position: ExamPosition, action: str, effort: Effort) -> Decision:
    """The review of an action in a position of the exam."""
    here = taken(position, action)
    return review_decision(DecisionEvaluator.of(here.knowledge()), here, effort, spread_of(here.setup))


def only_good(position: ExamPosition) -> str | None:
    """The action that is no blunder, if there is just one."""
    good = [str(action) for action in position.game.legal() if str(action) not in position.blunders]
    return good[0] if len(good) == 1 else None


def main() -> None:
    """List the shameful actions that are not called a mistake, and the only good ones that are."""
    effort = effort_of(2.0)
    for position in POSITIONS:
        for action in position.blunders:
            found = judged(position, action, effort)
            is_right = found.label in ("mistake", "blunder")
            outcome = f"{found.label}, {found.loss:.2f} ± {found.se:.2f}, best {found.best}"
            print(
                "ok     " if is_right else "MISSING",
                f"{position.source}: {position.title}: {action}: {outcome}",
                flush=True,
            )
        if (action := only_good(position) or "") and judged(position, action, effort).label in ("mistake", "blunder"):
            print("WRONG  ", f"{position.source}: {position.title}: {action}", flush=True)


if __name__ == "__main__":
    main()
