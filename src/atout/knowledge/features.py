"""The features of a seat, one vector of small numbers that a network reads: what lies where.

`encode.py` fills it, `docs/observation.md` prints this legend. A *part* is a run of numbers with one meaning; most are
repeated for every seat, counted from the observer clockwise:

    index = first + (seat − observer) mod players * width + place within the part

Colours have no names in it. They are sorted into *slots* (`encode.py` says how), so that games that differ only in
which colour is which look the same. A card is a place on a grid of slots:

    place = slot * (60 // colours) + rank          rank 0 is the lowest of its colour

`divisor` is what a number is divided by before a network sees it: about the size it has in play.

Actions are numbered alike: a block of 64 for each phase in which somebody decides, and in it the index of
`layout.py` with seats counted from the observer, colours by slot and kinds by place.
"""

from __future__ import annotations

from typing import NamedTuple

from atout.rules.layout import COLOURS, COLUMNS, OVER, ROWS, SEATS, VETO

VERSION = 2
"""The version of the features; it changes with any index or meaning below."""
GRID = 60
"""Places of cards."""
CELLS = ROWS * COLUMNS
NO_COLOUR = COLOURS
"""The column of a cell "none" in the rows of colours, and the slot of no supertrump."""
BLOCK = 64
BLOCKS = OVER - VETO
"""VETO, TEAM, DOUBLE, DISCARD, PASS, LAY, PLAY."""
VETO_BLOCK = 0
"""The block of vetoes."""
ACTIONS = BLOCK * BLOCKS


class Part(NamedTuple):
    """A run of the vector."""

    name: str
    times: int
    """SEATS when there is one for each seat, else 1."""
    width: int
    divisor: int
    meaning: str


PARTS = (
    Part("hand", 1, GRID, 1, "own hand: copies held of each card"),
    Part("unseen", 1, GRID, 1, "copies of each card whose place the seat does not know"),
    Part("chosen", 1, GRID, 1, "own choice of the round: cards discarded, passed or laid out"),
    Part("received", 1, GRID, 1, "cards passed to the seat"),
    Part("known", 1, GRID, 1, "cards the seat passed that must still be in its left neighbour's hand"),
    Part("trick", 1, GRID, 1, "cards in the trick on the table"),
    Part("beating", 1, GRID, 1, "1: this card would take the trick on the table"),
    Part("shown", SEATS, GRID, 1, "cards played or laid open by the seat this round"),
    Part("in_trick", SEATS, COLOURS, 8, "in the slot of the seat's card in the trick: its value + 1"),
    Part("cannot", SEATS, COLOURS, 1, "1: the seat has shown that it has no plain card of this slot"),
    Part("cannot_super", SEATS, 1, 1, "1: the seat has shown that it has no supertrump"),
    Part("free", 1, CELLS, 1, "1: the cell of the board is not covered"),
    Part("marks", SEATS, CELLS, 1, "1: the seat covered this cell"),
    Part("phase", 1, OVER + 1, 1, "1 at the phase: deal, veto, team, double, discard, pass, lay, play, over"),
    Part("turn", SEATS, 1, 1, "1: the seat's turn"),
    Part("dealer", SEATS, 1, 1, "1: the seat deals"),
    Part("start", SEATS, 1, 1, "1: start player, or leader of the first trick; once it is decided"),
    Part("give_count", 1, 1, 1, "cards to discard or pass, once decided"),
    Part("give_pass", 1, 1, 1, "1: they are passed"),
    Part("give_not_low", 1, 1, 1, "1: low cards are barred from them"),
    Part("trump", 1, 1, 1, "1: slot 0 is trump; 0: no trump, or not decided"),
    Part("super", 1, COLOURS + 1, 1, "1 at the slot of the supertrumps, once decided; the last: none"),
    Part("points", 1, 1, 2, "points of a trick, once decided"),
    Part("sided", 1, 1, 1, "1: sides are known (Null & nichtig: teams are played)"),
    Part("with_me", SEATS, 1, 1, "1: the seat is on the observer's side"),
    Part("start_side", 1, 1, 1, "1: the observer is on the start player's side"),
    Part("double", SEATS, 1, 1, "1: the seat has the ×2 card"),
    Part("in_hand", SEATS, 1, 8, "cards in the seat's hand"),
    Part("given", SEATS, 1, 1, "cards the seat has discarded, passed or laid out"),
    Part("todo", 1, 1, 1, "choices the seat in turn still owes"),
    Part("tricks", SEATS, 1, 4, "tricks won by the seat"),
    Part("loot", SEATS, 1, 4, "low cards captured by the seat"),
    Part("pile", SEATS, COLOURS, 1, "1: the seat has a pile of this slot"),
    Part("top", SEATS, COLOURS, 8, "value of the pile's top card"),
    Part("earned", SEATS, 1, 16, "the seat's own points in the round so far"),
    Part("played", 1, SEATS, 1, "1 at the number of cards in the trick"),
    Part("best", SEATS, 1, 1, "1: the seat holds the trick on the table"),
    Part("standing", SEATS, 1, 32, "match points of the seat (or its team) less the observer's"),
    Part("to_target", SEATS, 1, 32, "match points the seat lacks to the target score; 0 without one"),
    Part("rounds_left", 1, 1, 4, "rounds after this one; 0 with a target score"),
    Part("last_round", 1, 1, 1, "1: surely the last round"),
    Part("players", 1, SEATS, 1, "1 at the number of players less 1"),
    Part("nichtig", 1, 1, 1, "1: Null & nichtig, 0: Njet!"),
    Part("must_trump", 1, 1, 1, "1: who cannot follow must trump"),
    Part("joined", 1, 1, 1, "1: supertrumps belong to the trump suit, 0: to their colour"),
    Part("difference", 1, 1, 1, "1: only points ahead count"),
    Part("doubles", 1, 1, 1, "1: the smaller side gets the ×2 card"),
    Part("teams", 1, 1, 1, "1: alternate seats are a team"),
    Part("target", 1, 1, 1, "1: a target score ends the match"),
    Part("left_of_start", 1, 1, 1, "1: who sits left of the start player deals next"),
    Part("first_veto", 1, 1, 1, "1: the seat left of the dealer covers first, 0: the dealer"),
    Part("undealt", 1, 1, 16, "cards nobody got"),
    Part("cards", 1, 1, 32, "cards in the deck"),
    Part("when", 1, GRID, 4, "the trick in which the card was played, counted from 1; with several copies the last"),
    Part("led", 1, GRID, 1, "copies of the card that led a trick"),
)

HIDDEN_PARTS = (
    Part("hands", SEATS - 1, GRID, 1, "hands of the others, from the left neighbour on: for a critic only"),
    Part("aside", SEATS - 1, GRID, 1, "their secret choices that lie apart: discards, cards not yet passed or shown"),
)


def first_of(name: str) -> int:
    """Where a part begins."""
    first = 0
    for part in PARTS:
        if part.name == name:
            return first
        first += part.times * part.width
    raise KeyError(name)


SIZE = sum(part.times * part.width for part in PARTS)
HIDDEN_SIZE = sum(part.times * part.width for part in HIDDEN_PARTS)

HAND, UNSEEN, CHOSEN, RECEIVED, KNOWN, TRICK, BEATING = map(
    first_of, ("hand", "unseen", "chosen", "received", "known", "trick", "beating")
)
SHOWN, IN_TRICK, CANNOT, CANNOT_SUPER, FREE, MARKS = map(
    first_of, ("shown", "in_trick", "cannot", "cannot_super", "free", "marks")
)
PHASE, TURN, DEALER, START = map(first_of, ("phase", "turn", "dealer", "start"))
GIVE_COUNT, GIVE_PASS, GIVE_NOT_LOW, TRUMP, SUPER, POINTS = map(
    first_of, ("give_count", "give_pass", "give_not_low", "trump", "super", "points")
)
SIDED, WITH_ME, START_SIDE, DOUBLED = map(first_of, ("sided", "with_me", "start_side", "double"))
IN_HAND, GIVEN, TODO, TRICKS, LOOT, PILE, TOP, EARNED = map(
    first_of, ("in_hand", "given", "todo", "tricks", "loot", "pile", "top", "earned")
)
PLAYED, BEST, STANDING, TO_TARGET, ROUNDS_LEFT, LAST_ROUND = map(
    first_of, ("played", "best", "standing", "to_target", "rounds_left", "last_round")
)
ASIDE = (SEATS - 1) * GRID
"""Where the part "aside" begins among the hidden numbers."""
PLAYERS, TABLE, WHEN, LED = map(first_of, ("players", "nichtig", "when", "led"))
"""From TABLE to WHEN: the setup of the match, one number for each part."""
