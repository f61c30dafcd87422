"""`Setup`: an edition, a number of players and options, also as the array of numbers that the rules read."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import numpy as np

from atout.editions import Edition, load
from atout.editions.checks import given_count
from atout.editions.schema import Board
from atout.errors import EditionError
from atout.game.options import Options, resolve
from atout.rules.arrays import Int64Array, plain
from atout.rules.layout import COLUMNS, DECK, NICHTIG, NJET, RULES, RULES_WORDS
from atout.rules.scoring import plays_with


class DeckFacts(msgspec.Struct, frozen=True):
    """What somebody has to know of a deck to draw its cards.

    >>> Setup.of("njet-1997", 4).deck
    DeckFacts(colours=('red', 'black', 'blue', 'green'), low=1, low_copies=2, high=9)
    >>> Setup.of("nichtig", 4).deck.low
    0
    """

    colours: tuple[str, ...]
    """In order."""
    low: int
    """Value of the low cards: loot in Njet!, the lowest cards in Null & nichtig."""
    low_copies: int
    """How many low cards a colour has."""
    high: int
    """The highest value."""


class Setup:
    """What does not change during a match. Equal setups are one object, so they are safe to share.

    >>> setup = Setup.of("niet-2015", 4)
    >>> setup.players, setup.hand_size, len(setup.kinds)
    (4, 15, 52)
    >>> setup is Setup.of("niet-2015", 4)
    True
    """

    def __init__(self, edition: Edition, players: int, options: Options) -> None:
        self.edition = edition
        self.players = players
        self.options = options
        self.seats = edition.at(players)
        self.hand_size = self.seats.hand
        self.ranks = tuple(sorted(set(edition.deck.values)))
        self.copies = Counter(edition.deck.values)
        self.copies.subtract(self.seats.remove)
        low = self.ranks[0] if edition.deck.low is None else edition.deck.low
        self.deck = DeckFacts(edition.deck.colours, low, self.copies[low], self.ranks[-1])
        self.kinds = [(colour, value) for colour in edition.deck.colours for value in self.ranks]
        self.rules: Int64Array = self._numbers()
        self.rules_record: Any = plain(self.rules, RULES)
        self.teams: list[list[int]] | None = self._teams() if options.teams else None
        """The seats of each team of a match in teams, which play all rounds; None where everybody plays alone."""

    @classmethod
    def of(cls, edition: str | Edition, players: int, options: Any = None) -> Setup:
        """The setup for an edition (its id, the path of its file, or an `Edition`); options as a record writes them."""
        if not isinstance(edition, Edition):
            edition = load(edition)
        if isinstance(players, bool) or not isinstance(players, int) or players not in edition.counts:
            allowed = ", ".join(str(count) for count in edition.counts)
            text = str(players)[:20]
            raise EditionError(
                f"players: {text} is not allowed in {edition.id}; allowed: {allowed}",
                "players",
                text=text,
                edition=edition.id,
                allowed=allowed,
            )
        resolved = resolve(edition, players, {} if options is None else options)
        key = msgspec.json.encode((edition, players, resolved))
        if key not in _SHARED:
            if len(_SHARED) >= 256:
                _SHARED.clear()
            _SHARED[key] = cls(edition, players, resolved)
        return _SHARED[key]

    def __reduce__(self) -> tuple[Any, ...]:
        return Setup.of, (self.edition, self.players, self.options)

    @property
    def name(self) -> str:
        """For people: `niet-2015, 4 players`."""
        return f"{self.edition.id}, {self.players} players"

    def _teams(self) -> list[list[int]]:
        """N§6.4, by the rules: whose points count for each other; in the order of their first seats."""
        seats = range(self.players)
        with_whom = ([other for other in seats if plays_with(self.rules_record, seat, other)] for seat in seats)
        return [team for seat, team in enumerate(with_whom) if team[0] == seat]

    def _numbers(self) -> Int64Array:
        """All fields of `rules.layout.RULES`."""
        flat = np.zeros(RULES_WORDS, np.int64)
        r: Any = flat.view(RULES)[0]
        r.game = NJET if self.edition.is_njet else NICHTIG
        r.players = self.players
        self._deck(r)
        if self.edition.board is not None:
            self._board(r, self.edition.board)
        self._sides(r)
        trick, match = self.edition.trick, self.edition.match
        r.lay_count = self.seats.lay
        r.must_follow = self.edition.is_njet
        r.must_trump = trick.void == "trump"
        r.super_joins_trump = trick.supertrump_suit == "trump"
        r.last_wins_ties = trick.ties == "last"
        r.difference = self.options.scoring == "difference"
        r.rounds = self.options.rounds
        r.target = self.options.target
        r.target_exceeded = match.target == "exceeded"
        r.deal_left_of_start = match.next_dealer == "left-of-start"
        r.teams = self.options.teams
        return flat

    def _deck(self, r: Any) -> None:
        last_wins = self.edition.trick.ties == "last"
        colours = self.edition.deck.colours
        r.hand_size = self.hand_size
        r.colours = len(colours)
        deck: list[int] = []
        spare_bit = 0
        for kind, (colour, value) in enumerate(self.kinds):
            copies = self.copies[value]
            deck += [kind] * copies
            r.copies[kind] = copies
            if copies > 1:
                r.spare_of[kind] = ((1 << (copies - 1)) - 1) << spare_bit
                spare_bit += copies - 1
            r.colour_of[kind] = colours.index(colour)
            r.value_of[kind] = value
            if copies:
                r.kinds |= 1 << kind
                r.suit[r.colour_of[kind]] |= 1 << kind
                r.low |= (value == self.edition.deck.low) << kind
        r.cards = len(deck)
        r.deck[: len(deck)] = deck
        r.deck[len(deck) : DECK] = -1
        r.suit[len(colours) :] = 0
        for kind, (colour, value) in enumerate(self.kinds):
            r.mates[kind] = r.suit[r.colour_of[kind]]
            for other, (its_colour, its_value) in enumerate(self.kinds):
                comparable = its_colour == colour or not self.edition.is_njet
                if comparable and (its_value > value or (last_wins and its_value == value)):
                    r.beats[kind] |= 1 << other
            r.beats[kind] &= r.kinds

    def _board(self, r: Any, board: Board) -> None:
        colours = self.edition.deck.colours
        rows = self.players, len(board.discard), len(board.trump), len(board.super), len(board.points)
        for row, columns in enumerate(rows):
            r.board |= ((1 << columns) - 1) << (COLUMNS * row)
        r.first_veto = board.first == "left-of-dealer"
        for i, cell in enumerate(board.discard):
            r.give_count[i] = given_count(cell)
            r.give_pass[i] = cell.startswith("pass-")
            r.give_not_low[i] = "-not-" in cell
        for i, trump in enumerate(board.trump):
            r.trump_cells[i] = len(colours) if trump == "none" else colours.index(trump)
        for i, supertrump in enumerate(board.super):
            r.super_cells[i] = len(colours) if supertrump == "none" else colours.index(supertrump)
        r.points_cells[: len(board.points)] = board.points

    def _sides(self, r: Any) -> None:
        r.doubles = self.edition.match.double
        for start in range(self.players):
            for side in range(1 << self.players):
                if (side >> start) & 1 and side.bit_count() in self.seats.sides:
                    r.sides[start] |= 1 << side


_SHARED: dict[bytes, Setup] = {}
"""Setups already made, by their JSON: an edition holds a dictionary, so it cannot be a key itself."""
