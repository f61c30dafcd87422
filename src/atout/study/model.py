"""What a review says, as plain values: they go over the wire and into files unchanged.

Gains are points of a round less the mean of the opponents' (`rules/scoring.py:gain`), for the seat that is reviewed.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from atout.bots.bot import Reason

Label = Literal["fine", "only-move", "inaccuracy", "mistake", "blunder", "cannot-tell"]
"""What a decision was, given what the seat could know.

    only-move     every other action would have been a mistake, and it was found
    cannot-tell   something else seemed better, and more worlds did not show whether it is
"""
Luck = Literal["", "unlucky", "lucky-escape"]
"""How a decision turned out with open cards: right and still wrong, or wrong and still right."""
Phase = Literal["veto", "partners", "cards", "piles", "tricks"]
"""Decisions that are counted together: `cards` are discarded or passed, `piles` are laid out."""
LABELS: tuple[Label, ...] = ("fine", "only-move", "inaccuracy", "mistake", "blunder", "cannot-tell")
WRONG: tuple[Label, ...] = ("inaccuracy", "mistake", "blunder")
PHASES: tuple[Phase, ...] = ("veto", "partners", "cards", "piles", "tricks")


SAYS_LITTLE = ("found-by", "better-by", "found-by-veto", "better-by-veto")
"""Codes of reasons that tell no cause."""
CELL_CODES = ("cell-removed", "cell-spared", "cell-wanted", "cell-unwanted")
"""Codes of reasons that name a cell of the board: the one that the veto covers, the one that the other veto would
cover, and others that should stay or should not."""


class ActionValue(Struct, frozen=True):
    """What one legal action was worth."""

    known: float
    """The mean gain over likely worlds, given what the seat knew."""
    se: float
    """The standard error of `known`."""
    found_by: float
    """The share of strong play that chooses it."""
    open: float | None = None
    """The gain with all cards open."""
    exact: bool = False
    """Whether `open` was calculated to the end of the round, and not estimated."""


class Decision(Struct, frozen=True):
    """One decision of a seat."""

    round: int
    """From 0."""
    index: int
    """The place of the action among the round's actions, from 0."""
    seat: int
    phase: Phase
    action: str
    """What was chosen."""
    best: str
    """The action with the highest known value."""
    label: Label
    loss: float
    """By how much the best action's known value is higher, in worlds that had no part in finding it; never negative."""
    se: float
    """The standard error of that difference."""
    values: dict[str, ActionValue]
    """For each legal action."""
    luck: Luck = ""
    reason: tuple[Reason, ...] = ()
    """Why the best action is better; for the best action itself, why it is better than the next. Two at most."""
    lead: float = 0.0
    """As `loss`, but negative where fresh worlds favour what was chosen. It is right on average."""
    is_obvious: bool = False
    """Whether nearly all strong play chooses one action here, whatever was chosen."""
    worlds: int = 0
    """How many worlds were looked at."""

    @property
    def cost(self) -> float:
        """What it counts for in the ledger and in the error rate: its loss, if that is sure enough for a label. Smaller
        losses are mostly noise, and would be charged to those who did nothing wrong.
        """
        return self.loss if self.label in WRONG else 0.0


class LedgerStep(Struct, frozen=True):
    """A point of the ledger's curve: what the round was worth before somebody's choice."""

    index: int
    """The place of the choice among the round's actions."""
    actor: int
    """The seat that chose."""
    value: float
    """The gain to expect before the choice, with all cards open (`ledger.py`)."""


class RoundLedger(Struct, frozen=True):
    """Where the result of a round came from: `deal + own + partners + opponents = result`."""

    round: int
    deal: float
    """What the cards were worth before anybody chose."""
    own: float
    """What the seat's own choices changed."""
    partners: float
    opponents: float
    result: float
    """The gain of the round; of an unfinished one, what it was worth when it stopped."""
    lost: float
    """What own choices cost by what could be known: inaccuracies, mistakes and blunders."""
    turned_out: float
    """The rest of `own`: what nobody in this seat could have known. `own = turned_out − lost`."""
    is_finished: bool
    partner_seats: tuple[int, ...] = ()
    curve: tuple[LedgerStep, ...] = ()


class ErrorRate(Struct, frozen=True):
    """Points lost per decision that was not obvious."""

    decisions: int
    obvious: int
    """Decisions that are left out."""
    lost: float
    """Points lost by all of them."""
    rate: float | None
    """None if there was no such decision."""


class Ledger(Struct, frozen=True):
    """The sums over all rounds, and the errors by phase."""

    seat: int
    evaluator: str
    rounds: tuple[RoundLedger, ...]
    deal: float
    own: float
    partners: float
    opponents: float
    result: float
    lost: float
    turned_out: float
    luck_adjusted: float
    """The result without what the cards of the deals were worth."""
    labels: dict[str, int]
    """How many decisions have each label, and each kind of luck."""
    errors: dict[str, ErrorRate]
    """By phase, and `all`."""


class Review(Struct, frozen=True):
    """All decisions of one seat in a match."""

    edition: str
    players: int
    seat: int
    evaluator: str
    """A hash of the networks and settings: the same record, evaluator and effort give the same review."""
    effort: int
    """The level of effort (`effort.py`)."""
    spread: float
    """The standard deviation of a round's gain at this table: thresholds are shares of it."""
    decisions: tuple[Decision, ...]
    ledger: Ledger
    notes: tuple[str, ...] = ()
    """Codes of what a reader should know: `unfinished`, `stand-in`."""


class Alternative(Struct, frozen=True):
    """An action that a hint compares."""

    action: str
    known: float
    se: float
    found_by: float


class Explanation(Struct, frozen=True):
    """Advice for one decision, from what its seat knows: the best action first, in the order of the known values.

    Late in a match another action may win the match more often: then it is that one alone.
    """

    action: str
    alternatives: tuple[Alternative, ...]
    """All legal actions, or what is advised for the match; the first is `action`."""
    reason: tuple[Reason, ...]
    evaluator: str
    worlds: int
