"""What `make test` runs of a family of cases; `make check-all` runs all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import pytest

T = TypeVar("T")


def first(values: Iterable[T], count: int = 1) -> list[Any]:
    """The values of one parameter: those after the first `count` are slow. Put the most telling ones in front."""
    return [value if i < count else deeper(value) for i, value in enumerate(values)]


def where(values: Iterable[T], is_quick: Callable[[T], bool]) -> list[Any]:
    """The values of one parameter: those that are not quick are slow."""
    return [value if is_quick(value) else deeper(value) for value in values]


def deeper(value: object) -> Any:
    """A value that only `make check-all` tries."""
    return pytest.param(value, marks=pytest.mark.slow)
