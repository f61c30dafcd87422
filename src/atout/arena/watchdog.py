"""The watchdog over a bot: how long a decision may take, and how another process can see that it is stuck.

    what           notices                                  does
    the alarm      a decision longer than `patience`        raises `Hang` inside the bot
    the worker     a decision longer than 1.5 × that        kills the process (`worker.py`)

The alarm works between two steps of Python. A bot that hangs in compiled code, or catches every exception, can only be
ended with its process.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator, MutableSequence
from contextlib import contextmanager
from types import FrameType

DEADLINE, BOT, CELLS = 0, 1, 2
"""Cells of shared memory: the deadline for the process by the monotonic clock (0: no bot is at work); which bot."""


class Hang(BaseException):
    """A decision took too long. It is no `Exception`, so that a bot that catches those does not catch this."""


class Watchdog:
    """What the bot of a process is doing, in memory that the arena worker reads, too."""

    def __init__(self, cells: MutableSequence[float]) -> None:
        self.cells = cells

    @property
    def bot(self) -> int | None:
        """The number of the bot that is at work, if there is one."""
        return int(self.cells[BOT]) if self.cells[DEADLINE] else None

    @property
    def is_stuck(self) -> bool:
        return 0 < self.cells[DEADLINE] < time.monotonic()

    @contextmanager
    def over(self, bot: int, patience: float) -> Iterator[None]:
        """Watch a bot at work: raises `Hang` after `patience` seconds, in the main thread of a process only."""
        self.cells[BOT] = bot
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
    """Let the alarm of this process end a decision. Ctrl-C is ignored: the parent process ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, _raise_hang)


def _raise_hang(signal_number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    raise Hang
