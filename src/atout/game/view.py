"""What a seat may know as plain data, ready for JSON; and the way back to numbers. `view_builder.py` makes it."""

from __future__ import annotations

from collections import Counter
from typing import Any, TypedDict

import numpy as np

from atout.editions import from_tree
from atout.errors import UsageError
from atout.game.knowledge import Knowledge, Log
from atout.game.notation import PHASES, SECRET, Notation, notation_of
from atout.game.setup import Setup
from atout.knowledge import entries as knowledge_entries
from atout.rules.layout import FACTS_WORDS, NOBODY, STATE, STATE_WORDS
from atout.rules.log import HIDDEN

SECRET_NAMES = tuple(PHASES[phase] for phase in SECRET)

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


def read_view(view: View) -> Knowledge:
    """The knowledge a view was made from, from its plain data alone: what a bot at the end of a wire starts with.

    Only for the seat in turn: nobody else has anything to decide.
    """
    edition = view["edition"] if view["rules"] is None else from_tree(view["rules"], "view")
    setup = Setup.of(edition, view["players"], view["options"])
    words = notation_of(setup)
    seat = view["seat"]
    if seat is None or view["turn"] != seat:
        raise UsageError("a view is read for the seat in turn; this one is not asked to act")
    log = _log_in_order(view, words, seat)
    hand, spare = words.set_of(_dealt(view))
    seen, facts = np.zeros(STATE_WORDS, np.int64), np.zeros(FACTS_WORDS, np.int64)
    o: Any = seen.view(STATE)[0]
    o.finished, o.dealer = view["round"] - 1, view["dealer"]
    o.start = NOBODY if view["leader"] is None else view["leader"]
    o.totals[: setup.players] = view["totals"]
    if view["past"]:
        o.scores[: setup.players] = view["past"][-1]["scores"]
    knowledge_entries.rebuild(seen, setup.rules, log, len(log), seat, hand, spare, facts)
    return Knowledge(setup, seat, seen, facts, log)


def _log_in_order(view: View, words: Notation, seat: int) -> Log:
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


def conditions(o: Any, words: Notation) -> Conditions | None:
    """The free cells of the board, once every row has one."""
    board = words.setup.edition.board
    if board is None or o.start == NOBODY or o.free == 0:
        return None
    colours = (*words.setup.edition.deck.colours, "none")
    return {
        "start": int(o.start),
        "discard": board.discard[o.giving],
        "trump": colours[o.trump],
        "super": colours[o.super],
        "points": int(o.points),
    }


def sides(side: int, players: int) -> list[list[int]] | None:
    """The start player's side, a mask of seats, then the others."""
    if side == 0:
        return None
    return [
        [seat for seat in range(players) if (side >> seat) & 1],
        [seat for seat in range(players) if not (side >> seat) & 1],
    ]


def lanes(word: Any, players: int) -> list[int]:
    return [(int(word) >> (8 * seat)) & 255 for seat in range(players)]


def seat_or_none(number: Any) -> int | None:
    return None if number == NOBODY else int(number)
