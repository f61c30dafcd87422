"""A batch on a GPU, where there is one: the same numbers as on the CPU, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from bench.gpu.batches import digests, tables
from numba import cuda

from atout.batch import Batch

MATCHES, STEPS = 512, 120


@pytest.mark.skipif(not cuda.is_available(), reason="needs an NVIDIA card, and the package numba-cuda")
def test_a_gpu_observes_and_steps_as_the_cpu_does() -> None:
    from atout.batch.device import DeviceBatch

    every = tables()
    which = np.arange(MATCHES) % len(every)
    on_cpu = digests(Batch(every, which), STEPS)
    assert digests(DeviceBatch(every, which), STEPS, cuda.to_device) == on_cpu
