"""Late in a match advice is for the match: positions in which the leader must not become a partner, and others."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from atout.exam.blunder_suite import suite
from atout.exam.position import ExamPosition
from atout.game import read_view
from atout.i18n import LANGUAGES, Texts
from atout.study import explain
from atout.study.effort import EFFORTS
from atout.study.evaluator import DecisionEvaluator, Judged
from atout.study.late_round import better_for_the_match
from atout.study.reasons import word_of
from atout.terminal.words import Words

LATE = [position for position in suite() if position.totals]
"""A partner scores the same, so whoever takes the leader cannot win any more (`exam/positions/match.txt`)."""
EARLY = next(position for position in suite() if not position.totals and position.game.phase == "team")


def judged_first(position: ExamPosition, first: str) -> tuple[DecisionEvaluator, Judged]:
    """A decision as if this action were the best one for points."""
    knowledge = read_view(position.view())
    evaluator = DecisionEvaluator.of(knowledge)
    judged = evaluator.judge(knowledge, EFFORTS[0])
    best = next(action for action in judged.actions if f"{position.seat} {word_of(knowledge, action)}" == first)
    return evaluator, replace(judged, ranking=[best, *(action for action in judged.ranking if action != best)])


@pytest.mark.parametrize("position", LATE, ids=lambda it: it.title)
def test_the_leader_is_not_advised_as_a_partner(position: ExamPosition) -> None:
    knowledge = read_view(position.view())
    for blunder in position.blunders:
        evaluator, judged = judged_first(position, blunder)
        found = better_for_the_match(evaluator, knowledge, judged)
        assert found is not None
        assert f"{position.seat} {word_of(knowledge, found.action)}" not in position.blunders
        assert found.other_share == 0 < found.share <= 1
    assert explain(position.view()).action not in position.blunders


def test_where_points_and_match_agree_all_choices_are_listed_by_points() -> None:
    """The best partner for points is not the leader."""
    view = LATE[2].view()
    found = explain(view)
    assert {one.action for one in found.alternatives} == set(view["legal"])
    assert not found.reason[0].code.startswith("for-the-match")


def test_early_in_a_match_points_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluator, judged = judged_first(EARLY, EARLY.blunders[0])
    monkeypatch.setattr(evaluator, "draw", lambda *_: pytest.fail("worlds are drawn"))
    assert better_for_the_match(evaluator, read_view(EARLY.view()), judged) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_reason_compares_the_two_by_the_match(language: str) -> None:
    """The list of points is left out: there the advised action is not the best."""
    position = LATE[0]
    found = explain(position.view())
    assert [one.action for one in found.alternatives] == [found.action]
    (reason,) = found.reason
    assert reason.code == "for-the-match"
    assert f"{position.seat} {reason.parameters['best']}" == found.action
    assert f"{position.seat} {reason.parameters['other']}" in position.blunders
    assert reason.parameters["other_share"] == 0
    words = Words(Texts(language), ["Ann", "Ben", "Cid", "Dee"], 2, low=1)
    (line,) = words.reason(reason.code, reason.parameters)
    assert str(reason.parameters["best_share"]) in line
    assert "Dee" in line
