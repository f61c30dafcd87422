"""Puzzles: decisions with one clear answer, given what a seat knows; with a rating for people who solve them.

>>> from atout.puzzles import Puzzle
"""

from atout.puzzles.library import find, of_day, shipped, today
from atout.puzzles.model import THEMES, Puzzle, Theme

__all__ = ["THEMES", "Puzzle", "Theme", "find", "of_day", "shipped", "today"]
