"""Text for the parts of the games: colours, cells of the board, numbers, lists."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from atout.editions.checks import given_count
from atout.game import Card
from atout.study.shown import tenths


def counted(count: int, one: str, many: str = "") -> str:
    """A number and its noun.

    >>> counted(1, "card"), counted(2, "card"), counted(-1, "point")
    ('1 card', '2 cards', '−1 point')
    """
    return f"{signed(count)} {one if abs(count) == 1 else many or one + 's'}"


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def without_accents(text: str) -> str:
    """Small letters without accents, to compare what is typed.

    >>> without_accents("Zurück")
    'zuruck'
    """
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def signed(number: float) -> str:
    return str(number).replace("-", "−")


def decimal(number: float) -> str:
    """With one place.

    >>> decimal(12.34), decimal(-0.04), decimal(-9.25)
    ('12.3', '0.0', '−9.3')
    """
    return signed(tenths(number))


def points(number: float) -> str:
    """An expected number of points with its noun.

    >>> points(2.36), points(1.0)
    ('2.4 points', '1.0 points')
    """
    return f"{decimal(number)} points"


def by_colour(cards: Sequence[str]) -> dict[str, list[str]]:
    """Cards in groups of one colour, in the order given."""
    groups: dict[str, list[str]] = {}
    for card in cards:
        groups.setdefault(Card.parse(card).colour, []).append(card)
    return groups


def giving(cell: str) -> str:
    """A cell of the discard row.

    >>> [giving(cell) for cell in ("none", "one", "two-not-0", "pass-one")]
    ['no card', '1 card', '2 cards (not a 0)', 'pass 1 card left']
    """
    count = given_count(cell)
    cards = counted(count, "card") if count else "no card"
    if cell.startswith("pass-"):
        return f"pass {cards} left"
    _, barred, value = cell.partition("-not-")
    return f"{cards} (not a {value})" if barred else cards


def giving_sentence(cell: str) -> str:
    """What everyone does under this free cell of the discard row.

    >>> giving_sentence("two-not-0")
    'everyone discards 2 cards, but not a 0'
    """
    if cell == "none":
        return "nobody discards a card"
    if cell.startswith("pass-"):
        return f"everyone passes {counted(given_count(cell), 'card')} to the left"
    _, barred, value = cell.partition("-not-")
    return f"everyone discards {counted(given_count(cell), 'card')}" + (f", but not a {value}" if barred else "")
