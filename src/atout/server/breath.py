"""Under load the event loop takes a breath: it looks up every few milliseconds, and then finds several moves.

Most of what a move costs is waking up for it: the system's, the interpreter's and the processor's caches are cold each
time, and every wake-up does all of it again. Network cards do the same with their interrupts. While the loop sleeps the
writing thread has the interpreter for itself, so that a group is on the disk when the loop looks up again. A server
with little to do never sleeps.
"""

from __future__ import annotations

import asyncio
import time

BREATH_SECONDS = 0.010
"""From one look to the next. A move waits for a look, and its acknowledgement for the next: twice this at most."""
BUSY = 200.0
"""Moves a second from which on it pays."""
WINDOW_SECONDS = 0.1
"""For so long moves are counted to know how many they are."""


class Breath:
    def __init__(self) -> None:
        self._looked = self._since = 0.0
        self._moves = 0
        self._is_busy = self._is_due = False

    def count(self) -> None:
        """A move came in; what else has come is still looked at before the loop sleeps."""
        now = time.monotonic()
        self._moves += 1
        if now - self._since >= WINDOW_SECONDS:
            self._is_busy = self._moves >= BUSY * (now - self._since)
            self._since, self._moves = now, 0
        if self._is_busy and not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._sleep)

    def _sleep(self) -> None:
        self._is_due = False
        left = self._looked + BREATH_SECONDS - time.monotonic()
        if left > 0.0:
            time.sleep(left)
        self._looked = time.monotonic()
