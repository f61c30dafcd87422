"""Short labels of bots."""

from __future__ import annotations

from collections.abc import Sequence

MAX_LABEL = 24


def labels(bots: Sequence[str]) -> dict[str, str]:
    """A short label for each bot: for a class its name alone, unless two bots would have the same label.

    >>> labels(["novice", "my.bots:Fox"])
    {'novice': 'novice', 'my.bots:Fox': 'Fox'}
    >>> labels(["old.bots:Fox", "new.bots:Fox"])
    {'old.bots:Fox': 'old.bots:Fox', 'new.bots:Fox': 'new.bots:Fox'}
    """
    short = {name: _cut(name.rpartition(":")[2]) for name in bots}
    if len(set(short.values())) < len(bots):
        return {name: _cut(name) for name in bots}
    return short


def _cut(name: str) -> str:
    """Keep the end of a long name, which says more than its beginning."""
    return name if len(name) <= MAX_LABEL else "…" + name[1 - MAX_LABEL :]
