"""Short labels of bots."""

from __future__ import annotations

from collections.abc import Sequence

from atout.bots import make_bot
from atout.errors import BotError

MAX_LABEL = 24


def labels(bots: Sequence[str]) -> dict[str, str]:
    """A short label for each bot: its own `name`, as in records, unless two bots would have the same label.

    A class that cannot be loaded here, because the results are another machine's, has its class name.

    >>> labels(["club", "atout.bots.novice:NoviceBot"])
    {'club': 'club', 'atout.bots.novice:NoviceBot': 'novice'}
    >>> labels(["novice", "my.bots:Fox"])
    {'novice': 'novice', 'my.bots:Fox': 'Fox'}
    >>> labels(["old.bots:Fox", "new.bots:Fox"])
    {'old.bots:Fox': 'old.bots:Fox', 'new.bots:Fox': 'new.bots:Fox'}
    """
    short = {name: _cut(_own_name(name)) for name in bots}
    if len(set(short.values())) < len(bots):
        return {name: _cut(name) for name in bots}
    return short


def _own_name(bot: str) -> str:
    if ":" not in bot:
        return bot
    try:
        return str(make_bot(bot).name)
    except BotError:
        return bot.rpartition(":")[2]


def _cut(name: str) -> str:
    """Keep the end of a long name, which says more than its beginning."""
    return name if len(name) <= MAX_LABEL else "…" + name[1 - MAX_LABEL :]
