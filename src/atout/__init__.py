"""Atout: the card games Njet!/Niet! and Null & nichtig as a Python library, with bots, a server and a web page.

>>> from atout import Game
>>> game = Game.new("niet-2015", players=4, seed=7)
>>> str(game.legal()[0])
'2 veto start 0'
"""

from atout.errors import (
    ActionError,
    AtoutError,
    BotError,
    EditionError,
    IllegalAction,
    RecordError,
    UsageError,
)
from atout.game import Action, Card, Game, Setup, View

__version__ = "0.1.0"

__all__ = [
    "Action",
    "ActionError",
    "AtoutError",
    "BotError",
    "Card",
    "EditionError",
    "Game",
    "IllegalAction",
    "RecordError",
    "Setup",
    "UsageError",
    "View",
    "__version__",
]
