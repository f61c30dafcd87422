"""How checks open stores, and the values they fill them with."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeAlias

import msgspec

from atout.store.model import LobbyCard
from atout.store.store import Store

Opener: TypeAlias = Callable[[], Awaitable[Store]]

CARD = LobbyCard(
    public=True, open_seats=2, edition="niet-2015", state="open", active=1000.0, detail=b'{"name":"\xc3\xa4"}'
)


def card(**changes: object) -> LobbyCard:
    """`CARD` with changes."""
    return msgspec.structs.replace(CARD, **changes)


@asynccontextmanager
async def opened(open: Opener) -> AsyncIterator[Store]:
    """A store that is closed at the end of the block."""
    store = await open()
    try:
        yield store
    finally:
        await store.close()


async def raised(work: Awaitable[object]) -> Exception | None:
    """The exception that a call raises, if any."""
    try:
        await work
    except Exception as error:
        return error
    return None
