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
from atout.game import Game
from atout.game.view import Cell
from atout.terminal.events import Trick
from atout.terminal.phrases import ROW_TITLES, by_colour, cell_alone, counted, giving_sentence, listed, signed
from atout.terminal.seats import tidy_name
from atout.terminal.style import Painter
from atout.terminal.summary import MatchSummary, RoundSummary, summary_of

GIVEN = {"discard": "Discarded", "pass": "Passed to the left", "lay": "Laid out"}


def show_record(record: Mapping[str, Any], console: Console, move: int | None = None) -> None:
    """Print the match, or its first `move` actions and the position after them."""
    summary = summary_of(record, move)
    _Show(summary, _names(record, summary.game.setup.players), Painter(console)).run(with_position=move is not None)


def _names(record: Mapping[str, Any], players: int) -> list[str]:
    """Names by seat; empty where the record has none."""
    told = [record.get(key) for key in ("names", "bots")]
    lists = [names for names in told if isinstance(names, list) and len(names) == players]
    return [tidy_name(str(name)) if name else "" for name in (lists[0] if lists else [None] * players)]


class _Show:
    def __init__(self, summary: MatchSummary, names: list[str], painter: Painter) -> None:
        self.summary, self.paint = summary, painter
        self.names = [f"Seat {seat} ({name})" if name else f"Seat {seat}" for seat, name in enumerate(names)]
        self.short = [f"{seat} {name}" if name else f"Seat {seat}" for seat, name in enumerate(names)]
        self.game: Game = summary.game
        self.edition: Edition = self.game.setup.edition
        self.colours = self.edition.deck.colours

    def run(self, with_position: bool) -> None:
        self.header()
        for told in self.summary.rounds:
            self.round(told)
        if with_position or not self.game.is_over:
            self.position()

    def header(self) -> None:
        setup, options = self.game.setup, self.game.setup.options
        length = f"to {counted(options.target, 'point')}" if options.target else counted(options.rounds, "round")
        self.paint.say(self.paint.text(self.edition.name, "bold"), f" ({setup.name}), {length}")
        for name, value in options.written(self.edition, setup.players).items():
            self.paint.say(f"Option {name}: {_option(value)}")
        self.paint.say(f"First dealer: {self.names[self.game.first_dealer]}")
        totals = [f"{name} {signed(total)}" for name, total in zip(self.names, self.game.totals, strict=True)]
        self.paint.say(f"{'Final points' if self.game.is_over else 'Points so far'}: {', '.join(totals)}")
        if self.game.is_over:
            winners = listed(self.names[seat] for seat in self.game.winners)
            self.paint.say(self.paint.text(f"Won by {winners}", "bold"))
        self.paint.legend(self.colours)

    # ---------------------------------------------------------------- a round

    def round(self, told: RoundSummary) -> None:
        view = told.view
        opens = f"{self.names[told.opener]} {'deals' if self.edition.is_njet else 'leads'}"
        self.paint.rule(f"Round {told.number}: {opens}")
        self.hands(told.hands, "Dealt")
        if view["board"] is not None:
            self.board(told)
            self.conditions(told)
        if told.given:
            self.given(told)
        if told.tricks or view["trick"]:
            self.tricks(told)
        if view["piles"] is not None and told.tricks:
            self.piles(view["piles"])
        if told.result is not None:
            self.result(told)

    def hands(self, hands: list[list[str]], title: str) -> None:
        table = self.paint.table("", *(self.paint.heading(colour) for colour in self.colours), title=title)
        for name, hand in zip(self.names, hands, strict=True):
            groups = by_colour(hand)
            table.add_row(self.paint.text(name), *(self.paint.cards(groups.get(colour, [])) for colour in self.colours))
        self.paint.console.print(table)

    def board(self, told: RoundSummary) -> None:
        """The veto board: the cell that stayed free is marked, the others show who covered them."""
        self.paint.space()
        rows = told.view["board"] or []
        columns = max(len(row["cells"]) for row in rows)
        table = self.paint.table("", *[""] * columns, title="Board")
        table.show_header = False
        for row in rows:
            settled = sum(cell["free"] for cell in row["cells"]) == 1
            cells = [self._cell(row["row"], cell, settled) for cell in row["cells"]]
            table.add_row(self.paint.text(ROW_TITLES[row["row"]], "dim"), *cells)
        self.paint.console.print(table)

    def _cell(self, row: str, cell: Cell, settled: bool) -> Text:
        words = signed(int(cell["word"])) if row == "points" else cell_alone(row, cell["word"], "Seat {}".format)
        words = words.replace(" (", ", ").replace(")", "")  # a table cell needs no brackets, and has little room
        if cell["by"] is not None:
            return self.paint.text(f"{words} by {cell['by']}", "dim")
        name = self.paint.colour(words)
        name.stylize("bold")
        return self.paint.joined([self.paint.text(self.paint.wins, "bold"), name]) if settled else name

    def conditions(self, told: RoundSummary) -> None:
        held, sides, double = told.view["conditions"], told.view["sides"], told.view["double"]
        if held is None:
            return
        supers = f" {self.edition.deck.low}s" if held["super"] != "none" else ""
        self.paint.say(
            self.paint.text("Conditions  ", "bold"),
            f"{self.names[held['start']]} starts, {giving_sentence(held['discard'])}, trump ",
            *(self.paint.colour(held["trump"]), ", supertrump ", self.paint.colour(held["super"]), supers),
            f", {counted(held['points'], 'point')}",
        )
        if sides is not None and self.game.setup.players > 2:
            ours, theirs = (listed(self.names[seat] for seat in side) for side in sides)
            has = f"; {self.names[double]} has the ×2 card" if double is not None else ""
            self.paint.say(self.paint.text("Teams  ", "bold"), f"{ours} against {theirs}{has}")

    def given(self, told: RoundSummary) -> None:
        parts = [
            self.paint.joined([f"{self.names[seat]}", self.paint.cards(cards, symbol=True)])
            for seat, cards in sorted(told.given.items())
        ]
        self.paint.say(self.paint.text(f"{GIVEN[told.verb]}  ", "bold"), self.paint.joined(parts, "; "))

    # ---------------------------------------------------------------- tricks

    def tricks(self, told: RoundSummary) -> None:
        """A row for each trick: who led, who won, and how much loot was captured."""
        self.paint.space()
        njet = self.edition.is_njet
        table = self.paint.table("", *self.short, "won by", *(["loot"] if njet else []), title="Tricks")
        for number, trick in enumerate(told.tricks, 1):
            loot = [self.paint.text(f"+{trick.loot}" if trick.loot else "")] if njet else []
            winner = self.paint.text(self.short[trick.winner])
            table.add_row(self.paint.text(str(number), "dim"), *self._plays(trick), winner, *loot)
        if told.view["trick"]:
            unfinished = Trick(told.view["trick"], -1, 0, 0)
            table.add_row(self.paint.text(str(len(told.tricks) + 1), "dim"), *self._plays(unfinished))
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
        table = self.paint.table(
            "", *(self.paint.heading(colour) for colour in self.colours), title="Piles, top card last"
        )
        for name, own in zip(self.names, piles, strict=True):
            by_name = {colour: pile for pile in own for colour in by_colour(pile)}
            table.add_row(self.paint.text(name), *(self._pile(by_name.get(colour, [])) for colour in self.colours))
        self.paint.console.print(table)

    def _pile(self, pile: list[str]) -> Text:
        covered = [self.paint.text(card, "dim") for card in pile[:-1]]
        return self.paint.joined([*covered, *(self.paint.card(card, bold=True) for card in pile[-1:])])

    def result(self, told: RoundSummary) -> None:
        assert told.result is not None
        self.paint.space()
        loot = told.result.get("loot")
        table = self.paint.table("", "tricks", *(["loot"] if loot else []), "points", "total", title="Result")
        for column in table.columns[1:]:
            column.justify = "right"
        for seat, name in enumerate(self.names):
            numbers = [told.result["tricks"][seat], *([loot[seat]] if loot else []), told.result["scores"][seat]]
            numbers.append(told.view["totals"][seat])
            table.add_row(self.paint.text(name), *(self.paint.text(signed(number)) for number in numbers))
        self.paint.console.print(table)

    # ---------------------------------------------------------------- a position

    def position(self) -> None:
        game = self.game
        self.paint.rule(f"Position after {counted(self.summary.moves, 'action')}")
        if game.turn is None:
            over = "The match is over." if game.is_over else "The round is over; the next one is not dealt yet."
            self.paint.say(over)
            return
        self.paint.say(f"{self.names[game.turn]} is to act: {game.phase}")
        self.hands([game.view(seat)["hand"] for seat in range(game.setup.players)], "In hand")
        legal = [" ".join(action.words) for action in game.legal()]
        self.paint.say(self.paint.text(f"Legal ({len(legal)})  ", "bold"), ", ".join(legal))


def _option(value: Any) -> str:
    """The value of an option as text."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {inner}" for key, inner in value.items())
    return {True: "yes", False: "no"}.get(value, str(value))
