"""`Action`: one choice of a seat, as text and as a number."""

from __future__ import annotations

from typing import NamedTuple


class Action(NamedTuple):
    """One choice: its seat, its verb, the words after the verb, and its number in the log of a round.

    >>> from atout import Game
    >>> action = Game.new("niet-2015", players=4, seed=7, first_dealer=2).legal()[0]
    >>> str(action), action.verb, action.words
    ('2 veto start 0', 'veto', ('start', '0'))
    """

    seat: int
    verb: str
    words: tuple[str, ...]
    entry: int

    def __str__(self) -> str:
        return " ".join((str(self.seat), self.verb, *self.words))
