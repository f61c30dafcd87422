"""`make faults` in small; and the proof that it finds a mistake when there is one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.ledger import Findings
from tests.faults.programme import SCENES, Asked, house, play_scene
from tests.faults.scenes import kills
from tests.faults.servers import Forked, Nursery, nursery

TINY = Asked(kills=3, circles=2)
SMALL = Asked(kills=15, restarts=3, circles=4)


@pytest.fixture(scope="module")
def birth() -> Iterator[Nursery]:
    with nursery() as one:
        yield one


def try_scene(scene: str, database: str, asked: Asked, birth: Nursery) -> Findings:
    with house(database, birth) as at:
        findings = SCENES[scene](asked, at, lambda *_: None)
        assert '"level":"error"' not in (at.folder / "server.log").read_text()
    return findings


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_three_kills(birth: Nursery, database: str) -> None:
    findings = try_scene("kills", database, TINY, birth)
    assert findings.is_good, findings
    assert findings.acknowledged > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scene", "database"),
    [
        ("kills", "sqlite"),
        ("kills", "postgresql"),
        ("restarts", "postgresql"),
        ("clock", "sqlite"),
        ("clock", "postgresql"),
    ],
)
def test_a_scene_loses_nothing(birth: Nursery, scene: str, database: str) -> None:
    findings = try_scene(scene, database, SMALL, birth)
    assert findings.is_good, findings


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_workers_of_the_command_are_killed(birth: Nursery, database: str) -> None:
    """As a person starts it, with bots in processes of their own."""
    findings = try_scene("kills", database, Asked(kills=3, circles=2, start="command"), birth)
    assert findings.is_good, findings


@pytest.mark.slow
def test_acknowledging_too_early_is_found_out(birth: Nursery, tmp_path: Path) -> None:
    """The planted mistake: a move is acknowledged and stored a little later."""
    url = f"sqlite:///{tmp_path}/atout.db"
    hasty = Forked(birth, url, tmp_path, FAULTS_EARLY="0.05")
    findings = play_scene([hasty], url, SMALL, lambda *_: None, lambda here: kills(here, 5))
    assert findings.lost > 0
    assert not findings.is_good
