"""The same source at three speeds: interpreted, compiled and bounds-checked rules agree on every state.

How the rules run is chosen when they are imported (`ATOUT_JIT`), so two of the three ways run in a process of
their own; `digests.py` is what they run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from atout.rules.jit import MODE, MODES
from tests.properties.digests import LINES, setting_of
from tests.properties.matches import COUNTS, SETTINGS

pytestmark = pytest.mark.long
ROOT = Path(__file__).parents[2]
MATCHES = 1_000
"""Of each edition."""
CHUNK = 500
POSITIONS = 40
"""Of each edition, each seen from every seat; interpreted on flat vectors, a tenth of a second each."""


def run(mode: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python in the given mode, with everything else as it is here."""
    paths = [str(ROOT), *(path for path in sys.path if path)]
    environment = os.environ | {"ATOUT_JIT": mode, "PYTHONPATH": os.pathsep.join(paths)}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )


def lines(mode: str, what: str, edition: str, first: int, last: int) -> list[str]:
    if mode == MODE:
        return list(LINES[what](edition, first, last))
    done = run(mode, "-m", "tests.properties.digests", what, edition, str(first), str(last))
    assert done.returncode == 0, done.stderr
    told, *found = done.stdout.splitlines()
    assert told == mode
    return found


def assert_agreement(what: str, edition: str, first: int, last: int) -> None:
    compiled = lines("on", what, edition, first, last)
    assert [line.split()[0] for line in compiled] == [str(number) for number in range(first, last)]
    assert len({line.split()[-1] for line in compiled}) == last - first, "matches that do not differ prove nothing"
    for mode in ("check", "off"):
        for here, there in zip(compiled, lines(mode, what, edition, first, last), strict=True):
            assert there == here, f"{mode} differs from on in {what} {here.split()[0]}"


@pytest.mark.parametrize("first", range(0, MATCHES, CHUNK))
@pytest.mark.parametrize("edition", COUNTS)
def test_every_state_of_a_thousand_matches(edition: str, first: int) -> None:
    """A digest of every field of every state, over all numbers of players and options."""
    played = {setting_of(edition, number).id for number in range(first, first + CHUNK)}
    assert played == {setting.id for setting in SETTINGS if setting.edition == edition}
    assert_agreement("matches", edition, first, first + CHUNK)


@pytest.mark.parametrize("edition", COUNTS)
def test_knowledge_and_drawn_worlds(edition: str) -> None:
    """What every seat may know, how many worlds that leaves, and the same worlds from the same luck."""
    assert_agreement("positions", edition, 0, POSITIONS)


def test_the_three_modes() -> None:
    assert MODES == ("on", "check", "off")
    done = run("fast", "-c", "import atout.rules.jit")
    assert done.returncode != 0
    assert "'fast' is not allowed; allowed: on, check, off" in done.stderr


def test_interpreted_rules_need_no_compiler() -> None:
    done = run("off", "-c", "import sys, atout.rules.entries; print('numba' in sys.modules)")
    assert done.stdout == "False\n", done.stderr


def test_bounds_are_checked() -> None:
    """In mode check a vector that is too short is an error, not silence."""
    done = run("check", "-c", SHORT)
    assert done.returncode != 0
    assert "IndexError" in done.stderr


SHORT = """
import numpy as np
from atout.game import Table
from atout.rules import entries
from atout.rules.layout import LUCK_WORDS, STATE_WORDS
state, luck, short = (np.zeros(words, np.int64) for words in (STATE_WORDS, LUCK_WORDS, 3))
entries.random_digests(state, Table.of("nichtig", 3).rules, luck, 1, short)
"""
