"""`Card`: a colour and a value, written as a letter and a number."""

from __future__ import annotations

from typing import NamedTuple

from atout.errors import ActionError

LETTERS = {"red": "R", "black": "K", "blue": "B", "green": "G", "yellow": "Y", "purple": "P"}
"""The letter of each colour in the notation."""


class Card(NamedTuple):
    """A card as players name it; two cards of the same colour and value are equal.

    >>> Card.parse("G9")
    Card(colour='green', value=9)
    >>> str(Card("black", 0))
    'K0'
    """

    colour: str
    value: int

    def __str__(self) -> str:
        return f"{LETTERS[self.colour]}{self.value}"

    @classmethod
    def parse(cls, text: str) -> Card:
        """The card that is written like this; `ActionError` if none is."""
        for colour, letter in LETTERS.items():
            number = text[1:]
            if text[:1] == letter and number.isascii() and number.isdecimal() and len(number) < 3:
                card = cls(colour, int(number))
                if str(card) == text:
                    return card
        letters = ", ".join(f"{letter} {colour}" for colour, letter in LETTERS.items())
        raise ActionError(f"{text[:20]!r} is not a card; expected a letter ({letters}) and a value, such as R7")
