"""The legend of the observation as a Markdown page: `python -m atout.batch.legend > docs/observation.md`."""

from __future__ import annotations

import sys

from atout.knowledge.features import ACTIONS, BLOCK, HIDDEN_PARTS, HIDDEN_SIZE, PARTS, SIZE, VERSION, Part
from atout.rules.layout import SEATS

BLOCK_NAMES = ("veto", "team", "double", "discard", "pass", "lay", "play")
HEAD = f"""# What a seat sees, as numbers

Version {VERSION}: {SIZE} numbers of 8 bits, for every edition, option and number of players of both games. Written by
`python -m atout.batch.legend` from `knowledge/features.py`; a test fails when it is stale.

- Seats are counted from the observer clockwise: 0 is the observer, 1 its left neighbour. A part "for each seat" has
  {SEATS} runs of its width, empty ones for seats that are not there.
- Colours are sorted into slots: trump first, then the supertrumps' colour (once the board has decided them), the rest
  by what the observer holds; in Null & nichtig by the tops of its own piles.
- A card is a place: slot × (60 ÷ colours) + rank, rank 0 the lowest of its colour. Njet! has 4 slots of 15 places,
  Null & nichtig 5 of 12.
- A cell of the board is row × 8 + column; the start row counts seats from the observer, the rows of colours have slots
  as columns and 5 for "none"; discard and points keep the edition's order.
- "÷": what the number is divided by before a network sees it.

"""


def rows(parts: tuple[Part, ...]) -> list[str]:
    first, lines = 0, ["| index | name | numbers | ÷ | meaning |", "|---|---|---|---|---|"]
    for part in parts:
        size = part.times * part.width
        where = str(first) if size == 1 else f"{first} … {first + size - 1}"
        numbers = str(part.width) if part.times == 1 else f"{part.times} × {part.width}"
        lines.append(f"| {where} | `{part.name}` | {numbers} | {part.divisor} | {part.meaning} |")
        first += size
    return lines


def page() -> str:
    actions = [
        "| action | phase | index in the block |",
        "|---|---|---|",
        *(
            f"| {number * BLOCK} … {number * BLOCK + BLOCK - 1} | {name} | {meaning} |"
            for number, (name, meaning) in enumerate(
                zip(
                    BLOCK_NAMES,
                    ("cell", "seats of the side, bit k: seat k", "seat", "card", "card", "card", "card"),
                    strict=True,
                )
            )
        ),
    ]
    return "\n".join(
        [
            HEAD + "\n".join(rows(PARTS)),
            "",
            "## Actions",
            "",
            f"{ACTIONS} actions in one flat space, a block of {BLOCK} for each phase, numbered as the seat in turn",
            "sees the table: action = 64 × block + index. `Batch` has the legal ones as a mask of 64 bits over the",
            "block of the phase; the environments (`atout.envs`) say for each action of the flat space whether it is",
            "legal.",
            "",
            *actions,
            "",
            "## For a critic in training",
            "",
            f"{HIDDEN_SIZE} more numbers that no player is given.",
            "",
            *rows(HIDDEN_PARTS),
            "",
        ]
    )


if __name__ == "__main__":
    sys.stdout.write(page())
