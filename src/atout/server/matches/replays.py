"""Replays of public matches, computed one at a time and kept for a while: strangers may ask for them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import msgspec
from starlette.concurrency import run_in_threadpool

from atout.records import make_replay
from atout.server.matches.sharing import Published

KEPT = 32
"""Replays that a worker keeps."""


class Replays:
    """The replays that were asked for last, as JSON without names: those are added to each answer as agreed."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int | None], dict[str, msgspec.Raw]] = OrderedDict()

    async def of(
        self, shared: Published, seat: int | None, turn: Callable[[], AbstractAsyncContextManager[None]]
    ) -> bytes:
        """The replay with open cards, or as one seat saw it; `turn` is waited for only where it has to be computed."""
        key = shared.record.id, seat
        if key not in self._kept:
            async with turn():
                if key not in self._kept:  # nobody computed it meanwhile
                    self._kept[key] = await run_in_threadpool(_fields, shared.record.body.decode(), seat)
        fields = self._kept[key]
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        names = msgspec.Raw(msgspec.json.encode(shared.match.summary.names))
        return msgspec.json.encode({**fields, "names": names})


def _fields(body: str, seat: int | None) -> dict[str, msgspec.Raw]:
    replay = make_replay(body, seat)
    replay.names = []
    return msgspec.json.decode(msgspec.json.encode(replay), type=dict[str, msgspec.Raw])
