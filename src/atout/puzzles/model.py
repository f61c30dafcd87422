"""A puzzle as plain values: a position of a round, what each action is worth there, and why the best one is best."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from itertools import permutations
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

from atout.bots.bot import Reason
from atout.game import Card, Game, View
from atout.game.record import Record
from atout.study.labels import INACCURACY
from atout.study.model import SAYS_LITTLE, ActionValue, Decision, Phase

Theme = Literal[
    "board-start", "board-discard", "board-trump", "board-super", "board-points", "partner", "double", "discard",
    "pass", "lay-out", "win-trick", "loot", "lead", "keep", "trumps", "empty-colour", "plan", "own-piles",
    "their-piles",
]  # fmt: skip
"""What a puzzle is about.

    board-…            the row of the board with the cell that matters
    partner, double    who plays with whom, who gets the ×2 card
    discard, pass, lay-out
    win-trick, loot    who wins this trick, who captures 1s
    lead, keep, trumps, empty-colour
                       later tricks, and their cause: who leads next, a card that wins later, trumps drawn or saved, a
                       colour that is emptied
    plan               later tricks, without one cause
    own-piles, their-piles
                       Null & nichtig: what the cards do to piles
"""
THEMES: tuple[Theme, ...] = get_args(Theme)
CAUSES: dict[str, Theme] = {
    "tricks-now": "win-trick", "won-now": "loot", "lost-now": "loot", "won-later": "loot", "lost-later": "loot",
    "tricks-later": "plan", "kept-wins": "keep", "leads-next": "lead", "leaves-lead": "lead", "draws-trumps": "trumps",
    "spends-trump": "trumps", "empties": "empty-colour", "own-piles-now": "own-piles", "own-piles-later": "own-piles",
    "their-piles-now": "their-piles", "their-piles-later": "their-piles", "opponent-piles-now": "their-piles",
    "opponent-piles-later": "their-piles",
}  # fmt: skip
ROWS: dict[str, Theme] = {
    "start": "board-start", "discard": "board-discard", "trump": "board-trump", "super": "board-super",
    "points": "board-points",
}  # fmt: skip
VERBS: dict[str, Theme] = {
    "team": "partner", "double": "double", "discard": "discard", "pass": "pass", "lay": "lay-out",
}  # fmt: skip
LEVELS = ("novice", "club", "learned", "expert")
"""The levels that try a puzzle when it is made, weakest first."""


class Puzzle(Struct, frozen=True):
    """A decision with a best answer that is clear, given what the seat knows."""

    id: str
    """A digest of the position: the same for positions that differ only in the names of colours and seats."""
    record: Record
    """A match whose only round stops at the decision."""
    seat: int
    phase: Phase
    theme: Theme
    values: dict[str, ActionValue]
    """For each legal action."""
    best: tuple[str, ...]
    """The right answers: mostly one, more where they are as good as each other."""
    lead: float
    """By how much the best action leads the best of the wrong ones, in worlds that had no part in finding it."""
    se: float
    """The standard error of `lead`."""
    reason: tuple[Reason, ...]
    found: tuple[str, ...]
    """The levels of bots that find it."""
    rating: int
    """What it is rated when nobody has tried it (`rating.py`)."""
    evaluator: str
    """A hash of the networks and settings that judged."""

    @property
    def edition(self) -> str:
        return self.record["edition"]

    @property
    def players(self) -> int:
        return self.record["players"]

    @property
    def has_teams(self) -> bool:
        return bool(self.record["options"].get("teams"))

    def game(self) -> Game:
        """The match at the decision; `RecordError` if the position breaks a rule."""
        return Game.from_record(self.record)

    def view(self) -> View:
        """What the seat sees."""
        return self.game().view(self.seat)


def theme_of(phase: Phase, action: str, reasons: Iterable[Reason]) -> Theme | None:
    """What a decision is about, by the reason of its best action; None if no reason says it.

    >>> theme_of("veto", "2 veto trump red", [Reason("cell-wanted", {"row": "points"})])
    'board-points'
    >>> theme_of("tricks", "2 play R4", [Reason("leads-next"), Reason("tricks-later")])
    'lead'
    >>> theme_of("cards", "2 discard R4", [Reason("tricks-later")])
    'discard'
    """
    without_cause = (*SAYS_LITTLE, "all-same", "trick-goes", "trick-always")
    causes = [reason for reason in reasons if reason.code not in without_cause]
    if not causes:
        return None
    if phase == "veto":
        return ROWS[causes[0].parameters["row"]]
    if phase != "tricks":
        return VERBS[action.split(" ")[1]]
    return CAUSES[causes[0].code]


def theme_or_usual(phase: Phase, action: str, reasons: Iterable[Reason]) -> Theme:
    """What a decision is about; where no reason says it, what decisions of its kind usually are about.

    >>> theme_or_usual("tricks", "2 play R4", []), theme_or_usual("veto", "2 veto trump red", [])
    ('plan', 'board-trump')
    """
    theme = theme_of(phase, action, reasons)
    if theme is not None:
        return theme
    verb, *words = action.split(" ")[1:]
    return ROWS[words[0]] if verb == "veto" else VERBS.get(verb, "plan")


def answers_of(decision: Decision, spread: float) -> tuple[str, ...]:
    """The right answers to a decision of a review: all that would not be an inaccuracy, best first, and never what was
    chosen.
    """
    values, best = decision.values, decision.values[decision.best].known
    right = [
        action
        for action, value in values.items()
        if best - value.known < INACCURACY * spread and action != decision.action
    ]
    return tuple(sorted(right, key=lambda action: (action != decision.best, -values[action].known)))


def digest_of(record: Any, seat: int) -> str:
    """The id of a position: of how the seat sees it, with seats counted from it, and whatever the colours are called.

    The history is part of it, the hidden hands are not: two puzzles with the same id are the same question.
    """
    game = Game.from_record(record)
    view, colours = game.view(seat), game.setup.edition.deck.colours
    letters = [str(Card(colour, 1))[0] for colour in colours]
    least = min(_renamed(view, dict(zip(colours, order, strict=True)), dict(zip(letters, order, strict=True)))
                for order in permutations("abcdefgh"[: len(colours)]))  # fmt: skip
    return hashlib.sha256(least).hexdigest()[:12]


def _renamed(view: View, colours: dict[str, str], letters: dict[str, str]) -> bytes:
    """The position with other names for colours, and with seats counted from the one that decides."""
    players, seat = view["players"], view["seat"]
    assert seat is not None

    def seen_from(word: str) -> str:
        return str((int(word) - seat) % players)

    def card(word: str) -> str:
        return letters.get(word[0], word[0]) + word[1:]

    def action(text: str) -> str:
        who, verb, *words = text.split(" ")
        if verb in ("team", "double"):
            words = sorted(map(seen_from, words))
        elif verb == "veto":
            words = [words[0], seen_from(words[1]) if words[0] == "start" else colours.get(words[1], words[1])]
        else:
            words = list(map(card, words))
        return " ".join([seen_from(who), verb, *words])

    actions = list(map(action, view["actions"]))
    hand = sorted(map(card, view["hand"]))
    dealer = (view["dealer"] - seat) % players
    return msgspec.json.encode((view["edition"], players, view["options"], dealer, hand, actions))
