"""The entries of a log for Python code: the functions of `rules/log.py` as plain ones, which are faster to call."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from atout.rules import log

Function = TypeVar("Function", bound=Callable[..., int])


def _plain(function: Function) -> Function:
    """The function itself, without the wrapper around its compiled form."""
    return cast(Function, getattr(function, "py_func", function))


logged = _plain(log.logged)
seat_of = _plain(log.seat_of)
phase_of = _plain(log.phase_of)
action_of = _plain(log.action_of)
HIDDEN = log.HIDDEN
