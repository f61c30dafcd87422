"""Ratings of people and puzzles, as of opponents: who solves a puzzle at the first try has beaten it.

OpenSkill (Plackett–Luce) rates both. Its numbers are shown on the scale that chess players know: 1500 is where people
begin, and 400 more means winning ten times as often.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

MIDDLE, SCALE = 1500.0, 30.0
"""The shown rating of `mu` 25, and of one more. Two who are well known differ by `mu` 13.6 at ten to one."""
SIGMA = 25 / 3
"""How unsure a new rating is."""
PUZZLE_SIGMA = 25 / 6
"""How unsure the first rating of a puzzle is: the levels that found it say something."""
HARDEST, LEVEL, SHARE, LEAD, GUESS = 2000.0, 130.0, 150.0, 150.0, 200.0
"""The first rating of a puzzle that nobody finds, and what is taken off: for each level that finds it, for the share of
strong play that does, for a lead of a whole spread, and for being right by chance.
"""


class Skill(Struct, frozen=True):
    """What is known of a person or a puzzle."""

    mu: float = 25.0
    sigma: float = SIGMA

    @property
    def rating(self) -> int:
        """As it is shown.

        >>> Skill().rating, Skill(26.0).rating
        (1500, 1530)
        """
        return round(MIDDLE + SCALE * (self.mu - 25.0))


def first_rating(found: Collection[str], share: float, lead: float, guess: float) -> int:
    """The rating of a puzzle that nobody has tried: by the levels that find it, the share of strong play that does, the
    lead in spreads, and the share of right answers among the legal ones.

    >>> first_rating((), 0.0, 0.25, 0.1), first_rating(("learned", "expert"), 0.6, 0.5, 0.2)
    (1942, 1535)
    >>> first_rating(("novice", "club", "learned", "expert"), 1.0, 2.0, 0.5)
    1080
    """
    return round(HARDEST - LEVEL * len(found) - SHARE * share - LEAD * min(lead, 1.0) - GUESS * guess)


def skill_of(rating: int) -> Skill:
    """The skill of a puzzle with this first rating.

    >>> skill_of(1530).mu, skill_of(1530).rating
    (26.0, 1530)
    """
    return Skill(25.0 + (rating - MIDDLE) / SCALE, PUZZLE_SIGMA)


def after(person: Skill, puzzle: Skill, is_solved: bool) -> tuple[Skill, Skill]:
    """Both skills after a first try. Needs `openskill`, which comes with `atout[server]` and `atout[arena]`.

    >>> better, beaten = after(Skill(), Skill(), True)
    >>> better.mu > 25 > beaten.mu, better.sigma < SIGMA
    (True, True)
    """
    model = _model()
    pair = [[model.rating(mu=one.mu, sigma=one.sigma)] for one in (person, puzzle)]
    [[first], [second]] = model.rate(pair, ranks=[1, 2] if is_solved else [2, 1])
    return Skill(first.mu, first.sigma), Skill(second.mu, second.sigma)


@cache
def _model() -> PlackettLuce:
    from openskill.models import PlackettLuce

    return PlackettLuce()
