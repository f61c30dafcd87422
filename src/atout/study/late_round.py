"""Late in a match: whether another action than the best one for points wins the match more often.

A partner of Njet! scores the same as the player. So whoever is behind a leader in the last round cannot catch up with
the leader as a partner, however many points they make together. Such an action is found in likely worlds that strong
play plays to the end of the round. It must win more of the match in fresh worlds, too.
"""

from __future__ import annotations

from typing import NamedTuple

from atout.game import Knowledge
from atout.rules.layout import TEAM
from atout.search.gain import Float64Array
from atout.search.match_chance import count_rounds_left, is_late, match_shares
from atout.search.net_rollout import TO_THE_END
from atout.search.weighted import mean_and_error
from atout.study.evaluator import DecisionEvaluator, Judged, Sample
from atout.study.shown import effective

FEW, LIKELY, BEST = 6, 2, 3
"""Actions that are tried: all of so many or fewer; of more the likeliest and the best for points."""
FIRST_WORLDS, FRESH_WORLDS = 32, 64
"""Worlds in which actions are tried, and fresh ones for the best of them; with fewer, one or two would decide."""
LEAST = 0.02
"""The share of the match that an action must win more, so that figures in whole per cent show it."""
CERTAIN = 2.0
"""Standard errors by which it must be ahead, unless it wins no less in any world."""


class ForTheMatch(NamedTuple):
    """An action that wins the match more often than the best one for points."""

    action: int
    share: float
    """The share of the match that it wins."""
    other_share: float
    """What the best action for points wins of it."""
    worlds: int
    effective: float
    """How many worlds drawn one by one tell as much: their effective sample size."""


def better_for_the_match(evaluator: DecisionEvaluator, knowledge: Knowledge, judged: Judged) -> ForTheMatch | None:
    """None if many rounds are left, or if no action clearly wins the match more often than the best one for points."""
    if not is_late(knowledge) or len(judged.actions) == 1:
        return None
    actions = _tried(judged)
    first = _shares(evaluator, knowledge, actions, evaluator.draw(knowledge, FIRST_WORLDS, "match"))
    best = max(actions, key=lambda action: first.mean(action))
    if not first.is_ahead(best, judged.best):
        return None
    fresh = _shares(evaluator, knowledge, [judged.best, best], evaluator.draw(knowledge, FRESH_WORLDS, "match again"))
    if not fresh.is_ahead(best, judged.best):
        return None
    count = effective(fresh.sample.weights)
    return ForTheMatch(best, fresh.mean(best), fresh.mean(judged.best), len(fresh.sample), count)


def cannot_win(knowledge: Knowledge, action: int) -> bool:
    """Whether the rules say so: in the last round of a match, a partner who is ahead scores the same."""
    state, rules, seat = knowledge.state, knowledge.setup.rules_record, knowledge.fact.seat
    if state.phase != TEAM or rules.target or count_rounds_left(knowledge.redacted, knowledge.setup.rules) > 1:
        return False
    partners = [one for one in range(knowledge.setup.players) if (action >> one) & 1 == (action >> seat) & 1]
    return any(state.totals[one] > state.totals[seat] for one in partners)


def _tried(judged: Judged) -> list[int]:
    """The best action for points first."""
    likely = sorted(judged.actions, key=lambda action: -judged.found_by[action])
    some = [*likely[:LIKELY], *judged.ranking[:BEST]] if len(judged.actions) > FEW else likely
    return list(dict.fromkeys([judged.best, *some]))


class _Shares(NamedTuple):
    """The share of the match that each action wins, by world."""

    shares: dict[int, Float64Array]
    sample: Sample

    def mean(self, action: int) -> float:
        return float(self.sample.weights @ self.shares[action])

    def is_ahead(self, action: int, over: int) -> bool:
        more = self.shares[action] - self.shares[over]
        lead, error = mean_and_error(more, self.sample.weights)
        return lead >= LEAST and (lead > CERTAIN * error or bool((more >= 0).all()))


def _shares(evaluator: DecisionEvaluator, knowledge: Knowledge, actions: list[int], sample: Sample) -> _Shares:
    """Every action is played to the end of the round in each world."""
    states = evaluator.play_out(knowledge, sample, actions, TO_THE_END).states
    setup, seat = knowledge.setup, knowledge.fact.seat
    return _Shares({one: match_shares(states[at], setup, seat) for at, one in enumerate(actions)}, sample)
