"""The words of a score sheet's lines: commands, fields and conditions in the reader's language.

What a record says (`discard=one`, `trump=red`) and the English words are understood in every language. Words may be
shortened as long as only one is meant.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping

from atout.editions import Edition
from atout.i18n import Texts

VERBS = ("add", "edit", "show", "remove", "name", "undo", "save", "help", "quit")
NJET = ("points", "discard", "side", "double", "tricks", "loot", "trump", "super", "start")
"""The fields of a round of Njet!, in the order in which one knows them."""
CELLS = ("discard", "trump", "super")
"""Fields whose value is a cell of the veto board."""
OTHERS = {"q": "quit", "exit": "quit", "?": "help", "x2": "double", "×2": "double"}
"""Words of every language."""


def normal(text: str) -> str:
    """Words to compare: small, without accents and punctuation.

    >>> normal("1 carte, sauf les 1"), normal("Défausse"), normal(" −2  Punkte")
    ('1 carte sauf les 1', 'defausse', '-2 punkte')
    """
    letters = unicodedata.normalize("NFKD", text.casefold().replace("−", "-"))
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(word for part in plain.split() if (word := part.strip(".,:;()\"'“”„«»’")))


def meant(typed: str, names: Mapping[str, str]) -> list[str]:
    """What may be meant: one thing if it is typed in full or its beginning is nothing else's; none, or several.

    >>> names = {"tricks": "tricks", "trump": "trump", "plis": "tricks"}
    >>> meant("tric", names), meant("tr", names), meant("p", names), meant("x", names)
    (['tricks'], ['tricks', 'trump'], ['tricks'], [])
    """
    word = normal(typed)
    if word in names:
        return [names[word]]
    return list(dict.fromkeys(name for known, name in names.items() if word and known.startswith(word)))


class SheetWords:
    """What the reader of a sheet may type, and how it is written for them."""

    def __init__(self, texts: Texts, edition: Edition) -> None:
        self.texts, self.edition = texts, edition

    # ---------------------------------------------------------------- commands and fields

    def verb(self, verb: str) -> str:
        return self.texts.t(f"terminal.score.verb.{verb}")

    def field(self, field: str) -> str:
        return self.texts.t(f"terminal.score.field.{field}")

    def verbs_of(self, typed: str) -> list[str]:
        """The commands that may be meant, as their English words."""
        return meant(typed, self._names(VERBS, {verb: self.verb(verb) for verb in VERBS}))

    def fields_of(self, typed: str, known: Iterable[str]) -> list[str]:
        """Which of these fields may be meant, as a record names them."""
        return meant(typed, self._names(known, {field: self.field(field) for field in known}))

    def _names(self, known: Iterable[str], own: Mapping[str, str]) -> dict[str, str]:
        everywhere = {word: name for word, name in OTHERS.items() if name in own}
        return {**everywhere, **{name: name for name in known}, **{normal(word): name for name, word in own.items()}}

    # ---------------------------------------------------------------- conditions

    def cells(self, field: str) -> tuple[str, ...]:
        """The cells of a row of the board, as a record names them."""
        board = self.edition.board
        return () if board is None else tuple(getattr(board, field))

    def cell(self, field: str, word: str) -> str:
        """A cell in the reader's words."""
        if field == "discard":
            return self.texts.t(f"cell.discard.{word}")
        return self.texts.t("cell.none" if word == "none" else f"colour.{word}")

    def cells_of(self, field: str, typed: str) -> list[str]:
        """The cells of the board that may be meant, as a record names them."""
        names: dict[str, str] = {}
        for word in self.cells(field):
            names[normal(word)] = word
            names[normal(self.cell(field, word))] = word
            if field == "super" and word != "none":
                lows = self.texts.t("cell.lows", colour=self.cell(field, word), low=self.edition.deck.low)
                names[normal(lows)] = word
        return meant(typed, names)

    def allowed(self, field: str) -> str:
        """The values of a row of the board."""
        if field == "points":
            board = self.edition.board
            return "" if board is None else ", ".join(map(self.texts.number, board.points))
        return self.told_cells(field, self.cells(field))

    def told_cells(self, field: str, words: Iterable[str]) -> str:
        """Cells in the reader's words, between semicolons where one of them has a comma."""
        cells = [self.cell(field, word) for word in words]
        return ("; " if any("," in cell for cell in cells) else ", ").join(cells)
