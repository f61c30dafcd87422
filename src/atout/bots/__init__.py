"""Players that are programs: the interface, the simple ones, and how they are called by name."""

from atout.bots.bot import Bot, ask
from atout.bots.registry import LEVELS, make_bot

__all__ = ["LEVELS", "Bot", "ask", "make_bot"]
