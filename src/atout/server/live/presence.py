"""Who is online: guests who chose to show it are noted in the store, once a minute while they use the page.

The store is what workers share, so a friend on another worker sees the same. Of everybody else nothing is noted.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from atout.tables.devices import owner

if TYPE_CHECKING:
    from atout.server.live.hub import Hub

POLL_SECONDS = 15.0
NOTED_SECONDS = 60.0
"""How often a guest is noted."""
ONLINE_SECONDS = 120.0
"""Who was noted so recently is online."""


class Presence:
    """Notes the guests who use this worker."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._active: set[str] = set()
        """Guests who sent a request since the last look."""
        self._noted: dict[str, float] = {}
        """When each was looked at, by a clock that is never set back."""

    def note(self, guest: str) -> None:
        """A guest sent a request."""
        self._active.add(guest)

    async def run(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            self._hub.start(self.write())

    async def write(self) -> None:
        """Note those who were active, or are connected to a table, and show it."""
        now = time.monotonic()
        self._noted = {guest: at for guest, at in self._noted.items() if at > now - NOTED_SECONDS}
        connected = {owner(who) for live in self._hub.tables.values() for who in live.subscribers.guests}
        guests = [guest for guest in self._active | connected if guest not in self._noted]
        self._active = set()
        self._noted.update(dict.fromkeys(guests, now))
        shown = await self._hub.store.show_online(guests) if guests else []
        if shown:
            await self._hub.store.saw_online(shown, self._hub.now())
