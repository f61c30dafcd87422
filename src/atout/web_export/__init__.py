"""Data for the web page, made at build time so that the page needs no rules of its own: editions, lessons, the pages of
rules; and for its tests scored rounds and fair shuffles.

`python -m atout.web_export` writes the files, `--check` says which of them are stale. They are checked in, so the page
builds without Python; a test fails when they are stale.
"""

from atout.web_export.files import exports, stale, write

__all__ = ["exports", "stale", "write"]
