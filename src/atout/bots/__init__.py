"""Players that are programs: the interface, the simple ones, and how they are called by name."""

from atout.bots.bot import Bot, Budget, Choice, Reason, ask
from atout.bots.registry import LEVELS, STRONGEST, make_bot

__all__ = ["LEVELS", "STRONGEST", "Bot", "Budget", "Choice", "Reason", "ask", "make_bot"]
