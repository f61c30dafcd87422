"""Tables for the tests of environments: every combination of edition, players and options, and house rules."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from atout.batch.match import Match
from atout.editions import Edition, load
from atout.game import Setup, new_rng
from tests.properties.matches import SETTINGS, Setting

NEEDS = "needs {}: make check-all installs it, or pip install 'atout[research]'"
NEEDS_TORCHRL, NEEDS_OPENSPIEL = NEEDS.format("torchrl"), NEEDS.format("open_spiel")
HOUSE = 'id = "house"\nbase = "niet-2015"\n[board]\ntrump = ["red", "yellow", "blue", "green", "none"]\n'
QUICK = [
    one
    for one in SETTINGS
    if one.id in ("nichtig-3", "nichtig-4-target40-teams", "niet-2015-4", "niet-2015-2-difference", "njet-1997-3-short")
]
every_table = pytest.mark.parametrize(
    "setting",
    [pytest.param(one, id=one.id, marks=[] if one in QUICK else [pytest.mark.slow]) for one in SETTINGS],
)


def house_rules(folder: Any) -> Edition:
    path = folder / "house.toml"
    path.write_text(HOUSE)
    return load(str(path))


def setup_of(setting: Setting) -> Setup:
    return Setup.of(setting.edition, setting.players, setting.options)


def new_match(setting: Setting, seed: int, one_round: bool = False) -> Match:
    match = Match(setup_of(setting), one_round)
    match.reset(seed)
    return match


def play(match: Match, rng: random.Random, decisions: int) -> Match:
    for _ in range(decisions):
        if match.is_over:
            break
        match.step(rng.choice(match.legal()))
    return match


def disguised(match: Match, seat: int, seed: int) -> Match:
    """A match that differs in what the seat may not know, and in nothing else."""
    return match.sample(seat, new_rng(seed))


def differs(one: Match, other: Match) -> bool:
    return bool(np.any(one.state != other.state))
