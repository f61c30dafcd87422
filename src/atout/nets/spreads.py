"""The spread of a table: the standard deviation of a round's gain among players of the level `learned`.

Labels of decisions are measured in it (`study/labels.py`), and it says how much the rounds to come may still change
(`search/match_chance.py`). It is not the scale of a network's forecasts, which comes from rule-based players.
"""

from __future__ import annotations

import json
from functools import cache

from atout.errors import UsageError
from atout.game.setup import Setup
from atout.nets.weights import FOLDER

FILE = FOLDER / "spreads.json"
"""Written by `python -m bench.study spreads`."""


def table_name(setup: Setup) -> str:
    """How a table is named in the file of spreads.

    >>> table_name(Setup.of("niet-2015", 4)), table_name(Setup.of("nichtig", 4, {"teams": True}))
    ('niet-2015 4 total', 'nichtig 4 total teams')
    """
    options = setup.options
    return f"{setup.edition.id} {setup.players} {options.scoring}" + (" teams" if options.teams else "")


@cache
def _spreads() -> dict[str, float]:
    spreads: dict[str, float] = json.loads(FILE.read_text())["spreads"]
    return spreads


def spread_of(setup: Setup) -> float:
    """The spread of this table."""
    found = _spreads().get(table_name(setup))
    if found is None:
        raise UsageError(f"{FILE.name}: the spread of {table_name(setup)} was never measured")
    return found
