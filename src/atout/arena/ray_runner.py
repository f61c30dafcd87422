"""The same duplicates on a Ray cluster.

`RAY_ADDRESS` names the cluster, as everywhere in Ray; without it a cluster on this machine is started and ended
again. Atout and the bots must be installed on every machine of the cluster. Each Ray process keeps an arena worker,
so a bot that ends its process does no harm here either.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Generator, Iterable, Iterator
from itertools import islice
from typing import Any

from atout.arena.duplicate import Duplicate
from atout.arena.settings import ArenaSettings
from atout.arena.worker import Worker
from atout.errors import UsageError

AHEAD = 2
"""Tasks submitted per worker, so that none is idle."""


class RayRunner:
    """One Ray task per duplicate."""

    def __init__(self, settings: ArenaSettings, workers: int) -> None:
        self.settings, self.workers = settings, workers
        try:
            import ray
        except ImportError:
            raise UsageError(
                "--runner: 'ray' needs the package ray; install it with `pip install atout[ray]`, or --runner local"
            ) from None
        self._ray: Any = ray

    def run(self, numbers: Iterable[int]) -> Generator[Duplicate, None, None]:
        ray = self._ray
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        if os.environ.get("RAY_ADDRESS"):
            ray.init(**quiet)
        else:
            ray.init(address="local", num_cpus=self.workers, include_dashboard=False, **quiet)
        try:
            yield from self._results(iter(numbers))
        finally:
            ray.shutdown()

    def _results(self, numbers: Iterator[int]) -> Iterator[Duplicate]:
        ray = self._ray
        play = ray.remote(num_cpus=1)(play_in_worker)
        settings = ray.put(self.settings)
        ahead = AHEAD * max(self.workers, int(ray.cluster_resources().get("CPU", 1)))
        waiting = [play.remote(settings, number) for number in islice(numbers, ahead)]
        while waiting:
            ready, waiting = ray.wait(waiting)
            waiting += [play.remote(settings, number) for number in islice(numbers, len(ready))]
            for reference in ready:
                duplicate: Duplicate = ray.get(reference)
                yield duplicate


_WORKERS: dict[str, Worker] = {}
"""The arena worker of this Ray process by the digest of its settings; it is kept from task to task."""


def play_in_worker(settings: ArenaSettings, number: int) -> Duplicate:
    """A Ray task."""
    if settings.digest not in _WORKERS:
        while _WORKERS:
            _WORKERS.popitem()[1].close()
        _WORKERS[settings.digest] = Worker(settings)
        atexit.register(_WORKERS[settings.digest].close)
    return _WORKERS[settings.digest].play(number)
