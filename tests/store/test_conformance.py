"""The conformance kit on both databases."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from atout.store import open_store
from atout.store.kit import CHECKS, Opener


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_conformance(check: Callable[[Opener], Awaitable[None]], url: str) -> None:
    async def conform() -> None:
        await check(lambda: open_store(url))

    asyncio.run(conform())
