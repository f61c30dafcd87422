"""Bots: the interface, the levels that come with Atout, and how a bot is made by name."""

from atout.bots.bot import TABLE_SECONDS, Bot, Budget, Choice, Reason, ask
from atout.bots.registry import DEFAULT_LEVEL, LEVELS, MADE, SEARCHING, STRONGEST, level_behind, make_bot

__all__ = [
    "DEFAULT_LEVEL",
    "LEVELS",
    "MADE",
    "SEARCHING",
    "STRONGEST",
    "TABLE_SECONDS",
    "Bot",
    "Budget",
    "Choice",
    "Reason",
    "ask",
    "level_behind",
    "make_bot",
]
