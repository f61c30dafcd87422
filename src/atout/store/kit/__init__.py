"""The conformance kit: what every store must do. Run all of `CHECKS` on a new store.

A check is given a function that opens stores on one database, which is empty at first. It closes what it opened, and
raises `AssertionError` where the store breaks a promise.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from atout.store.kit import accounts, appends, daily, nudges, people, puzzles, tables
from atout.store.kit.opener import Opener

CHECKS: list[Callable[[Opener], Awaitable[None]]] = [
    *appends.CHECKS,
    *tables.CHECKS,
    *accounts.CHECKS,
    *puzzles.CHECKS,
    *daily.CHECKS,
    *people.CHECKS,
    *nudges.CHECKS,
]

__all__ = ["CHECKS", "Opener"]
