"""The solvers in three modes: the same answers, lines and numbers of nodes interpreted, compiled and checked."""

from __future__ import annotations

import pytest

from atout.rules.jit import MODE
from tests.properties.test_modes import run
from tests.search.answers import answers


def answers_in(mode: str, size: str) -> list[str]:
    if mode == MODE:
        return list(answers(size))
    done = run(mode, "-m", "tests.search.answers", size)
    assert done.returncode == 0, done.stderr
    reported_mode, *lines = done.stdout.splitlines()
    assert reported_mode == mode
    return lines


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "size"), [("off", "small"), ("check", "large")])
def test_the_answers_do_not_depend_on_the_mode(mode: str, size: str) -> None:
    assert answers_in(mode, size) == answers_in("on", size)
