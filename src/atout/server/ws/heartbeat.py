"""A beat for thousands of sockets: one timer for all of them, where each of its own took half a kilobyte."""

from __future__ import annotations

import asyncio
from typing import Protocol

from atout.server.loops import OneALoop

PING_SECONDS = 20.0
"""A beat. Who was silent for a whole one is asked whether they are there, and given up if they stay silent."""
PARTS = 20
"""The sockets are not all asked at once."""


class Beating(Protocol):
    def beat(self) -> None:
        """A beat has passed."""


Part = list[Beating]
"""Those of the same moment; who has ended takes itself out."""


class Pulse:
    """Of one event loop; it runs only while there is somebody."""

    def __init__(self) -> None:
        self._parts: list[Part] = [[] for _ in range(PARTS)]
        self._latest = 0
        self._runs = False

    def join(self, one: Beating) -> Part:
        """From now on it is called once a beat."""
        part = self._parts[self._latest]
        part.append(one)
        if not self._runs:
            self._go_on()
        return part

    def _go_on(self) -> None:
        self._runs = any(self._parts)
        if self._runs:
            asyncio.get_running_loop().call_later(PING_SECONDS / PARTS, self._next)

    def _next(self) -> None:
        self._latest = (self._latest + 1) % PARTS
        self._go_on()
        for one in tuple(self._parts[self._latest]):
            one.beat()


pulse = OneALoop(Pulse)
