"""`make faults` in small; and the proof that it finds a mistake when there is one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.client_log import Findings
from tests.faults.runner import SCENARIOS, Asked, house, play_scenario
from tests.faults.scenarios import kills
from tests.faults.servers import Forked, ForkServer, running_fork_server

TINY = Asked(kills=3, circles=2)
SMALL = Asked(kills=15, restarts=3, circles=4)


@pytest.fixture(scope="module")
def fork_server() -> Iterator[ForkServer]:
    with running_fork_server() as one:
        yield one


def try_scenario(scenario: str, database: str, asked: Asked, fork_server: ForkServer) -> Findings:
    with house(database, fork_server) as at:
        findings = SCENARIOS[scenario](asked, at, lambda *_: None)
        assert '"level":"error"' not in (at.folder / "server.log").read_text()
    return findings


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_three_kills(fork_server: ForkServer, database: str) -> None:
    findings = try_scenario("kills", database, TINY, fork_server)
    assert findings.is_good, findings
    assert findings.acknowledged > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario", "database"),
    [
        ("kills", "sqlite"),
        ("kills", "postgresql"),
        ("restarts", "postgresql"),
        ("clock", "sqlite"),
        ("clock", "postgresql"),
    ],
)
def test_a_scenario_loses_nothing(fork_server: ForkServer, scenario: str, database: str) -> None:
    findings = try_scenario(scenario, database, SMALL, fork_server)
    assert findings.is_good, findings


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_workers_of_the_command_are_killed(fork_server: ForkServer, database: str) -> None:
    """As a person starts it, with bots in processes of their own."""
    findings = try_scenario("kills", database, Asked(kills=3, circles=2, start="command"), fork_server)
    assert findings.is_good, findings


@pytest.mark.slow
def test_acknowledging_too_early_is_found_out(fork_server: ForkServer, tmp_path: Path) -> None:
    """The planted mistake: a move is acknowledged and stored a little later."""
    url = f"sqlite:///{tmp_path}/atout.db"
    hasty = Forked(fork_server, url, tmp_path, FAULTS_EARLY="0.05")
    findings = play_scenario([hasty], url, SMALL, lambda *_: None, lambda here: kills(here, 5))
    assert findings.lost > 0
    assert not findings.is_good
