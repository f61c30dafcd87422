"""The picture in the README: one round as `atout show` prints it, drawn by the program itself."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console

from atout.arena import Simulation
from atout.game import Game, Setup
from atout.records import Verifier
from atout.terminal.show import show_record

PATH = Path(__file__).parents[2] / "docs" / "pictures" / "round.svg"


def draw() -> str:
    """The first round of a match among novices, as SVG."""
    line = Simulation.of(Setup.of("niet-2015", 4), ["novice"], seed=11).chunk(range(1))[0]
    recorded = Verifier().decode(line)
    game = Game.from_record(recorded)
    record = game.undo(to=len(recorded.rounds[0].actions)).record()
    record["rounds"] = record["rounds"][:1]
    record["names"] = ["Anna", "Boris", "Clara", "Dmitri"]
    console = Console(record=True, width=96, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    show_record(record, console, None)
    drawn = console.export_svg(title="atout show games.jsonl", unique_id="round")
    return re.sub(
        r"\s*@font-face \{.*?\}|\s*<!--.*?-->", "", drawn, flags=re.DOTALL
    )  # fonts of the reader, none fetched
