"""Labels of decisions: by what was lost, how sure that is, and the spread of results at the table.

    inaccuracy, mistake, blunder    a loss of at least 0.12, 0.25, 0.7 spreads, and of more than two standard errors
    mistake, too                    an inaccuracy that costs nine tenths of a trick or more, where tricks are worth less
    cannot-tell                     something seems better in fresh worlds, too, and the standard error stays above 0.12
                                    spreads
    only-move                       the next best action would have been a mistake
    unlucky, lucky-escape           with open cards it was a mistake, although it was fine; or the other way round

At niet-2015 with four players the spread is 7.8 points, so the thresholds are 0.9, 1.9 and 5.4. Where the board says
one point for a trick, a whole trick is less than that, and giving it away is a mistake all the same.
"""

from __future__ import annotations

from atout.game import Knowledge
from atout.rules.layout import DISCARD, PASS, PLAY
from atout.search.gain import gain
from atout.study.model import Label, Luck

INACCURACY, MISTAKE, BLUNDER = 0.12, 0.25, 0.7
"""Losses, in spreads."""
CANNOT_TELL = 0.12
"""The standard error above which nothing is said, in spreads."""
TRICK = 0.9
"""The share of a trick's worth from which an inaccuracy is a mistake."""
CERTAIN = 2.0
"""Standard errors that a loss must exceed."""


def trick_worth(knowledge: Knowledge) -> float | None:
    """Njet!, once the sides are known: what a trick of the seat is worth to its gain. None elsewhere."""
    setup, seat, s = knowledge.setup, knowledge.fact.seat, knowledge.state
    if not setup.edition.is_njet or s.phase not in (DISCARD, PASS, PLAY):
        return None
    ours = [float((s.side >> one) & 1 == (s.side >> seat) & 1) for one in range(setup.players)]
    return abs(float(s.points) * gain(ours, setup, seat))


def mistake_of(spread: float, trick: float | None = None) -> float:
    """The loss from which on an action is a mistake.

    >>> mistake_of(6.0), mistake_of(6.0, 1.0), mistake_of(6.0, 0.5), mistake_of(6.0, 4.0)
    (1.5, 0.9, 0.72, 1.5)
    """
    return MISTAKE * spread if trick is None else min(MISTAKE * spread, max(INACCURACY * spread, TRICK * trick))


def label_of(loss: float, se: float, spread: float, trick: float | None = None) -> Label:
    """The label of an action that another one seemed better than; from fresh worlds only.

    >>> [label_of(loss, 0.5, 5.8) for loss in (0.9, 1.2, 2.0, 4.5)], label_of(1.0, 1.0, 5.8)
    (['fine', 'inaccuracy', 'mistake', 'blunder'], 'cannot-tell')
    """
    if loss > CERTAIN * se:
        if loss >= BLUNDER * spread:
            return "blunder"
        if loss >= mistake_of(spread, trick):
            return "mistake"
        if loss >= INACCURACY * spread:
            return "inaccuracy"
    return "cannot-tell" if se > CANNOT_TELL * spread else "fine"


def is_only_move(lead: float, se: float, spread: float) -> bool:
    """Whether the next best action would have been a mistake."""
    return lead >= MISTAKE * spread and lead > CERTAIN * se


def luck_of(label: Label, chosen: float, best: float, spread: float) -> Luck:
    """How a decision turned out: `chosen` and `best` are values with open cards, of the action and of the best one."""
    if label in ("fine", "only-move"):
        return "unlucky" if best - chosen >= MISTAKE * spread else ""
    if label in ("mistake", "blunder"):
        return "lucky-escape" if best - chosen <= 0.0 else ""
    return ""
