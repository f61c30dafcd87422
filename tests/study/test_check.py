"""A second look in fresh worlds: what the other actions are worth afterwards."""

from __future__ import annotations

from typing import Any

from atout.study.check import use_fresh
from atout.study.evaluator import Compared


def test_luck_of_the_first_choice_is_not_charged_to_the_others() -> None:
    """1 seemed best by luck: in fresh worlds it is worth 9 less, and 2, which nobody picked for its value, the same."""
    known, errors = {1: 4.0, 2: -3.0, 3: -3.5, 4: 2.0}, {1: 4.0, 2: 1.0, 3: 1.0, 4: 1.0}
    sample: Any = None
    use_fresh(known, errors, Compared(1, 2, -2.5, 0.5, -5.0, 0.4, 0.3, sample))
    assert known == {1: -5.0, 2: -2.5, 3: -3.0, 4: -2.5}, "none passes the better of the two"
    assert errors == {1: 0.4, 2: 0.3, 3: 1.0, 4: 1.0}
