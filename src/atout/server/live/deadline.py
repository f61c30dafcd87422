"""One timer a table: a deadline that moved further away is found out when it rings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Alarm:
    """Rings once, after so many seconds; set again for a later time, it rings at the earlier one all the same.

    It knows whom to call only while it is set: nothing keeps a table alive that nobody uses any more.
    """

    __slots__ = ("_rings", "_timer")

    def __init__(self) -> None:
        self._timer: asyncio.TimerHandle | None = None
        self._rings = 0.0
        """When; not every loop's handles know."""

    def set(self, seconds: float, call: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()
        when = loop.time() + max(seconds, 0.0)
        if self._timer is not None:
            if self._rings <= when:
                return
            self._timer.cancel()
        self._timer, self._rings = loop.call_at(when, self._ring, call), when

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ring(self, call: Callable[[], None]) -> None:
        self._timer = None
        call()
