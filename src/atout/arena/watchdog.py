"""Patience with a bot: how long a decision may take, and how those outside the process see it is stuck.

    who          sees                                does
    the alarm    a decision longer than `patience`   raises `Hang` inside the bot
    the keeper   one longer than that and a half     kills the process (see `keeper`)

The alarm works between two steps of Python. A bot that hangs in compiled code, or swallows every exception, can
only be ended with its process.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator, MutableSequence
from contextlib import contextmanager
from types import FrameType

DEADLINE, WHO, CELLS = 0, 1, 2
"""Cells of a watch: when the keeper's patience ends, by the monotonic clock (0: no bot is at work); which bot it is."""


class Hang(BaseException):
    """Too long. No `Exception`: a bot that catches those shall not catch this."""


class Watch:
    """What the bot of a process is doing, in memory that the keeper of the process reads too."""

    def __init__(self, cells: MutableSequence[float]) -> None:
        self.cells = cells

    @property
    def who(self) -> int | None:
        """Which bot is at work, if one is."""
        return int(self.cells[WHO]) if self.cells[DEADLINE] else None

    @property
    def is_stuck(self) -> bool:
        return 0 < self.cells[DEADLINE] < time.monotonic()

    @contextmanager
    def over(self, bot: int, patience: float) -> Iterator[None]:
        """A bot at work. Raises `Hang` when patience is over; only the main thread of a process has an alarm."""
        self.cells[WHO] = bot
        self.cells[DEADLINE] = time.monotonic() + patience + max(1.0, patience / 2)
        try:
            _set_alarm(patience)
            try:
                yield
            finally:
                _set_alarm(0)
        finally:
            self.cells[DEADLINE] = 0.0


def _set_alarm(seconds: float) -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def arm() -> None:
    """Let the alarm of this process end a decision. Ctrl-C is for the parent: it ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, _ring)


def _ring(signal_number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    raise Hang
