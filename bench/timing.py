"""Timing on one core: CPU seconds of this process, pinned to a core, median of repeats."""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Callable
from pathlib import Path

REPEATS = 5
SECONDS = float(os.environ.get("BENCH_SECONDS", "0.7"))
"""CPU seconds of each repeat."""


def pin_to_core() -> None:
    """Pin this process to the last allowed core, where the system supports it."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def per_cpu_second(work: Callable[[], float]) -> tuple[float, float]:
    """Units of work per second of CPU time, as the median of the repeats; and the spread of the repeats over it.

    `work` does some and returns how much it did; the first call is warm-up.
    """
    work()
    rates = []
    for _ in range(REPEATS):
        done, start = 0.0, time.process_time()
        while (spent := time.process_time() - start) < SECONDS:
            done += work()
        rates.append(done / spent)
    median = statistics.median(rates)
    return median, (max(rates) - min(rates)) / median


def machine() -> str:
    """The name of the processor, from the system."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                name = line.split(":", 1)[1].strip()
    parts = {"0xd0c": "Neoverse-N1", "0xd40": "Neoverse-V1", "0xd4f": "Neoverse-V2"}
    if info.exists() and platform.machine() == "aarch64":
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("CPU part"):
                name = parts.get(line.split(":", 1)[1].strip(), name)
    return (
        f"{name}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}"
    )
