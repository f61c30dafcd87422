"""What a seat may know as plain data, ready for JSON. Made from `Knowledge` alone."""

from __future__ import annotations

from collections import Counter
from typing import Any, TypedDict

import numpy as np

from atout.editions import PUBLISHED, from_tree, to_tree
from atout.errors import UsageError
from atout.game.knowledge import Knowledge, Log
from atout.game.table import Table
from atout.game.words import PHASES, ROW_NAMES, SECRET, Vocabulary, bits_of, vocabulary
from atout.kernel import entries
from atout.kernel.layout import (
    COLUMNS,
    DEAL,
    FACTS,
    FACTS_WORDS,
    NOBODY,
    OVER,
    PLAY,
    STATE,
    STATE_WORDS,
    VETO,
)
from atout.kernel.log import HIDDEN

SECRET_NAMES = tuple(PHASES[phase] for phase in SECRET)
PHASE, TURN, TODO, HAND, SPARE, GONE, GONE_SPARE = (
    STATE.fields[name][1] // 8  # type: ignore[index]
    for name in ("phase", "turn", "todo", "hand", "spare", "gone", "gone_spare")
)
IN_HAND, GIVEN, PASSED = (FACTS.fields[name][1] // 8 for name in ("in_hand", "given", "passed"))  # type: ignore[index]
"""Where the numbers lie that differ from seat to seat: a view is made for each after every move."""

OWN_KEYS = ("seat", "turn", "hand", "hand_sizes", "owed", "chosen", "chosen_counts", "received", "actions", "legal")
"""Where the views of one moment differ; all other keys of `View` are the same for everybody."""


class Cell(TypedDict):
    word: str
    free: bool
    by: int | None
    """Who covered it."""


class Row(TypedDict):
    row: str
    cells: list[Cell]


class Conditions(TypedDict):
    start: int
    discard: str
    trump: str
    super: str
    points: int


class Played(TypedDict):
    seat: int
    card: str


class PastRound(TypedDict, total=False):
    scores: list[int]
    tricks: list[int]
    loot: list[int]
    conditions: Conditions | None
    sides: list[list[int]] | None
    double: int | None


class View(TypedDict):
    """Everything one seat may know, and nothing else. Lists per seat are indexed by seat."""

    edition: str
    rules: dict[str, Any] | None
    """House rules in full; None for a published edition."""
    game: str
    players: int
    options: dict[str, Any]
    seat: int | None
    """Whose view it is; None for a spectator."""
    phase: str
    turn: int | None
    round: int
    """Number of the current round, from 1."""
    rounds: int | None
    target: int | None
    dealer: int
    leader: int | None
    """Who leads the first trick, once that is known."""
    totals: list[int]
    past: list[PastRound]
    board: list[Row] | None
    conditions: Conditions | None
    sides: list[list[int]] | None
    double: int | None
    hand: list[str]
    hand_sizes: list[int]
    owed: int
    """Cards the seat in turn still has to discard, pass or lay out."""
    chosen: list[str]
    """Own discards, passed or laid-out cards of the round."""
    chosen_counts: list[int]
    received: list[str]
    trick: list[Played]
    last_trick: list[Played]
    last_winner: int | None
    winning: int | None
    """Who holds the trick on the table."""
    tricks: list[int]
    loot: list[int] | None
    cannot_hold: list[list[str]]
    """Cards a seat has shown not to hold, by not following."""
    piles: list[list[list[str]]] | None
    """Null & nichtig: every seat's piles, bottom to top."""
    actions: list[str]
    """The round so far; a card the seat may not see is `?`."""
    legal: list[str]


def make_view(knowledge: Knowledge, vocabulary: Vocabulary, past: list[PastRound], public: View | None = None) -> View:
    """The view of a seat; the `public` part of the same moment spares making it again."""
    maker = _ViewMaker(knowledge, vocabulary)
    return maker.own(maker.public(past) if public is None else public.copy())


def make_public(knowledge: Knowledge, vocabulary: Vocabulary, past: list[PastRound]) -> View:
    """What is the same in every view of a moment; the fields that differ are empty."""
    return _ViewMaker(knowledge, vocabulary).public(past)


class _ViewMaker:
    def __init__(self, knowledge: Knowledge, vocabulary: Vocabulary) -> None:
        self.knowledge, self.words = knowledge, vocabulary
        self.table = knowledge.table
        self.n = self.table.players
        self.log: list[int] = knowledge.log.tolist()

    def own(self, view: View) -> View:
        """Fill in what differs from seat to seat."""
        seat, facts = self.knowledge.seat, self.knowledge.facts
        seen: list[int] = self.knowledge.seen.tolist()
        view["seat"] = seat
        view["turn"] = _seat(seen[TURN])
        view["hand_sizes"] = facts[IN_HAND : IN_HAND + self.n].tolist()
        view["owed"] = seen[TODO] if seen[PHASE] in SECRET else 0
        view["chosen_counts"] = facts[GIVEN : GIVEN + self.n].tolist()
        view["actions"] = list(map(self.words.shown_as.__getitem__, self.log))
        if seat is not None:
            right = (seat - 1) % self.n
            view["hand"] = self.words.cards_of(seen[HAND + seat], seen[SPARE + seat])
            view["chosen"] = self.words.cards_of(seen[GONE + seat], seen[GONE_SPARE + seat])
            if facts[PASSED]:
                view["received"] = self.words.cards_of(seen[GONE + right], seen[GONE_SPARE + right])
            if seen[TURN] == seat:
                view["legal"] = self._legal()
        return view

    def _legal(self) -> list[str]:
        here = int(self.knowledge.seen[TURN]) << 10 | int(self.knowledge.seen[PHASE]) << 6
        return [self.words.text_of[here | index] for index in bits_of(self.knowledge.legal)]

    def public(self, past: list[PastRound]) -> View:
        """What everybody sees; the fields that `own` fills are empty."""
        table, o, f = self.table, self.knowledge.state, self.knowledge.fact
        unfinished, finished = self._tricks()
        return {
            "edition": table.edition.id,
            "rules": None if table.edition.id in PUBLISHED else to_tree(table.edition),
            "game": table.edition.game,
            "players": self.n,
            "options": table.options.written(table.edition, self.n),
            "seat": None,
            "phase": PHASES[o.phase],
            "turn": None,
            "round": o.finished + (0 if o.phase == OVER or (o.phase == DEAL and self.log) else 1),
            "rounds": table.options.rounds or None,
            "target": table.options.target or None,
            "dealer": int(o.dealer),
            "leader": _seat(o.start),
            "totals": o.totals[: self.n],
            "past": past,
            "board": self._board(),
            "conditions": conditions(o, self.words),
            "sides": sides(o, self.n),
            "double": _seat(o.doubler),
            "hand": [],
            "hand_sizes": [],
            "owed": 0,
            "chosen": [],
            "chosen_counts": [],
            "received": [],
            "trick": unfinished,
            "last_trick": finished,
            "last_winner": None if not finished else unfinished[0]["seat"] if unfinished else _seat(o.best),
            "winning": _seat(o.best) if unfinished else None,
            "tricks": lanes(o.tricks, self.n),
            "loot": lanes(o.loot, self.n) if table.edition.is_njet else None,
            "cannot_hold": [self.words.cards_of(kinds, 0) for kinds in f.cannot[: self.n]],
            "piles": self._piles(f.laid[: f.laid_count]) if not table.edition.is_njet else None,
            "actions": [],
            "legal": [],
        }

    def _board(self) -> list[Row] | None:
        board = self.table.edition.board
        if board is None:
            return None
        rows: list[list[Cell]] = [
            [{"word": word, "free": True, "by": None} for word in words] for words in self.words.board_rows
        ]
        for entry in self.log:
            if (entry >> 6) & 15 != VETO:
                break
            cell = rows[(entry & 63) // COLUMNS][entry % COLUMNS]
            cell["free"], cell["by"] = False, entry >> 10
        return [{"row": name, "cells": cells} for name, cells in zip(ROW_NAMES, rows, strict=True)]

    def _tricks(self) -> tuple[list[Played], list[Played]]:
        """The trick on the table, and the last finished one."""
        plays = [entry for entry in self.log if (entry >> 6) & 15 == PLAY]
        lying = len(plays) % self.n
        whole = len(plays) - lying
        return self._played(plays[whole:]), self._played(plays[max(whole - self.n, 0) : whole])

    def _played(self, plays: list[int]) -> list[Played]:
        return [{"seat": entry >> 10, "card": self.words.cards[entry & 63]} for entry in plays]

    def _piles(self, laid: list[int]) -> list[list[list[str]]]:
        piles: list[dict[int, list[str]]] = [{} for _ in range(self.n)]
        colour_of = self.table.rules_record.colour_of
        for code in laid:
            seat, kind = code >> 6, code & 63
            piles[seat].setdefault(colour_of[kind], []).append(self.words.cards[kind])
        return [[pile[colour] for colour in sorted(pile)] for pile in piles]


def read_view(view: View) -> Knowledge:
    """The knowledge a view was made from, from its plain data alone: what a bot at the end of a wire starts with.

    Only for the seat in turn: nobody else has anything to decide.
    """
    edition = view["edition"] if view["rules"] is None else from_tree(view["rules"], "view")
    table = Table.of(edition, view["players"], view["options"])
    words = vocabulary(table)
    seat = view["seat"]
    if seat is None or view["turn"] != seat:
        raise UsageError("a view is read for the seat in turn; this one is not asked to act")
    log = _log_in_order(view, words, seat)
    hand, spare = words.set_of(_dealt(view))
    seen, facts = np.zeros(STATE_WORDS, np.int64), np.zeros(FACTS_WORDS, np.int64)
    o: Any = seen.view(STATE)[0]
    o.finished, o.dealer = view["round"] - 1, view["dealer"]
    o.start = NOBODY if view["leader"] is None else view["leader"]
    o.totals[: table.players] = view["totals"]
    if view["past"]:
        o.scores[: table.players] = view["past"][-1]["scores"]
    entries.rebuild(seen, table.rules, log, len(log), seat, hand, spare, facts)
    return Knowledge(table, seat, seen, facts, log)


def _log_in_order(view: View, words: Vocabulary, seat: int) -> Log:
    """The round's log as the kernel takes it: a seat that chooses does so after those before it have chosen.

    At a table all choose at once, and a view may hold none of the others' choices; what they are is hidden anyway.
    """
    log = [words.read(action) for action in view["actions"]]
    if view["phase"] in SECRET_NAMES:
        phase, leader = PHASES.index(view["phase"]), view["leader"]
        assert leader is not None, "who leads is known when cards are chosen"
        own = [entry for entry in log if (entry >> 6) & 15 == phase and entry >> 10 == seat]
        before = [(leader + step) % view["players"] for step in range((seat - leader) % view["players"])]
        hidden = [other << 10 | phase << 6 | HIDDEN for other in before for _ in range(len(own) + view["owed"])]
        log = [entry for entry in log if (entry >> 6) & 15 != phase] + hidden + own
    return np.array(log, np.int64)


def _dealt(view: View) -> list[str]:
    """The seat's cards before it gave, received or played any."""
    cards = Counter(view["hand"])
    cards.subtract(view["received"])
    cards.update(view["chosen"])
    for action in view["actions"]:
        seat, verb, *words = action.split(" ")
        if verb == "play" and int(seat) == view["seat"]:
            cards[words[0]] += 1
    return list(cards.elements())


def conditions(o: Any, words: Vocabulary) -> Conditions | None:
    """The free cells of the board, once every row has one."""
    board = words.table.edition.board
    if board is None or o.start == NOBODY or o.free == 0:
        return None
    colours = (*board_colours(words), "none")
    return {
        "start": int(o.start),
        "discard": board.discard[o.giving],
        "trump": colours[o.trump],
        "super": colours[o.super],
        "points": int(o.points),
    }


def board_colours(words: Vocabulary) -> tuple[str, ...]:
    return words.table.edition.deck.colours


def sides(o: Any, players: int) -> list[list[int]] | None:
    """The start player's side, then the others."""
    if o.side == 0:
        return None
    mask = int(o.side)
    return [
        [seat for seat in range(players) if (mask >> seat) & 1],
        [seat for seat in range(players) if not (mask >> seat) & 1],
    ]


def lanes(word: Any, players: int) -> list[int]:
    return [(int(word) >> (8 * seat)) & 255 for seat in range(players)]


def _seat(number: Any) -> int | None:
    return None if number == NOBODY else int(number)
