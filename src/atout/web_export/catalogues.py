"""The page's catalogues as JSON, for the terminal and for paper, which show the same texts."""

from __future__ import annotations

import json
import re
from pathlib import Path

ENTRY = re.compile(r'^\s*"((?:[^"\\]|\\.)+)":\s*("(?:[^"\\]|\\.)*"),$', re.MULTILINE)
ONLY_PAGE = ("app.", "fair.", "forget.", "games.", "home.", "lobby.", "settings.", "sharing.", "shared.")
"""What only the page shows."""


def catalogue(path: Path) -> dict[str, str]:
    """The texts of a catalogue by key, as TypeScript writes them: one entry after the other, in double quotes."""
    text = path.read_text(encoding="utf-8")
    found = {key: json.loads(words) for key, words in ENTRY.findall(text)}
    entries = len(re.findall(r'^\s*"[^"]+":', text, re.MULTILINE))
    assert len(found) == entries, f"{path}: {entries} entries, {len(found)} read"
    return {key: words for key, words in found.items() if not key.startswith(ONLY_PAGE)}
