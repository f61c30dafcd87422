"""The conformance kit: what every store must do. Run all of `CHECKS` on a new store.

A check is given a function that opens stores on one database, which is empty at first. It closes what it opened, and
raises `AssertionError` where the store breaks a promise. Every coroutine function of this package whose only parameter
is `open` is a check, so none can be left out.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeAlias

from atout.store.kit.opener import Opener

Check: TypeAlias = Callable[[Opener], Awaitable[None]]


def _checks() -> Iterator[Check]:
    """The checks of all modules, in the order in which they are written."""
    for found in pkgutil.iter_modules(__path__, f"{__name__}."):
        module = importlib.import_module(found.name)
        for value in vars(module).values():
            if inspect.iscoroutinefunction(value) and list(inspect.signature(value).parameters) == ["open"]:
                yield value


CHECKS: list[Check] = list(_checks())

__all__ = ["CHECKS", "Opener"]
