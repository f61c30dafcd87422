"""`make faults`: what was tried on a server full of people, and what was lost.

    kills       SIGKILL of a worker at any moment (SQLite: the one process; PostgreSQL: one of two)
    restarts    PostgreSQL is shut down or crashes, and comes back
    disk        the disk of the database is full for a while
    clock       the server's clock jumps by hours and days, forwards and back

Nothing that was acknowledged may be lost, nothing be there twice, every table must go on, and every match must end in
a record that verifies.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time

from tests.faults.client_log import Findings
from tests.faults.runner import SCENARIOS, Asked, disk_refusal, house, in_namespace
from tests.faults.servers import running_fork_server

DATABASES = ("sqlite", "postgresql")
EVERY_SECONDS = 5.0


class Progress:
    """A line now and then, with the time that is left."""

    def __init__(self, name: str) -> None:
        self._name, self._began, self._shown = name, time.monotonic(), 0.0

    def __call__(self, done: int, of: int, moves: int) -> None:
        now = time.monotonic()
        if now - self._shown < EVERY_SECONDS and done < of:
            return
        self._shown = now
        left = (now - self._began) / done * (of - done)
        print(f"  {self._name}: {done} of {of}, {moves} moves acknowledged, {left:.0f} s left", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__.split("\n")[0])
    parser.add_argument("--kills", type=int, default=200, help="of a worker, on each database (200)")
    parser.add_argument("--database", choices=DATABASES, help="only on this one")
    parser.add_argument("--scenario", choices=list(SCENARIOS), help="only this one")
    parser.add_argument("--seed", type=int, default=1, help="of all that is random (1)")
    parser.add_argument(
        "--start", choices=["forked", "command"], default="forked",
        help="how servers are started for kills: forked in a moment, or `atout serve` as a person would (forked)",
    )  # fmt: skip
    parser.add_argument("--may-mount", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    scenarios = [chosen.scenario] if chosen.scenario else list(SCENARIOS)
    databases = [chosen.database] if chosen.database else list(DATABASES)
    asked = Asked(kills=chosen.kills, seed=chosen.seed, start=chosen.start)
    pairs = [(s, d) for s in scenarios for d in databases if (s, d) != ("restarts", "sqlite")]
    outcomes = [attempt(scenario, database, asked, chosen.may_mount) for scenario, database in pairs]
    return 0 if all(outcomes) else 1


def attempt(scenario: str, database: str, asked: Asked, may_mount: bool) -> bool:
    """Whether all was well. A disk is filled up in a process of its own, which may mount one."""
    name = f"{scenario} on {database}"
    if scenario == "disk" and not may_mount:
        if refusal := disk_refusal(database):
            print(f"{name}: NOT TRIED, {refusal}", flush=True)
            return False
        arguments = ["--may-mount", "--scenario", scenario, "--database", database, "--seed", str(asked.seed)]
        return subprocess.run(in_namespace(arguments), check=False).returncode == 0
    began = time.monotonic()
    with running_fork_server() as servers, house(database, servers) as at:
        findings = SCENARIOS[scenario](asked, at, Progress(name))
    print(report(name, findings, time.monotonic() - began), flush=True)
    return findings.is_good


def report(name: str, found: Findings, seconds: float) -> str:
    lines = [
        f"{name}: {'all is well' if found.is_good else 'FAULTS'} ({seconds:.0f} s)",
        f"  looked at: {found.acknowledged} acknowledged moves, {found.received} events received, "
        f"{found.events} events in the logs of {found.tables} tables",
        f"  lost {found.lost}, duplicated {found.duplicated}, otherwise wrong {found.wrong}, stuck {found.stuck}; "
        f"{found.finished} of {found.tables} matches finished and verified",
    ]
    return "\n".join(lines + [f"  {detail}" for detail in found.details])


if __name__ == "__main__":
    sys.exit(main())
