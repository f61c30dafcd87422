"""Flat vectors as records, and records as plain objects: the two ends of the kernel's Python boundary."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from atout.kernel.jit import rule
from atout.kernel.layout import FACTS, PLAN, RULES, STATE


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


def plain(flat: np.typing.NDArray[np.int64], dtype: np.dtype[np.void]) -> SimpleNamespace:
    """A record as an object of Python integers and lists: what interpreted rules run fastest on."""
    record = flat.view(dtype)[0]
    names = dtype.names or ()
    return SimpleNamespace(**{name: np.asarray(record[name]).tolist() for name in names})


def flat(record: SimpleNamespace, dtype: np.dtype[np.void]) -> np.typing.NDArray[np.int64]:
    """The inverse of `plain`."""
    words: list[int] = []
    for name in dtype.names or ():
        value = getattr(record, name)
        words += value if isinstance(value, list) else [value]
    return np.array(words, np.int64)
