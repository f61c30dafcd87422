"""CPU, latency and memory of the server beside boardgame.io; memory over time (`make bench-server`)."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import uvloop

from bench.report import markdown_table, write_section
from bench.server import ours, peer
from bench.server.soak import Soak, picture, soak

COMMAND = "make bench-server"
PICTURE = Path(__file__).parents[1] / "server.svg"


def main() -> None:
    arguments = parser().parse_args()
    if arguments.soak:
        write_soak(uvloop.run(soak(arguments.tables, arguments.soak, arguments.attacked, report)), arguments.note)
    else:
        compare(arguments.tables, arguments.seconds, arguments.note)


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="python -m bench.server", description=__doc__)
    made.add_argument("--tables", type=int, default=500, help="each with four sockets")
    made.add_argument("--seconds", type=float, default=30.0, help="to measure")
    made.add_argument("--note", default="", help="a sentence for the results, on what is special about this run")
    made.add_argument("--soak", type=float, metavar="MINUTES", help="play so long and draw the server's memory instead")
    made.add_argument("--attacked", action="store_true", help="with --soak: attackers share the machine")
    return made


def compare(tables: int, seconds: float, note: str) -> None:
    reason = peer.missing()
    rows, ends, waits = [], [], ""
    for paced, load in ((True, "one move per second"), (False, "as fast as it goes")):
        report(f"measuring Atout, {load}")
        mine = uvloop.run(ours.measure(tables, seconds, report, paced))
        rows.append(row("Atout, SQLite, every move on the disk", load, mine))
        assert mine.acknowledged is not None
        waits = waits or "p50 {:.1f} ms, p99 {:.1f} ms".format(*mine.acknowledged)
        if not reason:
            report(f"measuring boardgame.io, {load}")
            theirs, versions = peer.measure(tables, seconds, paced)
            rows.append(row(f"{versions}, in memory", load, theirs))
            ends.append(f"{mine.cpu_ms / theirs.cpu_ms:.2f} of boardgame.io's ({load})")
    header = [
        "server",
        "load",
        "moves/s",
        "CPU per move, ms",
        "told p50, ms",
        "p99, ms",
        "KB per table, seated",
        "at the end",
    ]
    body = (
        f"{tables} tables with four sockets each on loopback, for {seconds:.0f} s: each makes one move per second, or "
        "the next one as soon as the last is acknowledged. One server after the other; server on one core, driver on "
        "another. CPU: user and system time of the server's processes. Told: from sending a move until the last of "
        "the other three players has it; Atout sends it to nobody before it is on the disk, and with one move per "
        f"second acknowledges it to its player at {waits}. Memory: growth of resident memory per table, its sockets "
        "included; as fast as it goes, matches get further in the same time. Atout plays niet-2015; boardgame.io plays "
        "plain tricks with 52 cards. Load of the machine in the last minute, this bench included: "
        f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.{' ' * bool(note)}{note}\n\n"
    )
    end = f"boardgame.io was not measured: {reason}." if reason else f"CPU per move: {'; '.join(ends)}."
    write_section("server", "The table server", COMMAND, f"{body}{markdown_table(header, rows)}\n\n{end}")
    report(end)


def row(name: str, load: str, cost: ours.Cost) -> list[str]:
    delays = [f"{cost.seen[0]:.1f}", f"{cost.seen[1]:.1f}"]
    memory = [f"{cost.connected_kb:.0f}", f"{cost.after_kb:.0f}"]
    cells = [name, load, f"{cost.moves / cost.seconds:,.0f}", f"{cost.cpu_ms:.3f}", *delays, *memory]
    report(" | ".join(cells))
    return cells


def write_soak(result: Soak, note: str) -> None:
    first, last = result.memory[len(result.memory) // 2], result.memory[-1]
    body = (
        f"{result.tables} tables with four sockets each, one move per second and table, {last[0]:.0f} minutes, "
        f"{result.moves:,} moves, {result.refusals} refused; finished matches are followed by new ones. Acknowledged: "
        f"p50 {result.latency[0]:.1f} ms, p99 {result.latency[1]:.1f} ms. Memory after half of the time "
        f"{first[1]:.1f} MiB, at the end {last[1]:.1f} MiB; a line through the second half rises by "
        f"{result.growth:+.1f} MiB per hour.{' ' * bool(note)}{note}"
    )
    command = f"python -m bench.server --tables {result.tables} --soak {last[0]:.0f}"
    if result.attacks:
        done = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in sorted(result.attacks.items()))
        body += f" Attacks beside it, from another address (`bench/server/attacks.py`): {done}."
        write_section("attacked", "The table server under attack", f"{command} --attacked", body)
    else:
        PICTURE.write_text(picture(result), encoding="utf-8")
        body += "\n\n![Memory of the server over time](server.svg)"
        write_section("soak", "The table server for a long time", command, body)


def report(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    main()
