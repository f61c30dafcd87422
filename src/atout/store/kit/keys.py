"""Checks of the keys that sign cookies: a database is not used with others by mistake, and they can be changed."""

from __future__ import annotations

import asyncio
import itertools

from atout.store.kit.accounts import ANN
from atout.store.kit.opener import Opener, opened
from atout.store.model import KeyCheck
from atout.store.operations.keys import UNKNOWN
from atout.store.store import Store

OLD, NEW, OTHER = (bytes([number]) * 32 for number in (1, 2, 3))


async def fits(store: Store, *fingerprints: bytes) -> bool:
    """Whether a server may start with these keys, which it found."""
    return (await store.use_keys(fingerprints, False)).is_accepted


async def a_database_takes_the_key_it_is_first_used_with(open: Opener) -> None:
    async with opened(open) as store:
        assert await store.use_keys([], True) == KeyCheck(True, UNKNOWN), "a key may be made"
        assert await store.use_keys([OLD], True) == KeyCheck(True, UNKNOWN)
    async with opened(open) as store:
        await store.save_guest(ANN)
        assert await fits(store, OLD)
        assert not await fits(store, OTHER)
        for found in ([], [OTHER]):
            assert await store.use_keys(found, True) == KeyCheck(False, "01010101"), "no new one"
        assert await fits(store, OLD), "a refusal changed nothing"
        assert not await fits(store, OTHER)


async def guests_of_an_older_version_keep_their_key(open: Opener) -> None:
    """Nothing is known of it. A key that was there may be theirs; one that was made just now is not."""
    async with opened(open) as store:
        await store.save_guest(ANN)
        for found in ([], [NEW]):
            assert await store.use_keys(found, True) == KeyCheck(False, UNKNOWN)
        assert await fits(store, OLD)
        assert not await fits(store, NEW)


async def keys_are_changed_while_the_old_one_is_listed(open: Opener) -> None:
    async with opened(open) as store:
        assert await fits(store, OLD)
        assert await fits(store, NEW, OLD)
        assert await fits(store, OLD), "another machine has not heard of it yet"
        assert await fits(store, NEW, OLD)
        assert await fits(store, NEW)
        assert not await fits(store, OLD), "cookies of the new one are in use alone"
        late = await store.use_keys([OLD, NEW], False)
        assert late == KeyCheck(False, "02020202", is_retired=True), "others would not accept what the old one signs"
        assert await fits(store, NEW, OLD)
        assert await fits(store, NEW)
        assert await fits(store, OTHER, NEW), "the next change"
        assert await fits(store, OTHER)
        assert not await fits(store, NEW, OLD)


async def a_key_that_never_signed_is_not_known(open: Opener) -> None:
    async with opened(open) as store:
        assert await fits(store, OLD, NEW)
        assert not await fits(store, NEW)


async def a_lost_key_is_given_up_by_its_name(open: Opener) -> None:
    async with opened(open) as store:
        await store.save_guest(ANN)
        assert not (await store.use_keys([], True, "01010101")).is_accepted, "that is another database's"
        assert await store.use_keys([], True, UNKNOWN) == KeyCheck(True, UNKNOWN, True)
        assert not (await store.use_keys([], True)).is_accepted, "asking changed nothing"
        assert await store.use_keys([OLD], True, UNKNOWN) == KeyCheck(True, UNKNOWN, True)
        assert not (await store.use_keys([NEW], False, UNKNOWN)).is_accepted, "it is known by now"
        assert await store.use_keys([NEW], False, "01010101") == KeyCheck(True, "01010101", True)
        assert not await fits(store, OLD)
        assert await store.use_keys([NEW], False, "01010101") == KeyCheck(True, "02020202"), "once"
        assert await store.use_keys([OLD], False, "02020202") == KeyCheck(True, "02020202", True), "it is found again"
        assert await fits(store, OLD)
        assert not await fits(store, NEW)


async def of_servers_that_start_at_once_one_is_first(open: Opener) -> None:
    """Each has made a key of its own."""
    keys = [bytes([number]) * 32 for number in range(8)]
    async with opened(open) as store, opened(open) as other:
        found = await asyncio.gather(
            *(one.use_keys([key], True) for one, key in zip(itertools.cycle([store, other]), keys))
        )
        assert [check.is_accepted for check in found].count(True) == 1
        first = keys[[check.is_accepted for check in found].index(True)]
        assert [await fits(store, key) for key in keys] == [key == first for key in keys]
