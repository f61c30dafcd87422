"""The records of the solver: cards as bits in order of strength, and one frame per card played.

Cards
    Inside the solver a *card* is one of the cards still in play, numbered suit by suit. A suit is what follows
    a led card; within it the strongest card has the lowest number, and equal cards lie side by side, sorted by
    their owners:

        bit        0 1 2   3  4  5 …  …   17   18 …
        suit       ─────── trump ───────────   ── the next suit ──
        class      SUPER   RANKED ………   LOW    RANKED ……… LOW

    SUPER and LOW cards of a suit are all of one kind: how many a seat holds says everything. The *ranked*
    cards between them are compared with each other, and are where positions can be alike without being equal.
    Kinds, suits and strengths come from `following` and `taking_over` of the rules; no rule is written here.

Values
    A trick or a captured low card that a seat wins is worth `trick_value[seat]`, counted for the start player's side
    (so the values of the other side have the other sign, and all signs turn when tricks cost points), in units of
    `unit` points. The start player's side, `side`, maximises the value.

Words
    A position between two tricks is a key and a few words, for the transposition table (`patterns.py`):

        key     a sum of random numbers over the cards held: depends on how many cards of each suit and class
                each seat holds, and on nothing else
        words   for each suit, the owners of its ranked cards from the strongest down, 4 bits per card:

                    bit   3 … 1    0
                          owner    this card equals the one before

    `verbatim` problems are those where this is not possible (house rules whose low cards are not the lowest of
    their suit, or with more than 15 ranked cards in a suit): their words are simply the hands.

Memory
    One vector of words, in this order:

        PROBLEM   FRAME × 64   TABLE
"""

from __future__ import annotations

from typing import Any

import numpy as np

from atout.rules.jit import rule
from atout.rules.layout import COLOURS, KINDS, SEATS

SUITS = COLOURS + 1
"""The colours, and trump."""
LOW, RANKED, SUPER = range(3)
CARDS = 64
MAX_CARDS = 60
"""Cards in hands and trick together."""
MAX_RANKED = 15
"""Ranked cards of a suit that fit into a word."""
MOVES = 32
FRAMES = CARDS
NO_CARD = 63
SLOTS = 20
"""The table has at most 2 ** SLOTS slots for shapes."""
POOL = 1 << 24
"""Words for patterns. Memory that is never written to is never allocated by the operating system."""


def _record(*fields: tuple[str, int]) -> np.dtype[np.void]:
    """An all-int64 record, as in `rules/layout.py`."""
    return np.dtype((np.record, [(name, "i8") if width == 1 else (name, "i8", (width,)) for name, width in fields]))


PROBLEM = _record(
    # the table
    ("players", 1),
    ("must_trump", 1),
    ("side", 1),
    ("foes", SEATS),  # seats of the other side
    ("verbatim", 1),
    # values; `own_points` of the rules reads the first four
    ("tricks", 1),
    ("loot", 1),
    ("points", 1),
    ("doubler", 1),
    ("unit", 1),
    ("worth", SEATS),  # points of a trick or loot card for the seat's own side
    ("trick_value", SEATS),  # the same for the start player's side, in units
    ("eager", 1),  # tricks are worth having
    ("most", 2),  # largest value of a trick for the seats with values above 0, and for the others
    ("least", 2),
    # cards
    ("cards", 1),
    ("suits", 1),
    ("trump_suit", 1),
    ("trumps", 1),
    ("supers", 1),
    ("lows", 1),  # loot cards, supertrumps among them
    ("ranked", 1),
    ("equals", 1),  # ranked cards with an equal one
    ("starts", 1),  # first card of every class of a suit
    ("suit", SUITS),
    ("ranks", SUITS),  # ranked cards of the suit
    ("kind_of", CARDS),
    ("suit_of", CARDS),
    ("class_of", CARDS),  # suit * 3 + class
    ("follow", CARDS),  # cards that follow it
    ("loses_to", CARDS),  # cards that take a trick it holds
    ("down_to", CARDS),  # ranked cards of its suit down to its kind; none for other cards
    ("weaker", CARDS),  # cards of its suit with a higher number
    ("kind_from", CARDS),  # lowest bit of its kind
    ("kind_past", CARDS),  # bit after its kind
    # keys
    ("words", 1),  # how many a position has
    ("code", SUITS * 3 * 8),
    ("lead_code", SEATS),
    ("conditions", 1),  # hash of everything that patterns depend on
    # the search
    ("ply", 1),
    ("nodes", 1),
    # what is being solved (`questions.py`)
    ("stage", 1),
    ("has_begun", 1),  # the search has begun
    ("target", 1),
    ("want_each", 1),
    ("want_line", 1),
    ("floor", 1),  # bounds of the value that is searched
    ("ceiling", 1),
    ("value", 1),  # of the first frame
    ("choice", 1),  # a card with that value
    ("asked", 1),  # number of the move that is evaluated
    ("actions", 1),
    ("action", MOVES),  # cards, one for all twins
    # the answers, in points at the end of the round
    ("total", 1),  # start player's side less the other side
    ("best", 1),  # a kind
    ("answered", 1),  # kinds with a total of their own
    ("answer", KINDS),
    ("ours", 1),
    ("theirs", 1),
    ("line", CARDS),  # kinds
    ("length", 1),
)

FRAME = _record(
    # what `legal_play` of the rules reads, in cards
    ("turn", 1),
    ("played", 1),
    ("follow", 1),
    ("trumps", 1),
    ("supers", 1),
    ("hand", SEATS),
    # the trick
    ("beating", 1),
    ("best", 1),
    ("winner", 1),  # card of `best`
    ("low_seats", 1),
    ("alive", 1),  # cards in play, those of the trick included
    # the position
    ("left", 1),  # tricks, this one included
    ("live", 1),  # cards in hands
    ("key", 1),
    ("words", SUITS),
    # the trick that has just ended
    ("haul", 1),  # tricks and loot: 1 and more
    ("got", 1),
    ("got_ranks", 1),
    # the search
    ("target", 1),
    ("value", 1),
    ("ranks", 1),  # ranked cards whose order the value depends on
    ("choice", 1),
    ("twins", 1),  # legal cards worth the same as the next stronger one of the hand
    ("next", 1),
    ("count", 1),
    ("moves", MOVES),  # rating << 6 | card, best first
)

TABLE = _record(
    ("stamp", 1),
    ("conditions", 1),  # what the patterns were found under
    ("slots", 1),  # in use: those from `slots` to 2 * slots
    ("shapes", 1),
    ("used", 1),  # words of the pool
    ("limit", 1),
    ("slot", 2 << SLOTS),
    ("pool", POOL),
)

PROBLEM_WORDS = PROBLEM.itemsize // 8
FRAME_WORDS = FRAME.itemsize // 8
FRAMES_AT = PROBLEM_WORDS
TABLE_AT = FRAMES_AT + FRAMES * FRAME_WORDS
MEMORY_WORDS = TABLE_AT + TABLE.itemsize // 8


@rule
def as_problem(memory: Any) -> Any:
    return memory[:FRAMES_AT].view(PROBLEM)[0]


@rule
def as_frames(memory: Any) -> Any:
    return memory[FRAMES_AT:TABLE_AT].view(FRAME)


@rule
def as_table(memory: Any) -> Any:
    return memory[TABLE_AT:].view(TABLE)[0]


@rule
def next_seat(p: Any, seat: int) -> int:
    seat += 1
    if seat == p.players:
        seat = 0
    return seat


@rule
def maximizes(p: Any, seat: int) -> bool:
    return (p.side >> seat) & 1 != 0
