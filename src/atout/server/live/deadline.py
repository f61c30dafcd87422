"""One timer per table. A postponed deadline is re-armed when the old timer fires."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Deadline:
    """A timer that fires once. Set again for a later time, it still fires at the earlier one; its owner looks then.

    It refers to what it calls only while it is set: it keeps no table alive that nobody uses any more.
    """

    __slots__ = ("_fires_at", "_timer")

    def __init__(self) -> None:
        self._timer: asyncio.TimerHandle | None = None
        self._fires_at = 0.0
        """In the event loop's time; not every loop's handles know."""

    def set(self, seconds: float, call: Callable[[], None]) -> None:
        """Call after so many seconds, or earlier if it was set for an earlier time."""
        loop = asyncio.get_running_loop()
        fires_at = loop.time() + max(seconds, 0.0)
        if self._timer is not None:
            if self._fires_at <= fires_at:
                return
            self._timer.cancel()
        self._timer, self._fires_at = loop.call_at(fires_at, self._fire, call), fires_at

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _fire(self, call: Callable[[], None]) -> None:
        self._timer = None
        call()
