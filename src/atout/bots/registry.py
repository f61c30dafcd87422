"""Bots by name: a level of Atout, or any class as `package.module:Class`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from importlib import import_module

from atout.bots.bot import Bot
from atout.bots.expert import ExpertBot
from atout.bots.ismcts import IsmctsBot
from atout.bots.learned import LearnedBot
from atout.bots.novice import NoviceBot
from atout.bots.random import RandomBot
from atout.bots.search_bot import SearchBot, club, mc
from atout.errors import BotError

LEVELS: dict[str, Callable[[], Bot]] = {
    "random": RandomBot,
    "novice": NoviceBot,
    "mc": mc,
    "ismcts": IsmctsBot,
    "club": club,
    "learned": LearnedBot,
    "expert": ExpertBot,
}
"""The bots that come with Atout, weakest first."""
SEARCHING = frozenset({"mc", "ismcts", "club", "expert"})
"""The levels that search as long as their budget lets them; the others decide within milliseconds."""
MADE: set[str] = set()
"""The levels that were made by name in this process: by it the arena knows which of them a bot of your own calls."""
DEFAULT_LEVEL = "club"
"""The level that plays where none is named: the same in every command and on the page."""
STRONGEST = list(LEVELS)[-1]
"""The level that gives a hint where a study (`study/explain.py`) cannot."""


def make_bot(name: str) -> Bot:
    """A new bot. A wrong name raises an error that lists the right ones.

    >>> make_bot("novice").name
    'novice'
    >>> make_bot("x")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    atout.errors.BotError: bot: 'x' is not known; allowed: random, novice, ..., expert, or package.module:Class
    """
    if name in LEVELS:
        MADE.add(name)
        return LEVELS[name]()
    module, class_name = _parts(name)
    try:
        made = getattr(import_module(module), class_name)()
    except (Exception, SystemExit) as error:
        said = " ".join(str(error).split())
        raise BotError(f"bot: {name[:60]!r} cannot be made: {type(error).__name__}: {said}") from error
    if not isinstance(made, Bot):
        raise BotError(f"bot: {name[:60]!r} is no bot; a bot has a name and choose(view, legal, budget, rng)")
    return made


def _parts(name: str) -> tuple[str, str]:
    """Module and class of `package.module:Class`."""
    module, colon, class_name = name.partition(":")
    if not (colon and module and class_name.isidentifier()):
        allowed = ", ".join(LEVELS)
        raise BotError(
            f"bot: {name[:60]!r} is not known; allowed: {allowed}, or package.module:Class",
            "bot",
            text=repr(name[:60]),
            allowed=allowed,
        )
    return module, class_name


def level_behind(name: str) -> str | None:
    """The level that a bot is or extends: it needs the same compiled code. It may import the bot's module.

    A bot that calls a level, or a function of your own that makes one, is not recognised: see `MADE`.

    >>> level_behind("club"), level_behind("atout.bots.expert:ExpertBot"), level_behind("json:JSONDecoder")
    ('club', 'expert', None)
    >>> level_behind("atout.bots.search_bot:mc"), level_behind("atout.bots.search_bot:SearchBot")
    ('mc', 'club')
    """
    if name in LEVELS:
        return name
    with suppress(Exception, SystemExit):
        module, class_name = _parts(name)
        found = getattr(import_module(module), class_name)
        for base in (found, *getattr(found, "__mro__", ())):
            for level, made in (*LEVELS.items(), ("club", SearchBot)):
                if made is base:
                    return level
    return None
