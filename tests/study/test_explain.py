"""Advice for one decision: from a view alone, in the order of its values, with a reason."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from atout import Game
from atout.errors import UsageError
from atout.nets.spreads import spread_of
from atout.rules.layout import PLAY, VETO
from atout.study import explain
from atout.study.check import checked
from atout.study.effort import EFFORTS
from atout.study.evaluator import DecisionEvaluator

from .rounds import positions, round_record


@pytest.mark.parametrize(("edition", "players", "phase"), [("niet-2015", 4, VETO), ("nichtig", 3, PLAY)])
def test_the_order_of_the_advice_is_the_order_of_its_values(edition: str, players: int, phase: int) -> None:
    position = positions(round_record(edition, players), phase)[2]
    found = explain(position.knowledge(), 0.1)
    values = [one.known for one in found.alternatives]
    assert values == sorted(values, reverse=True)
    assert found.action == found.alternatives[0].action
    assert {one.action for one in found.alternatives} == {position.word(action) for action in position.legal}
    assert 1 <= len(found.reason) <= 2
    assert found == explain(position.knowledge(), 0.1)


def test_a_view_is_enough() -> None:
    game = Game.new("nichtig", players=3, seed=2)
    assert game.turn is not None
    assert explain(game.view(game.turn), 0.1) == explain(game.knowledge(game.turn), 0.1)
    with pytest.raises(UsageError, match="not asked to act"):
        explain(game.view((game.turn + 1) % 3), 0.1)
    with pytest.raises(UsageError, match="not this seat's turn"):
        explain(game.knowledge((game.turn + 1) % 3), 0.1)


def test_what_is_forced_needs_no_reason() -> None:
    game = Game.new("nichtig", players=3, seed=2)
    while len(game.legal()) > 1:
        game.play(game.legal()[0])
    assert game.turn is not None
    found = explain(game.view(game.turn))
    assert [reason.code for reason in found.reason] == ["only-choice"]


def test_an_overrated_action_is_not_advised() -> None:
    """Strong play would not choose it, and fresh worlds do not support it: what strong play chooses comes first."""
    knowledge = positions(round_record("nichtig", 3), PLAY)[2].knowledge()
    evaluator, spread = DecisionEvaluator.of(knowledge), spread_of(knowledge.setup)
    judged = evaluator.judge(knowledge, EFFORTS[0])
    worst = judged.ranking[-1]
    assert judged.found_by[worst] < 0.02
    known = judged.known | {worst: judged.known[judged.best] + 5.0}
    overrated = replace(judged, known=known, ranking=[worst, *(one for one in judged.ranking if one != worst)])
    found = checked(evaluator, knowledge, overrated, EFFORTS[0], spread)
    assert found.best == judged.likeliest
    assert found.known[found.best] == max(found.known.values())
    assert found.gaps[found.best] == (0.0, 0.0)
    assert found.gaps[worst][0] == pytest.approx(found.known[found.best] - found.known[worst])


def test_a_better_action_is_advised_although_it_is_seldom_chosen() -> None:
    """The other way round: strong play is said to choose the worst action, which fresh worlds do not support."""
    knowledge = positions(round_record("nichtig", 3), PLAY)[2].knowledge()
    evaluator, spread = DecisionEvaluator.of(knowledge), spread_of(knowledge.setup)
    judged = evaluator.judge(knowledge, EFFORTS[1])
    found_by = dict.fromkeys(judged.actions, 0.01) | {judged.ranking[-1]: 0.9}
    found = checked(evaluator, knowledge, replace(judged, found_by=found_by), EFFORTS[1], spread)
    assert found.best == judged.best
