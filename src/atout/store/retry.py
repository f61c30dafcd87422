"""Retries with exponential back-off and jitter."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator

MIN_PAUSE = 0.02
MAX_PAUSE = 1.0


async def attempts(seconds: float) -> AsyncIterator[int]:
    """Yield the number of each attempt, after its pause, as long as the next one would begin within `seconds`.

    Pauses double. They vary at random, so that workers that lost the same database do not all return at once.
    """
    clock = asyncio.get_running_loop().time
    end, pause, number = clock() + seconds, MIN_PAUSE, 1
    yield number
    while clock() + pause < end:
        await asyncio.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311
        number, pause = number + 1, min(2 * pause, MAX_PAUSE)
        yield number
