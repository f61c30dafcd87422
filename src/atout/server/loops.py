"""One of something for each event loop, made when it is first asked for: tests run many loops, a worker one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")


class OneALoop(Generic[T]):
    """Called, it gives that of the running loop."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: WeakKeyDictionary[asyncio.AbstractEventLoop, T] = WeakKeyDictionary()

    def __call__(self) -> T:
        loop = asyncio.get_running_loop()
        found = self._made.get(loop)
        if found is None:
            found = self._made[loop] = self._make()
        return found
