"""The conformance kit: what every store must do. Whoever writes one runs all of `CHECKS` on it.

A check gets a way to open stores on one database, empty at first; it closes what it opened. It raises
`AssertionError` where the store breaks a promise.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from atout.store.kit import accounts, appends, tables
from atout.store.kit.opener import Opener

CHECKS: list[Callable[[Opener], Awaitable[None]]] = [*appends.CHECKS, *tables.CHECKS, *accounts.CHECKS]

__all__ = ["CHECKS", "Opener"]
