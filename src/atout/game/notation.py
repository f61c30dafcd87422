"""Notation: how cards, cells and actions are written (as in a record) and numbered (as in `rules/layout.py`).

2 veto trump red      0 team 0 2      0 double 3
0 discard K7          0 pass K7       3 lay P4        1 play G9
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from atout.editions import PUBLISHED, to_tree
from atout.editions.schema import Board
from atout.errors import ActionError
from atout.game.action import Action
from atout.game.card import Card
from atout.game.log_entry import HIDDEN, action_of, logged, phase_of, seat_of
from atout.game.setup import Setup
from atout.rules.layout import COLUMNS, DISCARD, DOUBLE, LAY, PASS, PLAY, TEAM, VETO

PHASES = ("deal", "veto", "team", "double", "discard", "pass", "lay", "play", "over")
VERBS = {
    VETO: "veto",
    TEAM: "team",
    DOUBLE: "double",
    DISCARD: "discard",
    PASS: "pass",
    LAY: "lay",
    PLAY: "play",
}
SECRET = (DISCARD, PASS, LAY)
"""Phases in which all seats choose at the same time, unseen by the others."""
ROW_NAMES = ("start", "discard", "trump", "super", "points")
MAX_SETS = 4096
"""How many card sets a notation keeps as text before it forgets them."""
UNKNOWN = "?"
"""Stands for a card the reader may not see."""


def bits_of(mask: int) -> list[int]:
    """Indices of the set bits, ascending.

    >>> bits_of(0b1101)
    [0, 2, 3]
    """
    return [index for index, bit in enumerate(f"{mask:b}"[::-1]) if bit == "1"]


class Notation:
    """All actions of a setup, from text to number and back. Legal actions are listed in the order of their numbers."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.cards = [str(Card(colour, value)) for colour, value in setup.kinds]
        self.kind_of = {
            word: kind for kind, word in enumerate(self.cards) if (int(setup.rules_record.kinds) >> kind) & 1
        }
        self._sets: dict[tuple[int, int], list[str]] = {}
        """Card sets as text: a hand is written many times before it changes."""
        self.board_rows = self.rows(setup.edition.board) if setup.edition.board is not None else ()
        self.cells: list[list[dict[int | None, Any]]] = [
            [{by: {"word": word, "free": by is None, "by": by} for by in (None, *range(setup.players))} for word in row]
            for row in self.board_rows
        ]
        """Cells of the board as a view shows them, by row, column and the seat that covered them; read-only."""
        self._free_rows = [[cell[None] for cell in cells] for cells in self.cells]
        self.setup_fields = _setup_fields(setup)
        """The fields of a view that never change during a match; read-only."""
        self.by_entry: dict[int, Action] = {}
        for seat in range(setup.players):
            for phase, index, words in self._choices():
                entry = logged(seat, phase, index)
                self.by_entry[entry] = Action(seat, VERBS[phase], words, entry)
        self.text_of = {entry: str(action) for entry, action in self.by_entry.items()}
        self.entry_of = {text: entry for entry, text in self.text_of.items()}
        self._spare_of = [int(field) for field in setup.rules_record.spare_of]
        """By kind: the field of its further copies."""
        self.shown_as = self.text_of | {
            entry: str(self.action(entry))
            for entry in {logged(seat, phase, HIDDEN) for seat in range(setup.players) for phase in SECRET}
        }
        """The text of each entry of a redacted log, hidden choices included."""
        self.played_as = {
            entry: {"seat": action.seat, "card": action.words[-1]}
            for entry, action in self.by_entry.items()
            if action.verb == VERBS[PLAY]
        }
        """Cards in a trick as a view shows them, by log entry; do not change them."""

    def _choices(self) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        board = self.setup.edition.board
        if board is not None:
            for row, cells in enumerate(self.rows(board)):
                for column, word in enumerate(cells):
                    yield VETO, row * COLUMNS + column, (ROW_NAMES[row], word)
            yield from self._sides()
            phases: tuple[int, ...] = (DISCARD, PASS, PLAY)
        else:
            phases = (LAY, PLAY)
        for word, kind in self.kind_of.items():
            for phase in phases:
                yield phase, kind, (word,)

    def _sides(self) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        if not self.setup.seats.sides:
            return
        players = self.setup.players
        for side in range(1, 1 << players):
            if side.bit_count() in self.setup.seats.sides:
                yield TEAM, side, tuple(str(seat) for seat in range(players) if (side >> seat) & 1)
        for seat in range(players):
            yield DOUBLE, seat, (str(seat),)

    def rows(self, board: Board) -> tuple[tuple[str, ...], ...]:
        """The text of every cell, row by row."""
        points = tuple(str(points) for points in board.points)
        start = tuple(str(seat) for seat in range(self.setup.players))
        return start, board.discard, board.trump, board.super, points

    def action(self, entry: int) -> Action:
        """The action of a log entry; a hidden card is a question mark."""
        known = self.by_entry.get(entry)
        if known is not None:
            return known
        assert action_of(entry) == HIDDEN, f"no action has the number {entry}"
        return Action(seat_of(entry), VERBS[phase_of(entry)], (UNKNOWN,), entry)

    def entry(self, text: str) -> int:
        """The log entry of an action given as text; `ActionError` says which word is wrong."""
        entry = self.entry_of.get(text)
        if entry is None:
            raise ActionError(f"{text[:60]!r} is not an action: {self._what_is_wrong(text)}")
        return entry

    def read(self, text: str) -> int:
        """The log entry of an action in a view, where a hidden card is a question mark."""
        if not text.endswith(UNKNOWN):
            return self.entry(text)
        seat, verb, _ = text.split(" ")
        phase = next(phase for phase, name in VERBS.items() if name == verb)
        return logged(int(seat), phase, HIDDEN)

    def set_of(self, cards: Iterable[str]) -> tuple[int, int]:
        """Cards given as text, as a card set; the inverse of `cards_of`."""
        kinds = spare = 0
        for card in cards:
            kind = self.kind_of[card]
            field = self.setup.rules_record.spare_of[kind]
            if (kinds >> kind) & 1:
                spare |= ((spare & field) << 1 | field & -field) & field
            kinds |= 1 << kind
        return kinds, spare

    def _what_is_wrong(self, text: str) -> str:
        parts = text.split(" ")
        if not (parts[0].isdecimal() and len(parts[0]) == 1 and int(parts[0]) < self.setup.players):
            return f"expected a seat first, 0 to {self.setup.players - 1}"
        verbs = sorted({action.verb for action in self.by_entry.values()})
        if len(parts) < 2 or parts[1] not in verbs:
            return f"expected a verb of {self.setup.edition.id} after the seat: {', '.join(verbs)}"
        same_verb = [action.words for action in self.by_entry.values() if action.seat == 0 and action.verb == parts[1]]
        if parts[1] == "veto":
            rows = [row for row in ROW_NAMES if len(parts) > 2 and row == parts[2]] or list(ROW_NAMES)
            allowed = ", ".join(" ".join(words) for words in same_verb if words[0] in rows)
        elif parts[1] == "team":
            allowed = "the seats of the side in ascending order, such as " + " ".join(same_verb[0])
        else:
            allowed = ", ".join(" ".join(words) for words in same_verb)
        what = allowed if parts[1] == "team" else f"one of: {allowed}"
        return f"expected after {parts[1]} {what}"

    def cards_of(self, kinds: int, spare: int) -> list[str]:
        """A card set as text, colour by colour, low to high."""
        known = self._sets.get((kinds, spare))
        if known is None:
            if len(self._sets) >= MAX_SETS:
                self._sets.clear()
            known = self._sets[kinds, spare] = self._cards_of(int(kinds), int(spare))
        return known.copy()

    def board(self, vetoes: Iterable[int]) -> list[Any]:
        """The board as a view shows it, with the cells covered that these entries of a log veto."""
        rows = [cells.copy() for cells in self._free_rows]
        for entry in vetoes:
            row, column = divmod(action_of(entry), COLUMNS)
            rows[row][column] = self.cells[row][column][seat_of(entry)]
        return [{"row": name, "cells": cells} for name, cells in zip(ROW_NAMES, rows, strict=True)]

    def _cards_of(self, kinds: int, spare: int) -> list[str]:
        result: list[str] = []
        for kind in bits_of(kinds):
            result.append(self.cards[kind])
            if copies := spare & self._spare_of[kind]:
                result += [self.cards[kind]] * copies.bit_count()
        return result


def _setup_fields(setup: Setup) -> dict[str, Any]:
    edition = setup.edition
    return {
        "edition": edition.id,
        "rules": None if edition.id in PUBLISHED else to_tree(edition),
        "game": edition.game,
        "players": setup.players,
        "options": setup.options.written(edition, setup.players),
        "rounds": setup.options.rounds or None,
        "target": setup.options.target or None,
    }


_NOTATIONS: dict[int, Notation] = {}


def notation_of(setup: Setup) -> Notation:
    """The notation of a setup, made once."""
    kept = _NOTATIONS.get(id(setup))
    if kept is None or kept.setup is not setup:
        if len(_NOTATIONS) >= 256:
            _NOTATIONS.clear()
        kept = _NOTATIONS[id(setup)] = Notation(setup)
    return kept
