"""Playing on to the next real choice: actions are logged, and forced ones are made without asking."""

from __future__ import annotations

from typing import Any

from atout.rules.bits import ctz
from atout.rules.jit import part, rule
from atout.rules.layout import DEAL, OVER
from atout.rules.log import logged
from atout.rules.step import apply, legal

LENGTH = 0
"""The column of `progress` with the length of the round's log."""


@rule
def is_round_over(s: Any) -> bool:
    return s.phase == DEAL or s.phase == OVER


@part
def act(s: Any, r: Any, log: Any, progress: Any, action: int) -> None:
    """Log the action and apply it."""
    log[progress[LENGTH]] = logged(s.turn, s.phase, action)
    progress[LENGTH] += 1
    apply(s, r, action)


@part
def to_choice(s: Any, r: Any, log: Any, progress: Any) -> None:
    """Make forced actions until there is a choice again, or the round ends."""
    while not is_round_over(s):
        options = legal(s, r)
        if options & (options - 1) != 0:
            return
        act(s, r, log, progress, ctz(options))
