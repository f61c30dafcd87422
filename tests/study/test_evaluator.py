"""Values of decisions: nothing hidden has a part in them, the same question gets the same answer, errors are honest."""

from __future__ import annotations

import numpy as np
import pytest

from atout.errors import UsageError
from atout.game import Knowledge, Setup, new_rng
from atout.rules.layout import LAY, PLAY, TEAM, VETO
from atout.search.weighted import flattened, mean_and_error
from atout.study.effort import EFFORTS
from atout.study.evaluator import DecisionEvaluator, Settings
from atout.study.positions import Position
from atout.study.review import review_decision

from .rounds import positions, round_record

LOW = EFFORTS[0]
PLACES = [("niet-2015", 4, VETO, -1), ("niet-2015", 4, TEAM, 0), ("niet-2015", 4, PLAY, 9), ("nichtig", 3, LAY, 1)]


def at(edition: str, players: int, phase: int, number: int) -> Position:
    return positions(round_record(edition, players), phase)[number]


def hidden_changed(position: Position) -> Position:
    """Another position in which the seat knows the same: other cards in other hands."""
    known = position.knowledge()
    state, log = known.sampler.draw(new_rng(17))
    twin = Position(position.setup, position.round, position.index, state, log, position.entry)
    assert (state != position.state).any()
    assert (twin.knowledge().redacted == known.redacted).all()
    return twin


@pytest.mark.parametrize(("edition", "players", "phase", "number"), PLACES)
def test_hidden_cards_change_nothing_that_is_called_known(edition: str, players: int, phase: int, number: int) -> None:
    position = at(edition, players, phase, number)
    evaluator = DecisionEvaluator.of(position.knowledge())
    one, two = (review_decision(evaluator, it, LOW, 6.0) for it in (position, hidden_changed(position)))
    assert [(v.known, v.se, v.found_by) for v in one.values.values()] == [
        (v.known, v.se, v.found_by) for v in two.values.values()
    ]
    assert (one.label, one.loss, one.se, one.best, one.reason) == (two.label, two.loss, two.se, two.best, two.reason)
    assert one.values.keys() == {position.word(action) for action in position.legal}


def test_the_same_decision_gets_the_same_review_and_another_evaluator_another_name() -> None:
    position = at("nichtig", 3, PLAY, 4)
    evaluator = DecisionEvaluator.of(position.knowledge())
    assert review_decision(evaluator, position, LOW, 9.0) == review_decision(evaluator, position, LOW, 9.0)
    assert DecisionEvaluator.of(position.knowledge(), Settings(horizon=2)).id != evaluator.id


@pytest.mark.slow
def test_nothing_is_worth_more_than_the_best() -> None:
    for edition, players, phase, number in PLACES:
        position = at(edition, players, phase, number)
        found = review_decision(DecisionEvaluator.of(position.knowledge()), position, LOW, 6.0)
        most = max(value.known for value in found.values.values())
        assert found.values[found.best].known == pytest.approx(most, abs=2e-3)
        assert found.loss == pytest.approx(max(0.0, most - found.values[found.action].known), abs=3e-3)


def test_open_values_are_exact_at_the_end_of_a_round() -> None:
    for edition, players in (("niet-2015", 4), ("nichtig", 3)):
        position = positions(round_record(edition, players), PLAY)[-1]
        evaluator = DecisionEvaluator.of(position.knowledge())
        values, exact = evaluator.open_values(position, LOW)
        assert exact
        assert values.keys() == set(position.legal)
    first = at("niet-2015", 4, VETO, 0)
    assert not DecisionEvaluator.of(first.knowledge()).open_values(first, LOW)[1]


def test_the_exact_value_of_a_last_choice_is_what_the_round_brings() -> None:
    """Whoever has the last choice of a round decides it: the best that it can get is what the solver says."""
    position = positions(round_record("niet-2015", 4), PLAY)[-1]
    evaluator = DecisionEvaluator.of(position.knowledge())
    values, _ = evaluator.open_values(position, LOW)
    played = evaluator.play_out(position.knowledge(), _true(position), position.legal, 99).values[:, 0]
    assert dict(zip(position.legal, played.tolist(), strict=True)) == pytest.approx(values)


def _true(position: Position):  # type: ignore[no-untyped-def]
    from atout.study.evaluator import Sample
    from atout.study.playouts import gumbel

    return Sample(position.world(), np.zeros(1), gumbel(1, 0), 1.0, 1.0)


def test_a_table_that_nobody_learned_is_refused_with_a_sentence() -> None:
    setup = Setup.of("nichtig", 3)
    knowledge = at("nichtig", 3, PLAY, 0).knowledge()
    house = type(setup).of(_house(setup), 3)
    strange = Knowledge(house, 0, knowledge.redacted, knowledge.facts, knowledge.log)
    with pytest.raises(UsageError, match="no network has learned"):
        DecisionEvaluator.of(strange)


def _house(setup: Setup):  # type: ignore[no-untyped-def]
    import msgspec

    return msgspec.structs.replace(setup.edition, id="house", name="House")


def test_weights_are_flattened_until_enough_worlds_count() -> None:
    logs = np.array([0.0, -9.0, -9.0, -9.0])
    assert 1 / (flattened(logs, 0.5, 0.8) ** 2).sum() >= 2
    assert 1 / (flattened(logs, 0.25, 0.8) ** 2).sum() == pytest.approx(1.0, abs=0.01)


def test_the_standard_error_of_equal_weights_is_the_usual_one() -> None:
    values = np.random.default_rng(1).normal(3, 2, 400)
    mean, error = mean_and_error(values, np.full(400, 1 / 400))
    assert mean == pytest.approx(values.mean())
    assert error == pytest.approx(values.std(ddof=1) / 20, rel=1e-6)
