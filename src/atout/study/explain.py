"""Advice for one decision, from what its seat knows: what a hint tells.

An action that strong play would not choose is advised only if it is ahead in fresh worlds, too (`check.py`). A review
of the same decision asks the same. The order of the advice is the order of the known values: they never contradict.
The reason compares the best action with the likeliest one that is clearly worse: what strong players would be tempted
by.

Known values count points. In the last rounds of a match another action may win the match more often: then that one is
advised, and the reason compares the two by the match (`late_round.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atout.bots.bot import Reason
from atout.errors import UsageError
from atout.game import Knowledge, View, read_view
from atout.game.notation import notation_of
from atout.nets.spreads import spread_of
from atout.rules.layout import VETO
from atout.rules.log import logged
from atout.study.check import checked
from atout.study.effort import effort_of
from atout.study.evaluator import DecisionEvaluator, Judged
from atout.study.labels import CERTAIN, INACCURACY
from atout.study.late_round import ForTheMatch, better_for_the_match, cannot_win
from atout.study.model import SAYS_LITTLE, Alternative, Explanation
from atout.study.reasons import SAME, contrast_of, reasons, word_of, worlds_for
from atout.study.shown import of_a_hundred, share_of_all

SECONDS = 0.5
"""The time of a hint when none is given: as much work as a review spends on a decision, so that the two agree."""
LISTED = 3
"""Actions that a page lists with their values."""
REASON = 2
"""Questions that a reason may take, for each of the pass over the decision."""


def explain(source: View | Knowledge, seconds: float = SECONDS) -> Explanation:
    """The best action of the seat in turn, all others in order, and why the best is better.

    It needs a view or a seat's knowledge, and nothing that is hidden. `UsageError` if no network has learned the table.
    """
    knowledge = read_view(source) if isinstance(source, Mapping) else source
    if not knowledge.legal:
        raise UsageError("explain: it is not this seat's turn; expected the view of the seat that is to act")
    evaluator = DecisionEvaluator.of(knowledge)
    if knowledge.legal.bit_count() == 1:
        only = Alternative(_word(knowledge, knowledge.legal.bit_length() - 1), 0.0, 0.0, 1.0)
        return Explanation(only.action, (only,), (Reason("only-choice"),), evaluator.id, 0)
    effort = effort_of(seconds)
    spread = spread_of(knowledge.setup)
    judged = checked(evaluator, knowledge, evaluator.judge(knowledge, effort), effort, spread)
    for_the_match = better_for_the_match(evaluator, knowledge, judged)
    if for_the_match is not None:
        return _for_the_match(evaluator, knowledge, judged, for_the_match)
    other = tempting(judged, spread)
    worlds = worlds_for(knowledge, REASON * effort.evaluations)
    known = {action: round(value, 3) for action, value in judged.known.items()}
    why: tuple[Reason, ...] = ()
    for one in dict.fromkeys((other, judged.ranking[-1])):  # the last is so far behind that there may be a cause
        contrast = contrast_of(evaluator, knowledge, judged.sample, judged.best, one, judged.found_by, known, worlds)
        found = reasons(contrast)
        if not why or found[0].code not in SAYS_LITTLE:
            why = found
        if why[0].code not in SAYS_LITTLE:
            break
    alternatives = tuple(_alternative(knowledge, judged, action) for action in judged.ranking)
    return Explanation(alternatives[0].action, alternatives, why, evaluator.id, len(judged.sample))


def _for_the_match(
    evaluator: DecisionEvaluator, knowledge: Knowledge, judged: Judged, found: ForTheMatch
) -> Explanation:
    """Advice for the match. No other action is listed: lists compare points, and there it is not the best."""
    kind = "-veto" if knowledge.state.phase == VETO else ""
    shares = {"best_share": (found.action, found.share), "other_share": (judged.best, found.other_share)}
    numbers = {
        name: 0 if cannot_win(knowledge, action) else of_a_hundred(share_of_all(share, found.effective))
        for name, (action, share) in shares.items()
    }
    names = {"best": word_of(knowledge, found.action), "other": word_of(knowledge, judged.best)}
    advised = _alternative(knowledge, judged, found.action)
    why = (Reason(f"for-the-match{kind}", {**names, **numbers}),)
    return Explanation(advised.action, (advised,), why, evaluator.id, found.worlds)


def _alternative(knowledge: Knowledge, judged: Judged, action: int) -> Alternative:
    known, se, found_by = judged.known[action], judged.se[action], judged.found_by[action]
    return Alternative(_word(knowledge, action), round(known, 3), round(se, 3), round(found_by, 4))


def tempting(judged: Judged, spread: float) -> int:
    """The likeliest action that is clearly worse than the best; else one that seems worse; else the second. One that is
    listed beside the advice is preferred.
    """
    others = judged.ranking[1:]
    worse = [
        action
        for action in others
        if judged.gaps[action][0] >= INACCURACY * spread and judged.gaps[action][0] > CERTAIN * judged.gaps[action][1]
    ] or [action for action in others if judged.gaps[action][0] >= SAME * spread]
    listed = [action for action in worse if action in judged.ranking[:LISTED]]
    return max(listed or worse or others[:1], key=lambda action: judged.found_by[action])


def _word(knowledge: Knowledge, action: int) -> str:
    entry: Any = logged(knowledge.fact.seat, knowledge.state.phase, action)
    return notation_of(knowledge.setup).text_of[entry]
