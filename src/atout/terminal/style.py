"""How cards look: a colour always has its letter, and where there is room also a symbol.

    ♥ R red    ★ Y yellow    ◆ B blue    ♣ G green    ♠ K black    ● P purple    (the letters are the reader's)

Without colours nothing is lost; without Unicode only the symbols are.
"""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from atout.game import Card
from atout.game.card import LETTERS
from atout.i18n import HOLE, Texts
from atout.terminal.lines import ASCII

SYMBOLS = {"red": "♥", "yellow": "★", "blue": "◆", "green": "♣", "black": "♠", "purple": "●"}
STYLES = {
    "red": "red",
    "yellow": "yellow",
    "blue": "bright_blue",
    "green": "green",
    "black": "bold",
    "purple": "magenta",
}


class Painter:
    """Prints to a console, with the characters that it supports."""

    def __init__(self, console: Console, texts: Texts | None = None) -> None:
        self.console, self.texts = console, texts or Texts()
        self._only_ascii = console.options.ascii_only
        self.leads, self.wins = (">", "*") if self._only_ascii else ("›", "✓")

    def text(self, words: str, style: str = "") -> Text:
        return Text(words.translate(ASCII) if self._only_ascii else words, style)

    def say(self, *parts: str | Text) -> None:
        """Print one line of several parts."""
        self.console.print(self.joined(parts, ""))

    def filled(self, key: str, **parts: str | Text) -> Text:
        """A text of the catalogues whose holes may be filled with styled text."""
        pieces = HOLE.split(self.texts.t(key))  # a hole's name is at every second place
        return self.joined([parts[piece] if place % 2 else piece for place, piece in enumerate(pieces)], "")

    def rule(self, title: str) -> None:
        """Begin a new section."""
        self.space()
        self.console.rule(self.text(title, "bold"), align="left", style="dim")

    def space(self) -> None:
        self.console.print()

    def joined(self, parts: Iterable[str | Text], between: str = " ") -> Text:
        return self.text(between).join(self.text(part) if isinstance(part, str) else part for part in parts)

    def colour(self, colour: str) -> Text:
        """`♥ red`; any other word stays as it is."""
        if colour not in LETTERS:
            return self.text(colour)
        return self.text(f"{self._symbol(colour)}{self.texts.t(f'colour.{colour}')}", STYLES[colour])

    def heading(self, colour: str) -> Text:
        name = self.texts.t(f"colour.{colour}")
        return self.text(f"{self._symbol(colour)}{name} {self._letter(colour)}", STYLES[colour])

    def card(self, word: str, *, bold: bool = False, symbol: bool = True) -> Text:
        card = Card.parse(word)
        style = STYLES[card.colour] + (" bold" if bold else "")
        symbol_text = self._symbol(card.colour).strip() if symbol else ""
        return self.text(f"{symbol_text}{self._letter(card.colour)}{card.value}", style)

    def cards(self, words: Iterable[str], symbol: bool = False) -> Text:
        return self.joined([self.card(word, symbol=symbol) for word in words])

    def table(self, *headings: str | Text, title: str = "") -> Table:
        """A table with no lines except the one under its headings."""
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim", title_justify="left")
        table.title = self.text(title, "bold") if title else None
        for heading in headings:
            table.add_column(heading if isinstance(heading, Text) else self.text(heading))
        return table

    def legend(self, colours: Iterable[str]) -> None:
        names = self.joined([self.heading(colour) for colour in colours], "   ")
        self.say(names, f"   {self.texts.t('terminal.show.legend', leads=self.leads, wins=self.wins)}")

    def _letter(self, colour: str) -> str:
        """The reader's letter, or two where several colours begin with the first."""
        return self.texts.t(f"terminal.plain.letter.{colour}")

    def _symbol(self, colour: str) -> str:
        return "" if self._only_ascii else SYMBOLS[colour] + " "
