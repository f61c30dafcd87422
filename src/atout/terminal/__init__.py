"""Atout in a terminal: playing line by line, and showing records and editions. No rule is written here."""

from atout.terminal.editions import list_editions, show_edition
from atout.terminal.play import play
from atout.terminal.seats import Seating
from atout.terminal.show import show_record

__all__ = ["Seating", "list_editions", "play", "show_edition", "show_record"]
