"""A logged action: one number with its seat and phase (drawn in `layout.py`)."""

from __future__ import annotations

from atout.rules.jit import rule

HIDDEN = 63
"""The index that stands for a choice which the reader of the log may not see; no kind has this number."""


@rule
def logged(seat: int, phase: int, action: int) -> int:
    return seat << 10 | phase << 6 | action


@rule
def seat_of(entry: int) -> int:
    return entry >> 10


@rule
def phase_of(entry: int) -> int:
    return (entry >> 6) & 15


@rule
def action_of(entry: int) -> int:
    return entry & 63


@rule
def hidden(entry: int) -> int:
    """The same entry with its choice hidden."""
    return entry | HIDDEN
