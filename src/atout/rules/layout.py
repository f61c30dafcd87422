"""How everything is numbered: phases, actions and cards, and the records that hold them.

Cards
    A *kind* is a card as players name it: all three red 1s are one kind. Kinds are numbered colour by
    colour, low to high, 60 at most, so a set of kinds is one word:

        kind = colour * ranks + rank          niet-2015:  0 = R1 … 12 = R13, 13 = Y1 …

    A *card set* is two words, because some kinds exist several times (`cards.py`):

        kinds   bit k: at least one card of kind k
        spare   the second, third, … copy of each kind, lowest bit of its field first

Actions
    An action is an index from 0 to 63 within its phase, so a set of actions is one word:

        phase     index
        VETO      row * 8 + column       rows: 0 start, 1 discard, 2 trump, 3 super, 4 points
        TEAM      the start player's side as a mask of seats
        DOUBLE    seat that gets the ×2 card
        DISCARD   kind
        PASS      kind (given to the left neighbour)
        LAY       kind (Null & nichtig)
        PLAY      kind

    In a round's log an action is one number with its seat and phase (`log.py`):

        bit  12 … 10   9 … 6   5 … 0
             seat      phase   index

Lanes
    Small counters per seat or colour share a word, 8 bits each: lane i is (word >> 8*i) & 255.

Every field is a signed 64-bit integer, so a record is also a flat array of words. Python passes the array,
and an entry (`entries.py`) views it as the record.
"""

from __future__ import annotations

import numpy as np

SEATS = 6
COLOURS = 5
KINDS = 64
ROWS, COLUMNS = 5, 8
DECK = 80
"""Room for a deck; Null & nichtig has 65 cards."""
LOG = 128
"""Room for a round's actions; the longest real one (Njet!, 5 players) has 20 + 2 + 10 + 50."""

DEAL, VETO, TEAM, DOUBLE, DISCARD, PASS, LAY, PLAY, OVER = range(9)
START_ROW, DISCARD_ROW, TRUMP_ROW, SUPER_ROW, POINTS_ROW = range(5)
NJET, NICHTIG = 0, 1
NOBODY = -1


def _record(*fields: tuple[str, int]) -> np.dtype[np.void]:
    """All-int64 record; a field of width 1 is a plain number."""
    return np.dtype((np.record, [(name, "i8") if width == 1 else (name, "i8", (width,)) for name, width in fields]))


STATE = _record(
    # where the match stands
    ("phase", 1),
    ("turn", 1),  # seat to act; nobody acts in DEAL and OVER
    ("finished", 1),  # rounds finished
    ("dealer", 1),
    ("totals", SEATS),
    ("scores", SEATS),  # of the last finished round
    # the board, and what it decided
    ("free", 1),  # cells that are not covered
    ("shut", 1),  # all cells of the rows that have only one free cell left
    ("start", 1),  # start player (Null & nichtig: leader of the first trick)
    ("giving", 1),  # column of the discard row
    ("trump", 1),  # colour, or the number of colours: none
    ("super", 1),  # likewise
    ("points", 1),
    ("trumps", 1),  # kinds of the trump suit
    ("supers", 1),  # kinds that are supertrumps
    # sides
    ("side", 1),  # seats on the start player's side
    ("doubler", 1),  # holder of the ×2 card or NOBODY
    # cards
    ("hand", SEATS),
    ("spare", SEATS),
    ("gone", SEATS),  # what the seat discarded, passed or laid out this round
    ("gone_spare", SEATS),
    ("todo", 1),  # cards the seat to act still has to discard, pass or lay out
    # the trick on the table
    ("trick", SEATS),  # kind played by each seat
    ("played", 1),  # number of cards in it
    ("follow", 1),  # kinds that follow the led card
    ("beating", 1),  # kinds that would take the trick now
    ("best", 1),  # seat that holds it; of a finished trick, its winner
    ("lows", 1),  # seats that played a low card into it
    # what was won
    ("tricks", 1),  # lanes by seat
    ("loot", 1),  # lanes by seat
    ("tops", SEATS),  # Null & nichtig, lanes by colour: value of the top card + 1
)

RULES = _record(
    ("game", 1),
    ("players", 1),
    # deck
    ("cards", 1),
    ("hand_size", 1),
    ("colours", 1),
    ("kinds", 1),  # mask of all kinds in play
    ("low", 1),  # mask of the loot cards
    ("deck", DECK),  # kind of every card
    ("copies", KINDS),
    ("spare_of", KINDS),  # the kind's field in a spare word
    ("colour_of", KINDS),
    ("value_of", KINDS),
    ("mates", KINDS),  # kinds of the same colour
    ("beats", KINDS),  # kinds that beat it as far as rank alone goes; with ties won by the last, itself too
    ("suit", COLOURS + 1),  # kinds of a colour; the last: no colour, no kinds
    # veto board
    ("board", 1),  # all cells
    ("first_veto", 1),  # steps left from the dealer to the first veto
    ("give_count", COLUMNS),
    ("give_pass", COLUMNS),
    ("give_not_low", COLUMNS),
    ("trump_cells", COLUMNS),  # colour of each column
    ("super_cells", COLUMNS),
    ("points_cells", COLUMNS),
    # sides
    ("sides", SEATS),  # by start player: bit m set when the seats of mask m may be its side
    ("doubles", 1),  # the smaller side gets the ×2 card
    # laying out and tricks
    ("lay_count", 1),
    ("must_follow", 1),
    ("must_trump", 1),
    ("super_joins_trump", 1),
    ("last_wins_ties", 1),
    # score and match
    ("difference", 1),
    ("rounds", 1),  # 0: no limit
    ("target", 1),  # 0: none
    ("target_exceeded", 1),  # the target must be passed, not only reached
    ("deal_left_of_start", 1),
    ("teams", 1),  # Null & nichtig: alternate seats add up
)

FACTS = _record(
    # what a seat knows beyond the redacted state, derived from the log of the round (knowledge/redact.py)
    ("seat", 1),
    ("in_hand", SEATS),  # number of cards
    ("given", SEATS),  # number of cards chosen so far for discard, pass or lay-out
    ("passed", 1),  # 1 after cards were passed and received
    ("marks", SEATS),  # cells covered by each seat
    ("cannot", SEATS),  # kinds the seat cannot hold: it did not follow
    ("seen", SEATS),  # cards shown by each seat this round: played or laid out
    ("seen_spare", SEATS),
    ("known", SEATS),  # cards the seat knows in another's hand, because it passed them
    ("known_spare", SEATS),
    ("laid", DECK),  # Null & nichtig: seat * 64 + kind in the order the piles grew
    ("laid_count", 1),
    ("plays", DECK),  # kinds in the order they were played
    ("play_count", 1),
    ("undealt", 1),  # number of cards nobody got
)

STATE_WORDS = STATE.itemsize // 8
RULES_WORDS = RULES.itemsize // 8
FACTS_WORDS = FACTS.itemsize // 8

RNG_WORDS = 1 + DECK
"""A random number generator: word 0 is its state, the rest is the pack of cards it shuffles."""

PLACES = 3 * SEATS + 1
"""Where an unseen card may be: seat 0 … 5 in hand; 6 … 11 chosen; 12 … 17 low and chosen; 18 not dealt."""

PLAN = _record(
    # how worlds are sampled: see knowledge/sample.py
    ("cards", 1),
    ("card", DECK),  # unseen cards; first those that some place bars
    ("bound", 1),  # how many of them some place bars
    ("room", PLACES),  # number of unseen cards in each place
    ("barred", PLACES),  # kinds that cannot be there
    ("group", PLACES),  # places with the same bars; 0: none barred, or no room
    ("groups", 1),
    ("group_room", PLACES + 1),
    ("group_barred", PLACES + 1),
    ("stride", PLACES + 1),  # of a group's digit in a column number of the lookup
    ("states", 1),  # columns of the lookup: the product of (group_room + 1)
    ("scenario", 1),  # the one the lookup was built for
    ("scenarios", 1),
    ("digit", PLACES + 1),  # room left in each group
)
PLAN_WORDS = PLAN.itemsize // 8
