"""JSON Lines as they come from a stranger: any bytes, any length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

MAX_LINE = 16 * 1024 * 1024
"""No game needs a line this long; more is read past, not into memory."""


def numbered_lines(file: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Every line that is not blank, with its number from 1; None for one that is too long."""
    number = 0
    while line := file.readline(MAX_LINE + 1):
        number += 1
        if len(line) > MAX_LINE:
            while line and not line.endswith(b"\n"):
                line = file.readline(MAX_LINE)
            yield number, None
        elif line.strip():
            yield number, line
