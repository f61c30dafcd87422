"""Ratings by OpenSkill (Plackett–Luce): each duplicate is one meeting of two bots, in the order of their numbers.

The matches of a duplicate share their cards, so they are one result: which bot has more points over all seatings (for
whole matches: more wins). Bots do not change while they play, so skill has no drift (tau 0). Every bot begins at
25 ± 8.33.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from atout.arena.statistics import NORMAL


class Rating(msgspec.Struct, frozen=True):
    """A bot's skill: mean, standard deviation, and the 95 % interval."""

    bot: str
    mu: float
    sigma: float
    low: float
    high: float


def rate(bots: Sequence[str], meetings: Iterable[tuple[str, str, float]]) -> list[Rating]:
    """Ratings, best first; a meeting says by how much the first was better than the second.

    >>> [rating.bot for rating in rate(["a", "b"], [("a", "b", -3.5)])]
    ['b', 'a']
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=0.0)
    skill = {name: model.rating(name=name) for name in bots}
    for a, b, better in meetings:
        outcome = [1.0 if better > 0 else 0.0, 1.0 if better < 0 else 0.0]
        [[skill[a]], [skill[b]]] = model.rate([[skill[a]], [skill[b]]], scores=outcome)
    ratings = [
        Rating(name, it.mu, it.sigma, it.mu - NORMAL * it.sigma, it.mu + NORMAL * it.sigma)
        for name, it in skill.items()
    ]
    return sorted(ratings, key=lambda rating: -rating.mu)
