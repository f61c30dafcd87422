"""`View`: what a seat may know as plain data, ready for JSON (made in `view_builder.py`), and how to read it back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from copy import copy
from typing import Any, TypedDict

import numpy as np

from atout.editions import from_tree
from atout.errors import UsageError
from atout.game.knowledge import Knowledge, Log
from atout.game.log_entry import HIDDEN, logged, phase_of, seat_of
from atout.game.notation import PHASES, SECRET, Notation, notation_of
from atout.game.setup import Setup
from atout.knowledge import entries as knowledge_entries
from atout.rules.layout import FACTS_WORDS, NOBODY, PLAY, STATE, STATE_WORDS
from atout.rules.scoring import own_points

SECRET_NAMES = tuple(PHASES[phase] for phase in SECRET)
"""The phases, and the verbs of their actions, in which cards are chosen in secret."""
CARD_VERBS = (*SECRET_NAMES, PHASES[PLAY])
"""The verbs of actions that name one card."""

OWN_KEYS = (
    *("seat", "turn", "hand", "hand_sizes", "owed", "chosen", "chosen_counts", "received", "actions", "legal", "must"),
)
"""The fields in which the views of one moment differ; all others are the same for everybody."""


class Cell(TypedDict):
    """A cell of the veto board."""

    word: str
    free: bool
    by: int | None
    """The seat that covered it."""


class Row(TypedDict):
    """A row of the veto board."""

    row: str
    cells: list[Cell]


class Conditions(TypedDict):
    """What the vetoes left for the round (Njet!)."""

    start: int
    discard: str
    trump: str
    super: str
    points: int


class Played(TypedDict):
    """A card in a trick, and the seat that played it."""

    seat: int
    card: str


class MadeOf(TypedDict):
    """What the scores of a round of Njet! are made of, as the rules add them up; before its end, those so far."""

    single: list[int]
    """By seat: tricks and loot times the points, before the ×2 card."""
    own: list[int]
    """By seat: own points, doubled for the holder of the ×2 card."""
    sums: list[int]
    """The sums of the two sides, in the order of `sides`, before difference scoring."""
    scoring: str
    """`total` or `difference`."""


class Team(TypedDict):
    """A team of a match in teams (N§6.4), and its members' points added up."""

    seats: list[int]
    total: int
    """Points of the match, over all finished rounds: what decides it."""
    round_points: int
    """As the `round_points` of the view."""


class PastRound(TypedDict, total=False):
    """The result of a finished round, in full: it can be shown long after the next one has begun."""

    scores: list[int]
    tricks: list[int]
    loot: list[int]
    """From here to `made_of`: Njet! only."""
    conditions: Conditions | None
    sides: list[list[int]] | None
    double: int | None
    made_of: MadeOf
    tops: list[list[str]]
    """Null & nichtig: the top cards of each seat's piles, in the order of the colours."""
    team_scores: list[int]
    """In teams: what the members of each team scored together, in the order of `teams` of the view."""


class LastRound(TypedDict):
    """How a round ended: public fields of a `View` as they stood then.

    The names are those of `View`, so a page shows the end of a round as `{...view, ...view.last_round}`.
    """

    phase: str
    """`deal`."""
    turn: int | None
    """None: nobody is to act."""
    round: int
    dealer: int
    leader: int | None
    board: list[Row] | None
    conditions: Conditions | None
    sides: list[list[int]] | None
    double: int | None
    hand: list[str]
    """Empty, like all hands."""
    hand_sizes: list[int]
    legal: list[str]
    """Empty."""
    last_trick: list[Played]
    last_winner: int | None
    tricks: list[int]
    loot: list[int] | None
    round_points: list[int]
    """The scores of the round."""
    teams: list[Team] | None
    made_of: MadeOf | None
    piles: list[list[list[str]]] | None


class View(TypedDict):
    """Everything one seat may know, and nothing else. Lists per seat are indexed by seat.

    >>> from atout import Game
    >>> view = Game.new("niet-2015", players=4, seed=7).view(seat=2)
    >>> view["phase"], view["turn"], len(view["hand"]), view["legal"][0]
    ('veto', 2, 15, '2 veto start 0')
    """

    edition: str
    rules: dict[str, Any] | None
    """House rules in full; None for a published edition."""
    game: str
    players: int
    options: dict[str, Any]
    seat: int | None
    """Whose view it is; None for a spectator."""
    phase: str
    """As in `Game.phase`."""
    turn: int | None
    round: int
    """Number of the current round, from 1; in the phase `deal`, of the round that has ended."""
    rounds: int | None
    target: int | None
    dealer: int
    leader: int | None
    """The seat that leads the first trick, once that is known."""
    totals: list[int]
    """Points of the match, over all finished rounds."""
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
    """Cards that the seat itself discarded, passed or laid out this round."""
    chosen_counts: list[int]
    received: list[str]
    trick: list[Played]
    last_trick: list[Played]
    last_winner: int | None
    trick_winners: list[int]
    """The winners of the finished tricks of the round, in order."""
    winning: int | None
    """The seat that is winning the trick on the table."""
    tricks: list[int]
    loot: list[int] | None
    round_points: list[int]
    """What each seat would score if the round ended now; at the end of the round, its scores."""
    teams: list[Team] | None
    """The teams of the match; None where everybody plays alone. (The sides of Njet! last one round: `sides`.)"""
    made_of: MadeOf | None
    """What `round_points` are made of, once the sides are known (Njet!)."""
    cannot_hold: list[list[str]]
    """Cards that each seat has shown not to hold, by not following."""
    piles: list[list[list[str]]] | None
    """Null & nichtig: every seat's piles, bottom to top."""
    actions: list[str]
    """The round so far; a card the seat may not see is `?`."""
    legal: list[str]
    must: str | None
    """What the card to play must do: `follow red`, `follow trump` or `trump`; None where any card will do."""
    last_round: LastRound | None
    """How the round before ended, until the first action of this one."""


def read_view(view: View) -> Knowledge:
    """The knowledge that a view was made from. A bot that is sent views as JSON starts with it.

    The view must be that of the seat in turn.

    >>> from atout import Game
    >>> game = Game.new("niet-2015", players=4, seed=7)
    >>> knowledge = read_view(game.view(game.turn))
    >>> bool((knowledge.redacted == game.knowledge(game.turn).redacted).all())
    True
    """
    edition = view["edition"] if view["rules"] is None else from_tree(view["rules"], "view")
    setup = Setup.of(edition, view["players"], view["options"])
    notation = notation_of(setup)
    seat = view["seat"]
    if seat is None or view["turn"] != seat:
        raise UsageError("read_view: expected the view of the seat in turn; this seat is not asked to act")
    log = _log_in_order(view, notation, seat)
    hand, spare = notation.set_of(_dealt(view))
    redacted, facts = np.zeros(STATE_WORDS, np.int64), np.zeros(FACTS_WORDS, np.int64)
    o: Any = redacted.view(STATE)[0]
    o.finished, o.dealer = view["round"] - 1, view["dealer"]
    o.start = NOBODY if view["leader"] is None else view["leader"]
    o.totals[: setup.players] = view["totals"]
    if view["past"]:
        o.scores[: setup.players] = view["past"][-1]["scores"]
    knowledge_entries.rebuild(redacted, setup.rules, log, len(log), seat, hand, spare, facts)
    return Knowledge(setup, seat, redacted, facts, log)


def _log_in_order(view: View, notation: Notation, seat: int) -> Log:
    """The log of the round in the order of the rules, where secret choices are made one seat after the other.

    At a table all choose at once, so a view may lack the choices of seats that come before this one. They are
    hidden anyway, and are filled in as hidden ones.
    """
    log = [notation.read(action) for action in view["actions"]]
    if view["phase"] in SECRET_NAMES:
        phase, leader = PHASES.index(view["phase"]), view["leader"]
        assert leader is not None, "who leads is known when cards are chosen"
        own = [entry for entry in log if phase_of(entry) == phase and seat_of(entry) == seat]
        before = [(leader + step) % view["players"] for step in range((seat - leader) % view["players"])]
        hidden = [logged(other, phase, HIDDEN) for other in before for _ in range(len(own) + view["owed"])]
        log = [entry for entry in log if phase_of(entry) != phase] + hidden + own
    return np.array(log, np.int64)


def _dealt(view: View) -> list[str]:
    """The cards that the seat was dealt."""
    cards = Counter(view["hand"])
    cards.subtract(view["received"])
    cards.update(view["chosen"])
    for action in view["actions"]:
        seat, verb, *words = action.split(" ")
        if verb == "play" and int(seat) == view["seat"]:
            cards[words[0]] += 1
    return list(cards.elements())


def conditions(o: Any, notation: Notation) -> Conditions | None:
    """The conditions of the round: the free cells of the board, once every row has only one."""
    board = notation.setup.edition.board
    if board is None or o.start == NOBODY or o.free == 0:
        return None
    colours = (*notation.setup.edition.deck.colours, "none")
    return {
        "start": int(o.start),
        "discard": board.discard[o.giving],
        "trump": colours[o.trump],
        "super": colours[o.super],
        "points": int(o.points),
    }


def sides(side: int, players: int) -> list[list[int]] | None:
    """The seats of the start player's side, given as a mask, then the others; None before the sides are known."""
    if side == 0:
        return None
    return [
        [seat for seat in range(players) if (side >> seat) & 1],
        [seat for seat in range(players) if not (side >> seat) & 1],
    ]


def made_of(s: Any, setup: Setup) -> MadeOf:
    """The terms of the scores (§7.1 to §7.4), each from the rules; without the ×2 card nobody is the doubler."""
    seats = range(setup.players)
    undoubled = copy(s)
    undoubled.doubler = NOBODY
    own = [own_points(s, seat) for seat in seats]
    return {
        "single": [own_points(undoubled, seat) for seat in seats],
        "own": own,
        "sums": [sum(own[seat] for seat in side) for side in sides(s.side, setup.players) or []],
        "scoring": setup.options.scoring,
    }


def teams(setup: Setup, totals: Sequence[int], points: Sequence[int]) -> list[Team] | None:
    """The teams with the sums of these totals and points of the round (N§6.4); None where everybody plays alone."""
    if setup.teams is None:
        return None
    return [
        {"seats": team, "total": sum_of(totals, team), "round_points": sum_of(points, team)} for team in setup.teams
    ]


def sum_of(points: Sequence[int], seats: Sequence[int]) -> int:
    return sum(points[seat] for seat in seats)


def lanes(word: Any, players: int) -> list[int]:
    return [(int(word) >> (8 * seat)) & 255 for seat in range(players)]


def seat_or_none(number: Any) -> int | None:
    return None if number == NOBODY else int(number)
