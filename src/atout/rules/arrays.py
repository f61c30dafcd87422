"""Flat arrays of 64-bit integers as NumPy records, and as plain objects: how Python and the compiled rules meet."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from atout.rules.jit import rule
from atout.rules.layout import FACTS, PLAN, RULES, STATE

Int64Array = npt.NDArray[np.int64]
"""A state, rules, facts or a log as Python passes them: one word for each number."""


@rule
def as_state(flat: Any) -> Any:
    return flat.view(STATE)[0]


@rule
def as_rules(flat: Any) -> Any:
    return flat.view(RULES)[0]


@rule
def as_facts(flat: Any) -> Any:
    return flat.view(FACTS)[0]


@rule
def as_plan(flat: Any) -> Any:
    return flat.view(PLAN)[0]


Places = list[tuple[str, int, int]]


def _places(dtype: np.dtype[np.void]) -> Places:
    """Name, first word and number of words (0: a plain number) of every field."""
    places: Places = []
    for name in dtype.names or ():
        field, offset = dtype.fields[name][:2] if dtype.fields else (dtype, 0)
        places.append((name, offset // 8, field.shape[0] if field.shape else 0))
    return places


_PLACES = {dtype: _places(dtype) for dtype in (STATE, RULES, FACTS, PLAN)}


def plain(flat: Int64Array, dtype: np.dtype[np.void]) -> SimpleNamespace:
    """A copy of a record as an object of Python integers and lists, which is faster to read than a NumPy record."""
    words = flat.tolist()
    return SimpleNamespace(
        **{name: words[at : at + width] if width else words[at] for name, at, width in _PLACES[dtype]}
    )


def flat(record: SimpleNamespace, dtype: np.dtype[np.void]) -> Int64Array:
    """The inverse of `plain`."""
    words: list[int] = []
    for name, _, width in _PLACES[dtype]:
        value = getattr(record, name)
        words += value if width else [value]
    return np.array(words, np.int64)
