"""Large pages are asked for where they cost nothing, and nobody is harmed where there are none."""

from __future__ import annotations

import asyncio
import mmap
import sys
from pathlib import Path

import pytest

from atout.server import large_pages
from atout.server.large_pages import LARGE, enlarge, mappings, resident

LISTED = """\
00400000-00800000 r-xp 00000000 fe:00 123                                /usr/bin/python3
Size:               4096 kB
Rss:                4096 kB
AnonHugePages:         0 kB
00a00000-01200000 rw-p 00000000 00:00 0                                  [heap]
Size:               8192 kB
Rss:                8100 kB
AnonHugePages:      2048 kB
ffff00000000-ffff00800000 rw-p 00000000 00:00 0
Size:               8192 kB
Rss:                  12 kB
AnonHugePages:         0 kB
VmFlags: rd wr mr mw me ac
ffffff000000-ffffff021000 rw-p 00000000 00:00 0                          [stack]
Rss:                 100 kB
AnonHugePages:         0 kB
"""


def test_only_memory_of_the_process_is_listed() -> None:
    heap, other = mappings(LISTED.splitlines())
    assert (heap.start, heap.end, heap.resident, heap.large) == (0xA00000, 0x1200000, 8100 << 10, 2 << 20)
    assert (other.start, other.resident) == (0xFFFF00000000, 12 << 10)


@pytest.mark.skipif(sys.platform != "linux", reason="large pages are asked for on Linux alone")
def test_memory_with_holes_does_not_grow_and_full_memory_keeps_what_it_holds() -> None:
    sparse, full = mmap.mmap(-1, 8 * LARGE, mmap.MAP_PRIVATE), mmap.mmap(-1, 8 * LARGE, mmap.MAP_PRIVATE)
    sparse[0] = 1
    full[:] = bytes(range(256)) * (8 * LARGE // 256)
    before = resident()
    enlarge()
    assert resident() - before < 4 * LARGE
    assert full[:] == bytes(range(256)) * (8 * LARGE // 256)


def test_where_nothing_is_listed_nothing_happens(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(large_pages, "MAPPINGS", tmp_path / "nothing")
    monkeypatch.setattr(large_pages, "RESIDENT", tmp_path / "nothing")
    enlarge()
    assert resident() == 0


def test_memory_is_listed_only_after_it_has_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = iter([LARGE, LARGE, LARGE, 2 * LARGE - 1, 2 * LARGE, 2 * LARGE, 2 * LARGE])
    looks: list[int] = []

    async def nap(_seconds: float) -> None:
        if len(looks) == 2:
            raise asyncio.CancelledError

    monkeypatch.setattr(large_pages, "resident", lambda: next(sizes))
    monkeypatch.setattr(large_pages, "enlarge", lambda: looks.append(1))
    monkeypatch.setattr(asyncio, "sleep", nap)
    monkeypatch.setattr(sys, "platform", "linux")
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(large_pages.keep_enlarging())
    assert list(sizes) == [2 * LARGE], "looked at the first and at the fifth size, and at both once more"
