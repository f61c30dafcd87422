"""`starts.py` on a GPU: one thread per match."""

from __future__ import annotations

from typing import Any

from numba import int64

from atout.batch.device import THREADS, cuda
from atout.batch.starts import start_unusually


@cuda.jit
def start_all(
    states: Any, rules: Any, which: Any, rngs: Any, logs: Any, progress: Any, late: Any, extreme: Any, deviations: Any
) -> None:
    best = cuda.local.array(1, dtype=int64)
    i = cuda.grid(1)
    if i < which.shape[0]:
        start_unusually(
            states[i], rules[which[i]], rngs[i], logs[i], progress[i], late[i], extreme[i], deviations[which[i]], best
        )


def start_on_device(batch: Any, progress: Any, late: Any, extreme: Any, deviations: Any) -> None:
    grid = (batch.size + THREADS - 1) // THREADS, THREADS
    arrays = [cuda.as_cuda_array(one) for one in (progress, late, extreme, deviations)]
    start_all[grid](batch.states, batch.rules, batch.which, batch.rngs, batch.logs, *arrays)
