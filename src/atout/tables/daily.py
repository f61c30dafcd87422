"""The deal of the day: the same two rounds for everybody at a server, against the same bots.

    day ──► edition, players, two rounds; the person at seat 0, `learned` at all others      (the date alone)
    secret of the day ──► first dealer and deals, by the fair shuffle of `tables/shuffle.py`  (each server has its own)

Nobody brings entropy, so the deals are the same at every table of the day. The secret is random: nobody can compute the
hands from the date. Its commitment is public from the start; whoever has finished gets the secret with their record.

`learned` takes the action of the highest value, the first of equal ones, from sums in a fixed order
(`nets/forward.py`): the same deal and history give the same answer in every process, whatever the seed and the clock.
"""

from __future__ import annotations

import re
from datetime import date

from atout.tables.settings import OPEN, TableSettings

ROUNDS = 2
SEAT = 0
"""Where the person sits."""
LEVEL = "learned"
WEEK = (
    ("niet-2015", 4),
    ("nichtig", 4),
    ("niet-2015", 4),
    ("niet-2015", 5),
    ("niet-2015", 4),
    ("njet-2007", 4),
    ("nichtig", 5),
)
"""Edition and players from Monday to Sunday. `learned` was trained for all of them."""


def day_settings(day: date) -> TableSettings:
    """The table of a day.

    >>> settings = day_settings(date(2026, 11, 17))
    >>> settings.edition, settings.players, settings.options, settings.seats
    ('nichtig', 4, {'length': {'rounds': 2}}, ['open', 'learned', 'learned', 'learned'])
    """
    edition, players = WEEK[day.weekday()]
    return TableSettings(
        edition=edition,
        players=players,
        options={"length": {"rounds": ROUNDS}},
        seats=[OPEN, *[LEVEL] * (players - 1)],
        chat=False,
        takeback=False,
    )


DAY_IN_NAME = re.compile(r"deal-(\d{4}-\d{2}-\d{2})")


def day_in(name: str) -> str:
    """The day of a deal of the day, from the name of the table in the shuffle; empty for any other match.

    >>> day_in(shuffle_name("x", "2026-11-17")), day_in(shuffle_name("x", ""))
    ('2026-11-17', '')
    """
    found = DAY_IN_NAME.fullmatch(name)
    return found[1] if found else ""


def shuffle_name(table: str, daily: str) -> str:
    """The name of the table in the shuffle: its own, or for all tables of a day the same."""
    return f"deal-{daily}" if daily else table
