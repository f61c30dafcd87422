"""Trying again: soon at first, then less and less often, for a while and no longer."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator

SHORTEST = 0.02
LONGEST = 1.0


async def attempts(seconds: float) -> AsyncIterator[int]:
    """Numbers of attempts, each after its pause, as long as the next one would begin within `seconds`.

    Pauses double, and vary by chance so that workers who lost the same database do not come back all at once.
    """
    clock = asyncio.get_running_loop().time
    end, pause, number = clock() + seconds, SHORTEST, 1
    yield number
    while clock() + pause < end:
        await asyncio.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311
        number, pause = number + 1, min(2 * pause, LONGEST)
        yield number
