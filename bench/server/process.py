"""CPU seconds and resident memory of a process and its children, as the operating system counts them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def family(process: int) -> list[int]:
    """The process and all its descendants."""
    found = [process]
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in (task / "children").read_text().split():
            found += family(int(child))
    return found


def cpu_seconds(process: int) -> float:
    """User and system time of all threads."""
    ticks = 0
    for one in family(process):
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / TICKS


def resident_bytes(process: int) -> int:
    return sum(int(Path(f"/proc/{one}/statm").read_text().split()[1]) * PAGE for one in family(process))


@contextmanager
def children_on(core: int) -> Iterator[None]:
    """Processes started inside run on this core."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def two_cores() -> tuple[int, int]:
    """One core for the driver and one for the server; the same one if there is only one."""
    cores = sorted(os.sched_getaffinity(0))
    return cores[0], cores[-1]
