"""The positions of the exam, reviewed: shameful actions are called wrong, and the only good ones are not.

Not every shameful action costs enough: where the board says one point for a trick, or with two cards that are equally
good in every likely deal, the exam judges style, and a review points. So this asks for most of them, and for all of the
good ones. `python -m tests.study.exam_positions` lists what is missing.
"""

from __future__ import annotations

import pytest

from atout.exam.position import ExamPosition
from atout.study.effort import effort_of

from .exam_positions import POSITIONS, judged, only_good

BUDGET = effort_of(2.0)
MOST = 0.8
"""The share of shameful actions that must be called a mistake or a blunder."""
GOOD = [(position, action) for position in POSITIONS if (action := only_good(position)) is not None]


@pytest.mark.slow
@pytest.mark.long
def test_most_shameful_actions_are_mistakes() -> None:
    shameful = [(position, action) for position in POSITIONS for action in position.blunders]
    found = [judged(position, action, BUDGET).label in ("mistake", "blunder") for position, action in shameful]
    assert sum(found) >= MOST * len(found)


@pytest.mark.slow
@pytest.mark.parametrize(("position", "action"), GOOD, ids=lambda it: it.title if isinstance(it, ExamPosition) else "")
def test_the_only_good_action_is_not_called_wrong(position: ExamPosition, action: str) -> None:
    assert judged(position, action, BUDGET).label not in ("mistake", "blunder")


def test_one_shameful_action_is_a_mistake_with_a_reason() -> None:
    position = next(one for one in POSITIONS if one.title == "The supertrump stays")
    found = judged(position, "2 discard R1", effort_of(0.3))
    assert found.label in ("mistake", "blunder")
    assert found.reason[0].code == "kept-wins"
    assert found.reason[0].parameters["kept"] == "R1"
