"""Whole matches per second through the verifier and the simulator, on one core (part of `make bench`)."""

from __future__ import annotations

from atout.arena import Simulation
from atout.editions import PUBLISHED, published
from atout.game import Setup
from atout.records import Verifier
from bench.report import markdown_table, write_section
from bench.timing import per_cpu_second, pin_to_core


def main() -> None:
    pin_to_core()
    rows = []
    for edition in PUBLISHED:
        for players in published(edition).counts:
            at = Setup.of(edition, players)
            simulation = Simulation.of(at, ["random"], seed=1)
            lines = simulation.chunk(range(100))
            verified, spread = per_cpu_second(lambda lines=lines: _verify(lines))  # type: ignore[misc]
            simulated, _ = per_cpu_second(lambda simulation=simulation: len(simulation.chunk(range(50))))  # type: ignore[misc]
            size = sum(map(len, lines)) / len(lines) / 1024
            print(f"{at.name}: {verified:,.0f} matches verified per second, {simulated:,.0f} simulated", flush=True)
            rows.append([at.name, f"{size:.1f}", f"{verified:,.0f}", f"{spread:.0%}", f"{simulated:,.0f}"])
    header = ["setup", "KiB per match", "verified/s", "spread", "simulated/s"]
    body = "Whole matches: verified from a line of JSON, and simulated from a seed to a line of JSON. "
    body += "One core, CPU time.\n\n"
    write_section("records", "Records", "make bench", body + markdown_table(header, rows))


def _verify(lines: list[bytes]) -> float:
    verifier = Verifier()
    for line in lines:
        verifier.check(line)
    return len(lines)


if __name__ == "__main__":
    main()
