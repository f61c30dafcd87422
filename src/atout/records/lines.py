"""Reading JSON Lines from an untrusted file: any bytes, any length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

MAX_LINE = 16 * 1024 * 1024
"""No record is that long; the rest of a longer line is skipped, not read into memory."""


def numbered_lines(file: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Every line that is not blank, with its number from 1; None instead of one that is too long."""
    number = 0
    while line := file.readline(MAX_LINE + 1):
        number += 1
        if len(line) > MAX_LINE:
            while line and not line.endswith(b"\n"):
                line = file.readline(MAX_LINE)
            yield number, None
        elif line.strip():
            yield number, line
