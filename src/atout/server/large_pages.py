"""Large pages for a worker's memory.

Tables lie scattered over hundreds of megabytes, and a processor knows by heart where a few thousand pages are: at 4 KB
each it forgets a table between two of its moves. Linux gives large ones to who asks; elsewhere nothing happens.
"""

from __future__ import annotations

import asyncio
import ctypes
import mmap
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

LARGE = 1 << 21
"""Bytes of a large page, on the machines that have them by default."""
HUGEPAGE, COLLAPSE = 14, 25
"""Advice to the kernel: large pages are welcome here; make them now (Linux 6.1, others say no)."""
DENSE = 0.9
"""The part of a mapping that must be in use: one with holes would grow by filling them."""
SECONDS = 10.0
"""Between two looks, if there is more memory than at the last: it takes a while to list it."""
MAPPINGS = Path("/proc/self/smaps")
RESIDENT = Path("/proc/self/statm")


class Mapping(NamedTuple):
    """A piece of memory of the process alone."""

    start: int
    end: int
    resident: int
    large: int
    """Bytes in large pages already."""


async def keep_enlarging() -> None:
    seen = 0
    while sys.platform == "linux":
        await asyncio.sleep(SECONDS)
        if resident() >= seen + LARGE:
            await asyncio.to_thread(enlarge)
            seen = resident()


def resident() -> int:
    """Bytes of the process in memory; 0 where nobody tells."""
    try:
        return int(RESIDENT.read_text(encoding="utf-8").split()[1]) * mmap.PAGESIZE
    except OSError:
        return 0


def enlarge() -> None:
    """Ask for large pages wherever they cost no memory."""
    try:
        lines = MAPPINGS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:  # not ours to read
        return
    advise = ctypes.CDLL(None).madvise
    advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    for mapping in mappings(lines):
        start, end = -(-mapping.start // LARGE) * LARGE, mapping.end // LARGE * LARGE
        dense = mapping.resident >= DENSE * (mapping.end - mapping.start)
        if dense and mapping.large < end - start:
            for advice in (HUGEPAGE, COLLAPSE):
                advise(start, end - start, advice)


def mappings(lines: Iterable[str]) -> Iterator[Mapping]:
    """Those for data, without files, as the kernel lists them.

    >>> list(mappings(["1000-3000 rw-p 0 00:00 0 [heap]", "Rss: 8 kB", "AnonHugePages: 0 kB", "VmFlags: rd"]))
    [Mapping(start=4096, end=12288, resident=8192, large=0)]
    """
    start, end, resident, ours = 0, 0, 0, False
    for line in lines:
        name, *rest = line.split()
        if name == "Rss:":
            resident = 1024 * int(rest[0])
        elif name == "AnonHugePages:" and ours:
            yield Mapping(start, end, resident, 1024 * int(rest[0]))
        elif not name.endswith(":"):
            start, end = (int(part, 16) for part in name.split("-"))
            ours = rest[0] == "rw-p" and rest[3] == "0" and rest[4:] in ([], ["[heap]"])
