"""What people program against: `Game`, `Card`, `Action`, `View`."""

from atout.game.game import Game
from atout.game.knowledge import Knowledge, Sampler, new_luck
from atout.game.options import Options
from atout.game.record import Record
from atout.game.table import Table
from atout.game.view import View, read_view
from atout.game.words import Action, Card

__all__ = [
    "Action",
    "Card",
    "Game",
    "Knowledge",
    "Options",
    "Record",
    "Sampler",
    "Table",
    "View",
    "new_luck",
    "read_view",
]
