"""A thread that does one thing after the other, for who wants no answer.

`ThreadPoolExecutor` makes a future for each, and takes two locks: not for nothing, sixty times a second.
"""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread


class Worker:
    """What is submitted must not raise."""

    def __init__(self, name: str) -> None:
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[], None]) -> None:
        self._work.put(work)

    def shutdown(self) -> None:
        """Finish what was submitted, and end."""
        self._work.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            work()
