"""The same units on a Ray cluster.

`RAY_ADDRESS` names the cluster, as everywhere in Ray; without it a cluster of this machine is started and ended
again. Atout and the bots must be installed on every machine of the cluster. A task leads a keeper of its worker, so
a bot that takes a process down does no harm here either.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Generator, Iterable, Iterator
from itertools import islice
from typing import Any

from atout.arena.duplicate import Duplicate
from atout.arena.settings import Settings
from atout.arena.worker import Keeper
from atout.errors import UsageError

AHEAD = 2
"""Tasks handed over for each worker, so that none waits."""


class RayEngine:
    """Ray's tasks, one a unit."""

    def __init__(self, settings: Settings, workers: int) -> None:
        self.settings, self.workers = settings, workers
        try:
            import ray
        except ImportError:
            raise UsageError(
                "--engine: 'ray' needs the package ray; right would be `pip install atout[ray]`, or --engine local"
            ) from None
        self._ray: Any = ray

    def run(self, units: Iterable[int]) -> Generator[Duplicate, None, None]:
        ray = self._ray
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        if os.environ.get("RAY_ADDRESS"):
            ray.init(**quiet)
        else:
            ray.init(address="local", num_cpus=self.workers, include_dashboard=False, **quiet)
        try:
            yield from self._results(iter(units))
        finally:
            ray.shutdown()

    def _results(self, units: Iterator[int]) -> Iterator[Duplicate]:
        ray = self._ray
        play = ray.remote(num_cpus=1)(play_kept)
        settings = ray.put(self.settings)
        ahead = AHEAD * max(self.workers, int(ray.cluster_resources().get("CPU", 1)))
        waiting = [play.remote(settings, number) for number in islice(units, ahead)]
        while waiting:
            ready, waiting = ray.wait(waiting)
            waiting += [play.remote(settings, number) for number in islice(units, len(ready))]
            for reference in ready:
                unit: Duplicate = ray.get(reference)
                yield unit


_KEEPERS: dict[str, Keeper] = {}
"""Of this process of Ray: its keeper goes on from task to task."""


def play_kept(settings: Settings, number: int) -> Duplicate:
    """A task of Ray."""
    if settings.digest not in _KEEPERS:
        while _KEEPERS:
            _KEEPERS.popitem()[1].close()
        _KEEPERS[settings.digest] = Keeper(settings)
        atexit.register(_KEEPERS[settings.digest].close)
    return _KEEPERS[settings.digest].play(number)
