"""Unusual starts of matches in training: late rounds with a standing, and unequal hands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit

from atout.batch import Batch
from atout.batch.starts import inequality, start_all
from atout.batch.step import ENDED, GOES_ON, MATCH_OVER, ROUND_OVER
from atout.game import Setup
from atout.rules.arrays import as_rules, as_state
from atout.rules.layout import STATE

SIZE = 400
FINISHED, TOTALS = (STATE.fields[name][1] // 8 for name in ("finished", "totals"))  # type: ignore[index]


@njit
def inequalities(states: Any, rules: Any, found: Any) -> None:
    for i in range(len(found)):
        found[i] = inequality(as_state(states[i]), as_rules(rules))


def started(setup: Setup, ended: int, late: int, extreme: int) -> Batch:
    """Matches that have just begun, as if the last step had ended like this."""
    batch = Batch([setup], np.zeros(SIZE, np.int64))
    batch.reset(seed=5)
    batch.progress[:, ENDED] = ended
    marks = [np.full(SIZE, mark, np.int64) for mark in (late, extreme)]
    start_all(
        batch.states, batch.rules, batch.which, batch.rngs, batch.logs, batch.progress, marks[0], marks[1],
        np.array([12]),
    )  # fmt: skip
    return batch


@pytest.mark.parametrize("options", [{}, {"length": {"target": 100}}])
def test_a_late_match_has_a_standing(options: dict[str, Any]) -> None:
    setup = Setup.of("niet-2015", 4, options)
    totals = started(setup, MATCH_OVER, late=1, extreme=0).states[:, TOTALS : TOTALS + 4]
    assert totals.std() > 5
    if options:
        assert totals.max() < 100, "nobody has reached the target yet"
    else:
        finished = started(setup, MATCH_OVER, late=1, extreme=0).states[:, FINISHED]
        assert set(finished.tolist()) == set(range(setup.options.rounds))
        assert not totals[finished == 0].any(), "in the first round nobody has points"


def test_team_mates_have_the_same_total() -> None:
    totals = started(Setup.of("nichtig", 6, {"teams": True}), MATCH_OVER, late=1, extreme=0).states[:, TOTALS:]
    assert (totals[:, 0] == totals[:, 2]).all()
    assert (totals[:, 1] == totals[:, 5]).all()
    assert (totals[:, 0] != totals[:, 1]).any()


@pytest.mark.slow
def test_extreme_hands_are_more_unequal_and_can_be_played() -> None:
    setup = Setup.of("niet-2015", 4)
    found = []
    for extreme in (0, 1):
        batch = started(setup, ROUND_OVER, late=0, extreme=extreme)
        worths = np.zeros(SIZE, np.int64)
        inequalities(batch.states, setup.rules, worths)
        found.append(worths)
        batch.observe()
        batch.step(np.array([int(mask).bit_length() - 1 for mask in batch.mask]))
    assert found[1].mean() > 1.3 * found[0].mean()


def test_nothing_changes_in_the_middle_of_a_round() -> None:
    setup = Setup.of("niet-2015", 4)
    plain, marked = (started(setup, GOES_ON, late=mark, extreme=mark) for mark in (0, 1))
    assert (plain.states == marked.states).all()
    assert (plain.rngs == marked.rngs).all()
