"""Bodies of the REST interface about study: reviews, the deal of the day, puzzles, own mistakes."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from atout.bots.bot import Reason
from atout.game import View
from atout.game.view import Conditions, Played
from atout.puzzles.model import Theme
from atout.study.model import ActionValue, Decision, Label, Ledger, Phase

ReviewState = Literal["none", "preparing", "waiting", "working", "done", "failed"]
"""How far a review is.

    none        nobody works on it; if decisions are missing, begin it or go on with it by POST
    preparing   the code for reviews is being compiled, which takes a minute or two after the first start of a server
    waiting     another review for the same guest comes first
    failed      `trouble` says why
"""
Trouble = Literal["", "nothing-played", "bad-record", "not-learned", "gone", "failed"]
"""Why there is no review: `not-learned` means that nothing has learned this edition with these rules."""


class MatchReview(Struct, omit_defaults=True):
    """The review of one seat in a finished match, as far as it is."""

    state: ReviewState
    seat: int
    seats: list[int]
    """The seats whose decisions you may review; your own first."""
    mine: list[int]
    """Your own seats: none in a public match, or in a record that you imported."""
    decisions: list[Decision]
    """In the order of the match, from number `after` of the query on, without a gap."""
    trouble: Trouble = ""
    total: int = 0
    """How many decisions the seat made; 0 while that is not known."""
    ledger: Ledger | None = None
    """Before the review is done: without what decisions lost, and with an empty curve and parts of 0 in rounds that are
    not valued yet. It is left out if no more rounds are valued than the query says with `valued`."""
    evaluator: str = ""
    """A hash of the networks and settings that judge."""
    effort: int = 0
    spread: float = 0.0
    """The standard deviation of a round's gain at this table."""
    notes: list[str] = []
    """Codes of what a reader should know: `unfinished`."""


class DealOfDay(Struct):
    """The deal of a day, without its cards: two rounds, the same for everybody at this server."""

    day: str
    """As `2026-11-17` (UTC)."""
    edition: str
    players: int
    rounds: int
    level: str
    """The level of the bots. They take what they think best, without chance: the same history gives the same answer."""
    commitment: str
    """To the secret that the deals come from (docs/fair-shuffles.md); the record of a finished try has the secret."""
    played: int
    """How many have finished it."""
    state: Literal["new", "playing", "finished"]
    """How far my only try is."""
    table: str = ""
    """The table of my try."""


class FieldResult(Struct):
    """How many had a result."""

    gain: float
    count: int


class FieldAction(Struct):
    """How many of those who came to the same position chose an action, and their mean result."""

    action: str
    count: int
    gain: float


class DealDecision(Struct):
    """A decision of mine in a deal of the day, and what the field chose at the same position."""

    round: int
    index: int
    """As in a review."""
    phase: Phase
    ordinal: int
    """The number of the trick; else of the decision among those of its phase and round; from 1."""
    action: str
    hand: list[str]
    trick: list[Played]
    conditions: Conditions | None
    choices: list[FieldAction]
    """The most frequent first."""


class DealResult(Struct):
    """My result in a deal of the day, beside the field. It is there as soon as I have finished."""

    deal: DealOfDay
    gain: float
    """My points less the mean of the others', over both rounds."""
    gains: list[float]
    """By round."""
    counted: bool
    """I am part of the field: I played to the end, and no bot played for me."""
    field: list[FieldResult]
    """The lowest result first."""
    record: str
    """The record of my match, to replay and review it; empty if I deleted it."""
    seats: list[str]
    """Levels of the bots by seat; mine is `open`."""
    decisions: list[DealDecision]


class PuzzleEntry(Struct, omit_defaults=True):
    """A puzzle in the list of all."""

    id: str
    edition: str
    players: int
    phase: Phase
    theme: Theme
    rating: int
    """How hard it is before anybody has tried it, on the scale of people's ratings."""
    teams: bool = False


class Puzzles(Struct):
    """All puzzles, in the order of the days."""

    puzzles: list[PuzzleEntry]
    """That of day d, counted from 1970-01-01 (UTC), is number d modulo their count: offline, too."""
    date: str
    """Today, as `2026-11-17`."""
    today: str
    """Its puzzle's id."""


class OwnMistake(Struct):
    """Where a position of my own comes from."""

    record: str
    """The match is at `/api/records/{record}`."""
    edition: str
    finished: float
    round: int
    """From 0, as in a review."""
    index: int
    """The place of the decision among the round's actions, from 0."""
    action: str
    """What I chose then."""
    label: Label
    loss: float


class PuzzleAnswer(Struct):
    """What each action is worth: a puzzle is no secret, so a page grades at once, and offline."""

    values: dict[str, ActionValue]
    """By legal action, as in the view's `legal`."""
    best: list[str]
    """The right answers: mostly one, more where they are as good as each other."""
    reason: list[Reason]
    """Why the best action is better than the most tempting of the others."""
    lead: float
    """By how much the best action leads the best of the wrong ones, with its standard error `se`."""
    se: float
    spread: float
    """The standard deviation of a round's gain at this table."""


class PuzzlePosition(Struct, omit_defaults=True):
    """A puzzle, or a mistake of my own as one: the position as its seat saw it, and the answer."""

    id: str
    edition: str
    players: int
    seat: int
    phase: Phase
    theme: Theme
    view: View
    """With the legal actions."""
    answer: PuzzleAnswer
    rating: int = 0
    """How hard it is, by now; 0 for a mistake of my own."""
    found: list[str] = []
    """The levels of bots that find it."""
    tried: int = 0
    """How many guests tried it, each counted once."""
    solved: int = 0
    """How many of them solved it at the first try."""
    date: str = ""
    """The day whose puzzle it is, if it was asked for as such."""
    mistake: OwnMistake | None = None


class NewAttempt(Struct, forbid_unknown_fields=True):
    action: Annotated[str, Meta(min_length=1, max_length=60)]
    """One of the view's legal actions."""


class PuzzleAttempt(Struct):
    """What came of an attempt. Only the first at a puzzle is rated and counted."""

    is_right: bool
    is_first: bool
    rating: int
    """Mine by now."""
    change: int
    """By how much the attempt changed it; 0 if it is not rated."""
    streak: int
    """Days in a row, up to now, on which the day's puzzle was solved at the first try."""


class ThemeCount(Struct):
    tried: int
    solved: int


class MyPuzzles(Struct):
    """How I do at puzzles."""

    rating: int
    uncertainty: int
    """The standard deviation of the rating: large at first."""
    tried: int
    solved: int
    streak: int
    """Days in a row on which I solved the day's puzzle at the first try; today counts once it is solved."""
    longest: int
    """The longest streak so far."""
    today: Literal["", "solved", "missed"]
    """The first try at today's puzzle; empty: not tried yet."""
    themes: dict[str, ThemeCount]
    attempts: dict[str, bool]
    """By id of each puzzle I tried: whether the first try was right."""


class MistakeEntry(Struct):
    """One of my mistakes, as a card that comes back."""

    id: str
    due: float
    """When it is to be tried next."""
    attempts: int
    """How often I tried it."""


class Mistakes(Struct):
    """My mistakes: decisions that my reviews call a mistake or a blunder."""

    due: list[MistakeEntry]
    """Those to try now; the longest due first."""
    count: int
    """All of them."""
    next: float
    """When the next one that is not due yet will be; 0: there is none."""


class MistakeAttempt(Struct):
    """What came of trying a mistake again."""

    is_right: bool
    due: float
    """When it comes back: later and later while it is solved."""
    days: float
    """From now until then."""
