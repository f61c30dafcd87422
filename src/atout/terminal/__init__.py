"""Atout in a terminal: matches line by line and on the whole screen, records, editions, puzzles, reviews.

No rule is written here: what is legal, and why something is not, comes from the game or from the server.
"""

from atout.terminal.editions import list_editions, show_edition
from atout.terminal.play import play
from atout.terminal.seats import Seating
from atout.terminal.show import show_record

__all__ = ["Seating", "list_editions", "play", "show_edition", "show_record"]
