"""The Python API: `Game` plays a match, `View` is what one seat may know, `Record` is a match as data."""

from atout.game.action import Action
from atout.game.card import Card
from atout.game.game import Game
from atout.game.knowledge import Knowledge, Sampler, new_rng
from atout.game.options import Options
from atout.game.record import Record
from atout.game.setup import Setup
from atout.game.view import View, read_view

__all__ = [
    "Action",
    "Card",
    "Game",
    "Knowledge",
    "Options",
    "Record",
    "Sampler",
    "Setup",
    "View",
    "new_rng",
    "read_view",
]
