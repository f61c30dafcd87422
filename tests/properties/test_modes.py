"""The same source in three modes: interpreted, compiled and bounds-checked rules agree on every state.

`ATOUT_JIT` chooses the mode when the rules are imported, so two of the three modes run in a process of their own;
`digests.py` is what they run. `make test` compares interpreted with compiled rules. Interpreted rules find an index
out of bounds as well as bounds-checked ones do (a list raises `IndexError` too), so the mode `check`, which must
compile everything a second time, is left to `make check-all`, where many more matches are played in both modes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from atout.rules.jit import MODE, MODES
from tests.properties.digests import lines, setting_of
from tests.properties.matches import COUNTS, SETTINGS

ROOT = Path(__file__).parents[2]
FEW = {"matches": 32, "positions": 4}
"""Matches or positions of each edition; 32 matches are the fewest with every number of players and option."""
MANY = {"matches": 1_000, "positions": 40}


def run(mode: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python in the given mode, with everything else as it is here."""
    paths = [str(ROOT), *(path for path in sys.path if path)]
    environment = os.environ | {"ATOUT_JIT": mode, "PYTHONPATH": os.pathsep.join(paths)}
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def lines_in(mode: str, kind: str, count: int, editions: Iterable[str]) -> list[str]:
    if mode == MODE:
        return list(lines(kind, count, editions))
    done = run(mode, "-m", "tests.properties.digests", kind, str(count), *editions)
    assert done.returncode == 0, done.stderr
    reported_mode, *found = done.stdout.splitlines()
    assert reported_mode == mode
    return found


def assert_agreement(mode: str, kind: str, count: int, editions: Iterable[str]) -> None:
    compiled = lines_in("on", kind, count, editions)
    assert [line.split()[:2] for line in compiled] == [[edition, str(n)] for edition in editions for n in range(count)]
    assert len({line.split()[-1] for line in compiled}) == len(compiled), "matches that do not differ prove nothing"
    for here, there in zip(compiled, lines_in(mode, kind, count, editions), strict=True):
        assert there == here, f"{mode} differs from on in {kind}: {' '.join(here.split()[:2])}"


@pytest.mark.long
@pytest.mark.parametrize("kind", FEW)
def test_interpreted_and_compiled_rules_agree(kind: str) -> None:
    """On matches: every field of every state. On positions: what each seat knows, and the worlds drawn for it."""
    assert_agreement("off", kind, FEW[kind], COUNTS)


@pytest.mark.slow
@pytest.mark.parametrize("edition", COUNTS)
@pytest.mark.parametrize("kind", MANY)
@pytest.mark.parametrize("mode", ["check", "off"])
def test_all_modes_agree_at_length(mode: str, kind: str, edition: str) -> None:
    assert_agreement(mode, kind, MANY[kind], [edition])


@pytest.mark.parametrize("edition", COUNTS)
def test_few_matches_have_every_number_of_players_and_option(edition: str) -> None:
    played = {setting_of(edition, number).id for number in range(FEW["matches"])}
    assert played == {setting.id for setting in SETTINGS if setting.edition == edition}


def test_the_three_modes() -> None:
    assert MODES == ("on", "check", "off")
    done = run("fast", "-c", "import atout.rules.jit")
    assert done.returncode != 0
    assert "'fast' is not allowed; allowed: on, check, off" in done.stderr


def test_interpreted_rules_need_no_compiler() -> None:
    done = run("off", "-c", "import sys, atout.rules.entries; print('numba' in sys.modules)")
    assert done.stdout == "False\n", done.stderr


@pytest.mark.slow
def test_bounds_are_checked() -> None:
    """In mode check a vector that is too short is an error; otherwise memory beyond it would be read."""
    done = run("check", "-c", SHORT)
    assert done.returncode != 0
    assert "IndexError" in done.stderr


SHORT = """
import numpy as np
from atout.game import Setup
from atout.rules import entries
from atout.rules.layout import STATE_WORDS
entries.deal_pack(np.zeros(STATE_WORDS, np.int64), Setup.of("nichtig", 3).rules, np.zeros(3, np.int64))
"""
