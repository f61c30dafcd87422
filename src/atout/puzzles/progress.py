"""How somebody does at puzzles: solved ones by theme, and days in a row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta


def streak_of(days: Mapping[str, bool], today: date) -> int:
    """Days in a row, up to today, whose puzzles were solved. Today breaks nothing before it ends.

    >>> days = {"2026-11-15": True, "2026-11-16": True, "2026-11-17": False}
    >>> [streak_of(days, date(2026, 11, day)) for day in (16, 17, 18)]
    [2, 2, 0]
    """
    day = today if days.get(today.isoformat()) else today - timedelta(1)
    count = 0
    while days.get(day.isoformat()):
        count, day = count + 1, day - timedelta(1)
    return count


def longest_streak(solved: Iterable[str]) -> int:
    """The most days in a row, of the days whose puzzles were solved.

    >>> longest_streak(["2026-02-28", "2026-03-01", "2026-03-03"]), longest_streak([])
    (2, 0)
    """
    longest = count = 0
    before: date | None = None
    for day in sorted(map(date.fromisoformat, solved)):
        count = count + 1 if before is not None and day - before == timedelta(1) else 1
        longest, before = max(longest, count), day
    return longest
