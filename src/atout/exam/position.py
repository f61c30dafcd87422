"""Positions as plain text: a decision, and the moves that no decent player makes there.

A file has one or more positions; each begins with its title. A line that begins with `#` is a comment.

    == Partner 2 is sure to win the trick: do not ruff it
    theme: ruffing the partner's winner
    edition: niet-2015
    players: 4
    dealer: 0                                  the first dealer (Null & nichtig too)
    options: {"length": "short"}               as in a record; optional, as is all that has not happened
    round: 8                                   optional, with `totals:`: it is this round of the match, and the seats
    totals: 40 45 12 9                         have these points from the rounds before
    hands:                                     as dealt, a line for each seat
      0: R1 R2 …
    vetoes: 0 trump red, 1 points -2, …        seat, row and cell, in order
    board: start 0, discard none, trump green, super blue, points 2      what stayed free; checked
    team: 0 2
    double: 3
    discards:                                  likewise `passes:` and `laid:`; in the order the seats choose
      0: R2
    tricks:                                    the leader, then the cards in order of play
      0: B13 B2 B5 B1
    to act: 1                                  the seat that decides
    blunders: play R4, play R7                 actions without the seat
    why: one line, or several if they are indented

The rules replay what happened, so a position is one that a round can reach. It is replayed as the first round of a
match; round and totals are put into the view.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

import msgspec
from msgspec import Struct

from atout.errors import AtoutError, PositionError
from atout.game import Game, View

REQUIRED = ("theme", "edition", "players", "dealer", "hands", "to act", "blunders", "why")
CHOSEN = {"discards": "discard", "passes": "pass", "laid": "lay"}
HAPPENED = ("vetoes", "board", "team", "double", *CHOSEN, "tricks")
"""What happened, in this order."""
STANDING = ("round", "totals")
KEYS = (*REQUIRED, "options", *STANDING, *HAPPENED)


class ExamPosition(Struct, frozen=True):
    """A decision and its blunders."""

    source: str
    """The name of the file."""
    title: str
    theme: str
    game: Game
    seat: int
    blunders: tuple[str, ...]
    why: str
    round: int = 1
    totals: tuple[int, ...] = ()
    """Points of the rounds before; empty in the first."""

    def view(self) -> View:
        view = self.game.view(self.seat)
        return cast("View", {**view, "round": self.round, "totals": list(self.totals)}) if self.totals else view


def read(text: str, source: str) -> list[ExamPosition]:
    """The positions of a file. The first error raises a `PositionError` with its line."""
    return [_Reader(source, title, lines).position() for title, lines in _sections(text, source)]


class _Line(Struct, frozen=True):
    number: int
    text: str


def _sections(text: str, source: str) -> Iterator[tuple[_Line, list[_Line]]]:
    """Each title with the lines below it, without comments and empty lines."""
    title: _Line | None = None
    below: list[_Line] = []
    for number, written in enumerate(text.splitlines(), 1):
        line = _Line(number, written.rstrip())
        if not line.text or line.text.lstrip().startswith("#"):
            continue
        if not line.text.startswith("=="):
            below.append(line)
            if title is None:
                raise _wrong(source, line, "no position has begun; expected a title first: == Title")
            continue
        if title is not None:
            yield title, below
        title, below = line, []
    if title is not None:
        yield title, below


def _wrong(source: str, line: _Line, what: str) -> PositionError:
    return PositionError(f"{source}, line {line.number}: {what}")


class _Reader:
    """Reads one position: from its lines to a game."""

    def __init__(self, source: str, title: _Line, lines: Sequence[_Line]) -> None:
        self.source, self.title = source, title
        self.entries = self._entries(lines)

    def wrong(self, line: _Line, what: str) -> PositionError:
        return _wrong(self.source, line, what)

    def _entries(self, lines: Sequence[_Line]) -> dict[str, list[_Line]]:
        """Key by key: the rest of its line, then the indented lines below."""
        entries: dict[str, list[_Line]] = {}
        key = ""
        for line in lines:
            if line.text.startswith(" ") and entries:
                entries[key].append(_Line(line.number, line.text.strip()))
                continue
            key, colon, rest = line.text.partition(":")
            if not colon or key not in KEYS:
                raise self.wrong(line, f"{key[:40]!r} is no key; expected one of: {', '.join(KEYS)}")
            if key in entries:
                raise self.wrong(line, f"{key}: is given twice; once would be right")
            entries[key] = [_Line(line.number, rest.strip())]
        for key in REQUIRED:
            if key not in entries:
                raise self.wrong(self.title, f"{key}: is missing; expected a line `{key}: …` in this position")
        return entries

    # ---------------------------------------------------------------- values of keys

    def text(self, key: str) -> str:
        return " ".join(line.text for line in self.entries[key]).strip()

    def number(self, key: str) -> int:
        text = self.text(key)
        if not (text.isascii() and text.isdecimal()):
            raise self.wrong(self.entries[key][0], f"{key}: {text[:40]!r} is no number; expected: {key}: 0")
        return int(text)

    def phrases(self, key: str) -> Iterator[tuple[_Line, str]]:
        """The parts between commas, each with its line."""
        for line in self.entries.get(key, ()):
            for phrase in line.text.split(","):
                if phrase.strip():
                    yield line, " ".join(phrase.split())

    def by_seat(self, key: str) -> Iterator[tuple[_Line, str, list[str]]]:
        """Lines such as `0: R1 R2`: seat and cards."""
        for line in self.entries.get(key, ()):
            if line.text:
                seat, colon, cards = line.text.partition(":")
                if not colon or not seat.isdecimal():
                    raise self.wrong(line, f"{key}: {line.text[:40]!r}; expected a seat and its cards, 0: R2 R3")
                yield line, seat, cards.split()

    # ---------------------------------------------------------------- the position

    def position(self) -> ExamPosition:
        game = self._dealt()
        for key in HAPPENED:
            if key == "board":
                self._check_board(game)
            else:
                for line, action in self._actions(key, game):
                    self._play(game, line, action)
        seat = self.number("to act")
        if game.turn != seat:
            raise self.wrong(self.entries["to act"][0], f"to act: seat {seat}; expected {game.turn}")
        title = self.title.text.strip("= ")
        blunders, why = self._blunders(game), self.text("why")
        return ExamPosition(self.source, title, self.text("theme"), game, seat, blunders, why, *self._standing(game))

    def _standing(self, game: Game) -> tuple[int, tuple[int, ...]]:
        """The round, and the points of every seat before it."""
        given = [key for key in STANDING if key in self.entries]
        if not given:
            return 1, ()
        if len(given) == 1:
            raise self.wrong(self.entries[given[0]][0], f"{given[0]}: expected both `round:` and `totals:`, or none")
        number, last = self.number("round"), game.setup.options.rounds
        if number < 2 or (last and number > last):
            allowed = f"2 to {last}" if last else "2 and more"
            raise self.wrong(self.entries["round"][0], f"round: {number} is not allowed; allowed: {allowed}")
        words, players = self.text("totals").split(), game.setup.players
        try:
            totals = tuple(int(word) for word in words)
        except ValueError:
            totals = ()
        if len(totals) != players:
            what = f"totals: {' '.join(words)[:40]!r}; expected {players} numbers, one for each seat"
            raise self.wrong(self.entries["totals"][0], what)
        return number, totals

    def _dealt(self) -> Game:
        edition, hands, options = self.text("edition"), self._hands(), self._options()
        players, dealer = self.number("players"), self.number("dealer")
        try:
            return Game.new(edition, players, 0, options, dealer, deals=lambda _: hands)
        except AtoutError as error:
            raise self.wrong(self.entries[self._key_of(error)][0], str(error)) from None

    def _options(self) -> Any:
        if "options" not in self.entries:
            return None
        try:
            return msgspec.json.decode(self.text("options"))
        except msgspec.DecodeError as error:
            raise self.wrong(self.entries["options"][0], f"options: no JSON: {error}; expected {{}}") from None

    def _key_of(self, error: AtoutError) -> str:
        """The key that an error of the rules is about: its message begins with the field."""
        field = str(error).partition(":")[0]
        key = "dealer" if field == "first_dealer" else field
        return key if key in self.entries else "edition"

    def _hands(self) -> list[str]:
        hands: list[str] = []
        for line, seat, cards in self.by_seat("hands"):
            if int(seat) != len(hands):
                raise self.wrong(line, f"hands: seat {seat}; expected seat {len(hands)}: one line each, in order")
            hands.append(" ".join(cards))
        return hands

    def _actions(self, key: str, game: Game) -> Iterator[tuple[_Line, str]]:
        """The actions of a key, in record notation."""
        if key == "vetoes":
            for line, phrase in self.phrases(key):
                seat, _, cell = phrase.partition(" ")
                yield line, f"{seat} veto {cell}"
        elif key in ("team", "double"):
            if key in self.entries:
                yield self.entries[key][0], f"{game.turn} {key} {self.text(key)}"
        elif key in CHOSEN:
            for line, seat, cards in self.by_seat(key):
                yield from ((line, f"{seat} {CHOSEN[key]} {card}") for card in cards)
        else:
            yield from self._tricks(game)

    def _tricks(self, game: Game) -> Iterator[tuple[_Line, str]]:
        for line, leader, cards in self.by_seat("tricks"):
            if game.view(None)["trick"]:
                raise self.wrong(line, "tricks: the one before is not full; expected a card from every seat")
            if len(cards) > game.setup.players:
                raise self.wrong(line, f"tricks: {len(cards)} cards; expected {game.setup.players} at most")
            for step, card in enumerate(cards):
                yield line, f"{(int(leader) + step) % game.setup.players} play {card}"

    def _play(self, game: Game, line: _Line, action: str) -> None:
        try:
            game.play(action)
        except AtoutError as error:
            allowed = ", ".join(str(legal) for legal in game.legal())
            raise self.wrong(line, f"{error}; expected one of: {allowed}") from None
        if game.round > 1 or game.is_over:
            raise self.wrong(line, f"{action} ends the round; a position stops before that, with a decision left")

    def _check_board(self, game: Game) -> None:
        """The cells in `board` must be those that the vetoes left free."""
        conditions: Any = game.view(None)["conditions"] or {}
        left = [f"{row} {cell}" for row, cell in conditions.items()]
        written = [phrase for _, phrase in self.phrases("board")]
        if written and written != left:
            right = ", ".join(left) or "no board yet: some row has more than one free cell"
            raise self.wrong(self.entries["board"][0], f"board: {', '.join(written)}; expected: {right}")

    def _blunders(self, game: Game) -> tuple[str, ...]:
        legal = [str(action) for action in game.legal()]
        blunders: list[str] = []
        for line, phrase in self.phrases("blunders"):
            action = f"{game.turn} {phrase}"
            if action not in legal:
                allowed = ", ".join(action.partition(" ")[2] for action in legal)
                raise self.wrong(line, f"blunders: {phrase[:40]!r} is not legal here; expected some of: {allowed}")
            blunders.append(action)
        if not 0 < len(blunders) < len(legal):
            what = "every legal action" if blunders else "no action"
            raise self.wrong(self.entries["blunders"][0], f"blunders: {what}; expected some, and some left")
        return tuple(blunders)
