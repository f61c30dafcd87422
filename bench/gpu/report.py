"""Put the figures of a GPU run into bench/results.md: `python -m bench.gpu.report FILE [CPU]`.

FILE holds the lines `bench.gpu.random_matches` printed on the machine with the card.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from bench.report import markdown_table, write_section


def main() -> None:
    lines = [json.loads(line) for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines() if line[:1] == "{"]
    card = next(line["gpu"] for line in lines if "gpu" in line)
    rows = [
        [
            line["table"],
            f"{line['matches']:,}",
            f"{line['moves'] / 1e6:,.0f}",
            f"{line['seconds'] * 1e3:.1f}",
            f"{line['giga_moves_per_s']:.1f}",
            f"{line['checked_on_cpu']:,} " + ("identical" if line["bit_identical"] else "DIFFERENT"),
        ]
        for line in lines
        if "table" in line
    ]
    header = ["setup", "matches", "M moves", "ms", "G moves/s", "matches compared with the CPU"]
    body = (
        "Whole random matches, one thread per match, by the same functions as on the CPU. The state of a match is in "
        "the local memory of its thread. Median of five launches, timed with device events.\n\n"
    )
    command = "python -m bench.gpu.random_matches"
    write_section("gpu", "The same rules on a GPU", command, body + markdown_table(header, rows), where=card)


if __name__ == "__main__":
    main()
