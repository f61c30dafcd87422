"""What the page is given at build time, so that it needs no rule of its own: editions, lessons, rules, scored rounds.

`python -m atout.web_export` writes the files, `--check` says which of them are stale. They are checked in: the page
builds without Python, and a test fails when they no longer say what Python says.
"""

from atout.web_export.files import exports, stale, write

__all__ = ["exports", "stale", "write"]
