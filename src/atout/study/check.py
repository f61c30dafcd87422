"""A second look in fresh worlds, which hints and reviews share.

The best of several values that are not exact is likely to be one that was overrated. So an action that strong play
would not choose comes first only if it is also ahead in worlds that had no part in finding it, by enough.
"""

from __future__ import annotations

from msgspec.structs import replace

from atout.bots.expert import errors_needed
from atout.game import Knowledge
from atout.study.effort import Effort
from atout.study.evaluator import Compared, DecisionEvaluator, Judged
from atout.study.labels import CANNOT_TELL

PASSES = 3
"""Passes of fresh worlds, at most, in which the best action is compared with what strong play chooses."""


def checked(
    evaluator: DecisionEvaluator, knowledge: Knowledge, judged: Judged, effort: Effort, spread: float
) -> Judged:
    """The judgement, with the best action compared in fresh worlds with the one that strong play chooses most.

    The less likely strong play chooses it, the clearer it must lead there. A lead that is not clear counts as none:
    what strong play chooses comes first, and the other is worth the same.
    """
    best, likeliest = judged.best, judged.likeliest
    if best == likeliest:
        return judged
    fresh = evaluator.compare(knowledge, effort, best, likeliest, CANNOT_TELL * spread, min(PASSES, effort.passes))
    is_clear = fresh.lead > errors_needed(judged.found_by[likeliest], judged.found_by[best]) * fresh.se
    if not is_clear and fresh.lead > 0:
        fresh = replace(fresh, value=fresh.value - fresh.lead, value_se=fresh.other_se, lead=0.0)
    lead, first = fresh.lead, best if is_clear else likeliest
    known, errors = dict(judged.known), dict(judged.se)
    use_fresh(known, errors, fresh)
    gaps = {action: (known[first] - known[action], judged.gaps[action][1]) for action in judged.actions}
    gaps |= {best: (max(-lead, 0.0), fresh.se), likeliest: (max(lead, 0.0), fresh.se), first: (0.0, 0.0)}
    ranking = sorted(judged.actions, key=lambda one: (-known[one], one != first, -judged.found_by[one]))
    return replace(judged, known=known, se=errors, gaps=gaps, ranking=ranking, sample=fresh.sample)


def use_fresh(known: dict[int, float], errors: dict[int, float], fresh: Compared) -> None:
    """Values from fresh worlds for the two that were compared.

    All others keep their distance to the second of them: the first was picked because its value was high, and most of
    what it loses in fresh worlds is luck that the others did not have. None passes the better of the two.
    """
    values = {fresh.better: fresh.value, fresh.other: fresh.value - fresh.lead}
    shift, top = values[fresh.other] - known[fresh.other], max(values.values())
    known |= {action: min(value + shift, top) for action, value in known.items()} | values
    errors |= {fresh.better: fresh.value_se, fresh.other: fresh.other_se}
