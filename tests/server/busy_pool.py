"""The threads that the whole server shares, all of them busy: whoever needs one waits until the end of the test."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager


@contextmanager
def busy_pool() -> Iterator[None]:
    """In a running event loop: nothing that uses the shared threads gets on until the block ends."""
    end = threading.Event()
    pool = ThreadPoolExecutor(1)
    asyncio.get_running_loop().set_default_executor(pool)
    pool.submit(end.wait)
    try:
        yield
    finally:
        end.set()
