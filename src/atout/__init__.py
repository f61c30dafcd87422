"""Atout: the card games Njet!/Niet! and Null & nichtig as a Python library, with bots, a server and a web page.

>>> from atout import Game
>>> game = Game.new("niet-2015", players=4, seed=7)
>>> str(game.legal()[0])
'2 veto start 0'

`import atout` alone is quick: NumPy and Numba are loaded with the first name that is taken from it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

_FROM_GAME = ("Action", "Card", "Game", "Setup", "View")


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used (PEP 562)."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module("atout.game" if name in _FROM_GAME else "atout.errors"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
