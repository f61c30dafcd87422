"""A record for people to read: every round with its hands, board, teams and tricks.

Colours help, but every card keeps its letter. If a move is given, the text stops there and the position follows: whose
turn it is, the hands, and what is legal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from atout.editions import Edition
from atout.game import Action, Game
from atout.game.card import LETTERS
from atout.game.view import Cell
from atout.i18n import Texts
from atout.terminal.events import Trick
from atout.terminal.phrases import by_colour, giving, giving_sentence, signed
from atout.terminal.seats import recorded_names
from atout.terminal.style import Painter
from atout.terminal.summary import MatchSummary, RoundSummary, summary_of
from atout.terminal.words import Words


def show_record(
    record: Mapping[str, Any], console: Console, move: int | None = None, texts: Texts | None = None
) -> None:
    """Print the match, or its first `move` actions and the position after them."""
    summary, painter = summary_of(record, move), Painter(console, texts)
    _Show(summary, recorded_names(record, summary.game.setup.players), painter).run(with_position=move is not None)


class _Show:
    def __init__(self, summary: MatchSummary, names: list[str], painter: Painter) -> None:
        self.summary, self.paint, self.texts = summary, painter, painter.texts
        self.names = [f"{self.seat(seat)} ({name})" if name else self.seat(seat) for seat, name in enumerate(names)]
        self.short = [f"{seat} {name}" if name else self.seat(seat) for seat, name in enumerate(names)]
        self.game: Game = summary.game
        self.edition: Edition = self.game.setup.edition
        self.colours = self.edition.deck.colours
        self.words = Words(self.texts, self.names, None, self.edition.deck.low)

    def t(self, key: str, **values: object) -> str:
        return self.texts.t(f"terminal.show.{key}", **values)

    def seat(self, seat: int) -> str:
        return self.t("seat", n=seat)

    def run(self, with_position: bool) -> None:
        self.header()
        for played in self.summary.rounds:
            self.round(played)
        if with_position or not self.game.is_over:
            self.position()

    def header(self) -> None:
        setup, options = self.game.setup, self.game.setup.options
        length = self.texts.count("terminal.show.rounds", options.rounds or 0)
        if options.target:
            length = self.texts.count("terminal.show.to", options.target)
        players = self.texts.t("sheet.players", n=setup.players)
        self.paint.say(self.paint.text(self.edition.name, "bold"), f" ({self.edition.id}, {players}), {length}")
        for line in self._options(options.written(self.edition, setup.players)):
            self.paint.say(line)
        self.paint.say(self.t("first-dealer", who=self.names[self.game.first_dealer]))
        totals = [f"{name} {signed(total)}" for name, total in zip(self.names, self.game.totals, strict=True)]
        self.paint.say(self.t("final" if self.game.is_over else "so-far", points=", ".join(totals)))
        for team in self.words.team_totals(self.game.view(None)["teams"]):
            self.paint.say(team)
        if self.game.is_over:
            winners = self.words.all_names(self.game.winners)
            self.paint.say(self.paint.text(self.t("won", who=winners), "bold"))
        self.paint.legend(self.colours)

    # ---------------------------------------------------------------- a round

    def round(self, played: RoundSummary) -> None:
        view = played.view
        key = "round.deals" if self.edition.is_njet else "round.leads"
        self.paint.rule(self.t(key, n=played.number, who=self.names[played.opener]))
        self.hands(played.hands, self.t("dealt"))
        if view["board"] is not None:
            self.board(played)
            self.conditions(played)
        if played.given:
            self.given(played)
        if played.tricks or view["trick"]:
            self.tricks(played)
        if view["piles"] is not None and played.tricks:
            self.piles(view["piles"])
        if played.result is not None:
            self.result(played)

    def hands(self, hands: list[list[str]], title: str) -> None:
        table = self.paint.table("", *(self.paint.heading(colour) for colour in self.colours), title=title)
        for name, hand in zip(self.names, hands, strict=True):
            groups = by_colour(hand)
            table.add_row(self.paint.text(name), *(self.paint.cards(groups.get(colour, [])) for colour in self.colours))
        self.paint.console.print(table)

    def board(self, played: RoundSummary) -> None:
        """The veto board: the cell that stayed free is marked, the others show who covered them."""
        self.paint.space()
        rows = played.view["board"] or []
        columns = max(len(row["cells"]) for row in rows)
        table = self.paint.table("", *[""] * columns, title=self.t("board"))
        table.show_header = False
        for row in rows:
            settled = sum(cell["free"] for cell in row["cells"]) == 1
            cells = [self._cell(row["row"], cell, settled) for cell in row["cells"]]
            table.add_row(self.paint.text(self.t(f"row.{row['row']}"), "dim"), *cells)
        self.paint.console.print(table)

    def _cell(self, row: str, cell: Cell, settled: bool) -> Text:
        words = self._cell_words(row, cell["word"])
        if cell["by"] is not None:
            return self.paint.text(self.t("by", what=words, seat=cell["by"]), "dim")
        name = self.paint.colour(cell["word"]) if cell["word"] in LETTERS else self.paint.text(words)
        name.stylize("bold")
        return self.paint.joined([self.paint.text(self.paint.wins, "bold"), name]) if settled else name

    def _cell_words(self, row: str, word: str) -> str:
        if row == "start":
            return self.seat(int(word))
        if row == "points":
            return signed(int(word))
        if row == "discard":
            has = self.texts.language != "en" and self.texts.has(f"cell.discard.{word}")
            # a table cell needs no brackets, and has little room
            return self.words.cell(row, word) if has else giving(word).replace(" (", ", ").replace(")", "")
        return self.texts.t("cell.none" if word == "none" else f"colour.{word}")

    def _giving(self, cell: str) -> str:
        """What everyone does under this free cell of the discard row."""
        key = f"cell.discard.sentence.{cell}"
        if self.texts.language == "en" or not self.texts.has(key):
            return giving_sentence(cell)
        text = self.texts.t(key).rstrip(".")
        return text[:1].lower() + text[1:]

    def _suit(self, word: str) -> Text:
        return self.paint.colour(word) if word in LETTERS else self.paint.text(self.texts.t("cell.none"))

    def conditions(self, played: RoundSummary) -> None:
        held, sides, double = played.view["conditions"], played.view["sides"], played.view["double"]
        if held is None:
            return
        lows = self.t("lows", low=self.edition.deck.low) if held["super"] != "none" else ""
        text = self.paint.filled(
            "terminal.show.conditions.text",
            who=self.names[held["start"]],
            giving=self._giving(held["discard"]),
            trump=self._suit(held["trump"]),
            super=self.paint.joined([self._suit(held["super"]), lows], ""),
            points=self.texts.count("count.points", held["points"]),
        )
        self.paint.say(self.paint.text(f"{self.t('conditions')}  ", "bold"), text)
        if sides is not None and self.game.setup.players > 2:
            ours, theirs = (self.words.all_names(side) for side in sides)
            has = self.t("double", who=self.names[double]) if double is not None else ""
            teams = self.t("against", ours=ours, theirs=theirs)
            self.paint.say(self.paint.text(f"{self.t('teams')}  ", "bold"), f"{teams}{has}")

    def given(self, played: RoundSummary) -> None:
        parts = [
            self.paint.joined([f"{self.names[seat]}", self.paint.cards(cards, symbol=True)])
            for seat, cards in sorted(played.given.items())
        ]
        self.paint.say(
            self.paint.text(f"{self.t(f'given.{played.verb}')}  ", "bold"),
            self.paint.joined(parts, self.texts.t("paper.then")),
        )

    # ---------------------------------------------------------------- tricks

    def tricks(self, played: RoundSummary) -> None:
        """A row for each trick: who led, who won, and how much loot was captured."""
        self.paint.space()
        njet = self.edition.is_njet
        table = self.paint.table(
            "",
            *self.short,
            self.t("won-by"),
            *([self.texts.t("terminal.show.column.loot")] if njet else []),
            title=self.t("tricks"),
        )
        for number, trick in enumerate(played.tricks, 1):
            loot = [self.paint.text(f"+{trick.loot}" if trick.loot else "")] if njet else []
            winner = self.paint.text(self.short[trick.winner])
            table.add_row(self.paint.text(str(number), "dim"), *self._plays(trick), winner, *loot)
        if played.view["trick"]:
            unfinished = Trick(played.view["trick"], -1, 0, 0)
            table.add_row(self.paint.text(str(len(played.tricks) + 1), "dim"), *self._plays(unfinished))
        self.paint.console.print(table)

    def _plays(self, trick: Trick) -> list[Text]:
        cells = [Text() for _ in self.names]
        for place, it in enumerate(trick.cards):
            won = it["seat"] == trick.winner
            mark = self.paint.leads if place == 0 else " "
            end = self.paint.text(f" {self.paint.wins}", "bold") if won else Text()
            cells[it["seat"]] = self.paint.joined([f"{mark} ", self.paint.card(it["card"], bold=won), end], "")
        return cells

    def piles(self, piles: list[list[list[str]]]) -> None:
        """The piles from bottom to top; the top card is bold."""
        self.paint.space()
        table = self.paint.table("", *(self.paint.heading(colour) for colour in self.colours), title=self.t("piles"))
        for name, own in zip(self.names, piles, strict=True):
            by_name = {colour: pile for pile in own for colour in by_colour(pile)}
            table.add_row(self.paint.text(name), *(self._pile(by_name.get(colour, [])) for colour in self.colours))
        self.paint.console.print(table)

    def _pile(self, pile: list[str]) -> Text:
        covered = [self.paint.text(card, "dim") for card in pile[:-1]]
        return self.paint.joined([*covered, *(self.paint.card(card, bold=True) for card in pile[-1:])])

    def result(self, played: RoundSummary) -> None:
        assert played.result is not None
        self.paint.space()
        loot = played.result.get("loot")
        columns = ("tricks", *(["loot"] if loot else []), "points", "total")
        table = self.paint.table("", *(self.t(f"column.{name}") for name in columns), title=self.t("result"))
        for column in table.columns[1:]:
            column.justify = "right"
        for seat, name in enumerate(self.names):
            numbers = [played.result["tricks"][seat], *([loot[seat]] if loot else []), played.result["scores"][seat]]
            numbers.append(played.view["totals"][seat])
            table.add_row(self.paint.text(name), *(self.paint.text(signed(number)) for number in numbers))
        for place, team in enumerate(played.view["teams"] or []):  # of Null & nichtig
            figures = (signed(played.result["team_scores"][place]), signed(team["total"]))
            table.add_row(self.paint.text(self.words.side(played.view, place)), "", *map(self.paint.text, figures))
        self.paint.console.print(table)

    # ---------------------------------------------------------------- a position

    def position(self) -> None:
        game = self.game
        self.paint.rule(self.texts.count("terminal.show.position", self.summary.moves))
        if game.turn is None:
            self.paint.say(self.t("over" if game.is_over else "round-over"))
            return
        self.paint.say(self.t("turn", who=self.names[game.turn], phase=self.t(f"phase.{game.phase}")))
        self.hands([game.view(seat)["hand"] for seat in range(game.setup.players)], self.t("in-hand"))
        legal = [self._choice(action) for action in game.legal()]
        title = self.paint.text(f"{self.t('legal', n=len(legal))}  ", "bold")
        self.paint.say(title, self.paint.joined(legal, self.texts.t("paper.then") if game.phase == "veto" else ", "))

    def _choice(self, action: Action) -> str | Text:
        """What a seat may choose, in the reader's words; the phase says what is done with a card or a cell."""
        verb = action.verb
        if verb == "veto":
            return self.words.thing(str(action).partition(" ")[2])
        if verb in ("team", "double"):
            return self.words.button(str(action))
        return self.paint.card(action.words[0])

    def _options(self, written: Mapping[str, Any]) -> list[str]:
        """The options that are not the edition's usual ones; how long the match is stands in the first line."""
        t, lines = self.texts.t, []
        if written.get("length") == "short":
            lines.append(self.t("short"))
        if "scoring" in written:
            lines.append(t("cell.in-row", row=t("sheet.scoring"), cell=t(f"sheet.scoring.{written['scoring']}")))
        if written.get("teams"):
            lines.append(t("sheet.teams.teams"))
        return lines
