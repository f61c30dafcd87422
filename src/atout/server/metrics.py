"""Figures for Prometheus, in its text format.

Every worker counts for itself. With several of them a scrape reaches any one: each leaves its figures in a common
folder every few seconds, and the one that is asked adds them all up. Counters of a worker that has ended stay in the
sum, as counters must; its gauges do not.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

FRESH_SECONDS = 15.0


class Metrics(Struct):
    commands: int = 0
    """Counters up to here are of this worker since its start."""
    events: int = 0
    refusals: int = 0
    conflicts: int = 0
    bot_decisions: int = 0
    bot_failures: int = 0
    connections_total: int = 0
    slow_readers: int = 0
    requests: int = 0
    errors: int = 0
    unavailable: int = 0
    command_seconds: float = 0.0
    tables: int = 0
    connections: int = 0
    bots_waiting: int = 0


GAUGES = ("tables", "connections", "bots_waiting")
HELP = {
    "commands": "Commands of guests that were carried out.",
    "events": "Events stored.",
    "refusals": "Commands that were refused.",
    "conflicts": "Times another worker stored an event first.",
    "bot_decisions": "Decisions made by bots.",
    "bot_failures": "Decisions made at random because a bot failed.",
    "connections_total": "Sockets opened.",
    "slow_readers": "Sockets dropped because they did not read.",
    "requests": "HTTP requests answered.",
    "errors": "Requests and messages that failed unexpectedly.",
    "unavailable": "Times the database could not be reached.",
    "command_seconds": "Seconds from a command's arrival to its acknowledgement, summed.",
    "tables": "Tables in memory.",
    "connections": "Sockets open.",
    "bots_waiting": "Decisions bots have not made yet.",
}


class Reporter:
    """This worker's figures, and everybody's."""

    def __init__(self, metrics: Metrics, folder: str) -> None:
        self._metrics = metrics
        self._folder = Path(folder) if folder else None

    def leave(self) -> None:
        """For the other workers to find."""
        if self._folder is not None:
            unfinished = self._folder / f"{os.getpid()}.part"
            unfinished.write_bytes(msgspec.json.encode(self._metrics))
            unfinished.replace(self._folder / f"{os.getpid()}.json")

    def text(self) -> str:
        self.leave()
        sums = self._sum()
        lines: list[str] = []
        for name, help in HELP.items():
            is_gauge = name in GAUGES
            full = f"atout_{name}" if is_gauge or name.endswith("_total") else f"atout_{name}_total"
            lines += [f"# HELP {full} {help}", f"# TYPE {full} {'gauge' if is_gauge else 'counter'}"]
            lines.append(f"{full} {sums[name]}")
        return "\n".join(lines) + "\n"

    def _sum(self) -> dict[str, Any]:
        if self._folder is None:
            return msgspec.structs.asdict(self._metrics)
        sums: dict[str, Any] = msgspec.structs.asdict(Metrics())
        for path in sorted(self._folder.glob("*.json")):
            fresh = time.time() - path.stat().st_mtime < FRESH_SECONDS
            for name, value in msgspec.json.decode(path.read_bytes()).items():
                if fresh or name not in GAUGES:
                    sums[name] += value
        return sums
